/**
 * The consumer's side of the machine: claim, finish, give back, give up.
 */

import { commit, query, type Write } from '../../db';
import type { Deps } from '../../deps';
import { MAX_DOCUMENT_PATHS } from '../../documents';
import { MAX_BODY_BYTES } from '../../shared/sizes';
import { type Supplier, type SupplierFields, supplierIn, UNREADABLE } from '../../suppliers';
import { LEASE_MILLISECONDS } from '../machine';
import { accountNumberOf } from '../number';
import type { ProcessKey } from '../store-conditions';
import { type ClaimedRow, claimBatch, heldBatch, MAX_SLICE_BYTES, type Release, releaseClaim, renewLease } from './store';
import { countGivenUp, giveUp } from './store-giving-up';
import { finishBatch, isLostClaim, type Outcome } from './store-outcomes';

/** Processes this consumer holds until the lease runs out. */
export interface Claim {
  readonly token: number;
  /** When it was claimed, in Unix milliseconds: what was in time then is in time. */
  readonly at: number;
  /** When its lease last began, in Unix milliseconds. */
  renewedAt: number;
  readonly rows: readonly ClaimedRow[];
  /** By id. One that cannot be read is not among them: its processes cannot be decided. */
  readonly suppliers: ReadonlyMap<number, Supplier>;
  /** There may be more than one slice can hold: claim again. */
  readonly mayHaveLeft: boolean;
  accountNumberOf(id: number): string;
}

/** A lease is renewed once it is this old: three times before it would run out. */
const RENEW_MILLISECONDS = LEASE_MILLISECONDS / 3;

/**
 * Claims what may start now of these processes, in one trip: as many as fit into memory and name `maxDocuments` documents together.
 * What another consumer holds, or may not start, is left out; so is what has to travel alone, unless it does.
 */
export async function claimProcesses(deps: Deps, keys: readonly ProcessKey[], maxDocuments = MAX_DOCUMENT_PATHS): Promise<Claim> {
  const [token, at] = [deps.mint(), deps.now()];
  try {
    const [, rows, suppliers, [numberKey]] = await commit(deps.db, claimBatch(keys, token, at, maxDocuments));
    return {
      token,
      at,
      renewedAt: at,
      rows,
      suppliers: readableSuppliers(deps, suppliers),
      // One more process might not have fitted.
      mayHaveLeft:
        rows.length < keys.length &&
        (sumOf(rows, 'payloadBytes') > MAX_SLICE_BYTES - MAX_BODY_BYTES || sumOf(rows, 'documents') > maxDocuments - MAX_DOCUMENT_PATHS),
      accountNumberOf: (id) => accountNumberOf(id, numberKey?.value ?? ''),
    };
  } catch (error) {
    // The claim may have been made although no answer came.
    await releaseProcesses(deps, { token }, keys, 'interrupted');
    throw error;
  }
}

/** The suppliers that can be read, by id. What the others own waits; nobody else does. */
function readableSuppliers(deps: Deps, rows: readonly { readonly supplier: SupplierFields }[]): Map<number, Supplier> {
  const suppliers = new Map<number, Supplier>();
  for (const { supplier: fields } of rows) {
    const supplier = supplierIn(fields);
    if (supplier === UNREADABLE) {
      deps.log.error('supplier_unreadable', new Error('what this release needs is not in the row'), { supplier_id: fields.id });
    } else if (supplier) suppliers.set(supplier.id, supplier);
  }
  return suppliers;
}

const sumOf = (rows: readonly ClaimedRow[], column: 'payloadBytes' | 'documents'): number =>
  rows.reduce((sum, row) => sum + row[column], 0);

/** Renews the lease of what is still held, once that is due: a trip only where work takes long. If it fails, the finish finds out what was lost. */
export async function renewClaim(deps: Deps, claim: Claim): Promise<void> {
  const now = deps.now();
  if (now - claim.renewedAt < RENEW_MILLISECONDS) return;
  // At once, so that of many calls that wait together one renews.
  claim.renewedAt = now;
  try {
    await query(deps.db, renewLease(claim.rows, claim.token, now));
  } catch (error) {
    deps.log.error('claim_not_renewed', error, { processes: claim.rows.length });
  }
}

/**
 * Of these processes, the ids of those that the claim still holds. That the others were lost is not counted as a try of theirs:
 * their holder lives. One trip.
 */
export async function stillHeld(deps: Deps, claim: Claim, keys: readonly ProcessKey[]): Promise<ReadonlySet<number>> {
  const [, held] = await commit(deps.db, heldBatch(keys, claim.token));
  deps.log.info('claims_lost', { processes: keys.length - held.length });
  return new Set(held.map(({ id }) => id));
}

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
export async function releaseProcesses(deps: Deps, claim: Pick<Claim, 'token'>, keys: readonly ProcessKey[], why: Release): Promise<void> {
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
  const [, , , , , , [givenUp]] = await commit(deps.db, [...giveUp(keys, now, sentAt ?? now, failedSince), countGivenUp(keys)]);
  return givenUp?.count ?? 0;
}
