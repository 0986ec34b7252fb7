/**
 * An import supplier (§1, §3.1) as the rules know it, and as it is read from its row.
 */
import type { RowOf } from '../db';
import type { FieldError } from '../shared/errors';
import { fieldError } from '../shared/errors';
import { configurationOf, type SupplierConfiguration } from './configuration';

export const SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

export interface Supplier {
  readonly id: number;
  readonly organisationId: string;
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  readonly version: number;
  readonly configuration: SupplierConfiguration;
}

/** A supplier as far as this release can read its row: what it cannot read is undefined. */
export interface StoredSupplier extends Omit<Supplier, 'status' | 'configuration'> {
  readonly status: SupplierStatus | undefined;
  readonly configuration: SupplierConfiguration | undefined;
}

/** The columns every statement that reads a supplier selects, prefixed so that joins cannot mix them up. */
export const SUPPLIER_COLUMNS = `s.id AS supplier_id, s.organisation_id AS supplier_organisation_id, s.code AS supplier_code, s.name AS supplier_name,
  s.status AS supplier_status, s.version AS supplier_version, s.configuration AS supplier_configuration`;

type Column = RowOf<'suppliers', 'id' | 'organisation_id' | 'code' | 'name' | 'status' | 'version' | 'configuration'>;

/** A row of {@link SUPPLIER_COLUMNS}; `supplier_id` is null where the join found none. */
export interface SupplierRow {
  readonly supplier_id: number | null;
  readonly supplier_organisation_id: Column['organisation_id'];
  readonly supplier_code: Column['code'];
  readonly supplier_name: Column['name'];
  readonly supplier_status: Column['status'];
  readonly supplier_version: Column['version'];
  readonly supplier_configuration: Column['configuration'];
}

/** The supplier of a row, as far as it can be read; undefined where the join found none. */
export function storedSupplierOf(row: SupplierRow): StoredSupplier | undefined {
  if (row.supplier_id === null) return undefined;
  return {
    id: row.supplier_id,
    organisationId: row.supplier_organisation_id,
    code: row.supplier_code,
    name: row.supplier_name,
    status: SUPPLIER_STATUSES.find((status) => status === row.supplier_status),
    version: row.supplier_version,
    configuration: configurationOf(row.supplier_code, row.supplier_configuration),
  };
}

/** What a row of a supplier holds that this release cannot read: a failure of ours, which concerns this supplier only. */
export const UNREADABLE = 'unreadable';

/** The supplier of a row; undefined where the join found none, {@link UNREADABLE} where it cannot be read. */
export function supplierIn(row: SupplierRow): Supplier | typeof UNREADABLE | undefined {
  const stored = storedSupplierOf(row);
  if (!stored) return undefined;
  const { status, configuration, ...rest } = stored;
  return status && configuration ? { ...rest, status, configuration } : UNREADABLE;
}

/** The same for a request about this one supplier: throws where it cannot be read, which is no error of who asks. */
export function supplierOf(row: SupplierRow): Supplier | undefined {
  const supplier = supplierIn(row);
  if (supplier === UNREADABLE) throw new Error(`supplier ${row.supplier_id} cannot be read`);
  return supplier;
}

/** §5.6: every payload must name an Ongoing supplier. Pure. */
export function gateErrors(supplier: Supplier): FieldError[] {
  switch (supplier.status) {
    case 'Ongoing':
      return [];
    case 'Paused':
      return [fieldError(['import_supplier'], 'import_supplier_paused', 'Migrations of this import supplier are paused.')];
    case 'Complete':
      return [fieldError(['import_supplier'], 'import_supplier_complete', 'Migrations of this import supplier are complete.')];
  }
}
