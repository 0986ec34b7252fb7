/**
 * An import supplier (§1, §3.1) as the rules know it, and as it is read from its row.
 */
import type { SUPPLIER } from '../db/groups';
import type { suppliers } from '../db/schema';
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

/** A group of {@link SUPPLIER}. */
export type SupplierFields = Readonly<Pick<typeof suppliers.$inferSelect, keyof typeof SUPPLIER>>;

/** The supplier of a group, as far as it can be read; undefined where the join found none. */
export function storedSupplierOf(fields: SupplierFields | null): StoredSupplier | undefined {
  if (!fields) return undefined;
  return {
    ...fields,
    status: SUPPLIER_STATUSES.find((status) => status === fields.status),
    configuration: configurationOf(fields.code, fields.configuration),
  };
}

/** What a row of a supplier holds that this release cannot read: a failure of ours, which concerns this supplier only. */
export const UNREADABLE = 'unreadable';

/** The supplier of a group; undefined where the join found none, {@link UNREADABLE} where it cannot be read. */
export function supplierIn(fields: SupplierFields | null): Supplier | typeof UNREADABLE | undefined {
  const stored = storedSupplierOf(fields);
  if (!stored) return undefined;
  const { status, configuration, ...rest } = stored;
  return status && configuration ? { ...rest, status, configuration } : UNREADABLE;
}

/** The same for a request about this one supplier: throws where it cannot be read, which is no error of who asks. */
export function supplierOf(fields: SupplierFields | null): Supplier | undefined {
  const supplier = supplierIn(fields);
  if (supplier === UNREADABLE) throw new Error(`supplier ${fields?.id} cannot be read`);
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
