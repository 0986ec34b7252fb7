/**
 * Cancels what of a run is PENDING. The run is held first, so that nothing starts between two slices; what is being created finishes.
 */
import { commit } from '../db';
import type { Deps } from '../deps';
import { cancelOfRun } from '../import-processes';
import { holdRun, type RunChanged } from './change';
import { type Asker, type FoundRun, findRun, type Missing, type RunPath } from './read';

export type RunCancelled =
  | Missing
  /** `isDone`: false, if there was too much for one request: the next goes on. */
  | { readonly kind: 'cancelled'; readonly found: FoundRun; readonly cancelled: number; readonly isDone: boolean };

/** Processes of one batch. */
const SLICE = 2_000;

export async function cancelRun(deps: Deps, asker: Asker, path: RunPath): Promise<RunCancelled> {
  const held: RunChanged = await holdRun(deps, asker, path, 'cancelled');
  if (held.kind === 'unauthenticated') return held;
  // What joined before the hold is within the range as it is now.
  const found = await findRun(deps, asker, path);
  if (found.kind !== 'found') return found;
  const { supplier, run } = found;
  const range = { supplierId: supplier.id, runId: run.id, after: 0, upTo: run.lastId ?? 0, limit: SLICE };
  for (let cancelled = 0; ; ) {
    const [, , ids] = await commit(deps.databaseOf(supplier.code), cancelOfRun({ ...range, now: deps.now() }, run.name));
    cancelled += ids.length;
    if (ids.length < SLICE) return { kind: 'cancelled', found, cancelled, isDone: true };
    if (--deps.calls.left <= 0) return { kind: 'cancelled', found, cancelled, isDone: false };
    range.after = ids.reduce((last, { id }) => Math.max(last, id), range.after);
  }
}
