/**
 * The statements of sending: which PENDING processes may start now and have no message on its way. Each looks at a bounded number
 * of processes of each supplier it is given, however many wait.
 */
import {
  alias,
  aliasIndexedBy,
  and,
  db,
  eq,
  gt,
  importProcesses,
  inArray,
  isNotNull,
  limitOf,
  lt,
  lte,
  ne,
  or,
  prepared,
  type RowOfQuery,
  runs,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { ALONE_FROM_EXPIRIES, STATUS } from '../machine';
import {
  expiries,
  idsOf,
  isOpenEntry,
  isProcessOf,
  mayStart,
  OPEN_INDEX,
  ofRun,
  type ProcessKey,
  type ProcessKeys,
  processKeys,
  type SupplierIds,
  supplierIds,
  WINDOWS_INDEX,
} from '../store-conditions';

/** A message may be on its way this long before its processes are sent again. */
export const STALE_MILLISECONDS = 120_000;

// Never sent, lost, or sent before the supplier was resumed or the run released.
export const isDue = ($: Values<{ now: number }>) =>
  and(
    mayStart($),
    or(
      lte(importProcesses.sentAt, sql`${$.now} - ${STALE_MILLISECONDS}`),
      lt(importProcesses.sentAt, suppliers.resumedAt),
      and(isNotNull(importProcesses.runId), lt(importProcesses.sentAt, ofRun(runs.releasedAt))),
    ),
  );

/** What is read of a process that may be sent. */
export const due = () => ({
  supplierId: importProcesses.supplierId,
  id: importProcesses.id,
  payloadBytes: importProcesses.payloadBytes,
  isAlone: sql<boolean>`${expiries()} >= ${ALONE_FROM_EXPIRIES}`.mapWith(Boolean),
});

interface Look {
  readonly suppliers: SupplierIds;
  readonly looks: number;
}

/** The ids of what is PENDING of the supplier after its cursor, in order. */
function afterCursor() {
  const next = alias(importProcesses, 'next');
  return (
    db
      .select({ id: sql<number>`${next.id}` })
      // The index is named and its condition repeated, so that SQLite walks the entries of what is PENDING and nothing else.
      .from(aliasIndexedBy(importProcesses, next, OPEN_INDEX))
      .where(and(isOpenEntry(next, suppliers.id, STATUS.PENDING), gt(next.id, suppliers.sweepCursor)))
      .orderBy(next.id)
  );
}

const NEXT = prepared(($: Values<Look & { now: number }>) =>
  db
    .select(due())
    .from(supplierIds.from($.suppliers))
    .crossJoin(suppliers)
    .crossJoin(importProcesses)
    .where(
      and(
        eq(suppliers.id, supplierIds.row.id),
        eq(importProcesses.supplierId, suppliers.id),
        inArray(importProcesses.id, afterCursor().limit(limitOf($.looks))),
        isDue($),
      ),
    ),
);

const MOVE = prepared(($: Values<Look>) => {
  const last = afterCursor()
    .limit(1)
    .offset(limitOf(sql`${$.looks} - 1`));
  const look = db
    .select({ id: suppliers.id, cursor: sql<number>`coalesce(${last}, 0)`.as('looked_to') })
    .from(supplierIds.from($.suppliers))
    .crossJoin(suppliers)
    .where(eq(suppliers.id, supplierIds.row.id))
    // A subquery of its own: its cursors are read before any of them is moved.
    .limit(limitOf(sql`-1`))
    .as('look');
  return db
    .update(suppliers)
    .set({ sweepCursor: sql`${look.cursor}` })
    .from(look)
    .where(and(eq(suppliers.id, look.id), ne(suppliers.sweepCursor, look.cursor)))
    .returning({ id: suppliers.id, sweepCursor: suppliers.sweepCursor });
});

/** How far the look at a supplier came; 0 once it was at the end. */
export type MovedRow = RowOfQuery<ReturnType<typeof MOVE>>;

/**
 * Of the next `looks` PENDING processes of each supplier, what is due; and how far the look came, for each supplier of which more may
 * follow. In one transaction, so that two who look at once look at different ones. Where its answer is lost, what it found waits for the
 * next time round, unless its window closes before.
 */
export function nextDue(ids: readonly number[], now: number, looks: number) {
  const given = idsOf(ids);
  return [NEXT({ suppliers: given, now, looks }), MOVE({ suppliers: given, looks })] as const;
}

/** Lets the look at a supplier begin again at `cursor`, or before: what it found was not sent. */
export const moveBack = prepared(($: Values<{ supplierId: number; cursor: number }>) =>
  db
    .update(suppliers)
    .set({ sweepCursor: sql`min(${suppliers.sweepCursor}, ${$.cursor})` })
    .where(eq(suppliers.id, $.supplierId)),
);

const CLOSING = prepared(($: Values<Look & { now: number }>) => {
  const next = alias(importProcesses, 'next');
  const closing = db
    .select({ id: sql<number>`${next.id}` })
    .from(aliasIndexedBy(importProcesses, next, WINDOWS_INDEX))
    .where(and(eq(next.supplierId, suppliers.id), eq(next.status, STATUS.PENDING), gt(next.windowEnd, $.now)))
    .orderBy(next.windowEnd)
    .limit(limitOf($.looks));
  return db
    .select(due())
    .from(supplierIds.from($.suppliers))
    .crossJoin(suppliers)
    .crossJoin(importProcesses)
    .where(
      and(
        eq(suppliers.id, supplierIds.row.id),
        eq(importProcesses.supplierId, suppliers.id),
        inArray(importProcesses.id, closing),
        isDue($),
      ),
    );
});

/** Of the `looks` PENDING processes of each supplier whose windows close next, what is due. */
export const closingDue = (ids: readonly number[], now: number, looks: number) => CLOSING({ suppliers: idsOf(ids), now, looks });

const OF_THESE = prepared(($: Values<{ keys: ProcessKeys; now: number }>) =>
  db
    .select(due())
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .crossJoin(suppliers)
    .where(and(isProcessOf(processKeys.row), eq(suppliers.id, importProcesses.supplierId), isDue($))),
);

/** What of these processes is due. */
export const dueOf = (keys: readonly ProcessKey[], now: number) => OF_THESE({ keys: processKeys.value(keys), now });

const MARK_SENT = prepared(($: Values<{ keys: ProcessKeys; now: number }>) =>
  db
    .update(importProcesses)
    .set({ sentAt: $.now })
    .from(processKeys.from($.keys))
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.status, STATUS.PENDING))),
);

export const markSent = (keys: readonly ProcessKey[], now: number) => MARK_SENT({ keys: processKeys.value(keys), now });
