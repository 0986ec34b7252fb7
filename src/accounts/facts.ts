/**
 * The facts that judge a request about one pair (§1): is the caller's key in force, is the supplier the caller's, and has
 * its account been imported. One statement, so that every endpoint reads them in its first trip.
 */

import { query, type Statement, statement } from '../db';
import type { Deps } from '../deps';
import { SUPPLIER_COLUMNS, type Supplier, type SupplierRow, supplierOf } from '../suppliers';
import type { Caller } from '../tokens';

/** An imported account as later additions need it. */
export interface ImportedAccount {
  readonly id: number;
  readonly accountNumber: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** First day of the open statement period. */
  readonly periodFrom: string;
  readonly cycleMonths: number;
  readonly cycleStartMonth: number;
  readonly cycleStartDay: number;
}

export interface AccountFacts {
  readonly isCallerActive: boolean;
  /** Undefined for an unknown supplier and for another organisation's alike. */
  readonly supplier: Supplier | undefined;
  /** Undefined unless imported: a staged account does not count (§4.1). */
  readonly account: ImportedAccount | undefined;
}

interface FactsRow extends SupplierRow {
  readonly account_id: number | null;
  readonly account_number: string;
  readonly created_at: number;
  readonly period_from: string;
  readonly cycle_months: number;
  readonly cycle_start_month: number;
  readonly cycle_start_day: number;
}

const FACTS = `SELECT ${SUPPLIER_COLUMNS}, a.id AS account_id, p.account_number, a.created_at, a.period_from, a.cycle_months,
    a.cycle_start_month, a.cycle_start_day
  FROM api_keys k
  LEFT JOIN suppliers s ON s.code = ?3 AND s.organisation_id = k.organisation_id
  LEFT JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = ?4
  LEFT JOIN accounts a ON a.id = p.id
  WHERE k.id = ?1 AND k.organisation_id = ?2 AND k.revoked_at IS NULL`;

/** A code or number that is missing from the request finds nothing; the key is judged all the same. */
export const accountFacts = (
  caller: Caller,
  supplierCode: string | undefined,
  externalAccountNumber: string | undefined,
): Statement<FactsRow> => statement(FACTS, caller.apiKeyId, caller.organisationId, supplierCode ?? null, externalAccountNumber ?? null);

export function accountFactsOf(rows: readonly FactsRow[]): AccountFacts {
  const [row] = rows;
  if (!row) return { isCallerActive: false, supplier: undefined, account: undefined };
  const account =
    row.account_id === null
      ? undefined
      : {
          id: row.account_id,
          accountNumber: row.account_number,
          createdAt: row.created_at,
          periodFrom: row.period_from,
          cycleMonths: row.cycle_months,
          cycleStartMonth: row.cycle_start_month,
          cycleStartDay: row.cycle_start_day,
        };
  return { isCallerActive: true, supplier: supplierOf(row), account };
}

/** Loads the facts of one pair in one trip. */
export async function loadAccountFacts(
  deps: Deps,
  caller: Caller,
  supplierCode: string | undefined,
  externalAccountNumber: string | undefined,
): Promise<AccountFacts> {
  return accountFactsOf(await query(deps.databaseOf(supplierCode ?? ''), accountFacts(caller, supplierCode, externalAccountNumber)));
}
