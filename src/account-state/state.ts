/**
 * What a request about one pair is validated by (§1): is the caller's key in force, is the supplier the caller's, and has its
 * account been imported. One query, so that every endpoint reads it in its first trip.
 */

import {
  accounts,
  and,
  apiKeys,
  db,
  eq,
  importProcesses,
  prepared,
  query,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  runs,
  SUPPLIER,
  suppliers,
  type Values,
} from '../db';
import type { Deps } from '../deps';
import { type Supplier, supplierOf } from '../suppliers';
import { type Caller, isCallerActive } from '../tokens';

/** How often a request is validated because its supplier or key changes meanwhile; more than this in a row is broken. */
export const MAX_TRIES = 4;

/** An imported account as later additions need it. */
export interface ImportedAccount {
  readonly id: number;
  readonly accountNumber: string;
  readonly externalAccountNumber: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** First day of the open statement period. */
  readonly periodFrom: string;
  readonly cycleMonths: number;
  readonly cycleStartMonth: number;
  readonly cycleStartDay: number;
}

export interface AccountState {
  readonly isCallerActive: boolean;
  /** Undefined for an unknown supplier and for another organisation's alike. */
  readonly supplier: Supplier | undefined;
  /** Undefined unless imported: a staged account does not count (§4.1), and one that was erased takes nothing any more (§10). */
  readonly account: ImportedAccount | undefined;
}

/** The groups of columns that an {@link ImportedAccount} is made of. */
export const ACCOUNT = {
  id: accounts.id,
  createdAt: accounts.createdAt,
  periodFrom: accounts.periodFrom,
  cycleMonths: accounts.cycleMonths,
  cycleStartMonth: accounts.cycleStartMonth,
  cycleStartDay: accounts.cycleStartDay,
};
export const PROCESS = {
  accountNumber: importProcesses.accountNumber,
  externalAccountNumber: importProcesses.externalAccountNumber,
  erasedAt: importProcesses.erasedAt,
};

const STATE = prepared(
  ($: Values<{ apiKeyId: string; organisationId: string; supplierCode: string | null; externalAccountNumber: string | null }>) =>
    db
      .select({
        supplier: SUPPLIER,
        account: ACCOUNT,
        process: PROCESS,
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

type StateRow = RowOfQuery<ReturnType<typeof accountState>>;

/** A code or number that is missing from the request finds nothing; the key is checked all the same. */
export const accountState = (caller: Caller, supplierCode: string | undefined, externalAccountNumber: string | undefined) =>
  STATE({
    apiKeyId: caller.apiKeyId,
    organisationId: caller.organisationId,
    supplierCode: supplierCode ?? null,
    externalAccountNumber: externalAccountNumber ?? null,
  });

export function accountStateOf(rows: readonly StateRow[]): AccountState {
  const [row] = rows;
  if (!row) return { isCallerActive: false, supplier: undefined, account: undefined };
  return {
    isCallerActive: true,
    supplier: supplierOf(row.supplier),
    account: importedAccountOf(row),
  };
}

export function importedAccountOf({ account, process }: Pick<StateRow, 'account' | 'process'>): ImportedAccount | undefined {
  if (!account || !process || process.accountNumber === null || process.erasedAt !== null) return undefined;
  return { ...account, accountNumber: process.accountNumber, externalAccountNumber: process.externalAccountNumber };
}

/** Loads the state of one pair in one trip. */
export async function loadAccountState(
  deps: Deps,
  caller: Caller,
  supplierCode: string | undefined,
  externalAccountNumber: string | undefined,
): Promise<AccountState> {
  return accountStateOf(await query(deps.databaseOf(supplierCode), accountState(caller, supplierCode, externalAccountNumber)));
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
export const supplierState = ({ apiKeyId, organisationId }: Caller, codes: readonly string[]) =>
  SUPPLIERS({ apiKeyId, organisationId, codes: named.value(codes.map((code) => ({ code }))) });

const wantedRuns = rowsOf('wanted_runs', { code: suppliers.code, name: runs.name });

const RUNS = prepared(($: Values<{ apiKeyId: string; organisationId: string; runs: RowValues<typeof wantedRuns> }>) =>
  db
    .select({
      code: wantedRuns.row.code,
      name: wantedRuns.row.name,
      id: runs.id,
      heldReason: runs.heldReason,
      pacePerMinute: runs.pacePerMinute,
    })
    .from(apiKeys)
    .crossJoin(wantedRuns.from($.runs))
    .crossJoin(suppliers)
    .crossJoin(runs)
    .where(
      and(
        isCallerActive($),
        eq(suppliers.code, wantedRuns.row.code),
        eq(suppliers.organisationId, apiKeys.organisationId),
        eq(runs.supplierId, suppliers.id),
        eq(runs.name, wantedRuns.row.name),
      ),
    ),
);

/** The run that an account joins. */
export interface RunToJoin {
  readonly id: number;
  /** What comes in waits for a release, or for its turn. */
  readonly isHeld: boolean;
}

/** A run as an account names it. */
export interface RunName {
  readonly code: string;
  readonly name: string;
}

/** Runs of this caller's suppliers by their names; one that does not exist has no row. */
export const runsToJoin = ({ apiKeyId, organisationId }: Caller, names: readonly RunName[]) =>
  RUNS({ apiKeyId, organisationId, runs: wantedRuns.value(names) });

export const runToJoinOf = ({ id, heldReason, pacePerMinute }: RowOfQuery<ReturnType<typeof runsToJoin>>): RunToJoin => ({
  id,
  isHeld: heldReason !== null || pacePerMinute !== null,
});
