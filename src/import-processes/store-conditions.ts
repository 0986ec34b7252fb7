/**
 * What the statements of import processes share: the processes they are given, and the conditions under which these may change.
 */
import {
  and,
  type Column,
  eq,
  gt,
  importProcesses,
  inArray,
  isNull,
  lte,
  ne,
  or,
  type RowValues,
  rowsOf,
  runs,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../db';
import { type Happening, STATUS, statusesBefore } from './machine';

/** A process named in a message. */
export interface ProcessKey {
  readonly supplierId: number;
  readonly id: number;
}

/** Processes as one value of a statement. */
export const processKeys = rowsOf('keys', { supplierId: importProcesses.supplierId, id: importProcesses.id });
export type ProcessKeys = RowValues<typeof processKeys>;

/** The process that a row names. */
export const isProcessOf = (row: { readonly supplierId: SQL<number>; readonly id: SQL<number> }) =>
  and(eq(importProcesses.supplierId, row.supplierId), eq(importProcesses.id, row.id));

/** The keys of the processes that a subquery finds, by names that no table has: so a write can join them with what it writes. */
export const foundKey = () => ({
  supplierId: sql<number>`${importProcesses.supplierId}`.as('found_supplier_id'),
  id: sql<number>`${importProcesses.id}`.as('found_id'),
});

/** Suppliers as one value of a statement. */
export const supplierIds = rowsOf('given_suppliers', { id: suppliers.id });
export type SupplierIds = RowValues<typeof supplierIds>;
export const idsOf = (ids: readonly number[]) => supplierIds.value(ids.map((id) => ({ id })));

/**
 * True if each of these may happen to the process now ({@link TRANSITIONS}): the condition of every write of the status it leads to,
 * {@link statusAfter}.
 */
export function may(...happenings: readonly Happening[]): SQL {
  const [status, ...others] = statusesBefore(...happenings);
  if (status === undefined) throw new Error(`there is no status in which ${happenings.join(' and ')} may happen`);
  // One status is compared by itself: so SQLite sees which partial index it allows.
  return others.length === 0 ? eq(importProcesses.status, status) : inArray(importProcesses.status, [status, ...others]);
}

/** The table, or a second one of its name. */
interface Processes {
  readonly supplierId: Column;
  readonly status: Column;
}

/** Entries of this supplier in an index of processes without an account, all of which have this status. */
export const isOpenEntry = (process: Processes, supplierId: SQL<number> | typeof suppliers.id, status: number) =>
  and(eq(process.supplierId, supplierId), eq(process.status, status), isWithoutAccount(process));

/** Repeats the condition of the index `import_processes_open`, so that SQLite may use it. */
export const isWithoutAccount = (process: Pick<Processes, 'status'>): SQL => ne(process.status, STATUS.PROCESSED);

export const OPEN_INDEX = 'import_processes_open';
export const WINDOWS_INDEX = 'import_processes_windows';
export const ERRORED_INDEX = 'import_processes_errored';

/** A field of the process's run; null for one that is in no run. By the run's key: one row. */
export const ofRun = <Field extends typeof runs.releasedTo | typeof runs.releasedAt | typeof runs.name>(
  field: Field,
): SQL<Field['_']['data'] | null> => sql`(SELECT ${field} FROM ${runs} WHERE ${runs.id} = ${importProcesses.runId})`;

/** True for a process that no run holds. For one that is in no run nothing is looked up. */
export const isReleased = () => or(isNull(importProcesses.runId), lte(importProcesses.id, ofRun(runs.releasedTo)));

/** True if the process may start now: PENDING, under an Ongoing supplier, inside its window, not held by its run. */
export const mayStart = ($: Values<{ now: number }>) =>
  and(
    may('claim'),
    eq(suppliers.status, 'Ongoing'),
    lte(sql`coalesce(${importProcesses.windowStart}, 0)`, $.now),
    gt(sql`coalesce(${importProcesses.windowEnd}, ${$.now} + 1)`, $.now),
    isReleased(),
  );

/** How many leases of a process have run out since it was scheduled. */
export const expiries = (): SQL<number> => sql`coalesce(json_array_length(${importProcesses.expiredClaims}), 0)`;

/** What an event says of one import, as JSON: its number, the rest, and its run where it is in one. */
export function importOfEvent(rest: SQL = sql``): SQL<string> {
  const one = (more: SQL) => sql`json_object('external_account_number', ${importProcesses.externalAccountNumber}${rest}${more})`;
  return sql<string>`iif(${importProcesses.runId} IS NULL, ${one(sql``)}, ${one(sql`, 'run', ${ofRun(runs.name)}`)})`;
}

/** The code of the latest error. */
export const errorCode = (): SQL<string | null> => sql`${importProcesses.error} ->> 'code'`;
