/**
 * The statements of the sweep: expired leases, and what can never start. Each touches a bounded number of rows and is driven by an
 * index of what is open, supplier by supplier.
 */
import {
  and,
  db,
  eq,
  exists,
  found,
  importProcessEvents,
  importProcesses,
  indexedBy,
  insertSelect,
  lte,
  prepared,
  type RowOfQuery,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { type CancelReason, recordImports } from '../../events';
import { EVENT, MAX_EXPIRIES, STATUS, statusAfter } from '../machine';
import {
  cancelledImport,
  expiries,
  foundKey,
  idsOf,
  isOpenEntry,
  isProcessOf,
  may,
  OPEN_INDEX,
  type ProcessKey,
  type ProcessKeys,
  processKeys,
  type SupplierIds,
  supplierIds,
  WINDOWS_INDEX,
} from '../store-conditions';

/** Rows one statement of the sweep touches at most. */
export const SWEEP_SLICE = 2_000;

/** Processes by the index of what has no account: named, because the planner would rather walk the whole supplier by its key. */
const byOpenIndex = () => indexedBy(importProcesses, OPEN_INDEX);
const byWindow = () => indexedBy(importProcesses, WINDOWS_INDEX);

const EXPIRED = prepared(($: Values<{ now: number }>) =>
  db
    .select({ supplierId: importProcesses.supplierId, id: importProcesses.id, expiries: expiries() })
    .from(suppliers)
    .crossJoin(byOpenIndex())
    .where(and(isOpenEntry(importProcesses, suppliers.id, STATUS.IN_PROGRESS), lte(importProcesses.leaseUntil, $.now)))
    .limit(SWEEP_SLICE),
);

/** `expiries`: leases that had run out before this one. */
export type ExpiredRow = RowOfQuery<ReturnType<typeof EXPIRED>>;

/** Processes whose lease has run out. */
export const expiredLeases = (now: number) => EXPIRED({ now });

/** Its last lease has run out. */
export const isExhausted = (row: ExpiredRow): boolean => row.expiries + 1 >= MAX_EXPIRIES;

const RELEASE = prepared(($: Values<{ keys: ProcessKeys; now: number }>) =>
  db
    .update(importProcesses)
    .set({
      status: statusAfter('lease_expired'),
      expiredClaims: sql`json_insert(coalesce(${importProcesses.expiredClaims}, '[]'), '$[#]', ${importProcesses.claim})`,
      claim: null,
      leaseUntil: null,
      startedAt: null,
      sentAt: 0,
      modifiedAt: $.now,
    })
    .from(processKeys.from($.keys))
    .where(and(isProcessOf(processKeys.row), may('lease_expired'), lte(importProcesses.leaseUntil, $.now))),
);

/** Makes processes whose lease has run out PENDING again, and writes down whose lease it was. */
export const releaseExpired = (keys: readonly ProcessKey[], now: number) => RELEASE({ keys: processKeys.value(keys), now });

const WAITING = prepared(($: Values<{ now: number }>) => {
  const closed = db
    .select({ one: sql`1` })
    .from(byWindow())
    .where(
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.status, STATUS.PENDING), lte(importProcesses.windowEnd, $.now)),
    );
  const pending = db
    .select({ one: sql`1` })
    .from(byOpenIndex())
    .where(isOpenEntry(importProcesses, suppliers.id, STATUS.PENDING));
  return db
    .select({ id: suppliers.id, status: suppliers.status, hasClosed: found(closed).mapWith(Boolean) })
    .from(suppliers)
    .where(exists(pending));
});

/** `hasClosed`: the window of at least one of its PENDING processes has closed. */
export type WaitingRow = RowOfQuery<ReturnType<typeof WAITING>>;

/** Suppliers of which something is PENDING. A few rows for each supplier. */
export const waitingSuppliers = (now: number) => WAITING({ now });

interface Cancelled {
  readonly suppliers: SupplierIds;
  readonly now: number;
}

/** What had a window that closed by `closedBy`. */
const closedOf = ($: Values<Cancelled & { closedBy: number }>) =>
  db
    .select(foundKey())
    .from(supplierIds.from($.suppliers))
    .crossJoin(byWindow())
    .where(and(eq(importProcesses.supplierId, supplierIds.row.id), may('cancel'), lte(importProcesses.windowEnd, $.closedBy)))
    .limit(SWEEP_SLICE);

/** What can no longer start, because its supplier is Complete. */
const completeOf = ($: Values<Cancelled>) =>
  db
    .select(foundKey())
    .from(supplierIds.from($.suppliers))
    .crossJoin(suppliers)
    .crossJoin(byOpenIndex())
    .where(
      and(
        eq(suppliers.id, supplierIds.row.id),
        eq(suppliers.status, 'Complete'),
        isOpenEntry(importProcesses, suppliers.id, STATUS.PENDING),
        may('cancel'),
      ),
    )
    .limit(SWEEP_SLICE);

type Chosen = ReturnType<typeof closedOf> | ReturnType<typeof completeOf>;

function record($: Values<Cancelled>, query: Chosen, reason: CancelReason) {
  const chosen = query.as('chosen');
  return recordImports(
    $,
    'account_imports.cancelled',
    sql`SELECT ${importProcesses.supplierId}, ${importProcesses.id}, ${cancelledImport()} AS import FROM ${chosen} CROSS JOIN ${importProcesses}
      WHERE ${eq(importProcesses.supplierId, chosen.supplierId)} AND ${eq(importProcesses.id, chosen.id)}`,
    sql`json_object('reason', ${reason})`,
  );
}

function cancelEvents($: Values<Cancelled>, query: Chosen) {
  const chosen = query.as('chosen');
  return insertSelect(
    importProcessEvents,
    { processId: sql`${chosen.id}`, occurredAt: $.now, event: EVENT.CANCELLED },
    sql`FROM ${chosen} WHERE true`,
  ).onConflictDoNothing();
}

function cancel($: Values<Cancelled>, query: Chosen) {
  const chosen = query.as('chosen');
  return db
    .update(importProcesses)
    .set({ status: statusAfter('cancel'), finishedAt: $.now, modifiedAt: $.now })
    .from(chosen)
    .where(and(eq(importProcesses.supplierId, chosen.supplierId), eq(importProcesses.id, chosen.id)))
    .returning({
      supplierId: importProcesses.supplierId,
      attempts: importProcesses.attempts,
      sentAt: importProcesses.sentAt,
      scheduledAt: importProcesses.scheduledAt,
      windowStart: importProcesses.windowStart,
      runId: importProcesses.runId,
    });
}

const RECORD_CLOSED = prepared(($: Values<Cancelled & { closedBy: number }>) => record($, closedOf($), 'window_closed'));
const CLOSED_EVENTS = prepared(($: Values<Cancelled & { closedBy: number }>) => cancelEvents($, closedOf($)));
const CANCEL_CLOSED = prepared(($: Values<Cancelled & { closedBy: number }>) => cancel($, closedOf($)));
const RECORD_COMPLETE = prepared(($: Values<Cancelled>) => record($, completeOf($), 'import_supplier_complete'));
const COMPLETE_EVENTS = prepared(($: Values<Cancelled>) => cancelEvents($, completeOf($)));
const CANCEL_COMPLETE = prepared(($: Values<Cancelled>) => cancel($, completeOf($)));

export type CancelledRow = RowOfQuery<ReturnType<typeof CANCEL_CLOSED>>;

/** Cancels what of these suppliers' PENDING processes had a window that closed by `closedBy` (Unix milliseconds). */
export function cancelClosed(ids: readonly number[], closedBy: number, now: number) {
  const given = { suppliers: idsOf(ids), closedBy, now };
  return [RECORD_CLOSED(given), CLOSED_EVENTS(given), CANCEL_CLOSED(given)] as const;
}

/** Cancels what is PENDING under those of these suppliers that are Complete. */
export function cancelUnderComplete(ids: readonly number[], now: number) {
  const given = { suppliers: idsOf(ids), now };
  return [RECORD_COMPLETE(given), COMPLETE_EVENTS(given), CANCEL_COMPLETE(given)] as const;
}

/** No message was sent for it while its window was open, and no run held it back. */
export const isMissed = (row: CancelledRow): boolean =>
  row.runId === null && row.attempts === 0 && row.sentAt < Math.max(row.windowStart ?? 0, row.scheduledAt);
