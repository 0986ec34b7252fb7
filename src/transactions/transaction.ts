import { minorUnits } from '../shared/money';
import type { Transaction, TransactionType } from './schema';

/** Where a transaction came from. */
export const TRANSACTION_SOURCE = { historical: 0, current: 1, posted: 2 } as const;
export type TransactionSource = (typeof TRANSACTION_SOURCE)[keyof typeof TRANSACTION_SOURCE];

/** A transaction as it is stored: as imported, and as posted on the account (§4.2). */
export interface TransactionRow {
  readonly accountId: number;
  readonly transactionId: string;
  /** 0, or the number of the request that asked not to check for an earlier one. */
  readonly addition: number;
  readonly source: TransactionSource;
  /** Position in the payload's `ledgers`. */
  readonly ledger: number | null;
  /** As posted. */
  readonly transactionDate: string;
  readonly amountMinor: number;
  readonly type: TransactionType;
  /** As posted. */
  readonly note: string | null;
  /** As it was sent, undocumented fields included. */
  readonly imported: Transaction;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The rows of an account's transactions, stored as dated. Pure. */
export const transactionRowsOf = (
  accountId: number,
  items: readonly Transaction[],
  { source, ledger }: { readonly source: TransactionSource; readonly ledger: number | null },
  now: number,
): TransactionRow[] =>
  items.map((imported) => ({
    accountId,
    transactionId: imported.transaction_id,
    addition: 0,
    source,
    ledger,
    transactionDate: imported.transaction_date,
    amountMinor: minorUnits(imported.amount),
    type: imported.type,
    note: imported.note ?? null,
    imported,
    createdAt: now,
  }));
