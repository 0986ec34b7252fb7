/**
 * Suppliers as the operator reads and writes them.
 */
import { AUDITED } from '../../audit';
import {
  alias,
  db,
  desc,
  eq,
  isNull,
  limitOf,
  lt,
  or,
  prepared,
  type RowOf,
  type RowOfStatement,
  type Statement,
  SUPPLIER,
  sql,
  statement,
  suppliers,
  type Values,
  type Write,
} from '../../db';
import type { SupplierStatus } from '../../suppliers';
import type { OwnedRoot } from './rules';

const DETAILS = { supplier: SUPPLIER, createdAt: suppliers.createdAt, modifiedAt: suppliers.modifiedAt };

export const supplierByCode = prepared(($: Values<{ code: string }>) =>
  db.select(DETAILS).from(suppliers).where(eq(suppliers.code, $.code)),
);

export type SupplierDetailsRow = RowOfStatement<ReturnType<typeof supplierByCode>>;

export const allSuppliers = prepared(() => db.select(DETAILS).from(suppliers).orderBy(suppliers.createdAt, suppliers.id));

/** Newest first, after the supplier `cursor`; from the newest where that is null. */
export const supplierPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(suppliers, 'last');
  const lastId = db.select({ id: last.id }).from(last).where(eq(last.code, $.cursor));
  return db
    .select(DETAILS)
    .from(suppliers)
    .where(or(isNull($.cursor), lt(suppliers.id, sql`${lastId}`)))
    .orderBy(desc(suppliers.id))
    .limit(limitOf($.limit));
});

export interface CountRow {
  readonly supplier_id: number;
  readonly status: number;
  readonly count: number;
}

// PROCESSED is a sum over minutes, never a count of accounts; all other statuses are entries of the open index.
const COUNTS = (condition: string) => `SELECT supplier_id, status, count(*) AS count FROM import_processes
    WHERE status <> 2 ${condition} GROUP BY supplier_id, status
  UNION ALL SELECT supplier_id, 2, sum(processed) FROM imports_per_minute WHERE true ${condition} GROUP BY supplier_id`;

export const allCounts = (): Statement<CountRow> => statement(COUNTS(''));
export const countsOfSuppliers = (ids: readonly number[]): Statement<CountRow> =>
  statement(COUNTS('AND supplier_id IN (SELECT value FROM json_each(?1))'), JSON.stringify(ids));
export const countsByCode = (code: string): Statement<CountRow> =>
  statement(COUNTS('AND supplier_id = (SELECT id FROM suppliers WHERE code = ?1)'), code);

// What cannot be read still owns the folder of its code.
const ROOT = `coalesce(nullif(trim(iif(json_valid(configuration), configuration ->> 'documents_root', NULL), '/'), ''), code)`;

export type RootRow = RowOf<'suppliers', 'organisation_id'> & { readonly root: string };

/** The roots of all suppliers' documents. */
export const documentRoots = (): Statement<RootRow> => statement(`SELECT organisation_id, ${ROOT} AS root FROM suppliers`);

// No other organisation's supplier has a root that is, holds or lies in the `root` given.
const IS_ROOT_FREE = `NOT EXISTS (
  SELECT 1 FROM (SELECT organisation_id, ${ROOT} || '/' AS taken FROM suppliers) AS other WHERE other.organisation_id <> given.organisation_id
    AND (substr(taken, 1, length(root) + 1) = root || '/' OR substr(root || '/', 1, length(taken)) = taken))`;

export const organisationExists = (id: string): Statement => statement('SELECT 1 FROM organisations WHERE id = ?', id);

export interface NewSupplier {
  readonly organisationId: string;
  readonly code: string;
  readonly name: string;
  /** JSON, every setting in it. */
  readonly configuration: string;
  readonly now: number;
}

/** A supplier is made Ongoing. An existing one of that code stays as it is. */
export const insertSupplier = (auditId: number, supplier: NewSupplier): Write =>
  statement(
    `INSERT INTO suppliers (organisation_id, code, name, status, configuration, version, resumed_at, created_at, modified_at)
     SELECT ?2, ?3, ?4, 'Ongoing', ?5, 1, 0, ?6, ?6 WHERE ${AUDITED} ON CONFLICT (code) DO NOTHING`,
    auditId,
    supplier.organisationId,
    supplier.code,
    supplier.name,
    supplier.configuration,
    supplier.now,
  );

/** Finds a row while the code and the root are free and the organisation is there: what the audit entry of a creation asks. */
export const creatable = (code: string, { organisationId, root }: OwnedRoot): Statement =>
  statement(
    `SELECT 1 FROM (SELECT ? AS code, ? AS organisation_id, ? AS root) AS given
     WHERE EXISTS (SELECT 1 FROM organisations o WHERE o.id = given.organisation_id)
       AND NOT EXISTS (SELECT 1 FROM suppliers s WHERE s.code = given.code) AND ${IS_ROOT_FREE}`,
    code,
    organisationId,
    root,
  );

/** Finds the supplier while it is as it was read: what the audit entry of a change asks. */
export const unchangedSupplier = (id: number, version: number): Statement =>
  statement('SELECT 1 FROM suppliers WHERE id = ? AND version = ?', id, version);

/** The same of a change that gives it another root, while that root is free. */
export const unchangedWithFreeRoot = (id: number, version: number, { organisationId, root }: OwnedRoot): Statement =>
  statement(
    `SELECT 1 FROM (SELECT ? AS id, ? AS version, ? AS organisation_id, ? AS root) AS given
     WHERE EXISTS (SELECT 1 FROM suppliers s WHERE s.id = given.id AND s.version = given.version) AND ${IS_ROOT_FREE}`,
    id,
    version,
    organisationId,
    root,
  );

export interface SupplierChange {
  readonly id: number;
  /** As it was read. */
  readonly version: number;
  readonly name: string;
  readonly status: SupplierStatus;
  /** JSON, every setting in it. */
  readonly configuration: string;
  readonly isResumed: boolean;
  readonly now: number;
}

/** Changes the supplier and moves its version, so that nothing is stored on a judgement made before. */
export const updateSupplier = (auditId: number, change: SupplierChange): Write =>
  statement(
    `UPDATE suppliers SET name = ?4, status = ?5, configuration = ?6, version = version + 1, modified_at = ?7,
       resumed_at = iif(?8, ?7, resumed_at), completed_at = iif(?5 = 'Complete', coalesce(completed_at, ?7), NULL),
       paused_at = iif(?5 = 'Paused', coalesce(paused_at, ?7), NULL)
     WHERE id = ?2 AND version = ?3 AND ${AUDITED}`,
    auditId,
    change.id,
    change.version,
    change.name,
    change.status,
    change.configuration,
    change.now,
    change.isResumed ? 1 : 0,
  );

/** One row if the entry was kept, and so its change was made. */
export const auditKept = (auditId: number): Statement => statement(`SELECT 1 WHERE ${AUDITED}`, auditId);
