/**
 * How transactions come onto an account (§4.2): dated within its open statement period, and answered as they are stored. Pure.
 */

import { type FieldError, fieldError } from '../shared/errors';
import { formatMinorUnits } from '../shared/money';
import { documentedOf } from '../shared/shape';
import { isBlank } from '../shared/unicode';
import { isSameContent } from './content';
import { nearestDay, type Period } from './period';
import { type Transaction, transactionItem } from './schema';
import type { TransactionRow } from './transaction';

/** How a request wants its transactions added. */
export interface PostingOptions {
  /** Skip what was added earlier; otherwise add it again. */
  readonly checks: boolean;
  /** Move into the period what is dated outside; otherwise refuse it. */
  readonly moves: boolean;
  /** The request's own number, minted. */
  readonly request: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** What a request wants on the account. */
export interface Posting extends PostingOptions {
  readonly rows: readonly TransactionRow[];
  /** What moved, and the line that says so. */
  readonly moved: readonly { readonly transactionId: string; readonly line: string }[];
  /** Dated outside, and not to be moved: unless all of these are there already, nothing is added. */
  readonly barred: readonly { readonly transactionId: string }[];
}

export function postingOf(dated: readonly TransactionRow[], period: Period, options: PostingOptions): Posting {
  const { checks, moves, request } = options;
  const outside = dated.filter((row) => isOutside(row, period));
  return {
    ...options,
    rows: dated.map((row) => ({ ...(moves ? movedInto(row, period) : row), addition: checks ? 0 : request })),
    moved: moves
      ? outside.map(({ transactionId, transactionDate: date }) => ({
          transactionId,
          line: `${transactionId}: from ${date} to ${nearestDay(date, period)}`,
        }))
      : [],
    barred: moves ? [] : outside,
  };
}

const isOutside = ({ transactionDate }: TransactionRow, period: Period): boolean => nearestDay(transactionDate, period) !== transactionDate;

/** The transaction on the nearest day of the period; if that is another, with a sentence about it in its note. */
function movedInto(row: TransactionRow, period: Period): TransactionRow {
  if (!isOutside(row, period)) return row;
  const transactionDate = nearestDay(row.transactionDate, period);
  const sentence = `The original date ${row.transactionDate} is outside the open statement period: moved to ${transactionDate}.`;
  return {
    ...row,
    transactionDate,
    note: row.note === null || isBlank(row.note) ? sentence : `${row.note}\n${sentence}`,
  };
}

/** A transaction as §4.2 shows it: the documented fields, as they are stored on the account. */
export type TransactionData = Omit<Transaction, 'amount'> & { readonly amount: string; readonly status?: 'TRANSACTION_IMPORT_SUCCESS' };

/** What an answer shows of a stored transaction. */
export type StoredTransaction = Pick<TransactionRow, 'transactionDate' | 'amountMinor' | 'note' | 'imported'>;

export const transactionData = ({ imported, transactionDate, amountMinor, note }: StoredTransaction): TransactionData => ({
  ...documentedOf(transactionItem, imported),
  transaction_date: transactionDate,
  amount: formatMinorUnits(amountMinor),
  ...(note === null ? {} : { note }),
});

export interface TransactionResult {
  readonly status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';
  readonly transaction_data: TransactionData;
  /** The one that exists was imported with other content under this id. */
  readonly differs?: true;
}

/** One result for each transaction posted, in the order of the request; `earlier` holds what was there before, by id. */
export const transactionResults = (rows: readonly TransactionRow[], earlier: ReadonlyMap<string, StoredTransaction>): TransactionResult[] =>
  rows.map((row) => {
    const existing = earlier.get(row.transactionId);
    return existing
      ? {
          status: 'TRANSACTION_ALREADY_EXISTS',
          transaction_data: { ...transactionData(existing), status: 'TRANSACTION_IMPORT_SUCCESS' },
          ...(isSameContent(row.imported, existing.imported) ? {} : { differs: true }),
        }
      : { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: transactionData(row) };
  });

/** `transaction_outside_statement_period` for each transaction that is new and dated outside. */
export const outsideErrors = (
  rows: readonly TransactionRow[],
  period: Period,
  earlier: ReadonlyMap<string, StoredTransaction>,
): FieldError[] =>
  rows.flatMap((row, index) =>
    isOutside(row, period) && !earlier.has(row.transactionId)
      ? [
          fieldError(
            ['transactions', index, 'transaction_date'],
            'transaction_outside_statement_period',
            `The transaction is outside the open statement period ${period.from} to ${period.to}.`,
          ),
        ]
      : [],
  );
