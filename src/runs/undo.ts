/**
 * Takes the accounts of a run back (the operator's only): what was imported less than the supplier's `undo_hours` ago and nothing was added
 * to. The run is held first, so that nothing of it is imported meanwhile.
 */
import { auditId, auditValues } from '../audit';
import { commit, query } from '../db';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { holdRun } from './change';
import { type FoundRun, findRun, type Operating, pagesOf, type RunPath } from './read';
import { undoBody } from './schema';
import { undoBatch } from './store-undo';
import { type UndoRow, undoPage } from './store-undoable';
import { stillImported, takenBack, undoKeys } from './store-undone';

/** Why an account stays as it is. */
export type NotUndoneReason = 'ADDED_TO' | 'TOO_LATE';

export interface NotUndone {
  readonly externalAccountNumber: string;
  readonly reason: NotUndoneReason;
}

export type Undo =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'refused'; readonly detail: string }
  /** `notUndone` names the first {@link MAX_NAMED} of `notUndoneCount`. `isDone`: false, if there was too much for one request. */
  | {
      readonly kind: 'undone';
      readonly undone: number;
      readonly notUndone: readonly NotUndone[];
      readonly notUndoneCount: number;
      readonly isDone: boolean;
    };

/** Accounts of one batch; and calls of the platform for one: a read, the batch, and a read of what it left. */
const [SLICE, CALLS_OF_A_SLICE] = [500, 3];
const MAX_NAMED = 1_000;
const HOUR_MILLISECONDS = 3_600_000;

export async function undoRun(deps: Deps, operator: Operating, path: RunPath, raw: unknown): Promise<Undo> {
  const { value, errors } = parse(undoBody, raw);
  if (value === undefined) return { kind: 'invalid', errors };
  const found = await findRun(deps, operator, path);
  if (found.kind !== 'found') return { kind: 'not_found' };
  const hours = found.supplier.configuration?.undo_hours ?? 0;
  if (hours === 0) return { kind: 'refused', detail: 'Set undo_hours of the supplier first: accounts can be undone for so long.' };
  await holdRun(deps, operator, path, 'undone');
  return undoSlices(deps, operator, found, value.reason, deps.now() - hours * HOUR_MILLISECONDS);
}

async function undoSlices(deps: Deps, { actor }: Operating, found: FoundRun, reason: string, since: number): Promise<Undo> {
  const { supplier, run } = found;
  const db = deps.databaseOf(supplier.code);
  const notUndone: NotUndone[] = [];
  let [undone, notUndoneCount] = [0, 0];
  const keep = (rows: readonly UndoRow[]) => {
    notUndoneCount += rows.length;
    notUndone.push(...rows.slice(0, MAX_NAMED - notUndone.length).map(notUndoneOf));
  };
  const readPage = async (key: Parameters<typeof undoPage>[0]) => {
    const rows = await query(db, undoPage(key));
    return { rows, looked: rows.length, lastId: rows.at(-1)?.id };
  };
  for await (const rows of pagesOf(run, SLICE, (page) => readPage({ ...page, since }))) {
    const chosen = rows.filter(({ isTooLate, hasAdditions }) => !isTooLate && !hasAdditions);
    keep(rows.filter((row) => !chosen.includes(row)));
    if (chosen.length > 0) {
      const entry = {
        id: auditId(deps),
        occurredAt: deps.now(),
        actor,
        action: 'run.undone',
        subject: `run ${supplier.code} ${run.name}`,
        supplier: supplier.code,
        after: { accounts: chosen.length, reason },
      } as const;
      await commit(db, undoBatch(auditValues(entry), run, chosen, since));
      // Another request may have taken back some of them.
      const [own, imported] = await commit(db, [takenBack(chosen, entry.occurredAt, entry.id), stillImported({ keys: undoKeys(chosen) })]);
      const left = new Set(imported.map(({ id }) => id));
      undone += own.length;
      // Something was added to it since the page was read.
      keep(chosen.filter(({ id }) => left.has(id)).map((row) => ({ ...row, hasAdditions: true })));
    }
    deps.calls.left -= CALLS_OF_A_SLICE;
    if (deps.calls.left < CALLS_OF_A_SLICE && rows.length === SLICE) {
      return { kind: 'undone', undone, notUndone, notUndoneCount, isDone: false };
    }
  }
  return { kind: 'undone', undone, notUndone, notUndoneCount, isDone: true };
}

const notUndoneOf = ({ externalAccountNumber, hasAdditions }: UndoRow): NotUndone => ({
  externalAccountNumber,
  reason: hasAdditions ? 'ADDED_TO' : 'TOO_LATE',
});
