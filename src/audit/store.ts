import {
  auditEntries,
  db,
  desc,
  eq,
  exists,
  insertSelect,
  limitOf,
  lt,
  prepared,
  type RowOfStatement,
  type SQL,
  sql,
  type Values,
} from '../db';
import type { AuditEntry } from './entry';

/** An audit entry as the values of a statement; its other values stand beside these. */
export interface AuditValues {
  readonly auditId: number;
  readonly occurredAt: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The values of {@link auditing}. */
export const auditValues = ({ id, occurredAt, actor, action, subject, before, after }: AuditEntry): AuditValues => ({
  auditId: id,
  occurredAt,
  actor,
  action,
  subject,
  before: before ? JSON.stringify(before) : null,
  after: after ? JSON.stringify(after) : null,
});

/**
 * Writes an entry while the condition holds. The change itself stands behind it in the same batch and asks {@link isAudited}, so both
 * happen or neither.
 */
export const auditing = ($: Values<AuditValues>, condition: SQL) =>
  insertSelect(
    auditEntries,
    {
      id: $.auditId,
      occurredAt: $.occurredAt,
      actor: $.actor,
      action: $.action,
      subject: $.subject,
      before: $.before,
      after: $.after,
    },
    sql`WHERE ${condition}`,
  ).onConflictDoNothing({ target: auditEntries.id });

/** True if the entry was written: the condition of every change that is made only with its entry. */
export const isAudited = (auditId: SQL<number>): SQL =>
  exists(db.select({ id: auditEntries.id }).from(auditEntries).where(eq(auditEntries.id, auditId)));

const WRITE = prepared(($: Values<AuditValues>) => auditing($, sql`true`));

/** Writes an entry, in the batch that makes the change. */
export const auditWrite = (entry: AuditEntry) => WRITE(auditValues(entry));

/** Finds an entry by its id: behind {@link auditing} it shows that the change was made. */
export const auditEntry = prepared(($: Values<{ auditId: number }>) =>
  db.select({ id: auditEntries.id }).from(auditEntries).where(eq(auditEntries.id, $.auditId)),
);

const PAGE = prepared(($: Values<{ limit: number; before: number }>) =>
  db
    .select({
      id: auditEntries.id,
      occurredAt: auditEntries.occurredAt,
      actor: auditEntries.actor,
      action: auditEntries.action,
      subject: auditEntries.subject,
      before: auditEntries.before,
      after: auditEntries.after,
    })
    .from(auditEntries)
    .where(lt(auditEntries.id, $.before))
    .orderBy(desc(auditEntries.id))
    .limit(limitOf($.limit)),
);

export type AuditRow = RowOfStatement<ReturnType<typeof PAGE>>;

/** Newest first, older than the entry `before`. */
export const auditPage = (limit: number, before: number | undefined) => PAGE({ limit, before: before ?? Number.MAX_SAFE_INTEGER });
