/**
 * The sweep, every minute: what the queue lost is sent again, what a crash left behind is released or given up, and what can
 * never start is cancelled (§3.2). It makes the queue a matter of speed only: correctness needs nothing but this and the tables.
 */

import { commit, query } from '../db';
import type { Deps } from '../deps';
import { LEASE_MILLISECONDS } from './machine';
import { sendImports } from './messages';
import { giveUp } from './store-claims';
import { cancelHopeless, dueProcesses, expiredLeases, isExhausted, markSent, releaseExpired, SWEEP_SLICE } from './store-sweep';

/** Slices one run works through; the next run goes on. */
const MAX_ROUNDS = 25;

export async function sweep(deps: Deps): Promise<void> {
  const db = deps.db;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = deps.now();
    const [expired, , cancelled] = await commit(db, [expiredLeases(now), ...cancelHopeless(now)]);
    if (expired.length > 0) {
      const exhausted = expired.filter(isExhausted).map((row) => ({ supplierId: row.supplier_id, id: row.id }));
      const writes = [
        releaseExpired(
          expired.filter((row) => !isExhausted(row)),
          deps.now(),
        ),
        // What was scheduled since then had no lease that could run out.
        ...giveUp(exhausted, deps.now(), now - LEASE_MILLISECONDS),
      ];
      await commit(db, writes);
      deps.log.info('leases_expired', { released: expired.length - exhausted.length, given_up: exhausted.length });
    }
    const due = await query(db, dueProcesses(deps.now()));
    if (due.length > 0) {
      // Sent before it is marked: a message too many is harmless, one too few would wait for the next sweep.
      const processes = due.map((row) => ({ supplierId: row.supplier_id, id: row.id, payloadBytes: row.payload_bytes }));
      await sendImports(deps, processes);
      await query(db, markSent(due, deps.now()));
      deps.log.info('imports_sent_again', { processes: due.length });
    }
    if (Math.max(expired.length, cancelled.length, due.length) < SWEEP_SLICE) break;
  }
}
