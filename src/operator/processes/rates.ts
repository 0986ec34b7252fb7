/**
 * How fast a supplier's accounts are imported, and what its errors are.
 */
import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import { minuteOf } from '../../shared/dates';
import { readSupplierId } from '../suppliers/read';
import type { MinuteOfImports } from './rules';
import { allImportsSince, importsSince } from './store';
import { type ErrorCountRow, errorCounts, fieldErrorCounts, fieldErrorGroups } from './store-errors';
import { processPage } from './store-pages';

/** Imports of each of the last `minutes` minutes, oldest first, none left out; undefined for an unknown supplier. */
export async function readRates(deps: Deps, supplierCode: string, minutes: number): Promise<MinuteOfImports[] | undefined> {
  const supplierId = await readSupplierId(deps, supplierCode);
  if (supplierId === undefined) return undefined;
  const first = minuteOf(deps.now()) - minutes + 1;
  const rows = new Map(
    (await query(deps.databaseOf(supplierCode), importsSince({ supplierId, minute: first }))).map((row) => [row.minute, row]),
  );
  return Array.from({ length: minutes }, (_, i) => rows.get(first + i) ?? { minute: first + i, processed: 0, errored: 0 });
}

/** What each supplier imported in the last `minutes` minutes, by its id. */
export async function readAllRates(deps: Deps, minutes: number): Promise<Map<number, MinuteOfImports[]>> {
  const rates = new Map<number, MinuteOfImports[]>();
  const first = minuteOf(deps.now()) - minutes + 1;
  for (const { supplierId, ...minute } of await query(deps.db, allImportsSince({ minute: first })))
    rates.set(supplierId, [...(rates.get(supplierId) ?? []), minute]);
  return rates;
}

export interface ErrorSummary {
  /** ERRORED processes by the code of their latest error, most first. */
  readonly codes: readonly ErrorCountRow[];
  /** Processes by the codes of the fields that failed validation, most first. */
  readonly fieldCodes: readonly ErrorCountRow[];
}

export async function readErrors(deps: Deps, supplierCode: string): Promise<ErrorSummary | undefined> {
  const supplierId = await readSupplierId(deps, supplierCode);
  if (supplierId === undefined) return undefined;
  const [codes, fieldCodes] = await commit(deps.databaseOf(supplierCode), [errorCounts({ supplierId }), fieldErrorCounts(supplierId)]);
  return { codes, fieldCodes };
}

/** ERRORED processes by the code of their latest error, most first; none for an unknown supplier. */
export async function readErrorCodes(deps: Deps, supplierCode: string): Promise<readonly ErrorCountRow[]> {
  const supplierId = await readSupplierId(deps, supplierCode);
  return supplierId === undefined ? [] : query(deps.databaseOf(supplierCode), errorCounts({ supplierId }));
}

export interface ErrorGroup extends ErrorCountRow {
  /** The place of the field that failed validation; undefined for the error of a process. */
  readonly attr?: string;
  /** The newest external account numbers with it, three at most. */
  readonly examples: readonly string[];
}

export interface ErrorGroups {
  /** ERRORED processes by the code of their latest error, most first. */
  readonly codes: readonly ErrorGroup[];
  /** Processes by code and place of the fields that failed validation, most first. */
  readonly fields: readonly ErrorGroup[];
}

const ALL = { status: undefined, prefix: undefined, accountNumber: undefined, cursor: undefined };

/** The errors of a supplier, each with examples. */
export async function readErrorGroups(deps: Deps, code: string, supplierId: number): Promise<ErrorGroups> {
  const db = deps.databaseOf(code);
  const [codes, fields] = await commit(db, [errorCounts({ supplierId }), fieldErrorGroups(supplierId)]);
  const pages = await commit(
    db,
    codes.map((row) => processPage(supplierId, { ...ALL, errorCode: row.code }, 3)),
  );
  return {
    codes: codes.map((row, i) => ({ ...row, examples: (pages[i] ?? []).map((process) => process.externalAccountNumber) })),
    fields: fields.map(({ examples, ...row }) => ({ ...row, examples: JSON.parse(examples) })),
  };
}
