/**
 * Accounts whole, from all tables that hold something of them: one batch, whether they are named by id or by their pair.
 */
import {
  accounts,
  and,
  asc,
  auditEntries,
  customers,
  db,
  desc,
  eq,
  importProcessEvents,
  importProcesses,
  inArray,
  notes,
  payloads,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type SQLWrapper,
  serviceKeys,
  sql,
  statements,
  suppliers,
  transactions,
  type Values,
} from '../db';

const wanted = rowsOf('wanted', { id: accounts.id });
type Wanted = { readonly wanted: RowValues<typeof wanted> };
interface Pair {
  readonly code: string;
  readonly externalAccountNumber: string;
}

/** One reading shows at most this many audit entries: the newest. */
const MAX_HISTORY = 1_000;

/** The queries that read the accounts whose ids a query finds. */
function readerOf<Given>(ids: ($: Values<Given>) => SQLWrapper) {
  const readAccounts = prepared(($: Values<Given>) =>
    db
      .select({
        id: accounts.id,
        supplierId: accounts.supplierId,
        createdAt: accounts.createdAt,
        hasAllFields: accounts.hasAllFields,
        supplierCode: suppliers.code,
        externalAccountNumber: importProcesses.externalAccountNumber,
        accountNumber: importProcesses.accountNumber,
        status: importProcesses.status,
        erasedAt: importProcesses.erasedAt,
        processCreatedAt: importProcesses.createdAt,
        scheduledAt: importProcesses.scheduledAt,
        startedAt: importProcesses.startedAt,
        finishedAt: importProcesses.finishedAt,
        attempts: importProcesses.attempts,
        body: payloads.body,
      })
      .from(accounts)
      .innerJoin(importProcesses, and(eq(importProcesses.supplierId, accounts.supplierId), eq(importProcesses.id, accounts.id)))
      .innerJoin(suppliers, eq(suppliers.id, accounts.supplierId))
      .innerJoin(payloads, eq(payloads.id, accounts.id))
      .where(inArray(accounts.id, ids($))),
  );
  const readCustomers = prepared(($: Values<Given>) =>
    db
      .select()
      .from(customers)
      .where(inArray(customers.accountId, ids($)))
      .orderBy(asc(customers.accountId), asc(customers.position)),
  );
  const readNotes = prepared(($: Values<Given>) =>
    db
      .select()
      .from(notes)
      .where(inArray(notes.accountId, ids($))),
  );
  const readTransactions = prepared(($: Values<Given>) =>
    db
      .select()
      .from(transactions)
      .where(inArray(transactions.accountId, ids($))),
  );
  const readStatements = prepared(($: Values<Given>) =>
    db
      .select()
      .from(statements)
      .where(inArray(statements.accountId, ids($))),
  );
  const readInstructions = prepared(($: Values<Given>) =>
    db
      .select()
      .from(paymentInstructions)
      .where(inArray(paymentInstructions.accountId, ids($))),
  );
  const readEvents = prepared(($: Values<Given>) =>
    db
      .select()
      .from(importProcessEvents)
      .where(inArray(importProcessEvents.processId, ids($)))
      .orderBy(asc(importProcessEvents.processId), asc(importProcessEvents.occurredAt)),
  );
  // The two subjects that an entry about an account may have.
  const readHistory = prepared(($: Values<Given>) =>
    db
      .select({
        accountId: accounts.id,
        occurredAt: auditEntries.occurredAt,
        actor: auditEntries.actor,
        action: auditEntries.action,
        after: auditEntries.after,
      })
      .from(accounts)
      .innerJoin(importProcesses, and(eq(importProcesses.supplierId, accounts.supplierId), eq(importProcesses.id, accounts.id)))
      .innerJoin(suppliers, eq(suppliers.id, accounts.supplierId))
      .crossJoin(auditEntries)
      .where(
        and(
          inArray(accounts.id, ids($)),
          sql`${auditEntries.subject} IN ('import process ' || ${suppliers.code} || ' ' || ${importProcesses.externalAccountNumber},
            'account ' || ${importProcesses.accountNumber})`,
        ),
      )
      .orderBy(desc(auditEntries.id))
      .limit(MAX_HISTORY),
  );
  return (values: Parameters<typeof readAccounts>[0]) =>
    [
      readAccounts(values),
      readCustomers(values),
      readNotes(values),
      readTransactions(values),
      readStatements(values),
      readInstructions(values),
      readEvents(values),
      readHistory(values),
    ] as const;
}

const byId = readerOf(($: Values<Wanted>) => sql`(SELECT ${wanted.row.id} FROM ${wanted.from($.wanted)})`);
const byPair = readerOf(($: Values<Pair>) =>
  db
    .select({ id: importProcesses.id })
    .from(suppliers)
    .innerJoin(
      importProcesses,
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, $.externalAccountNumber)),
    )
    .where(eq(suppliers.code, $.code)),
);

/** Reads the accounts with these ids; those that are not there have no rows. */
export const accountsById = (ids: readonly number[]) => byId({ wanted: wanted.value(ids.map((id) => ({ id }))) });

/** Reads the account of a pair. */
export const accountByPair = (code: string, externalAccountNumber: string) => byPair({ code, externalAccountNumber });

type AccountBatch = ReturnType<typeof accountsById>;
export type AccountRow = RowOfQuery<AccountBatch[0]>;
export type CustomerRow = RowOfQuery<AccountBatch[1]>;
export type NoteRow = RowOfQuery<AccountBatch[2]>;
export type TransactionRow = RowOfQuery<AccountBatch[3]>;
export type StatementRow = RowOfQuery<AccountBatch[4]>;
export type InstructionRow = RowOfQuery<AccountBatch[5]>;
export type EventRow = RowOfQuery<AccountBatch[6]>;
export type HistoryRow = RowOfQuery<AccountBatch[7]>;

/** What turns an account number back into an id. */
export const accountNumberKey = prepared(() =>
  db.select({ value: serviceKeys.value }).from(serviceKeys).where(eq(serviceKeys.name, 'account_number')),
);
