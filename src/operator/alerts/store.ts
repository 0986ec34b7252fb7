/**
 * Alerts, and what they are measured by.
 */
import {
  alertAddresses,
  alertDeliveries,
  alerts,
  alias,
  and,
  db,
  desc,
  eq,
  gte,
  importProcesses,
  importsPerMinute,
  indexedBy,
  insertSelect,
  isNotNull,
  isNull,
  limitOf,
  lt,
  lte,
  ne,
  notExists,
  or,
  prepared,
  type RowOfQuery,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { STATUS } from '../../import-processes';

/**
 * Ongoing suppliers whose first process that may start might have done so since `before`, and of which none has ended since `minute`.
 * Ended dry runs count: their minute has a row, too.
 */
export const stuckSuppliers = prepared(($: Values<{ now: number; before: number; minute: number }>) => {
  const first = alias(importProcesses, 'first');
  const firstId = db
    .select({ id: sql`${importProcesses.id}` })
    .from(indexedBy(importProcesses, 'import_processes_open'))
    .where(
      and(
        eq(importProcesses.supplierId, suppliers.id),
        eq(importProcesses.status, STATUS.PENDING),
        ne(importProcesses.status, STATUS.PROCESSED),
        lte(sql`coalesce(${importProcesses.windowStart}, 0)`, $.now),
      ),
    )
    .orderBy(importProcesses.id)
    .limit(1);
  const ended = db
    .select({ minute: importsPerMinute.minute })
    .from(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, suppliers.id), gte(importsPerMinute.minute, $.minute)));
  const since = sql<number>`max(${first.scheduledAt}, coalesce(${first.windowStart}, 0), ${suppliers.resumedAt})`;
  return db
    .select({ code: suppliers.code, since })
    .from(suppliers)
    .crossJoin(first)
    .where(
      and(
        eq(suppliers.status, 'Ongoing'),
        eq(first.supplierId, suppliers.id),
        eq(first.id, firstId),
        lte(since, $.before),
        notExists(ended),
      ),
    );
});

/** Suppliers with errors since `minute`: how many ended, and how. */
export const recentErrors = prepared(($: Values<{ minute: number }>) =>
  db
    .select({
      code: suppliers.code,
      processed: sql<number>`sum(${importsPerMinute.processed})`,
      errored: sql<number>`sum(${importsPerMinute.errored})`,
    })
    .from(suppliers)
    .crossJoin(importsPerMinute)
    .where(and(eq(importsPerMinute.supplierId, suppliers.id), gte(importsPerMinute.minute, $.minute)))
    .groupBy(suppliers.id)
    .having(sql`sum(${importsPerMinute.errored}) > 0`),
);

const ALERT = {
  id: alerts.id,
  rule: alerts.rule,
  supplier: alerts.supplier,
  since: alerts.since,
  endedAt: alerts.endedAt,
  details: alerts.details,
};

export const alertById = prepared(($: Values<{ id: string }>) => db.select(ALERT).from(alerts).where(eq(alerts.id, $.id)));

export type AlertRow = RowOfQuery<ReturnType<typeof alertById>>;

export const firingAlerts = prepared(() => db.select(ALERT).from(alerts).where(isNull(alerts.endedAt)).orderBy(desc(alerts.since)));

/** Newest first, after the alert `cursor`, from the newest where that is null. */
export const alertPage = prepared(($: Values<{ limit: number; cursor: string | null; isFiringOnly: 0 | 1 }>) => {
  const last = alias(alerts, 'last');
  const cursor = db.select({ since: last.since, id: last.id }).from(last).where(eq(last.id, $.cursor));
  return db
    .select(ALERT)
    .from(alerts)
    .where(and(or(isNull($.cursor), sql`(${alerts.since}, ${alerts.id}) < ${cursor}`), or(eq($.isFiringOnly, 0), isNull(alerts.endedAt))))
    .orderBy(desc(alerts.since), desc(alerts.id))
    .limit(limitOf($.limit));
});

/** Begins an alert, unless one of its rule and supplier fires already. */
export const beginAlert = prepared(($: Values<{ id: string; rule: string; supplier: string; now: number; details: string }>) =>
  db.insert(alerts).values({ id: $.id, rule: $.rule, supplier: $.supplier, since: $.now, details: $.details }).onConflictDoNothing(),
);

export const updateAlert = prepared(($: Values<{ id: string; details: string }>) =>
  db
    .update(alerts)
    .set({ details: $.details })
    .where(and(eq(alerts.id, $.id), isNull(alerts.endedAt))),
);

export const endAlert = prepared(($: Values<{ id: string; now: number }>) =>
  db
    .update(alerts)
    .set({ endedAt: $.now })
    .where(and(eq(alerts.id, $.id), isNull(alerts.endedAt))),
);

/** All addresses are to hear of the alert, as it is now. An end takes the place of a beginning that was not taken yet. */
export const announceAlert = prepared(($: Values<{ id: string; now: number }>) =>
  insertSelect(
    alertDeliveries,
    {
      alertId: sql<string>`${alerts.id}`,
      addressId: sql<string>`${alertAddresses.id}`,
      event: sql`iif(${alerts.endedAt} IS NULL, 'alert.firing', 'alert.ended')`,
      createdAt: $.now,
      nextAt: $.now,
      attempts: 0,
    },
    sql`FROM ${alerts} CROSS JOIN ${alertAddresses} WHERE ${eq(alerts.id, $.id)}`,
  ).onConflictDoUpdate({
    target: [alertDeliveries.alertId, alertDeliveries.addressId],
    set: { event: sql`excluded.event`, createdAt: sql`excluded.created_at`, nextAt: sql`excluded.next_at`, attempts: 0 },
    setWhere: sql`${alertDeliveries.event} <> excluded.event`,
  }),
);

/** Forgets alerts that ended before that moment. */
export const forgetAlerts = prepared(($: Values<{ before: number }>) =>
  db.delete(alerts).where(and(isNotNull(alerts.endedAt), lt(alerts.endedAt, $.before))),
);
