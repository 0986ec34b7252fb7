/**
 * Creates accounts from claimed import processes: the consumer's verb. A slice costs two trips to the database, whatever its
 * size: claim and read; then every row of every account with its process's outcome, all or nothing.
 */

import { isErrorOfSql } from '../db';
import type { Deps } from '../deps';
import { type Claim, type ClaimedRow, claimProcesses, finishProcesses, type ProcessKey, releaseProcesses } from '../import-processes';
import { type Decision, decideAll } from './decide';
import { writesOf } from './rows';

/** Processes claimed at once. */
const SLICE = 500;

/** Creates what may be created of these processes. Answers those that infrastructure failed: they are to be delivered again. */
export async function createAccounts(deps: Deps, keys: readonly ProcessKey[]): Promise<ProcessKey[]> {
  const failed: ProcessKey[] = [];
  for (let from = 0; from < keys.length; from += SLICE) failed.push(...(await createSlice(deps, keys.slice(from, from + SLICE))));
  return failed;
}

async function createSlice(deps: Deps, keys: readonly ProcessKey[]): Promise<ProcessKey[]> {
  const failed: ProcessKey[] = [];
  let left = keys;
  for (;;) {
    const claim = await claimProcesses(deps, left);
    if (claim.rows.length === 0) return failed;
    failed.push(...(await createClaimed(deps, claim)));
    if (!claim.mayHaveLeft) return failed;
    const seen = new Set(claim.rows.map(({ id }) => id));
    left = left.filter(({ id }) => !seen.has(id));
  }
}

async function createClaimed(deps: Deps, claim: Claim): Promise<ProcessKey[]> {
  const at = deps.now();
  const { decisions, undecided } = await decideAll(deps, claim, at);
  const unfinished = await finish(deps, claim, decisions, at);
  const failed = [...undecided.map(keyOf), ...unfinished.failed];
  await releaseProcesses(deps, claim, failed, 'failed');
  await releaseProcesses(deps, claim, unfinished.interrupted, 'interrupted');
  return [...failed, ...unfinished.interrupted];
}

/** What was not finished: refused by itself, or because the database failed all alike. */
interface Unfinished {
  readonly failed: readonly ProcessKey[];
  readonly interrupted: readonly ProcessKey[];
}

const NOTHING: Unfinished = { failed: [], interrupted: [] };

/**
 * Commits decisions. What the database refuses (a bug, or one poisonous account) is halved until the refused one stands alone,
 * so that its neighbours are created; infrastructure that fails would fail for each of them, so all are tried again later.
 */
async function finish(deps: Deps, claim: Claim, decisions: readonly Decision[], at: number): Promise<Unfinished> {
  if (decisions.length === 0) return NOTHING;
  try {
    const outcomes = decisions.map(({ outcome }) => outcome);
    const finished = await finishProcesses(
      deps,
      claim,
      outcomes,
      writesOf(decisions.flatMap(({ created }) => (created ? [created] : []))),
      at,
    );
    // Alone and lost: whoever took the process over will finish it.
    if (finished === 'finished' || decisions.length === 1) return NOTHING;
  } catch (error) {
    deps.log.error('accounts_not_created', error, { processes: decisions.length });
    const keys = decisions.map(({ outcome }) => outcome);
    if (!isErrorOfSql(error)) return { failed: [], interrupted: keys };
    if (decisions.length === 1) return { failed: keys, interrupted: [] };
  }
  const middle = Math.ceil(decisions.length / 2);
  const first = await finish(deps, claim, decisions.slice(0, middle), at);
  const second = await finish(deps, claim, decisions.slice(middle), at);
  return { failed: [...first.failed, ...second.failed], interrupted: [...first.interrupted, ...second.interrupted] };
}

const keyOf = (row: ClaimedRow): ProcessKey => ({ supplierId: row.supplier_id, id: row.id });
