/**
 * Creates accounts from claimed import processes: the consumer's verb. A slice costs two trips to the database, whatever its
 * size: claim and read; then every row of every account with its process's outcome, all or nothing.
 */

import { isErrorOfSql } from '../../db';
import type { Deps } from '../../deps';
import { lookUpsLeft, MAX_DOCUMENT_PATHS } from '../../documents';
import {
  type Claim,
  claimProcesses,
  finishProcesses,
  type ProcessKey,
  releaseProcesses,
  renewClaim,
  stillHeld,
} from '../../import-processes';
import { type Decision, decideAll } from './decide';
import { writesOf } from './rows';

/** Processes claimed at once. */
const SLICE = 500;
/** Calls of the platform for a claim and its release, and for a batch that ends processes: each statement counts as one. */
const CALLS_OF_A_CLAIM = 5;
const CALLS_OF_A_BATCH = 15;

/** What an invocation did not bring to an end. */
export interface Unfinished {
  /** Each failed by itself: their messages are to be delivered again, until they are out of tries. */
  readonly failed: readonly ProcessKey[];
  /** The database failed all alike: their messages are to be delivered again, and this counts against none of them. */
  readonly interrupted: readonly ProcessKey[];
  /** The invocation may make no more calls: they are for another one. */
  readonly left: readonly ProcessKey[];
}

/** Creates what may be created of these processes. Answers what is to be tried again, by the same message or by another. */
export async function createAccounts(deps: Deps, keys: readonly ProcessKey[]): Promise<Unfinished> {
  const slices: Unfinished[] = [];
  for (let from = 0; from < keys.length; from += SLICE) slices.push(await createSlice(deps, keys.slice(from, from + SLICE)));
  return bothOf(slices);
}

async function createSlice(deps: Deps, keys: readonly ProcessKey[]): Promise<Unfinished> {
  const slices: Unfinished[] = [];
  let rest = keys;
  for (;;) {
    if (!mayCall(deps, CALLS_OF_A_CLAIM)) return bothOf([...slices, { ...NOTHING, left: rest }]);
    // A process names at most as many documents as a claim may: in an invocation that has just begun, each fits.
    const maxDocuments = Math.min(MAX_DOCUMENT_PATHS, lookUpsLeft(deps));
    let claim: Claim;
    try {
      claim = await claimProcesses(deps, rest, maxDocuments);
    } catch (error) {
      deps.log.error('processes_not_claimed', error, { processes: rest.length });
      return bothOf([...slices, { ...NOTHING, interrupted: rest }]);
    }
    if (claim.rows.length > 0) slices.push(await createClaimed(deps, claim));
    const seen = new Set(claim.rows.map(({ id }) => id));
    rest = rest.filter(({ id }) => !seen.has(id));
    if (!claim.mayHaveLeft) return bothOf(slices);
    if (claim.rows.length === 0) return bothOf([...slices, { ...NOTHING, left: rest }]);
  }
}

/** Whatever is not finished is given back, whatever happened. */
async function createClaimed(deps: Deps, claim: Claim): Promise<Unfinished> {
  let unfinished: Unfinished;
  try {
    const at = deps.now();
    const { decisions, failed, left } = await decideAll(deps, claim, at, () => renewClaim(deps, claim));
    const rest = { failed: failed.map(keyOf), interrupted: [], left: left.map(keyOf) };
    unfinished = bothOf([rest, await finish(deps, claim, decisions, at)]);
  } catch (error) {
    deps.log.error('claim_not_finished', error, { processes: claim.rows.length });
    unfinished = { ...NOTHING, failed: claim.rows.map(keyOf) };
  }
  await releaseProcesses(deps, claim, unfinished.failed, 'failed');
  await releaseProcesses(deps, claim, [...unfinished.interrupted, ...unfinished.left], 'interrupted');
  return unfinished;
}

/**
 * Commits decisions. What the database refuses (a bug, or one poisonous account) is halved until the refused one is alone,
 * so that its neighbours are created; infrastructure that fails would fail for each of them, so all are tried again later.
 */
async function finish(deps: Deps, claim: Claim, decisions: readonly Decision[], at: number): Promise<Unfinished> {
  if (decisions.length === 0) return NOTHING;
  const keys = decisions.map(({ outcome }) => ({ supplierId: outcome.supplierId, id: outcome.id }));
  if (!mayCall(deps, CALLS_OF_A_BATCH)) return { ...NOTHING, left: keys };
  await renewClaim(deps, claim);
  try {
    const outcomes = decisions.map(({ outcome }) => outcome);
    const writes = writesOf(decisions.flatMap(({ created }) => (created ? [created] : [])));
    if ((await finishProcesses(deps, claim, outcomes, writes, at)) === 'finished') return NOTHING;
  } catch (error) {
    deps.log.error('accounts_not_created', error, { processes: decisions.length });
    if (!isErrorOfSql(error)) return { ...NOTHING, interrupted: keys };
    if (decisions.length === 1) return { ...NOTHING, failed: keys };
    const middle = Math.ceil(decisions.length / 2);
    const first = await finish(deps, claim, decisions.slice(0, middle), at);
    return bothOf([first, await finish(deps, claim, decisions.slice(middle), at)]);
  }
  // Some were lost: whoever took them over will finish them.
  const held = await stillHeld(deps, claim, keys);
  if (held.size === keys.length) throw new Error('a claim that is held was refused');
  return finish(
    deps,
    claim,
    decisions.filter(({ outcome }) => held.has(outcome.id)),
    at,
  );
}

/** Counts calls off; false if this invocation may not make them any more. */
function mayCall({ calls }: Deps, count: number): boolean {
  if (calls.left < count) return false;
  calls.left -= count;
  return true;
}

const NOTHING: Unfinished = { failed: [], interrupted: [], left: [] };

const bothOf = (parts: readonly Unfinished[]): Unfinished => ({
  failed: parts.flatMap(({ failed }) => failed),
  interrupted: parts.flatMap(({ interrupted }) => interrupted),
  left: parts.flatMap(({ left }) => left),
});

const keyOf = ({ supplierId, id }: ProcessKey): ProcessKey => ({ supplierId, id });
