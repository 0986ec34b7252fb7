/**
 * Payload retention: what was sent is kept for the supplier's `payload_retention_days` after PROCESSED or CANCELLED. Then a
 * cancelled payload is emptied, and that of an account is cut down to the account's own document. A payload that may still be
 * needed (PENDING, ERRORED, dry run) is never touched.
 */

import { commit, query } from '../db';
import type { Deps } from '../deps';
import { statusOf } from './machine';
import { finishedProcesses, moveWalk, nextWalk, reduceTo } from './store-retention';

/** Slices of one run. */
const MAX_ROUNDS = 4;

/** `documentOf` cuts a staged body down to what the account keeps of it. */
export async function reducePayloads(deps: Deps, documentOf: (body: string) => string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = deps.now();
    const [walk] = await query(deps.db, nextWalk(now));
    if (!walk) return;
    const rows = await query(deps.db, finishedProcesses(walk, now));
    const bodies = rows.flatMap(({ id, status, body }) =>
      body === null ? [] : [[id, statusOf(status) === 'CANCELLED' ? '' : documentOf(body)] as const],
    );
    const last = rows.at(-1);
    await commit(deps.db, [...reduceTo(walk, bodies, now), moveWalk(walk, last ? last.id : 'end', now)]);
    if (bodies.length > 0) deps.log.info('payloads_reduced', { payloads: bodies.length });
  }
}
