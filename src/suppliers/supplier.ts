/**
 * An import supplier (§1, §3.1) as the rules know it.
 */
import * as z from 'zod';
import type { FieldError } from '../shared/errors';
import { fieldError } from '../shared/errors';

export const SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

/** The configuration as stored: every key is present. */
const configuration = z.object({
  default_country: z.string(),
  documents_root: z.string(),
  send_customer_emails: z.boolean(),
  extra_charge_reasons: z.array(z.string()),
  extra_credit_reasons: z.array(z.string()),
  vendors: z.array(z.string()),
  payload_retention_days: z.number(),
});
export type SupplierConfiguration = z.output<typeof configuration>;

/** A configuration whose every key is there and of its type. Throws on any other: a bug of whoever stored or judged it. */
export const settledConfiguration = (value: unknown): SupplierConfiguration => configuration.parse(value);

export interface Supplier {
  readonly id: number;
  readonly organisationId: string;
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  readonly version: number;
  readonly configuration: SupplierConfiguration;
}

/** The columns every statement that reads a supplier selects, prefixed so that joins cannot mix them up. */
export const SUPPLIER_COLUMNS = `s.id AS supplier_id, s.organisation_id AS supplier_organisation_id, s.code AS supplier_code, s.name AS supplier_name,
  s.status AS supplier_status, s.version AS supplier_version, s.configuration AS supplier_configuration`;

export interface SupplierRow {
  readonly supplier_id: number | null;
  readonly supplier_organisation_id: string;
  readonly supplier_code: string;
  readonly supplier_name: string;
  readonly supplier_status: SupplierStatus;
  readonly supplier_version: number;
  readonly supplier_configuration: string;
}

/** A row of {@link SUPPLIER_COLUMNS}; undefined where the join found none. */
export function supplierOf(row: SupplierRow): Supplier | undefined {
  if (row.supplier_id === null) return undefined;
  return {
    id: row.supplier_id,
    organisationId: row.supplier_organisation_id,
    code: row.supplier_code,
    name: row.supplier_name,
    status: row.supplier_status,
    version: row.supplier_version,
    configuration: settledConfiguration(JSON.parse(row.supplier_configuration)),
  };
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
