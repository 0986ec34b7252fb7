/**
 * What an operator does at an account: looks at it, opens a document, ends a payment instruction.
 */
import {
  alias,
  and,
  auditEntries,
  db,
  eq,
  exists,
  isNotNull,
  notes,
  paymentInstructions,
  prepared,
  type Statement,
  sql,
  statement,
  statements,
  type Values,
} from '../db';
import type { InstructionRow } from './store';

/** Finds the account of this id while it has this number: what the audit entry of a look asks. */
export const accountNumbered = (id: number, accountNumber: string): Statement =>
  statement(
    `SELECT 1 FROM accounts a CROSS JOIN import_processes p ON p.supplier_id = a.supplier_id AND p.id = a.id
     WHERE a.id = ? AND p.account_number = ?`,
    id,
    accountNumber,
  );

/** The keys of all documents that the account names: those of its statements, and those of its notes. */
export const documentKeys = prepared(($: Values<{ id: number }>) =>
  db
    .select({ key: sql<string>`${statements.documentKey}`.as('key') })
    .from(statements)
    .where(and(eq(statements.accountId, $.id), isNotNull(statements.documentKey)))
    .unionAll(
      db
        .select({ key: sql<string>`d.value ->> 'key'`.as('key') })
        .from(notes)
        .crossJoin(sql`json_each(${notes.documents}) AS d`)
        .where(eq(notes.accountId, $.id)),
    ),
);

/** Finds the instruction while it is the active one of its type: what the audit entry of its end asks. */
export const activeAsRead = ({ accountId, type, vendor, reference, createdAt }: InstructionRow): Statement =>
  statement(
    `SELECT 1 FROM payment_instructions
     WHERE account_id = ? AND type = ? AND position = 0 AND vendor = ? AND reference IS ? AND created_at = ?`,
    accountId,
    type,
    vendor,
    reference,
    createdAt,
  );

const entryOf = ($: Values<{ auditId: number }>) =>
  db.select({ id: auditEntries.id }).from(auditEntries).where(eq(auditEntries.id, $.auditId));

interface Ending {
  readonly accountId: number;
  readonly type: string;
  /** When the instruction that ends became the active one: another that takes its place meanwhile is not ended by a repeat. */
  readonly createdAt: number;
  readonly now: number;
  readonly auditId: number;
}

/** Makes the active instruction of its type history, if the audit entry is there: its position is the next one below 0. */
export const endInstruction = prepared(($: Values<Ending>) => {
  const others = alias(paymentInstructions, 'others');
  const below = db
    .select({ position: sql<number>`min(${others.position}) - 1` })
    .from(others)
    .where(and(eq(others.accountId, $.accountId), eq(others.type, $.type)));
  return db
    .update(paymentInstructions)
    .set({ endedAt: $.now, position: sql`${below}` })
    .where(
      and(
        eq(paymentInstructions.accountId, $.accountId),
        eq(paymentInstructions.type, $.type),
        eq(paymentInstructions.position, 0),
        eq(paymentInstructions.createdAt, $.createdAt),
        exists(entryOf($)),
      ),
    );
});

/** Finds the audit entry. */
export const auditEntryOf = prepared(($: Values<{ auditId: number }>) => entryOf($));
