/**
 * What an account brings, in counts and sums: so that a run can be compared with what was declared for it. Money in minor units, as
 * integers that never round. Pure.
 */
import { distinctNotes } from '../../notes/pure';
import { minorUnits } from '../../shared/money';
import type { Account } from '../schema';

/** In the order in which a process stores them. */
export const TOTALS = [
  'customers',
  'notes',
  'transactions',
  'transactions_amount',
  'statements',
  'payment_instructions',
  'balance',
] as const;
export type Total = (typeof TOTALS)[number];

/** What one account brings: money in minor units. What is not given counts as 0. */
export type AccountTotals = Readonly<Record<Total, bigint>>;

/** The totals of an account that was validated: what it will have rows of. The same note or statement twice is one. */
export function totalsOf(account: Account): AccountTotals {
  const transactions = [account, ...(account.ledgers ?? [])].flatMap((holder) => [
    ...(holder.historical_statement_transactions ?? []),
    ...(holder.current_statement_transactions ?? []),
  ]);
  return {
    customers: BigInt(account.customers?.length ?? 0),
    notes: BigInt(distinctNotes(account.notes ?? []).notes.length),
    transactions: BigInt(transactions.length),
    transactions_amount: transactions.reduce((sum, { amount }) => sum + BigInt(minorUnits(amount)), 0n),
    statements: BigInt(new Set(account.statements?.map(({ statement_id }) => statement_id)).size),
    payment_instructions: BigInt(account.payment_instructions?.length ?? 0),
    balance: balanceOf(account),
  };
}

/** The balance that comes with an account: its `transfer_balance`, else the sum of its ledgers. Minor units. */
export function balanceOf({ transfer_balance, ledgers = [] }: Account): bigint {
  if (transfer_balance !== undefined) return BigInt(minorUnits(transfer_balance));
  return ledgers.reduce((sum, { ledger_balance }) => sum + BigInt(minorUnits(ledger_balance ?? 0)), 0n);
}

/** As a process stores them: JSON, an array of integers in the order of {@link TOTALS}. */
export const storedTotals = (totals: AccountTotals): string => `[${TOTALS.map((total) => totals[total])}]`;
