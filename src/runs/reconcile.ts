/**
 * What was declared of a run, what is staged of it, and what is imported: counted in pages of its key, whatever its size.
 */
import { TOTALS } from '../accounts';
import { query } from '../db';
import type { Deps } from '../deps';
import { type FoundRun, pagesOf } from './read';
import { allDifferences, type Difference, expectedOf, NO_TOTALS, type SomeTotals, sumOf, type Totals } from './rules-totals';
import { HALF, importedPage, stagedPage, type TotalsRow } from './store-totals';

export interface Reconciliation {
  readonly expected: SomeTotals;
  readonly staged: Totals;
  readonly imported: Totals;
  readonly differences: readonly Difference[];
}

/** Processes of one page: what was staged is one number each, what is imported is counted row by row. */
const [STAGED_PAGE, IMPORTED_PAGE] = [20_000, 4_000];

type Found = Omit<FoundRun, 'kind'>;

/** Yields for every page that was counted, so that whoever waits can be told that it goes on. */
export async function* reconcileRun(deps: Deps, found: Found): AsyncGenerator<undefined, Reconciliation> {
  const db = deps.databaseOf(found.supplier.code);
  let [staged, imported] = [NO_TOTALS, NO_TOTALS];
  for await (const [page] of pagesOf(found.run, STAGED_PAGE, async (key) => counted(await query(db, stagedPage({ ...key }))))) {
    if (page) staged = sumOf(staged, page);
    yield undefined;
  }
  for await (const [page] of pagesOf(found.run, IMPORTED_PAGE, async (key) => counted(await query(db, importedPage({ ...key }))))) {
    if (page) imported = sumOf(imported, page);
    yield undefined;
  }
  const expected = expectedOf(found.run.expected);
  return { expected, staged, imported, differences: allDifferences(expected, staged, imported) };
}

/** What is staged of a run. */
export async function stagedTotals(deps: Deps, { supplier, run }: Found): Promise<Totals> {
  const db = deps.databaseOf(supplier.code);
  let staged = NO_TOTALS;
  for await (const [page] of pagesOf(run, STAGED_PAGE, async (key) => counted(await query(db, stagedPage({ ...key }))))) {
    if (page) staged = sumOf(staged, page);
  }
  return staged;
}

function counted([row]: readonly TotalsRow[]) {
  if (!row) return { rows: [], looked: 0, lastId: null };
  return { rows: [totalsOf(row)], looked: row.looked, lastId: row.lastId };
}

function totalsOf({ accounts, totals }: TotalsRow): Totals {
  const halves: readonly (readonly [number, number])[] = JSON.parse(totals);
  const sums = Object.fromEntries(
    TOTALS.map((name, index) => {
      const [left = 0, right = 0] = halves[index] ?? [];
      return [name, BigInt(left) * BigInt(HALF) + BigInt(right)];
    }),
  );
  return { ...NO_TOTALS, ...sums, accounts: BigInt(accounts) };
}
