/**
 * The state of queue and leases. Nothing here counts processes: the oldest is a look-up per supplier.
 */
import { type AuditValues, auditing, isAudited } from '../../audit';
import {
  alias,
  and,
  count,
  db,
  deadLetters,
  desc,
  eq,
  exists,
  importProcesses,
  inArray,
  indexedBy,
  isNull,
  limitOf,
  lte,
  ne,
  or,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { STATUS } from '../../import-processes';

/** Named, because the planner would take the key, which holds every process. */
const openProcesses = () => indexedBy(importProcesses, 'import_processes_open');

/** In the words of the open index, so that SQLite takes it. */
const isOpenAnd = (status: number) => and(eq(importProcesses.status, status), ne(importProcesses.status, STATUS.PROCESSED));

/** Of the first PENDING process of each Ongoing supplier that may start now, in commit order, the longest waiting one. */
export const oldestPending = prepared(($: Values<{ now: number }>) => {
  const first = alias(importProcesses, 'first');
  const firstId = db
    .select({ id: sql`${importProcesses.id}` })
    .from(openProcesses())
    .where(
      and(
        eq(importProcesses.supplierId, suppliers.id),
        isOpenAnd(STATUS.PENDING),
        lte(sql`coalesce(${importProcesses.windowStart}, 0)`, $.now),
      ),
    )
    .orderBy(importProcesses.id)
    .limit(1);
  return db
    .select({ code: suppliers.code, externalAccountNumber: first.externalAccountNumber, scheduledAt: first.scheduledAt })
    .from(suppliers)
    .crossJoin(first)
    .where(and(eq(suppliers.status, 'Ongoing'), eq(first.supplierId, suppliers.id), eq(first.id, firstId)))
    .orderBy(first.scheduledAt)
    .limit(1);
});

export type OldestRow = RowOfQuery<ReturnType<typeof oldestPending>>;

export const expiredLeases = prepared(($: Values<{ now: number }>) =>
  db
    .select({ count: count() })
    .from(suppliers)
    .crossJoin(openProcesses())
    .where(and(eq(importProcesses.supplierId, suppliers.id), isOpenAnd(STATUS.IN_PROGRESS), lte(importProcesses.leaseUntil, $.now))),
);

const isUndecided = () => and(isNull(deadLetters.redrivenAt), isNull(deadLetters.dismissedAt));

export const openDeadLetters = prepared(() => db.select({ count: count() }).from(deadLetters).where(isUndecided()));

const letters = () =>
  db
    .select({
      messageId: deadLetters.messageId,
      queue: deadLetters.queue,
      message: deadLetters.message,
      failedAt: deadLetters.failedAt,
      redrivenAt: deadLetters.redrivenAt,
      dismissedAt: deadLetters.dismissedAt,
      supplierCode: suppliers.code,
      supplierStatus: suppliers.status,
    })
    .from(deadLetters)
    .leftJoin(suppliers, eq(suppliers.id, sql`iif(json_valid(${deadLetters.message}), ${deadLetters.message} ->> 'supplier_id', NULL)`));

export const deadLetterById = prepared(($: Values<{ messageId: string }>) => letters().where(eq(deadLetters.messageId, $.messageId)));

export type DeadLetterRow = RowOfQuery<ReturnType<typeof deadLetterById>>;

/** Newest first, after the letter `cursor`; from the newest where that is null. */
export const deadLetterPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(deadLetters, 'last');
  const cursor = db.select({ failedAt: last.failedAt, messageId: last.messageId }).from(last).where(eq(last.messageId, $.cursor));
  return letters()
    .where(or(isNull($.cursor), sql`(${deadLetters.failedAt}, ${deadLetters.messageId}) < ${cursor}`))
    .orderBy(desc(deadLetters.failedAt), desc(deadLetters.messageId))
    .limit(limitOf($.limit));
});

const named = rowsOf('named', { id: importProcesses.id });

const ERRORED_OF = prepared(($: Values<{ supplierId: number; ids: RowValues<typeof named>; now: number }>) =>
  db
    .select({
      errored: count(),
      over: sql<number>`coalesce(sum(coalesce(${importProcesses.windowEnd}, ${$.now} + 1) <= ${$.now}), 0)`,
    })
    .from(openProcesses())
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        isOpenAnd(STATUS.ERRORED),
        inArray(importProcesses.id, db.select({ id: named.row.id }).from(named.from($.ids))),
      ),
    ),
);

/** How many of the processes are ERRORED, and how many of those have a window that is over. */
export const erroredOf = (supplierId: number, ids: readonly number[], now: number) =>
  ERRORED_OF({ supplierId, ids: named.value(ids.map((id) => ({ id }))), now });

const isOpenLetter = ($: Values<{ messageId: string }>) => and(eq(deadLetters.messageId, $.messageId), isUndecided());
const openLetter = ($: Values<{ messageId: string }>) => db.select({ id: deadLetters.messageId }).from(deadLetters).where(isOpenLetter($));

/** The audit entry of a dismissal: written until the letter is re-driven or dismissed. */
export const auditDismissal = prepared(($: Values<AuditValues & { messageId: string }>) => auditing($, exists(openLetter($))));

/** The audit entry of a re-drive: the same, while the supplier is not Complete. */
export const auditRedrive = prepared(($: Values<AuditValues & { messageId: string; supplierId: number }>) => {
  const supplier = db
    .select({ id: suppliers.id })
    .from(suppliers)
    .where(and(eq(suppliers.id, $.supplierId), ne(suppliers.status, 'Complete')));
  return auditing($, sql`${exists(openLetter($))} AND ${exists(supplier)}`);
});

interface Mark {
  readonly auditId: number;
  readonly messageId: string;
  readonly now: number;
}

export const markRedriven = prepared(($: Values<Mark>) =>
  db
    .update(deadLetters)
    .set({ redrivenAt: $.now })
    .where(and(isOpenLetter($), isAudited($.auditId))),
);

export const markDismissed = prepared(($: Values<Mark>) =>
  db
    .update(deadLetters)
    .set({ dismissedAt: $.now })
    .where(and(isOpenLetter($), isAudited($.auditId))),
);
