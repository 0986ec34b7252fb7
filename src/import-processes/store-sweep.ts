/**
 * The SQL of the sweep: expired leases, and what can never start. Each statement touches a bounded number of rows and is driven by an
 * index of what is open, supplier by supplier.
 */
import { type RowOf, type Statement, statement, type Write } from '../db';
import { EVENT, MAX_EXPIRIES } from './machine';
import { EXPIRIES } from './store-claims';

/** Rows one statement of the sweep touches at most. */
export const SWEEP_SLICE = 2_000;

/**
 * Rows leave the open index when PROCESSED; its condition is repeated so that SQLite may use it, and it is told by name because
 * the planner would rather walk the whole supplier by its key.
 */
const OPEN = 'suppliers s CROSS JOIN import_processes p INDEXED BY import_processes_open ON p.supplier_id = s.id AND p.status <> 2';

const EXPIRED = `SELECT p.supplier_id, p.id, ${EXPIRIES} AS expiries FROM ${OPEN} AND p.status = 1 WHERE p.lease_until <= ?1 LIMIT ${SWEEP_SLICE}`;

export interface ExpiredRow extends RowOf<'importProcesses', 'supplier_id' | 'id'> {
  /** Leases that had run out before this one. */
  readonly expiries: number;
}

/** Processes whose lease has run out. */
export const expiredLeases = (now: number): Statement<ExpiredRow> => statement(EXPIRED, now);

/** Its last lease has run out. */
export const isExhausted = (row: ExpiredRow): boolean => row.expiries + 1 >= MAX_EXPIRIES;

const RELEASE = `UPDATE import_processes SET status = 0, expired_claims = json_insert(coalesce(expired_claims, '[]'), '$[#]', claim), claim = NULL,
    lease_until = NULL, started_at = NULL, sent_at = 0, modified_at = ?2
  FROM (SELECT p.supplier_id, p.id FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
    WHERE p.status = 1 AND p.lease_until <= ?2) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id`;

/** Makes processes whose lease has run out PENDING again, and writes down whose lease it was. */
export const releaseExpired = (rows: readonly ExpiredRow[], now: number): Write =>
  statement(RELEASE, JSON.stringify(rows.map((row) => [row.supplier_id, row.id])), now);

const WAITING = `SELECT s.id, s.status,
    EXISTS (SELECT 1 FROM import_processes p INDEXED BY import_processes_windows
      WHERE p.supplier_id = s.id AND p.status = 0 AND p.window_end <= ?1) AS has_closed
  FROM suppliers s WHERE EXISTS (SELECT 1 FROM import_processes p INDEXED BY import_processes_open
    WHERE p.supplier_id = s.id AND p.status = 0 AND p.status <> 2)`;

export interface WaitingRow extends RowOf<'suppliers', 'id' | 'status'> {
  /** The window of at least one of its PENDING processes has closed. */
  readonly has_closed: number;
}

/** Suppliers of which something is PENDING. A few rows for each supplier. */
export const waitingSuppliers = (now: number): Statement<WaitingRow> => statement(WAITING, now);

const CLOSED = `SELECT p.supplier_id, p.id FROM json_each(?2) j CROSS JOIN import_processes p INDEXED BY import_processes_windows
  ON p.supplier_id = j.value AND p.status = 0 AND p.window_end <= ?3 LIMIT ${SWEEP_SLICE}`;

const COMPLETE = `SELECT p.supplier_id, p.id FROM json_each(?2) j CROSS JOIN suppliers s ON s.id = j.value
  CROSS JOIN import_processes p INDEXED BY import_processes_open ON p.supplier_id = s.id AND p.status = 0 AND p.status <> 2
  WHERE s.status = 'Complete' LIMIT ${SWEEP_SLICE}`;

const cancelEvents = (chosen: string) => `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT id, ?1, '${EVENT.CANCELLED}' FROM (${chosen}) WHERE true ON CONFLICT DO NOTHING`;

const cancel = (chosen: string) => `UPDATE import_processes SET status = 4, finished_at = ?1, modified_at = ?1 FROM (${chosen}) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id
  RETURNING import_processes.supplier_id, attempts, sent_at, scheduled_at, window_start`;

const CANCEL_CLOSED = [cancelEvents(CLOSED), cancel(CLOSED)] as const;
const CANCEL_COMPLETE = [cancelEvents(COMPLETE), cancel(COMPLETE)] as const;

export type CancelledRow = RowOf<'importProcesses', 'supplier_id' | 'attempts' | 'sent_at' | 'scheduled_at' | 'window_start'>;
type CancelBatch = readonly [Write, Statement<CancelledRow>];

/** Cancels what of these suppliers' PENDING processes had a window that closed by `closedBy` (Unix milliseconds). */
export const cancelClosed = (supplierIds: readonly number[], closedBy: number, now: number): CancelBatch => [
  statement(CANCEL_CLOSED[0], now, JSON.stringify(supplierIds), closedBy),
  statement(CANCEL_CLOSED[1], now, JSON.stringify(supplierIds), closedBy),
];

/** Cancels what is PENDING under those of these suppliers that are Complete. */
export const cancelUnderComplete = (supplierIds: readonly number[], now: number): CancelBatch => [
  statement(CANCEL_COMPLETE[0], now, JSON.stringify(supplierIds)),
  statement(CANCEL_COMPLETE[1], now, JSON.stringify(supplierIds)),
];

/** No message was sent for it while its window was open. */
export const isMissed = (row: CancelledRow): boolean =>
  row.attempts === 0 && row.sent_at < Math.max(row.window_start ?? 0, row.scheduled_at);
