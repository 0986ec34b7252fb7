/**
 * The SQL of the sweep. Each statement touches a bounded number of rows and is driven by the open index, supplier by supplier.
 */
import { type RowOf, type Statement, statement, type Write } from '../db';
import { EVENT, MAX_ATTEMPTS } from './machine';

/** Rows one statement of the sweep touches at most. */
export const SWEEP_SLICE = 2_000;

/** A message may be on its way this long before its processes are sent again. */
export const STALE_MILLISECONDS = 120_000;

/**
 * Rows leave the open index when PROCESSED; its condition is repeated so that SQLite may use it, and it is told by name because
 * the planner would rather walk the whole supplier by its key.
 */
const OPEN = 'suppliers s CROSS JOIN import_processes p INDEXED BY import_processes_open ON p.supplier_id = s.id AND p.status <> 2';

const EXPIRED = `SELECT p.supplier_id, p.id, p.attempts FROM ${OPEN} AND p.status = 1 WHERE p.lease_until <= ?1 LIMIT ${SWEEP_SLICE}`;

export type ExpiredRow = RowOf<'importProcesses', 'supplier_id' | 'id' | 'attempts'>;

/** Processes whose lease has run out. */
export const expiredLeases = (now: number): Statement<ExpiredRow> => statement(EXPIRED, now);

/** Tries after which an expired lease is not given another. */
export const isExhausted = (row: ExpiredRow): boolean => row.attempts >= MAX_ATTEMPTS;

const RELEASE = `UPDATE import_processes SET status = 0, claim = NULL, lease_until = NULL, started_at = NULL, sent_at = 0, modified_at = ?2
  FROM (SELECT p.supplier_id, p.id FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
    WHERE p.status = 1 AND p.lease_until <= ?2) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id`;

/** Makes processes whose lease has run out PENDING again. */
export const releaseExpired = (rows: readonly ExpiredRow[], now: number): Write =>
  statement(RELEASE, JSON.stringify(rows.map((row) => [row.supplier_id, row.id])), now);

const TO_CANCEL = `SELECT p.supplier_id, p.id FROM ${OPEN} AND p.status = 0
  WHERE p.window_end <= ?1 OR s.status = 'Complete' LIMIT ${SWEEP_SLICE}`;

const CANCEL_EVENTS = `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT id, ?1, '${EVENT.CANCELLED}' FROM (${TO_CANCEL}) WHERE true ON CONFLICT DO NOTHING`;

const CANCEL = `UPDATE import_processes SET status = 4, finished_at = ?1, modified_at = ?1 FROM (${TO_CANCEL}) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id RETURNING import_processes.id`;

/** Cancels what can never start: closed windows, and what is PENDING under a Complete supplier. */
export const cancelHopeless = (now: number): readonly [Write, Statement<{ id: number }>] => [
  statement(CANCEL_EVENTS, now),
  statement(CANCEL, now),
];

const DUE = `SELECT p.supplier_id, p.id, p.payload_bytes FROM ${OPEN} AND p.status = 0
  WHERE s.status = 'Ongoing' AND coalesce(p.window_start, 0) <= ?1 AND coalesce(p.window_end, ?1 + 1) > ?1
    AND (p.sent_at <= ?1 - ${STALE_MILLISECONDS} OR p.sent_at < s.resumed_at) LIMIT ${SWEEP_SLICE}`;

export type DueRow = RowOf<'importProcesses', 'supplier_id' | 'id' | 'payload_bytes'>;

/** What may start now and has no message on its way: never sent, lost, or sent before the supplier was resumed. */
export const dueProcesses = (now: number): Statement<DueRow> => statement(DUE, now);

const MARK_SENT = `UPDATE import_processes SET sent_at = ?2 FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1 AND import_processes.status = 0`;

export const markSent = (rows: readonly DueRow[], now: number): Write =>
  statement(MARK_SENT, JSON.stringify(rows.map((row) => [row.supplier_id, row.id])), now);
