/**
 * What an operator does at an account: looks at it, opens a document, ends a payment instruction.
 */
import { type AuditValues, auditing, isAudited } from '../audit';
import {
  accounts,
  alias,
  and,
  db,
  eq,
  exists,
  importProcesses,
  isNotNull,
  notes,
  paymentInstructions,
  prepared,
  sql,
  statements,
  suppliers,
  type Values,
} from '../db';
import type { InstructionRow } from './store';

interface Numbered {
  readonly id: number;
  readonly accountNumber: string;
}

const numbered = ($: Values<Numbered>) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .crossJoin(importProcesses)
    .where(
      and(
        eq(importProcesses.supplierId, accounts.supplierId),
        eq(importProcesses.id, accounts.id),
        eq(accounts.id, $.id),
        eq(importProcesses.accountNumber, $.accountNumber),
      ),
    );

/** Finds the account of this id while it has this number. */
export const accountNumbered = prepared(($: Values<Numbered>) => numbered($));

/** The audit entry of a look at it: written while the account of this id has this number. */
export const auditLook = prepared(($: Values<AuditValues & Numbered>) => {
  const supplier = db
    .select({ code: suppliers.code })
    .from(accounts)
    .crossJoin(suppliers)
    .where(and(eq(accounts.id, $.id), eq(suppliers.id, accounts.supplierId)));
  return auditing($, exists(numbered($)), sql`${supplier}`);
});

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

/** The audit entry of the end of an instruction: written while that is the active one of its type, as it was read. */
export const auditEnd = prepared(
  ($: Values<AuditValues & Pick<InstructionRow, 'accountId' | 'type' | 'vendor' | 'reference' | 'createdAt'>>) => {
    const asRead = db
      .select({ accountId: paymentInstructions.accountId })
      .from(paymentInstructions)
      .where(
        and(
          eq(paymentInstructions.accountId, $.accountId),
          eq(paymentInstructions.type, $.type),
          eq(paymentInstructions.position, 0),
          eq(paymentInstructions.vendor, $.vendor),
          sql`${paymentInstructions.reference} IS ${$.reference}`,
          eq(paymentInstructions.createdAt, $.createdAt),
        ),
      );
    return auditing($, exists(asRead));
  },
);

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
        isAudited($.auditId),
      ),
    );
});
