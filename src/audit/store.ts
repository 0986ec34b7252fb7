import { auditEntries, db, eq, exists, type RowOf, type SQL, type Statement, statement, type Write } from '../db';
import type { AuditEntry } from './entry';

/**
 * Keeps an entry, in the batch that makes the change. With `onlyIf` it is kept only while that statement finds a row; the
 * change itself then asks for {@link AUDITED}, so both happen or neither.
 */
export function auditWrite(entry: AuditEntry, onlyIf: Statement = statement('SELECT 1')): Write {
  return statement(
    `INSERT INTO audit_entries (id, occurred_at, actor, action, subject, before, after)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (${onlyIf.sql.replaceAll(/\?(\d+)/g, (_, number) => `?${7 + Number(number)}`)}) ON CONFLICT (id) DO NOTHING`,
    entry.id,
    entry.occurredAt,
    entry.actor,
    entry.action,
    entry.subject,
    entry.before ? JSON.stringify(entry.before) : null,
    entry.after ? JSON.stringify(entry.after) : null,
    ...onlyIf.params,
  );
}

/** A condition for the writes after {@link auditWrite} in the same batch; `parameter` is where the entry's id is bound. */
export const auditedAs = (parameter: string): string => `EXISTS (SELECT 1 FROM audit_entries a WHERE a.id = ${parameter})`;

/** True if the entry was written: the condition of every change that is made only with its entry. */
export const isAudited = (auditId: SQL<number>): SQL =>
  exists(db.select({ id: auditEntries.id }).from(auditEntries).where(eq(auditEntries.id, auditId)));

/** The same, with the entry's id in place of the first parameter. */
export const AUDITED = auditedAs('?1');

export type AuditRow = RowOf<'auditEntries', 'id' | 'occurred_at' | 'actor' | 'action' | 'subject' | 'before' | 'after'>;

/** Finds an entry by its id. */
export const auditEntry = (id: number): Statement => statement('SELECT 1 FROM audit_entries WHERE id = ?', id);

/** Newest first, older than the entry `before`. */
export const auditPage = (limit: number, before: number | undefined): Statement<AuditRow> =>
  statement(
    `SELECT id, occurred_at, actor, action, subject, before, after FROM audit_entries WHERE id < ?1 ORDER BY id DESC LIMIT ?2`,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
