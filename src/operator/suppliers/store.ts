/**
 * Suppliers as the operator reads and writes them.
 */
import { type AuditValues, auditing, isAudited } from '../../audit';
import {
  alias,
  and,
  db,
  desc,
  eq,
  exists,
  insertSelect,
  isNull,
  limitOf,
  lt,
  ne,
  notExists,
  or,
  organisations,
  prepared,
  type RowOfQuery,
  type SQL,
  SUPPLIER,
  sql,
  suppliers,
  type Values,
} from '../../db';

const DETAILS = {
  supplier: SUPPLIER,
  createdAt: suppliers.createdAt,
  modifiedAt: suppliers.modifiedAt,
  pausedAt: suppliers.pausedAt,
  resumedAt: suppliers.resumedAt,
};

const withCode = ($: Values<{ code: string }>) => eq(suppliers.code, $.code);

export const supplierByCode = prepared(($: Values<{ code: string }>) => db.select(DETAILS).from(suppliers).where(withCode($)));

export type SupplierDetailsRow = RowOfQuery<ReturnType<typeof supplierByCode>>;

export const allSuppliers = prepared(() => db.select(DETAILS).from(suppliers).orderBy(suppliers.createdAt, suppliers.id));

/** Newest first, after the supplier `cursor`; from the newest where that is null. */
export const supplierPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(suppliers, 'last');
  const lastId = db.select({ id: last.id }).from(last).where(eq(last.code, $.cursor));
  return db
    .select(DETAILS)
    .from(suppliers)
    .where(or(isNull($.cursor), lt(suppliers.id, lastId)))
    .orderBy(desc(suppliers.id))
    .limit(limitOf($.limit));
});

/** The root of a supplier's documents. What cannot be read still owns the folder of its code. */
const rootOf = ({ configuration, code }: typeof suppliers) =>
  sql<string>`coalesce(nullif(trim(iif(json_valid(${configuration}), ${configuration} ->> 'documents_root', NULL), '/'), ''), ${code})`;

/** The roots of all suppliers' documents. */
export const documentRoots = prepared(() =>
  db.select({ organisationId: suppliers.organisationId, root: rootOf(suppliers) }).from(suppliers),
);

interface OwnedRootValues {
  readonly organisationId: string;
  readonly root: string;
}

/** No other organisation's supplier has a root that is the given one, holds it or lies in it. */
function isRootFree($: Values<OwnedRootValues>): SQL {
  const others = db
    .select({ organisationId: suppliers.organisationId, taken: sql<string>`${rootOf(suppliers)} || '/'`.as('taken') })
    .from(suppliers)
    .as('others');
  const root = sql`${$.root} || '/'`;
  const isNested = sql`(substr(${others.taken}, 1, length(${root})) = ${root} OR substr(${root}, 1, length(${others.taken})) = ${others.taken})`;
  return notExists(
    db
      .select({ taken: others.taken })
      .from(others)
      .where(and(ne(others.organisationId, $.organisationId), isNested)),
  );
}

const organisationWithId = ($: Values<{ organisationId: string }>) =>
  db.select({ id: organisations.id }).from(organisations).where(eq(organisations.id, $.organisationId));

/** Finds the organisation. */
export const organisationExists = prepared(organisationWithId);

/** The audit entry of a creation: written while the code and the root are free and the organisation is there. */
export const auditCreation = prepared(($: Values<AuditValues & OwnedRootValues & { code: string }>) => {
  const taken = db.select({ id: suppliers.id }).from(suppliers).where(withCode($));
  return auditing($, sql`${exists(organisationWithId($))} AND ${notExists(taken)} AND ${isRootFree($)}`);
});

export interface NewSupplier {
  readonly auditId: number;
  readonly organisationId: string;
  readonly code: string;
  readonly name: string;
  /** JSON, every setting in it. */
  readonly configuration: string;
  readonly now: number;
}

/** A supplier is made Ongoing. An existing one of that code stays as it is. */
export const insertSupplier = prepared(($: Values<NewSupplier>) =>
  insertSelect(
    suppliers,
    {
      organisationId: $.organisationId,
      code: $.code,
      name: $.name,
      status: 'Ongoing',
      configuration: $.configuration,
      version: 1,
      resumedAt: 0,
      createdAt: $.now,
      modifiedAt: $.now,
    },
    sql`WHERE ${isAudited($.auditId)}`,
  ).onConflictDoNothing({ target: suppliers.code }),
);

/** The supplier as it was read. */
const isUnchanged = ($: Values<{ id: number; version: number }>) => and(eq(suppliers.id, $.id), eq(suppliers.version, $.version));
const unchanged = ($: Values<{ id: number; version: number }>) => db.select({ id: suppliers.id }).from(suppliers).where(isUnchanged($));

/** The audit entry of a change: written while the supplier is as it was read. */
export const auditChange = prepared(($: Values<AuditValues & { id: number; version: number }>) => auditing($, exists(unchanged($))));

/** The same of a change that gives the supplier another root, while that root is free. */
export const auditChangeOfRoot = prepared(($: Values<AuditValues & OwnedRootValues & { id: number; version: number }>) =>
  auditing($, sql`${exists(unchanged($))} AND ${isRootFree($)}`),
);

export interface SupplierChange {
  readonly auditId: number;
  readonly id: number;
  /** As it was read. */
  readonly version: number;
  readonly name: string;
  readonly status: string;
  /** JSON, every setting in it. */
  readonly configuration: string;
  /** When it was made Ongoing again; null where this change does not. */
  readonly resumedAt: number | null;
  readonly now: number;
}

/** Changes the supplier and moves its version, so that nothing is stored on a validation made before. */
export const updateSupplier = prepared(($: Values<SupplierChange>) =>
  db
    .update(suppliers)
    .set({
      name: $.name,
      status: $.status,
      configuration: $.configuration,
      version: sql`${suppliers.version} + 1`,
      modifiedAt: $.now,
      resumedAt: sql`coalesce(${$.resumedAt}, ${suppliers.resumedAt})`,
      completedAt: sql`iif(${$.status} = 'Complete', coalesce(${suppliers.completedAt}, ${$.now}), NULL)`,
      pausedAt: sql`iif(${$.status} = 'Paused', coalesce(${suppliers.pausedAt}, ${$.now}), NULL)`,
    })
    .where(and(isUnchanged($), isAudited($.auditId))),
);
