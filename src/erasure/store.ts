/**
 * The queries of erasure (§10). Each is made only with its audit entry, in the batch that writes that; repeated, they change nothing.
 */
import { type AuditValues, auditing, isAudited } from '../audit';
import {
  accountCommits,
  and,
  customers,
  db,
  eq,
  exists,
  importProcessEvents,
  importProcesses,
  insertSelect,
  isNull,
  jsonText,
  ne,
  notes,
  payloads,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type SQL,
  type SQLiteTable,
  SUPPLIER,
  sql,
  statements,
  suppliers,
  transactions,
  type Values,
} from '../db';
import { STATUS } from '../import-processes';

/** Whose data is erased, and the entry without which it is not. */
interface Erased {
  readonly supplierId: number;
  readonly id: number;
  readonly auditId: number;
}

/** Rows of an account as they were counted: what was added since was not read, and so would not be erased. */
interface Counted {
  readonly transactions: number;
  readonly statements: number;
  readonly notes: number;
}

const isProcess = ($: Values<Pick<Erased, 'supplierId' | 'id'>>) =>
  and(eq(importProcesses.supplierId, $.supplierId), eq(importProcesses.id, $.id));

const has = (table: SQLiteTable, condition: SQL, rows: SQL<number>) =>
  eq(sql`${db.select({ count: sql`count(*)` }).from(table).where(condition)}`, rows);

/** The audit entry of an account: written while the account of this id has this number and these rows, and is not erased. */
export const auditAccount = prepared(($: Values<AuditValues & Omit<Erased, 'auditId'> & Counted & { readonly accountNumber: string }>) => {
  const account = db
    .select({ id: importProcesses.id })
    .from(importProcesses)
    .where(and(isProcess($), eq(importProcesses.accountNumber, $.accountNumber), isNull(importProcesses.erasedAt)));
  return auditing(
    $,
    sql`${and(
      exists(account),
      has(transactions, eq(transactions.accountId, $.id), $.transactions),
      has(statements, eq(statements.accountId, $.id), $.statements),
      has(notes, eq(notes.accountId, $.id), $.notes),
    )}`,
  );
});

/** The audit entry of what was never imported: written unless it is being imported, was meanwhile, or is erased. */
export const auditProcess = prepared(($: Values<AuditValues & Omit<Erased, 'auditId'>>) =>
  auditing(
    $,
    exists(
      db
        .select({ id: importProcesses.id })
        .from(importProcesses)
        .where(
          and(
            isProcess($),
            ne(importProcesses.status, STATUS.IN_PROGRESS),
            ne(importProcesses.status, STATUS.PROCESSED),
            isNull(importProcesses.erasedAt),
          ),
        ),
    ),
  ),
);

/** Lists the account once more in commit order, so that who follows it reads it again. Comes before the mark of its erasure. */
export const listErased = prepared(($: Values<Erased & { readonly now: number }>) =>
  insertSelect(
    accountCommits,
    {
      id: sql`max(${$.now}, coalesce((SELECT max(${accountCommits.id}) FROM ${accountCommits}), 0) + 1)`,
      supplierId: $.supplierId,
      accountIds: sql`json_array(CAST(${$.id} AS INTEGER))`,
    },
    sql`FROM ${importProcesses} WHERE ${and(isProcess($), isNull(importProcesses.erasedAt), isAudited($.auditId))}`,
  ),
);

export const erasePayload = prepared(($: Values<Erased & { readonly now: number; readonly body: string }>) =>
  db
    .update(payloads)
    .set({ body: $.body, reducedAt: $.now })
    .where(and(eq(payloads.id, $.id), isAudited($.auditId))),
);

export const eraseEvents = prepared(($: Values<Erased>) =>
  db
    .update(importProcessEvents)
    .set({ data: sql`json_remove(${importProcessEvents.data}, '$.errors')` })
    .where(and(eq(importProcessEvents.processId, $.id), isAudited($.auditId))),
);

export const eraseCustomers = prepared(($: Values<Erased>) =>
  db
    .update(customers)
    .set({
      givenName: null,
      familyName: null,
      email: null,
      mobile: null,
      mobileE164: null,
      landline: null,
      landlineE164: null,
      alternativePhoneNumbers: null,
      dateOfBirth: null,
      details: null,
    })
    .where(and(eq(customers.accountId, $.id), isAudited($.auditId))),
);

export const eraseNotes = prepared(($: Values<Erased>) =>
  db
    .update(notes)
    .set({ noteKey: sql`'erased ' || hex(randomblob(16))`, body: null, documents: null, details: null })
    .where(and(eq(notes.accountId, $.id), isAudited($.auditId))),
);

export const eraseInstructions = prepared(($: Values<Erased>) =>
  db
    .update(paymentInstructions)
    .set({ reference: null, details: sql`'{}'` })
    .where(and(eq(paymentInstructions.accountId, $.id), isAudited($.auditId))),
);

const erasedTransactions = rowsOf('erased', {
  transactionId: transactions.transactionId,
  addition: transactions.addition,
  imported: jsonText(),
});

const TRANSACTIONS = prepared(($: Values<Erased & { readonly erased: RowValues<typeof erasedTransactions> }>) =>
  db
    .update(transactions)
    .set({ note: null, imported: sql`${erasedTransactions.row.imported}` })
    .from(erasedTransactions.from($.erased))
    .where(
      and(
        eq(transactions.accountId, $.id),
        eq(transactions.transactionId, erasedTransactions.row.transactionId),
        eq(transactions.addition, erasedTransactions.row.addition),
        isAudited($.auditId),
      ),
    ),
);

const erasedStatements = rowsOf('erased', { statementId: statements.statementId, content: jsonText() });

const STATEMENTS = prepared(($: Values<Erased & { readonly erased: RowValues<typeof erasedStatements> }>) =>
  db
    .update(statements)
    // The digest of a text that can be guessed says that it was it.
    .set({ contentHash: '', content: sql`${erasedStatements.row.content}`, documentKey: null })
    .from(erasedStatements.from($.erased))
    .where(and(eq(statements.accountId, $.id), eq(statements.statementId, erasedStatements.row.statementId), isAudited($.auditId))),
);

/** Puts what stays of its transactions in their place. */
export const eraseTransactions = (one: Erased, rows: Parameters<typeof erasedTransactions.values>[0]) =>
  erasedTransactions.values(rows).map((erased) => TRANSACTIONS({ ...one, erased }));

/** Puts what stays of its statements in their place. */
export const eraseStatements = (one: Erased, rows: Parameters<typeof erasedStatements.values>[0]) =>
  erasedStatements.values(rows).map((erased) => STATEMENTS({ ...one, erased }));

/** The import process of a pair with its payload, and its supplier. */
export const processOfPair = prepared(($: Values<{ readonly code: string; readonly externalAccountNumber: string }>) =>
  db
    .select({
      supplier: SUPPLIER,
      id: importProcesses.id,
      status: importProcesses.status,
      erasedAt: importProcesses.erasedAt,
      body: payloads.body,
    })
    .from(suppliers)
    .innerJoin(
      importProcesses,
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, $.externalAccountNumber)),
    )
    .innerJoin(payloads, eq(payloads.id, importProcesses.id))
    .where(eq(suppliers.code, $.code)),
);

export type ProcessRow = RowOfQuery<ReturnType<typeof processOfPair>>;
