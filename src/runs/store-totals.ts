/**
 * The statements that count a run, in pages of its key: between its first and its last id, a bounded number of its processes at a time.
 * Sums of money come in two halves, so that no sum of a page outgrows what a number holds exactly.
 */
import {
  accounts,
  and,
  asc,
  customers,
  db,
  eq,
  gt,
  importProcesses,
  limitOf,
  lte,
  ne,
  notes,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  statements,
  transactions,
  type Values,
} from '../db';
import { STATUS } from '../import-processes';
import { NOTE_SOURCE } from '../notes';
import { TRANSACTION_SOURCE } from '../transactions';

export interface Page {
  readonly supplierId: number;
  readonly runId: number;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

const isOfPage = ($: Values<Page>) =>
  and(
    eq(importProcesses.supplierId, $.supplierId),
    gt(importProcesses.id, $.after),
    lte(importProcesses.id, $.upTo),
    eq(importProcesses.runId, $.runId),
  );

const pageOf = ($: Values<Page>, condition?: SQL) =>
  sql`(SELECT ${importProcesses.id} AS id, ${importProcesses.status} AS status, ${importProcesses.totals} AS totals FROM ${importProcesses}
    WHERE ${and(isOfPage($), condition)} ORDER BY ${importProcesses.id} LIMIT ${$.limit})`;

/** Half of a sum of money lies above this. */
export const HALF = 1_000_000;

/** The two halves of a sum, as JSON: what is left of {@link HALF}, and what is right of it. */
const halves = (value: SQL) => sql`json_array(coalesce(sum((${value}) / ${HALF}), 0), coalesce(sum((${value}) % ${HALF}), 0))`;

/** What a page of processes brings, as JSON, by what was staged: what was cancelled brings nothing. `lastId` is null past the end. */
export const stagedPage = prepared(($: Values<Page>) => {
  const at = (index: number) => sql`coalesce(totals ->> ${index}, 0)`;
  const isStaged = sql`status <> ${STATUS.CANCELLED}`;
  const sums = [0, 1, 2, 3, 4, 5, 6].map((index) => sql`json(${halves(sql`iif(${isStaged}, ${at(index)}, 0)`)})`);
  const totals = sql`json_array(${sql.join(sums, sql`, `)})`;
  return sql<{ looked: number; lastId: number | null; accounts: number; totals: string }>`SELECT count(*) AS "looked", max(id) AS "lastId",
    count(*) FILTER (WHERE ${isStaged}) AS "accounts", ${totals} AS "totals" FROM ${pageOf($)}`;
});

/** How many processes of a page have each status. */
export const statusPage = prepared(
  ($: Values<Page>) =>
    sql<{ status: number; count: number; lastId: number }>`SELECT status AS "status", count(*) AS "count", max(id) AS "lastId"
      FROM ${pageOf($)} GROUP BY status`,
);

const isImported = () => eq(importProcesses.status, STATUS.PROCESSED);

/** What of an account's rows came with it. What was added since, or written by the service, is left out. */
const CAME = {
  notes: () => eq(notes.source, NOTE_SOURCE.payload),
  transactions: () => ne(transactions.source, TRANSACTION_SOURCE.posted),
  statements: () => eq(statements.createdAt, accounts.createdAt),
  paymentInstructions: () => gt(paymentInstructions.position, 0),
};

/** What a page of imported accounts has, as JSON, counted from their rows. `lastId` is null past the end. */
export const importedPage = prepared(($: Values<Page>) => {
  const page = sql`page`;
  const amounts = halves(sql`${transactions.amountMinor}`);
  const balances = halves(sql`CAST(${accounts.balanceMinor} AS INTEGER)`);
  return sql<{ looked: number; lastId: number | null; accounts: number; totals: string }>`WITH page AS MATERIALIZED (
      SELECT id FROM ${pageOf($, isImported())})
    SELECT (SELECT count(*) FROM ${page}) AS "looked", (SELECT max(id) FROM ${page}) AS "lastId",
      (SELECT count(*) FROM ${page} CROSS JOIN ${accounts} WHERE ${accounts.id} = page.id) AS "accounts",
      json_array(
        json((SELECT json_array(0, count(*)) FROM ${page} CROSS JOIN ${customers} WHERE ${customers.accountId} = page.id)),
        json((SELECT json_array(0, count(*)) FROM ${page} CROSS JOIN ${notes} WHERE ${notes.accountId} = page.id AND ${CAME.notes()})),
        json((SELECT json_array(0, count(*)) FROM ${page} CROSS JOIN ${transactions}
          WHERE ${transactions.accountId} = page.id AND ${CAME.transactions()})),
        json((SELECT ${amounts} FROM ${page} CROSS JOIN ${transactions}
          WHERE ${transactions.accountId} = page.id AND ${CAME.transactions()})),
        json((SELECT json_array(0, count(*)) FROM ${page} CROSS JOIN ${accounts} CROSS JOIN ${statements}
          WHERE ${accounts.id} = page.id AND ${statements.accountId} = page.id AND ${CAME.statements()})),
        json((SELECT json_array(0, count(*)) FROM ${page} CROSS JOIN ${paymentInstructions}
          WHERE ${paymentInstructions.accountId} = page.id AND ${CAME.paymentInstructions()})),
        json((SELECT ${balances} FROM ${page} CROSS JOIN ${accounts} WHERE ${accounts.id} = page.id))
      ) AS "totals"`;
});

export type TotalsRow = RowOfQuery<ReturnType<typeof stagedPage>>;

/** One page of processes of a run with what became of them. The errors of a page are bounded, too: one process at least is answered. */
const MAX_ERROR_CHARACTERS = 2_000_000;

export const reportPage = prepared(($: Values<Page & { status: number | null }>) => {
  const looked = db
    .select({
      id: importProcesses.id,
      externalAccountNumber: importProcesses.externalAccountNumber,
      status: importProcesses.status,
      accountNumber: importProcesses.accountNumber,
      modifiedAt: importProcesses.modifiedAt,
      error: importProcesses.error,
      charactersBefore: sql<number>`coalesce(sum(length(${importProcesses.error})) OVER (ORDER BY ${importProcesses.id}
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`.as('characters_before'),
    })
    .from(importProcesses)
    .where(and(isOfPage($), sql`(${$.status} IS NULL OR ${importProcesses.status} = ${$.status})`))
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.limit))
    .as('looked');
  return db
    .select({
      id: looked.id,
      externalAccountNumber: looked.externalAccountNumber,
      status: looked.status,
      accountNumber: looked.accountNumber,
      modifiedAt: looked.modifiedAt,
      error: looked.error,
    })
    .from(looked)
    .where(lte(looked.charactersBefore, MAX_ERROR_CHARACTERS))
    .orderBy(asc(looked.id));
});

export type ReportRow = RowOfQuery<ReturnType<typeof reportPage>>;

/** The imported accounts of a page. */
export const importedOfPage = prepared(($: Values<Page>) =>
  db
    .select({ id: importProcesses.id, externalAccountNumber: importProcesses.externalAccountNumber })
    .from(importProcesses)
    .where(and(isOfPage($), isImported()))
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.limit)),
);

const listed = rowsOf('listed', { externalAccountNumber: importProcesses.externalAccountNumber });
export const listedNumbers = (numbers: readonly string[]): RowValues<typeof listed> =>
  listed.value(numbers.map((externalAccountNumber) => ({ externalAccountNumber })));

/** The processes of these numbers that are in the run, with all totals of what is imported (as text: money may be large). */
export const listedAccounts = prepared(($: Values<{ supplierId: number; runId: number; listed: RowValues<typeof listed> }>) => {
  const countOf = (from: SQL, condition: SQL | undefined) => sql<number>`(SELECT count(*) FROM ${from} WHERE ${condition})`;
  const own = <Column extends SQL>(column: Column) => sql`${column} = ${importProcesses.id}`;
  return db
    .select({
      id: importProcesses.id,
      externalAccountNumber: importProcesses.externalAccountNumber,
      status: importProcesses.status,
      customers: countOf(sql`${customers}`, own(sql`${customers.accountId}`)),
      notes: countOf(sql`${notes}`, and(own(sql`${notes.accountId}`), CAME.notes())),
      transactions: countOf(sql`${transactions}`, and(own(sql`${transactions.accountId}`), CAME.transactions())),
      transactionsAmount: sql<string>`CAST((SELECT coalesce(sum(${transactions.amountMinor}), 0) FROM ${transactions}
        WHERE ${and(own(sql`${transactions.accountId}`), CAME.transactions())}) AS TEXT)`,
      statements: countOf(sql`${statements}`, and(own(sql`${statements.accountId}`), CAME.statements())),
      paymentInstructions: countOf(
        sql`${paymentInstructions}`,
        and(own(sql`${paymentInstructions.accountId}`), CAME.paymentInstructions()),
      ),
      balance: accounts.balanceMinor,
    })
    .from(listed.from($.listed))
    .crossJoin(importProcesses)
    .leftJoin(accounts, eq(accounts.id, importProcesses.id))
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        eq(importProcesses.externalAccountNumber, listed.row.externalAccountNumber),
        eq(importProcesses.runId, $.runId),
      ),
    );
});

export type ListedAccountRow = RowOfQuery<ReturnType<typeof listedAccounts>>;
