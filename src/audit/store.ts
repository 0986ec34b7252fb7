import {
  alias,
  and,
  auditEntries,
  db,
  desc,
  eq,
  exists,
  gte,
  insertSelect,
  limitOf,
  lt,
  not,
  prepared,
  preparedForms,
  type RowOfQuery,
  type SQL,
  type SQLWrapper,
  sql,
  type Values,
} from '../db';
import { type AuditEntry, firstIdOf } from './entry';

/** An audit entry as values of a query, which may have others beside these. */
export interface AuditValues {
  readonly auditId: number;
  readonly occurredAt: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly supplier: string | null;
}

/** The values of {@link auditing}. */
export const auditValues = ({ id, occurredAt, actor, action, subject, supplier, before, after }: AuditEntry): AuditValues => ({
  auditId: id,
  occurredAt,
  actor,
  action,
  subject,
  before: before ? JSON.stringify(before) : null,
  after: after ? JSON.stringify(after) : null,
  supplier: supplier ?? null,
});

/** The entry that is written, and one that may be there under its id. */
const isSame = (one: SQLWrapper[], other: SQLWrapper[]): SQL => sql`(${sql.join(one, sql`, `)}) IS (${sql.join(other, sql`, `)})`;
const there = alias(auditEntries, 'there');

/**
 * Writes an entry while the condition holds. The change itself stands behind it in the same batch and asks {@link isAudited}, so both
 * happen or neither. Repeated, it writes nothing more. Ids of one millisecond are the same once in 4,096 times: where another's entry has this
 * one, `occurred_at` would be null, and the whole batch fails. `supplier` is its code, where the database has to look it up.
 */
export const auditing = ($: Values<AuditValues>, condition: SQL, supplier: SQL<string | null> = $.supplier) => {
  const own = [$.occurredAt, $.actor, $.action, $.subject];
  const anothers = exists(
    db
      .select({ id: there.id })
      .from(there)
      .where(and(eq(there.id, $.auditId), not(isSame([there.occurredAt, there.actor, there.action, there.subject], own)))),
  );
  return insertSelect(
    auditEntries,
    {
      id: $.auditId,
      occurredAt: $.occurredAt,
      actor: $.actor,
      action: $.action,
      subject: $.subject,
      before: $.before,
      after: $.after,
      supplier,
    },
    sql`WHERE ${condition} OR ${anothers}`,
  ).onConflictDoUpdate({
    target: auditEntries.id,
    set: {
      occurredAt: sql`iif(${isSame([auditEntries.occurredAt, auditEntries.actor, auditEntries.action, auditEntries.subject], own)}, ${auditEntries.occurredAt}, NULL)`,
    },
  });
};

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

/** What entries are looked up by, beside time. */
interface AuditColumns {
  readonly actor: boolean;
  readonly action: boolean;
  readonly supplier: boolean;
}

interface AuditRange {
  readonly limit: number;
  readonly from: number;
  readonly before: number;
  readonly actor: string;
  readonly action: string;
  readonly supplier: string;
}

const PAGE = preparedForms(($: Values<AuditRange>, by: AuditColumns) =>
  db
    .select({
      id: auditEntries.id,
      occurredAt: auditEntries.occurredAt,
      actor: auditEntries.actor,
      action: auditEntries.action,
      subject: auditEntries.subject,
      before: auditEntries.before,
      after: auditEntries.after,
      supplier: auditEntries.supplier,
    })
    .from(auditEntries)
    .where(
      and(
        gte(auditEntries.id, $.from),
        lt(auditEntries.id, $.before),
        by.actor ? eq(auditEntries.actor, $.actor) : undefined,
        by.action ? eq(auditEntries.action, $.action) : undefined,
        by.supplier ? eq(auditEntries.supplier, $.supplier) : undefined,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limitOf($.limit)),
);

export type AuditRow = RowOfQuery<ReturnType<typeof PAGE>>;

/** What is left out does not matter. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The code of a supplier. */
  readonly supplier?: string | undefined;
  /** Unix milliseconds: from this moment on. */
  readonly from?: number | undefined;
  /** Before this moment. */
  readonly until?: number | undefined;
}

/** Newest first, older than the entry `before`. */
export const auditPage = ({ actor, action, supplier, from = 0, until }: AuditFilter, limit: number, before = Number.MAX_SAFE_INTEGER) =>
  PAGE(
    { actor: actor !== undefined, action: action !== undefined, supplier: supplier !== undefined },
    {
      limit,
      from: firstIdOf(from),
      before: until === undefined ? before : Math.min(before, firstIdOf(until)),
      actor: actor ?? '',
      action: action ?? '',
      supplier: supplier ?? '',
    },
  );
