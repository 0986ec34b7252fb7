/**
 * The sweep, every minute: what a crash left behind is released or given up, what the queue lost is sent again, and what can
 * never start is cancelled (§3.2). It makes the queue a matter of speed only: correctness needs nothing but this and the tables.
 */

import { commit, type Query } from '../../db';
import type { Deps } from '../../deps';
import { minuteOf } from '../../shared/dates';
import { giveUp } from '../claim/store-giving-up';
import { LEASE_MILLISECONDS } from '../machine';
import { paceRuns } from '../runs/pace';
import { endedRuns, finishRuns } from '../runs/store-finish';
import { pacedRuns } from '../runs/store-pace';
import { sendBacklog, sendNow } from '../send/backlog';
import {
  type CancelledRow,
  cancelClosed,
  cancelUnderComplete,
  type ExpiredRow,
  expiredLeases,
  isExhausted,
  isMissed,
  releaseExpired,
  SWEEP_SLICE,
  type WaitingRow,
  waitingSuppliers,
} from './store';

/** Slices of one kind that one run works through; the next run goes on. */
const MAX_ROUNDS = 10;

/**
 * One run. What may still start is sent before anything is cancelled, and only windows that had closed when the run began are taken
 * for closed. A part that fails does not keep the others from theirs; the first failure is thrown at the end, others go to the log.
 */
export async function sweep(deps: Deps): Promise<void> {
  const db = deps.db;
  const startedAt = deps.now();
  const [expired, waiting, paced, ended] = await commit(db, [
    expiredLeases(startedAt),
    waitingSuppliers(startedAt),
    pacedRuns({ minute: minuteOf(startedAt) }),
    endedRuns({}),
  ]);
  const failures: unknown[] = [];
  const parts = [
    () => releaseLeases(deps, db, expired),
    () => paceRuns(deps, db, paced),
    () => sendBacklog(deps, db, withStatus(waiting, 'Ongoing')),
    () => cancelHopeless(deps, db, waiting, startedAt),
    () => finish(deps, db, ended),
  ];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      if (failures.length > 0) deps.log.error('sweep_failed', error);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const withStatus = (suppliers: readonly WaitingRow[], status: WaitingRow['status']): number[] =>
  suppliers.filter((supplier) => supplier.status === status).map(({ id }) => id);

/** Brings runs to their end of which nothing waited when the run of the sweep began. */
async function finish(deps: Deps, db: D1Database, ended: readonly { readonly id: number }[]): Promise<void> {
  if (ended.length === 0) return;
  await commit(
    db,
    finishRuns(
      ended.map(({ id }) => id),
      deps.now(),
    ),
  );
}

/** Gives what has expired back, and sends it at once, or gives it up. */
async function releaseLeases(deps: Deps, db: D1Database, found: readonly ExpiredRow[]): Promise<void> {
  let expired = found;
  for (let round = 0; expired.length > 0 && round < MAX_ROUNDS; round++) {
    const now = deps.now();
    const [exhausted, released] = [expired.filter(isExhausted), expired.filter((row) => !isExhausted(row))];
    // What was scheduled since then had no lease that could run out.
    await commit(db, [releaseExpired(released, now), ...giveUp(exhausted, now, now - LEASE_MILLISECONDS)]);
    deps.log.info('leases_expired', { released: released.length, given_up: exhausted.length });
    await sendNow(deps, db, released);
    if (expired.length < SWEEP_SLICE) return;
    [expired] = await commit(db, [expiredLeases(deps.now())]);
  }
}

/** Cancels what can never start: windows that had closed when the run began, and what is PENDING under a Complete supplier. */
async function cancelHopeless(deps: Deps, db: D1Database, waiting: readonly WaitingRow[], startedAt: number): Promise<void> {
  const closed = waiting.filter(({ hasClosed }) => hasClosed).map(({ id }) => id);
  const complete = withStatus(waiting, 'Complete');
  const ongoing = new Set(withStatus(waiting, 'Ongoing'));
  let missed = 0;
  await inRounds(closed, async () => {
    const cancelled = await cancelledBy(db, cancelClosed(closed, startedAt, deps.now()));
    missed += cancelled.filter((row) => ongoing.has(row.supplierId) && isMissed(row)).length;
    return cancelled.length;
  });
  // Nothing starts after its window, whoever was late. That it was the service goes to the log.
  if (missed > 0) deps.log.error('windows_missed', new Error('windows closed before their processes were sent'), { processes: missed });
  await inRounds(complete, async () => (await cancelledBy(db, cancelUnderComplete(complete, deps.now()))).length);
}

async function cancelledBy(db: D1Database, batch: readonly [Query, Query, Query<CancelledRow>]): Promise<CancelledRow[]> {
  const [, , cancelled] = await commit(db, batch);
  return cancelled;
}

/** Works through slices until one is not full. */
async function inRounds(supplierIds: readonly number[], work: () => Promise<number>): Promise<void> {
  if (supplierIds.length === 0) return;
  for (let round = 0; round < MAX_ROUNDS; round++) if ((await work()) < SWEEP_SLICE) return;
}
