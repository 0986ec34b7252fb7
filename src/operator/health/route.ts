import type { AppHandler } from '../../http/app';
import { pageQuery, withNext } from '../../http/page';
import { receiveOperator } from '../../http/receive-operator';
import { invalidTransition, notFound } from '../../http/replies';
import { isoInstant } from '../../shared/dates';
import { unreachable } from '../../shared/unreachable';
import { retriedView } from '../processes/views';
import { listDeadLetters, readHealth, redrive } from './health';

/** `GET /operator/v1/queue/`: the oldest PENDING process, expired leases, open dead letters. 200, 401. */
export const getQueue: AppHandler = async (c) => {
  const operator = await receiveOperator(c);
  if (operator instanceof Response) return operator;
  const { oldestPending: oldest, expiredLeases, deadLetters } = await readHealth(c.var.deps);
  return c.json({
    oldest_pending: oldest
      ? {
          supplier: oldest.code,
          external_account_number: oldest.external_account_number,
          scheduled_at: isoInstant(oldest.scheduled_at),
          waiting_seconds: Math.max(0, Math.round((c.var.deps.now() - oldest.scheduled_at) / 1000)),
        }
      : null,
    expired_leases: expiredLeases,
    dead_letters: deadLetters,
  });
};

/** `GET /operator/v1/dead-letters/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getDeadLetters: AppHandler = async (c) => {
  const operator = await receiveOperator(c);
  if (operator instanceof Response) return operator;
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  const { letters, cursor } = await listDeadLetters(c.var.deps, page.limit, page.cursor);
  const views = letters.map((letter) => ({
    message_id: letter.message_id,
    queue: letter.queue,
    supplier: letter.supplier_code,
    processes: letter.processes,
    failed_at: isoInstant(letter.failed_at),
    redriven_at: letter.redriven_at === null ? null : isoInstant(letter.redriven_at),
  }));
  return withNext(c, cursor, views);
};

/** `POST /operator/v1/dead-letters/{id}/redrive/`: 200 with how many were retried; 401, 404, 409. */
export const postRedrive: AppHandler = async (c) => {
  const operator = await receiveOperator(c);
  if (operator instanceof Response) return operator;
  const outcome = await redrive(c.var.deps, operator.actor, c.req.param('id') ?? '');
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
};
