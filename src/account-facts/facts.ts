/**
 * The facts that judge a request about one pair (§1): is the caller's key in force, is the supplier the caller's, and has
 * its account been imported. One statement, so that every endpoint reads them in its first trip.
 */

import {
  accounts,
  and,
  apiKeys,
  db,
  eq,
  importProcesses,
  isNull,
  prepared,
  query,
  type RowOfStatement,
  type RowValues,
  rowsOf,
  SUPPLIER,
  suppliers,
  type Values,
} from '../db';
import type { Deps } from '../deps';
import { type FieldError, inPayloadOrder } from '../shared/errors';
import type { Given, Parsed } from '../shared/parse';
import { gateErrors, type Supplier, supplierOf } from '../suppliers';
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

const FACTS = prepared(
  ($: Values<{ apiKeyId: string; organisationId: string; supplierCode: string | null; externalAccountNumber: string | null }>) =>
    db
      .select({
        supplier: SUPPLIER,
        account: {
          id: accounts.id,
          createdAt: accounts.createdAt,
          periodFrom: accounts.periodFrom,
          cycleMonths: accounts.cycleMonths,
          cycleStartMonth: accounts.cycleStartMonth,
          cycleStartDay: accounts.cycleStartDay,
        },
        accountNumber: importProcesses.accountNumber,
      })
      .from(apiKeys)
      .leftJoin(suppliers, and(eq(suppliers.code, $.supplierCode), eq(suppliers.organisationId, apiKeys.organisationId)))
      .leftJoin(
        importProcesses,
        and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, $.externalAccountNumber)),
      )
      .leftJoin(accounts, eq(accounts.id, importProcesses.id))
      .where(isCallerActive($)),
);

type FactsRow = RowOfStatement<ReturnType<typeof accountFacts>>;

/** A code or number that is missing from the request finds nothing; the key is judged all the same. */
export const accountFacts = (caller: Caller, supplierCode: string | undefined, externalAccountNumber: string | undefined) =>
  FACTS({
    apiKeyId: caller.apiKeyId,
    organisationId: caller.organisationId,
    supplierCode: supplierCode ?? null,
    externalAccountNumber: externalAccountNumber ?? null,
  });

export function accountFactsOf(rows: readonly FactsRow[]): AccountFacts {
  const [row] = rows;
  if (!row) return { isCallerActive: false, supplier: undefined, account: undefined };
  const { account, accountNumber } = row;
  return {
    isCallerActive: true,
    supplier: supplierOf(row.supplier),
    account: account && accountNumber !== null ? { ...account, accountNumber } : undefined,
  };
}

/**
 * In SQL, true while the facts that judged a request hold: the caller's key is in force and the supplier is as it was, Ongoing.
 * Every write of an addition repeats it, so that the database decides races. Takes ?2 to ?5, see {@link guardParameters}.
 */
export const GUARD = `EXISTS (SELECT 1 FROM suppliers s JOIN api_keys k ON k.organisation_id = s.organisation_id
  WHERE k.id = ?2 AND k.organisation_id = ?3 AND k.revoked_at IS NULL AND s.id = ?4 AND s.version = ?5 AND s.status = 'Ongoing')`;

export const guardParameters = (caller: Caller, supplier: Supplier) =>
  [caller.apiKeyId, caller.organisationId, supplier.id, supplier.version] as const;

/** True if {@link GUARD} held in the batch that read these facts. */
export const heldGuard = (facts: AccountFacts, judged: Supplier): boolean =>
  facts.isCallerActive && facts.supplier?.id === judged.id && facts.supplier.version === judged.version;

/** How often a request is judged anew because the facts changed under it; more than this in a row is broken. */
export const MAX_JUDGEMENTS = 4;

export type Refusal =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' };

export type Admission<T> =
  | Refusal
  | { readonly kind: 'admitted'; readonly value: Given<T>; readonly supplier: Supplier; readonly account: ImportedAccount };

/**
 * Judges an addition to an account by its facts and by what was found wrong in its body so far: one list of all errors, then the
 * account that must be there. Pure.
 */
export function admit<T>(raw: unknown, parsed: Parsed<T>, found: readonly FieldError[], facts: AccountFacts): Admission<T> {
  const { isCallerActive, supplier, account } = facts;
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const errors = [...parsed.errors, ...found, ...(supplier ? gateErrors(supplier) : [])];
  if (errors.length > 0 || parsed.value === undefined) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  if (!supplier || !account) return { kind: 'not_found' };
  return { kind: 'admitted', value: parsed.value, supplier, account };
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

const named = rowsOf('named', { code: suppliers.code });

const SUPPLIERS = prepared(($: Values<{ apiKeyId: string; organisationId: string; codes: RowValues<typeof named> }>) =>
  db
    .select({ code: named.row.code, supplier: SUPPLIER })
    .from(apiKeys)
    .crossJoin(named.from($.codes))
    .leftJoin(suppliers, and(eq(suppliers.code, named.row.code), eq(suppliers.organisationId, apiKeys.organisationId)))
    .where(isCallerActive($)),
);

/** Suppliers by their codes, of this caller. No row at all: the caller's key is not in force. */
export const supplierFacts = ({ apiKeyId, organisationId }: Caller, codes: readonly string[]) =>
  SUPPLIERS({ apiKeyId, organisationId, codes: named.value(codes.map((code) => ({ code }))) });

/** True for the row of the caller's key while it is in force. */
export const isCallerActive = ($: Values<{ apiKeyId: string; organisationId: string }>) =>
  and(eq(apiKeys.id, $.apiKeyId), eq(apiKeys.organisationId, $.organisationId), isNull(apiKeys.revokedAt));
