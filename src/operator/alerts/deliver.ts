/**
 * Sends alerts to operators' addresses: signed requests, at least once, until each was taken (§10).
 */
import { commit, query, type Write } from '../../db';
import type { Deps } from '../../deps';
import { isoInstant } from '../../shared/dates';
import { usableSecret } from '../../shared/secrets';
import { postSigned, type Sent, webhookSecret } from '../../shared/standard-webhooks';
import { nextTry } from './rules';
import { addressFailed, addressTook, type DueRow, deliveryAgain, deliveryDone, dueDeliveries } from './store-addresses';
import { alertView } from './views';

/** Deliveries of one run; the next goes on. */
const MAX_DELIVERIES = 50;

/** Sends what is due, all at once, and writes down what became of it. Without a signing key nothing is sent, and the log says so. */
export async function deliverAlerts(deps: Deps): Promise<void> {
  const due = await query(deps.db, dueDeliveries({ now: deps.now(), limit: MAX_DELIVERIES }));
  if (due.length === 0) return;
  const outcomes = await Promise.all(due.map(async (row) => afterwards(deps, row, await send(deps, row))));
  await commit(deps.db, outcomes.flat());
}

async function send(deps: Deps, row: DueRow): Promise<Sent> {
  const secret = secretOfAddress(deps, row.addressId);
  if (secret === undefined) return { kind: 'failed', reason: 'signing_key_missing' };
  const body = JSON.stringify({ type: row.event, timestamp: isoInstant(deps.now()), data: alertView(row) });
  return postSigned(row.url, { id: `${row.id}.${row.event}`, at: deps.now(), body }, [secret]);
}

function afterwards(deps: Deps, { id: alertId, addressId, event, attempts, deliveryCreatedAt }: DueRow, sent: Sent): Write[] {
  const now = deps.now();
  const delivery = { alertId, addressId, event };
  if (sent.kind === 'taken') return [deliveryDone(delivery), addressTook({ id: addressId, now })];
  const next = nextTry(attempts + 1, deliveryCreatedAt, now);
  deps.log.error('alert_not_delivered', new Error('an address did not take an alert'), {
    alert: alertId,
    address: addressId,
    reason: sent.reason,
    is_given_up: next === undefined,
  });
  return [
    next === undefined ? deliveryDone(delivery) : deliveryAgain({ ...delivery, nextAt: next, attempts: attempts + 1 }),
    addressFailed({ id: addressId, now, failure: sent.reason }),
  ];
}

/** What signs for an address; undefined where no signing key is set. */
export function secretOfAddress(deps: Deps, addressId: string): string | undefined {
  const key = usableSecret(deps.env.WEBHOOK_SIGNING_KEY);
  return key === undefined ? undefined : webhookSecret(key, `alert address ${addressId}`);
}
