/**
 * Import processes as the operator reads them. Every statement is driven by the key of its supplier.
 */
import { type RowOf, type Statement, statement } from '../../db';
import { STATUS, type Status } from '../../import-processes';

export type ListedRow = RowOf<
  'importProcesses',
  'external_account_number' | 'status' | 'account_number' | 'is_dry_run' | 'created_at' | 'scheduled_at' | 'modified_at' | 'error'
>;

export type ProcessRow = ListedRow &
  RowOf<
    'importProcesses',
    'id' | 'supplier_id' | 'window_start' | 'window_end' | 'started_at' | 'finished_at' | 'lease_until' | 'attempts' | 'payload_bytes'
  > &
  RowOf<'payloads', 'body'>;

export interface ProcessFilter {
  readonly status: Status | undefined;
  readonly prefix: string | undefined;
  readonly errorCode: string | undefined;
  /** The platform account number: of one process at most. */
  readonly accountNumber: string | undefined;
  /** The last external account number of the page before. */
  readonly cursor: string | undefined;
}

const LISTED = 'p.external_account_number, p.status, p.account_number, p.is_dry_run, p.created_at, p.scheduled_at, p.modified_at, p.error';

/** Where no other external account number that begins with the prefix can follow. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

/** An error code alone asks for what is ERRORED. Newest first; with a prefix in the order of the external account number. */
export function processPage(supplierId: number, filter: ProcessFilter, limit: number): Statement<ListedRow> {
  const status = filter.status ?? (filter.errorCode === undefined ? undefined : 'ERRORED');
  const conditions = ['p.supplier_id = ?1'];
  const params: (string | number)[] = [supplierId, limit];
  const bound = (value: string): string => `?${params.push(value)}`;
  // The number of a status stands in the text, so that SQLite sees that the open index holds all it asks for.
  if (status) conditions.push(`p.status = ${STATUS[status]}`);
  const isOpen = status !== undefined && status !== 'PROCESSED';
  if (isOpen) conditions.push('p.status <> 2');
  if (filter.errorCode !== undefined) conditions.push(`p.error ->> 'code' = ${bound(filter.errorCode)}`);
  if (filter.prefix === undefined) {
    if (filter.cursor !== undefined) {
      const last = bound(filter.cursor);
      conditions.push(`p.id < (SELECT c.id FROM import_processes c WHERE c.supplier_id = ?1 AND c.external_account_number = ${last})`);
    }
    const index = filter.errorCode !== undefined && status === 'ERRORED' ? 'import_processes_errored' : 'import_processes_open';
    const table = `import_processes p ${isOpen ? `INDEXED BY ${index}` : ''}`;
    return statement(`SELECT ${LISTED} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY p.id DESC LIMIT ?2`, ...params);
  }
  conditions.push(`p.external_account_number >= ${bound(filter.prefix)}`, `p.external_account_number < ${bound(endOf(filter.prefix))}`);
  if (filter.cursor !== undefined) conditions.push(`p.external_account_number > ${bound(filter.cursor)}`);
  return statement(
    `SELECT ${LISTED} FROM import_processes p INDEXED BY import_processes_pair WHERE ${conditions.join(' AND ')}
     ORDER BY p.external_account_number LIMIT ?2`,
    ...params,
  );
}

/** Finds a process by its external account number. */
export const processNamed = (supplierId: number, externalAccountNumber: string): Statement =>
  statement('SELECT 1 FROM import_processes WHERE supplier_id = ? AND external_account_number = ?', supplierId, externalAccountNumber);

export const processByNumber = (supplierCode: string, externalAccountNumber: string): Statement<ProcessRow> =>
  statement(
    `SELECT p.id, p.supplier_id, ${LISTED}, p.window_start, p.window_end, p.started_at, p.finished_at, p.lease_until, p.attempts, p.payload_bytes, y.body
     FROM suppliers s CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = ?2
     CROSS JOIN payloads y ON y.id = p.id WHERE s.code = ?1`,
    supplierCode,
    externalAccountNumber,
  );

/** A process found by its account, and the code of its supplier. */
export type FoundRow = ListedRow & { readonly supplier_code: string };

/** What turns a process id into an account number, and back. */
export const numberKey = (): Statement<{ value: string }> => statement(`SELECT value FROM service_keys WHERE name = 'account_number'`);

/** The process of an account by its id, if that has this account number. */
export const processOfAccount = (id: number, accountNumber: string): Statement<FoundRow> =>
  statement(
    `SELECT s.code AS supplier_code, ${LISTED} FROM accounts a
     CROSS JOIN import_processes p ON p.supplier_id = a.supplier_id AND p.id = a.id
     CROSS JOIN suppliers s ON s.id = a.supplier_id WHERE a.id = ?1 AND p.account_number = ?2`,
    id,
    accountNumber,
  );

export type EventRow = RowOf<'importProcessEvents', 'event' | 'occurred_at' | 'data'>;

/** Events beyond the happy path, oldest first. */
export const eventsOf = (supplierCode: string, externalAccountNumber: string): Statement<EventRow> =>
  statement(
    `SELECT e.event, e.occurred_at, e.data FROM suppliers s
     CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = ?2
     CROSS JOIN import_process_events e ON e.process_id = p.id WHERE s.code = ?1 ORDER BY e.occurred_at LIMIT 1000`,
    supplierCode,
    externalAccountNumber,
  );

/** Finds the process while it is in that status: what the audit entry of a transition asks. */
export const processInStatus = (supplierId: number, externalAccountNumber: string, status: Status): Statement =>
  statement(
    `SELECT 1 FROM import_processes WHERE supplier_id = ? AND external_account_number = ? AND status = ${STATUS[status]}`,
    supplierId,
    externalAccountNumber,
  );

/** Finds the payload while it is kept: what the audit entry of a reveal asks. */
export const keptPayload = (supplierCode: string, externalAccountNumber: string): Statement =>
  statement(
    `SELECT 1 FROM suppliers s CROSS JOIN import_processes p ON p.supplier_id = s.id CROSS JOIN payloads y ON y.id = p.id
     WHERE s.code = ? AND p.external_account_number = ? AND y.body <> ''`,
    supplierCode,
    externalAccountNumber,
  );

// Named, because the planner would take the open index, which holds every status.
const ERRORED = 'import_processes p INDEXED BY import_processes_errored WHERE p.supplier_id = ?1 AND p.status = 3';
const WITH_CODE = `${ERRORED} AND p.error ->> 'code' = ?2`;

export interface ErrorCountRow {
  readonly code: string;
  readonly count: number;
}

/** ERRORED processes by the code of their latest error, most first. */
export const errorCounts = (supplierId: number): Statement<ErrorCountRow> =>
  statement(`SELECT p.error ->> 'code' AS code, count(*) AS count FROM ${ERRORED} GROUP BY 1 ORDER BY 2 DESC, 1`, supplierId);

/** Errors of fields are looked at in this many processes, the newest: each has a list of its own that must be read. */
const MAX_LISTED = 20_000;

/** The codes of the fields that failed validation, most first; a process counts once for a code. */
export const fieldErrorCounts = (supplierId: number): Statement<ErrorCountRow> =>
  statement(
    `SELECT code, count(*) AS count FROM (
       SELECT DISTINCT e.id AS process, j.value ->> 'code' AS code
       FROM (SELECT p.id, p.error FROM ${WITH_CODE} ORDER BY p.id DESC LIMIT ${MAX_LISTED}) e CROSS JOIN json_each(e.error, '$.errors') j)
     GROUP BY code ORDER BY 2 DESC, 1 LIMIT 20`,
    supplierId,
    'import_process_failed_validation',
  );

/** The newest ERRORED process whose latest error has the code. */
export const newestWithCode = (supplierId: number, code: string): Statement<{ id: number }> =>
  statement(`SELECT p.id FROM ${WITH_CODE} ORDER BY p.id DESC LIMIT 1`, supplierId, code);

/** ERRORED processes with one code, in the order of their ids: after one, up to another, and still to start at `now`. */
export interface ErroredRange {
  readonly supplierId: number;
  readonly code: string;
  readonly after: number;
  readonly upTo: number;
  readonly now: number;
}

const MAY_START_AGAIN = `ifnull(p.window_end > ?5, 1) AND EXISTS (SELECT 1 FROM payloads y WHERE y.id = p.id AND y.body <> '')`;
const RETRYABLE = `${WITH_CODE} AND p.id > ?3 AND p.id <= ?4 AND ${MAY_START_AGAIN}`;
const boundsOf = ({ supplierId, code, after, upTo, now }: ErroredRange) => [supplierId, code, after, upTo, now] as const;

export const retryable = (range: ErroredRange, limit: number): Statement<{ id: number }> =>
  statement(`SELECT p.id FROM ${RETRYABLE} ORDER BY p.id LIMIT ?6`, ...boundsOf(range), limit);
export const retryableCount = (range: ErroredRange): Statement<{ count: number }> =>
  statement(`SELECT count(*) AS count FROM ${RETRYABLE}`, ...boundsOf(range));

export type MinuteRow = RowOf<'importsPerMinute', 'minute' | 'processed' | 'errored'>;

/** What was imported since a minute (Unix minutes), oldest first. Minutes without imports have no row. */
export const importsSince = (supplierId: number, minute: number): Statement<MinuteRow> =>
  statement(
    'SELECT minute, processed, errored FROM imports_per_minute WHERE supplier_id = ?1 AND minute >= ?2 ORDER BY minute',
    supplierId,
    minute,
  );

/** The same for every supplier. */
export const allImportsSince = (minute: number): Statement<MinuteRow & { supplier_id: number }> =>
  statement(
    `SELECT i.supplier_id, i.minute, i.processed, i.errored FROM suppliers s
     CROSS JOIN imports_per_minute i ON i.supplier_id = s.id AND i.minute >= ?1`,
    minute,
  );
