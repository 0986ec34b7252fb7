/**
 * Where alerts go, and what has not been taken there yet.
 */
import { type AuditValues, auditing, isAudited } from '../../audit';
import {
  alertAddresses,
  alertDeliveries,
  alerts,
  alias,
  and,
  db,
  desc,
  eq,
  exists,
  insertSelect,
  isNull,
  limitOf,
  lte,
  or,
  prepared,
  type RowOfQuery,
  sql,
  type Values,
} from '../../db';

const ADDRESS = {
  id: alertAddresses.id,
  url: alertAddresses.url,
  createdAt: alertAddresses.createdAt,
  deliveredAt: alertAddresses.deliveredAt,
  failedAt: alertAddresses.failedAt,
  failure: alertAddresses.failure,
};

const withId = ($: Values<{ id: string }>) => db.select(ADDRESS).from(alertAddresses).where(eq(alertAddresses.id, $.id));

export const addressById = prepared(withId);

export type AddressRow = RowOfQuery<ReturnType<typeof addressById>>;

/** Newest first, after the address `cursor`, from the newest where that is null. */
export const addressPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(alertAddresses, 'last');
  const cursor = db.select({ createdAt: last.createdAt, id: last.id }).from(last).where(eq(last.id, $.cursor));
  return db
    .select(ADDRESS)
    .from(alertAddresses)
    .where(or(isNull($.cursor), sql`(${alertAddresses.createdAt}, ${alertAddresses.id}) < ${cursor}`))
    .orderBy(desc(alertAddresses.createdAt), desc(alertAddresses.id))
    .limit(limitOf($.limit));
});

/** The audit entry of a new address: written while there are fewer than `most`. */
export const auditAddress = prepared(($: Values<AuditValues & { most: number }>) =>
  auditing($, sql`(SELECT count(*) FROM ${alertAddresses}) < ${$.most}`),
);

export const insertAddress = prepared(($: Values<{ auditId: number; id: string; url: string; createdAt: number }>) =>
  insertSelect(alertAddresses, { id: $.id, url: $.url, createdAt: $.createdAt }, sql`WHERE ${isAudited($.auditId)}`),
);

/** The audit entry of a removal: written while the address is there. */
export const auditRemoval = prepared(($: Values<AuditValues & { id: string }>) => auditing($, exists(withId($))));

export const deleteDeliveries = prepared(($: Values<{ auditId: number; id: string }>) =>
  db.delete(alertDeliveries).where(and(eq(alertDeliveries.addressId, $.id), isAudited($.auditId))),
);

export const deleteAddress = prepared(($: Values<{ auditId: number; id: string }>) =>
  db.delete(alertAddresses).where(and(eq(alertAddresses.id, $.id), isAudited($.auditId))),
);

/** Deliveries whose time has come, the longest due first, with the alert as it is now. */
export const dueDeliveries = prepared(($: Values<{ now: number; limit: number }>) =>
  db
    .select({
      addressId: alertDeliveries.addressId,
      url: alertAddresses.url,
      event: alertDeliveries.event,
      deliveryCreatedAt: alertDeliveries.createdAt,
      attempts: alertDeliveries.attempts,
      id: alerts.id,
      rule: alerts.rule,
      supplier: alerts.supplier,
      since: alerts.since,
      endedAt: alerts.endedAt,
      details: alerts.details,
    })
    .from(alertDeliveries)
    .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
    .innerJoin(alertAddresses, eq(alertAddresses.id, alertDeliveries.addressId))
    .where(lte(alertDeliveries.nextAt, $.now))
    .orderBy(alertDeliveries.nextAt)
    .limit(limitOf($.limit)),
);

export type DueRow = RowOfQuery<ReturnType<typeof dueDeliveries>>;

interface Delivery {
  readonly alertId: string;
  readonly addressId: string;
  /** What was sent: if the alert has ended since, that is still to be sent. */
  readonly event: string;
}

const isThat = ($: Values<Delivery>) =>
  and(eq(alertDeliveries.alertId, $.alertId), eq(alertDeliveries.addressId, $.addressId), eq(alertDeliveries.event, $.event));

/** It was taken, or given up. */
export const deliveryDone = prepared(($: Values<Delivery>) => db.delete(alertDeliveries).where(isThat($)));

export const deliveryAgain = prepared(($: Values<Delivery & { nextAt: number; attempts: number }>) =>
  db.update(alertDeliveries).set({ nextAt: $.nextAt, attempts: $.attempts }).where(isThat($)),
);

export const addressTook = prepared(($: Values<{ id: string; now: number }>) =>
  db.update(alertAddresses).set({ deliveredAt: $.now, failedAt: null, failure: null }).where(eq(alertAddresses.id, $.id)),
);

export const addressFailed = prepared(($: Values<{ id: string; now: number; failure: string }>) =>
  db.update(alertAddresses).set({ failedAt: $.now, failure: $.failure }).where(eq(alertAddresses.id, $.id)),
);
