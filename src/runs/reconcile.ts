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

export async function reconcileRun(deps: Deps, found: Found): Promise<Reconciliation> {
  const expected = expectedOf(found.run.expected);
  const staged = await stagedTotals(deps, found);
  const imported = await sumOfPages(deps, found, IMPORTED_PAGE, importedPage);
  return { expected, staged, imported, differences: allDifferences(expected, staged, imported) };
}

/** What is staged of a run. */
export const stagedTotals = (deps: Deps, found: Found): Promise<Totals> => sumOfPages(deps, found, STAGED_PAGE, stagedPage);

async function sumOfPages(deps: Deps, { supplier, run }: Found, size: number, pageOf: typeof stagedPage): Promise<Totals> {
  const db = deps.databaseOf(supplier.code);
  let sum = NO_TOTALS;
  for await (const totals of pagesOf(run, size, async (key) => counted(await query(db, pageOf({ ...key }))))) {
    sum = totals.reduce(sumOf, sum);
  }
  return sum;
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
