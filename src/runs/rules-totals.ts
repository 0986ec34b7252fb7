/**
 * Totals of a run: what was declared, what is staged, what is imported, and where they differ. Integers only, money in minor units. Pure.
 */
import { TOTALS, type Total } from '../accounts/pure';
import { formatMinorUnits, totalUnits } from '../shared/money';

export const RUN_TOTALS = ['accounts', ...TOTALS] as const;
/** Where {@link TOTALS} has the statements. */
export const STATEMENTS_TOTAL = TOTALS.indexOf('statements');
export type RunTotal = (typeof RUN_TOTALS)[number];
export type Totals = Readonly<Record<RunTotal, bigint>>;
export type SomeTotals = Readonly<Partial<Record<RunTotal, bigint>>>;

const MONEY: ReadonlySet<RunTotal> = new Set(['transactions_amount', 'balance']);

/** One total as the wire shows it: a count as a number, money as a string with two decimals. */
export const shownTotal = (name: RunTotal, value: bigint): number | string => (MONEY.has(name) ? formatMinorUnits(value) : Number(value));

export const shownTotals = (totals: SomeTotals): Partial<Record<RunTotal, number | string>> =>
  Object.fromEntries(RUN_TOTALS.flatMap((name) => (totals[name] === undefined ? [] : [[name, shownTotal(name, totals[name])]])));

/** Totals as they were sent, after their schema accepted them. */
export const totalsIn = (sent: Readonly<Partial<Record<RunTotal, number | string | null | undefined>>>): SomeTotals =>
  Object.fromEntries(
    RUN_TOTALS.flatMap((name) => {
      const value = sent[name];
      if (value === undefined || value === null) return [];
      return [[name, MONEY.has(name) ? totalUnits(value) : BigInt(value)]];
    }),
  );

/** Declared totals as a run stores them: JSON, or null where nothing is declared. */
export const storedExpected = (totals: SomeTotals): string | null =>
  Object.keys(totals).length === 0 ? null : JSON.stringify(shownTotals(totals));

/** What {@link storedExpected} wrote. */
export const expectedOf = (stored: string | null): SomeTotals => (stored === null ? {} : totalsIn(JSON.parse(stored)));

export const NO_TOTALS: Totals = {
  accounts: 0n,
  customers: 0n,
  notes: 0n,
  transactions: 0n,
  transactions_amount: 0n,
  statements: 0n,
  payment_instructions: 0n,
  balance: 0n,
};

export const sumOf = (a: Totals, b: Totals): Totals => ({
  accounts: a.accounts + b.accounts,
  customers: a.customers + b.customers,
  notes: a.notes + b.notes,
  transactions: a.transactions + b.transactions,
  transactions_amount: a.transactions_amount + b.transactions_amount,
  statements: a.statements + b.statements,
  payment_instructions: a.payment_instructions + b.payment_instructions,
  balance: a.balance + b.balance,
});

/** A total that is not what it should be. `in`: where `found` was counted. */
export interface Difference {
  readonly field: RunTotal;
  readonly in: 'staged' | 'imported';
  readonly expected: number | string;
  readonly found: number | string;
}

const differencesIn = (where: Difference['in'], expected: SomeTotals, found: Totals): Difference[] =>
  RUN_TOTALS.flatMap((field) => {
    const wanted = expected[field];
    if (wanted === undefined || wanted === found[field]) return [];
    return [{ field, in: where, expected: shownTotal(field, wanted), found: shownTotal(field, found[field]) }];
  });

/** Where what is staged is not what was declared. */
export const stagedDifferences = (expected: SomeTotals, staged: Totals): Difference[] => differencesIn('staged', expected, staged);

/** The same, and where what is imported is neither what was declared nor, where nothing was, what is staged. */
export const allDifferences = (expected: SomeTotals, staged: Totals, imported: Totals): Difference[] => [
  ...stagedDifferences(expected, staged),
  ...differencesIn('imported', { ...staged, ...expected }, imported),
];

/** Where one account is not what a list says of it; `found` has all its totals. */
export const accountDifferences = (listed: SomeTotals, found: Readonly<Record<Total, bigint>>) =>
  TOTALS.flatMap((field) => {
    const wanted = listed[field];
    if (wanted === undefined || wanted === found[field]) return [];
    return [{ field, expected: shownTotal(field, wanted), found: shownTotal(field, found[field]) }];
  });
