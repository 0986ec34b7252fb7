import { pageOf, pageReply } from '../../http/page';
import { invalidTransition, notFound } from '../../http/replies';
import { route } from '../../http/route';
import { isoInstant } from '../../shared/dates';
import { unreachable } from '../../shared/unreachable';
import { retriedView } from '../processes/views';
import * as declared from './endpoints';
import { readHealth } from './health';
import { type DeadLetter, dismiss, listDeadLetters, redrive } from './letters';

/** `GET /operator/v1/queue/`: the oldest PENDING process, expired leases, open dead letters, the last sweep, how full the database is. 200, 401. */
export const getQueue = route(declared.getQueue, async (c) => {
  const { oldestPending: oldest, expiredLeases, deadLetters, lastSweepAt, lastId, room, takesNewAccounts } = await readHealth(c.var.deps);
  const secondsSince = (instant: number): number => Math.max(0, Math.round((c.var.deps.now() - instant) / 1000));
  return c.json({
    oldest_pending: oldest
      ? {
          supplier: oldest.code,
          external_account_number: oldest.externalAccountNumber,
          scheduled_at: isoInstant(oldest.scheduledAt),
          waiting_seconds: secondsSince(oldest.scheduledAt),
        }
      : null,
    expired_leases: expiredLeases,
    dead_letters: deadLetters,
    last_sweep_at: lastSweepAt === undefined ? null : isoInstant(lastSweepAt),
    last_sweep_seconds: lastSweepAt === undefined ? null : secondsSince(lastSweepAt),
    takes_new_accounts: takesNewAccounts,
    last_id: lastId,
    ...(room ? { database: { size_bytes: room.bytes, limit_bytes: room.limitBytes, percent: room.percent, level: room.level } } : {}),
  });
});

/** `GET /operator/v1/dead-letters/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getDeadLetters = route(declared.listDeadLetters, async (c) => {
  return pageReply(c, await listDeadLetters(c.var.deps, pageOf(c.req.valid('query'))), letterView);
});

/** `POST /operator/v1/dead-letters/{id}/redrive/`: 200 with how many were retried; 401, 404, 409. */
export const postRedrive = route(declared.redriveDeadLetter, async (c) => {
  const outcome = await redrive(c.var.deps, c.var.operator.actor, c.req.valid('param').id);
  switch (outcome.kind) {
    case 'redriven':
      return c.json(retriedView(outcome));
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});

/** `POST /operator/v1/dead-letters/{id}/dismiss/`: 200 with the letter; 401, 404, 409. */
export const postDismiss = route(declared.dismissDeadLetter, async (c) => {
  const outcome = await dismiss(c.var.deps, c.var.operator.actor, c.req.valid('param').id);
  switch (outcome.kind) {
    case 'dismissed':
      return c.json(letterView(outcome.letter));
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});

const letterView = (letter: DeadLetter) => ({
  message_id: letter.messageId,
  queue: letter.queue,
  supplier: letter.supplierCode,
  processes: letter.processes,
  failed_at: isoInstant(letter.failedAt),
  redriven_at: letter.redrivenAt === null ? null : isoInstant(letter.redrivenAt),
  dismissed_at: letter.dismissedAt === null ? null : isoInstant(letter.dismissedAt),
});
