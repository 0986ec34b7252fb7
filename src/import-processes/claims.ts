/**
 * The consumer's side of the machine: claim, finish, give back, give up.
 */

import { commit, query, type Write } from '../db';
import type { Deps } from '../deps';
import { type Supplier, supplierIn, UNREADABLE } from '../suppliers';
import { accountNumberOf } from './number';
import {
  type ClaimedRow,
  claimBatch,
  countGivenUp,
  finishBatch,
  giveUp,
  isLostClaim,
  MAX_SLICE_BYTES,
  type Outcome,
  type ProcessKey,
  type Release,
  releaseClaim,
} from './store-claims';

/** Processes this consumer holds until the lease runs out. */
export interface Claim {
  readonly token: number;
  /** When it was claimed, in Unix milliseconds: what was in time then is in time. */
  readonly at: number;
  readonly rows: readonly ClaimedRow[];
  /** By id; one that cannot be read is not among them, so that its processes stay undecided and no others. */
  readonly suppliers: ReadonlyMap<number, Supplier>;
  /** There may be more than one slice can hold in memory: claim again. */
  readonly mayHaveLeft: boolean;
  accountNumberOf(id: number): string;
}

/** §8: the largest body. */
const MAX_BODY_BYTES = 1_048_576;

/** Claims what may start now of these processes, in one trip. What another consumer holds, or may not start, is left out. */
export async function claimProcesses(deps: Deps, keys: readonly ProcessKey[]): Promise<Claim> {
  const [token, at] = [deps.mint(), deps.now()];
  const [, rows, suppliers, [numberKey]] = await commit(deps.db, claimBatch(keys, token, at));
  return {
    token,
    at,
    rows,
    suppliers: new Map(
      suppliers.map(supplierIn).flatMap((supplier) => (supplier && supplier !== UNREADABLE ? [[supplier.id, supplier]] : [])),
    ),
    // One more body might not have fitted.
    mayHaveLeft: rows.length < keys.length && bytesOf(rows) > MAX_SLICE_BYTES - MAX_BODY_BYTES,
    accountNumberOf: (id) => accountNumberOf(id, numberKey?.value ?? ''),
  };
}

const bytesOf = (rows: readonly ClaimedRow[]): number => rows.reduce((sum, { payload_bytes }) => sum + payload_bytes, 0);

/** Commits outcomes with the accounts they made at `at` (Unix milliseconds), all or nothing. `lost` if the claim no longer holds for each of them. */
export async function finishProcesses(
  deps: Deps,
  claim: Claim,
  outcomes: readonly Outcome[],
  accountWrites: readonly Write[],
  at: number,
): Promise<'finished' | 'lost'> {
  try {
    await commit(deps.db, finishBatch(outcomes, claim.token, at, accountWrites));
    return 'finished';
  } catch (error) {
    if (isLostClaim(error)) return 'lost';
    throw error;
  }
}

/** Gives processes back for the next delivery; if even that fails, the lease runs out by itself. */
export async function releaseProcesses(deps: Deps, claim: Claim, keys: readonly ProcessKey[], why: Release): Promise<void> {
  if (keys.length === 0) return;
  try {
    await query(deps.db, releaseClaim(keys, claim.token, deps.now(), why));
  } catch (error) {
    deps.log.error('claim_not_released', error, { processes: keys.length });
  }
}

/** Deliveries of a message are at most ten minutes apart: what failed in none of the last two was not tried. */
const LATELY_MILLISECONDS = 20 * 60_000;

/**
 * Ends processes whose message has run out of tries, and answers how many of them have ended so. One that is held by a consumer right
 * now is left to it, and so is one that was scheduled, or given another payload, after the message was sent (`sentAt`, Unix
 * milliseconds): that one has its own. What has not failed lately is left to the sweep, which sends it again: the database was in
 * trouble while the message had its tries, so nobody could try it.
 */
export async function giveUpProcesses(deps: Deps, keys: readonly ProcessKey[], sentAt: number | undefined): Promise<number> {
  const now = deps.now();
  const failedSince = Math.max(sentAt ?? 0, now - LATELY_MILLISECONDS);
  const [, , , [givenUp]] = await commit(deps.db, [...giveUp(keys, now, sentAt ?? now, failedSince), countGivenUp(keys)]);
  return givenUp?.count ?? 0;
}
