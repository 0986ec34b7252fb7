import {
  accounts,
  and,
  customers,
  db,
  eq,
  gt,
  inArray,
  inserting,
  notes,
  paymentInstructions,
  prepared,
  type RowValues,
  rowsOf,
  type SQL,
  type SQLiteTable,
  sql,
  statements,
  transactions,
  type Values,
} from '../../db';
import { NOTE_SOURCE } from '../../notes';
import { TRANSACTION_SOURCE } from '../../transactions';

export const insertAccounts = inserting(accounts);
export const insertCustomers = inserting(customers);

const ids = rowsOf('ids', { id: accounts.id });

/** How many of these rows the account has. */
const countOf = (table: SQLiteTable, condition: SQL | undefined) =>
  sql<number>`${db.select({ count: sql`count(*)` }).from(table).where(condition)}`;

// Rows that were posted since are left out: by their source, by their moment, or by their position.
const PAYLOAD_ROWS = prepared(($: Values<{ ids: RowValues<typeof ids> }>) =>
  db
    .select({
      id: accounts.id,
      hasAllFields: accounts.hasAllFields,
      customers: countOf(customers, eq(customers.accountId, accounts.id)),
      notes: countOf(notes, and(eq(notes.accountId, accounts.id), eq(notes.source, NOTE_SOURCE.payload))),
      transactions: countOf(
        transactions,
        and(
          eq(transactions.accountId, accounts.id),
          inArray(transactions.source, [TRANSACTION_SOURCE.historical, TRANSACTION_SOURCE.current]),
        ),
      ),
      statements: countOf(statements, and(eq(statements.accountId, accounts.id), eq(statements.createdAt, accounts.createdAt))),
      paymentInstructions: countOf(
        paymentInstructions,
        and(eq(paymentInstructions.accountId, accounts.id), gt(paymentInstructions.position, 0)),
      ),
    })
    .from(ids.from($.ids))
    .crossJoin(accounts)
    .where(eq(accounts.id, ids.row.id)),
);

/** How many rows each of these accounts has of its payload. */
export const payloadRows = (accountIds: readonly number[]) => PAYLOAD_ROWS({ ids: ids.value(accountIds.map((id) => ({ id }))) });
