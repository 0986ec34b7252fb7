import { jsonParameters, statement, type Write } from '../db';
import type { TransactionRow } from './transaction';

const INSERT = `INSERT INTO transactions (account_id, transaction_id, addition, source, ledger, transaction_date, amount_minor, type, note,
    imported, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6, j.value ->> 7, j.value ->> 8,
    j.value -> 9, j.value ->> 10
  FROM json_each(?1) j`;

const valuesOf = (row: TransactionRow) => [
  row.accountId,
  row.transactionId,
  row.addition,
  row.source,
  row.ledger,
  row.transactionDate,
  row.amountMinor,
  row.type,
  row.note,
  row.imported,
  row.createdAt,
];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts transactions of any number of accounts; those already stored stay as they are. */
export const insertTransactions = (rows: readonly TransactionRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));
