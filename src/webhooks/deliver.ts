/**
 * Pushes events to a webhook (§13): under one supplier one event at a time, in commit order, at least once. The cursor moves when an
 * event was taken, never before.
 */
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { eventView, type WaitingEvent, waitingEvents } from '../events';
import type { DeliveryMessage } from '../queues/messages';
import { isLocalUrl, postSigned, type Sent } from '../shared/standard-webhooks';
import { afterFailure } from './rules';
import { secretsOf } from './secrets';
import {
  advanceCursor,
  type ClaimedRow,
  claimCursor,
  claimedCursor,
  delayCursor,
  releaseCursor,
  webhookFailed,
  webhookTook,
} from './store-deliveries';

/** Longer than one event takes; renewed with each. */
const CLAIM_MILLISECONDS = 60_000;
/** Rows, deliveries and time of one message; another one goes on. */
const MAX_ROWS = 200;
const MAX_DELIVERIES = 50;
const MAX_MILLISECONDS = 30_000;

interface Claim {
  readonly supplierId: number;
  readonly webhookId: string;
  readonly claim: number;
}

/** Sends what waits, until a delivery fails, nothing waits, or the message has done its share. Throws where the database fails. */
export async function deliverEvents(deps: Deps, message: DeliveryMessage): Promise<void> {
  const key: Claim = { supplierId: message.supplier_id, webhookId: message.webhook_id, claim: deps.mint() };
  const now = deps.now();
  const [, [claimed]] = await commit(deps.db, [claimCursor({ ...key, now, until: now + CLAIM_MILLISECONDS }), claimedCursor(key)]);
  if (!claimed) return;
  const page = await waitingEvents(deps, { supplierId: key.supplierId, after: claimed.afterId, limit: MAX_ROWS });
  let current = claimed;
  let taken = 0;
  for (const [index, event] of page.events.entries()) {
    const isWanted = current.types === null || typesOf(current.types).has(event.type);
    // What is passed moves the cursor with the next that is taken.
    if (!isWanted) continue;
    const sent = await send(deps, key, current, event);
    if (sent.kind === 'failed') return putOff(deps, key, { ...current, place: previous(page.events, index, current.afterId) }, sent.reason);
    const at = deps.now();
    taken++;
    const [, , [next]] = await commit(deps.db, [
      advanceCursor({ ...key, afterId: event.place, occurredAt: event.occurredAt, until: at + CLAIM_MILLISECONDS }),
      webhookTook({ id: key.webhookId, now: at }),
      claimedCursor(key),
    ]);
    if (!next) return release(deps, key);
    current = next;
    const hasDoneItsShare = taken === MAX_DELIVERIES || at - now > MAX_MILLISECONDS;
    if (hasDoneItsShare && index < page.events.length - 1) return goOn(deps, key, message);
  }
  await commit(deps.db, [advanceCursor({ ...key, afterId: page.end, occurredAt: now, until: deps.now() })]);
  if (page.hasMore) await goOn(deps, key, message);
}

const typesOf = (text: string): ReadonlySet<unknown> => {
  const types: unknown = JSON.parse(text);
  return new Set(Array.isArray(types) ? types : []);
};

/** The place of the event before that one. */
const previous = (events: readonly WaitingEvent[], index: number, first: number): number => events[index - 1]?.place ?? first;

async function send(deps: Deps, { webhookId }: Claim, { url, generation, rotatedAt }: ClaimedRow, event: WaitingEvent): Promise<Sent> {
  if (isLocalUrl(url) && deps.env.WEBHOOK_ALLOW_LOCAL !== 'on') return { kind: 'failed', reason: 'url_not_public' };
  const request = { id: event.id, at: deps.now(), body: JSON.stringify(eventView(event)) };
  return postSigned(url, request, secretsOf(deps, webhookId, generation, rotatedAt));
}

async function putOff(
  deps: Deps,
  key: Claim,
  { attempts, failingSince, place }: ClaimedRow & { place: number },
  reason: string,
): Promise<void> {
  const now = deps.now();
  const next = afterFailure(reason, attempts + 1, failingSince ?? now, now);
  const disabledReason = next.kind === 'disabled' ? next.reason : null;
  const delay = next.kind === 'again' ? next.delayMilliseconds : 0;
  await commit(deps.db, [
    webhookFailed({ ...key, now, failure: reason, disabledReason }),
    delayCursor({ ...key, now, nextAt: now + delay, afterId: place }),
  ]);
  deps.log.error('webhook_not_taken', new Error('a webhook did not take an event'), {
    webhook: key.webhookId,
    supplier: key.supplierId,
    reason,
    disabled: disabledReason,
  });
  if (next.kind === 'again') await sendAgain(deps, key, Math.ceil(delay / 1_000));
}

async function goOn(deps: Deps, key: Claim, message: DeliveryMessage): Promise<void> {
  await release(deps, key);
  await sendAgain(deps, { supplierId: message.supplier_id, webhookId: message.webhook_id }, 0);
}

async function release(deps: Deps, key: Claim): Promise<void> {
  await query(deps.db, releaseCursor({ ...key, now: deps.now() }));
}

/** If that fails, the next sweep goes on. */
async function sendAgain(deps: Deps, { supplierId, webhookId }: Omit<Claim, 'claim'>, delaySeconds: number): Promise<void> {
  try {
    await deps.webhookDeliveries.send({ v: 1, webhook_id: webhookId, supplier_id: supplierId }, { delaySeconds });
  } catch (error) {
    deps.log.error('delivery_not_sent', error, { webhook: webhookId, supplier: supplierId });
  }
}
