/**
 * The SQL of sending: which PENDING processes may start now and have no message on its way. Each statement looks at a bounded number
 * of processes of each supplier it is given, however many wait.
 */
import { type RowOf, type Statement, statement, type Write } from '../db';
import { ALONE_FROM_EXPIRIES } from './machine';
import { EXPIRIES, type ProcessKey } from './store-claims';

/** A message may be on its way this long before its processes are sent again. */
export const STALE_MILLISECONDS = 120_000;

// Never sent, lost, or sent before the supplier was resumed.
const IS_DUE = `p.status = 0 AND s.status = 'Ongoing' AND coalesce(p.window_start, 0) <= ?2 AND coalesce(p.window_end, ?2 + 1) > ?2
  AND (p.sent_at <= ?2 - ${STALE_MILLISECONDS} OR p.sent_at < s.resumed_at)`;

const DUE = `SELECT p.supplier_id, p.id, p.payload_bytes, ${EXPIRIES} >= ${ALONE_FROM_EXPIRIES} AS is_alone`;

/** A process that is to be sent. */
export type DueRow = RowOf<'importProcesses', 'supplier_id' | 'id' | 'payload_bytes'> & { readonly is_alone: number };

const SUPPLIERS = 'json_each(?1) j CROSS JOIN suppliers s ON s.id = j.value';

// The index is named and its condition repeated, so that SQLite walks the entries of what is PENDING and nothing else.
const AFTER_CURSOR = `SELECT o.id FROM import_processes o INDEXED BY import_processes_open
  WHERE o.supplier_id = s.id AND o.status = 0 AND o.status <> 2 AND o.id > s.sweep_cursor ORDER BY o.id`;

const NEXT = `${DUE} FROM ${SUPPLIERS} CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.id IN (${AFTER_CURSOR} LIMIT ?3) WHERE ${IS_DUE}`;

const MOVE = `UPDATE suppliers SET sweep_cursor = next.sweep_cursor
  FROM (SELECT s.id, coalesce((${AFTER_CURSOR} LIMIT 1 OFFSET ?2 - 1), 0) AS sweep_cursor FROM ${SUPPLIERS} LIMIT -1) AS next
  WHERE suppliers.id = next.id AND suppliers.sweep_cursor <> next.sweep_cursor RETURNING suppliers.id, suppliers.sweep_cursor`;

/** How far the look at a supplier came; 0 once it was at the end. */
export type MovedRow = RowOf<'suppliers', 'id' | 'sweep_cursor'>;

/**
 * Of the next `looks` PENDING processes of each supplier, what is due; and how far the look came, for each supplier of which more may
 * follow. In one transaction, so that two who look at once look at different ones. Where its answer is lost, what it found waits for the
 * next time round, unless its window closes before.
 */
export function nextDue(supplierIds: readonly number[], now: number, looks: number): readonly [Statement<DueRow>, Statement<MovedRow>] {
  const json = JSON.stringify(supplierIds);
  return [statement(NEXT, json, now, looks), statement(MOVE, json, looks)];
}

/** Lets the look begin again where it was, or before: what it found was not sent. */
export const moveBack = (supplierId: number, to: number): Write =>
  statement('UPDATE suppliers SET sweep_cursor = min(sweep_cursor, ?2) WHERE id = ?1', supplierId, to);

const CLOSING = `${DUE} FROM ${SUPPLIERS} CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.id IN (
    SELECT o.id FROM import_processes o INDEXED BY import_processes_windows
    WHERE o.supplier_id = s.id AND o.status = 0 AND o.window_end > ?2 ORDER BY o.window_end LIMIT ?3)
  WHERE ${IS_DUE}`;

/** Of the `looks` PENDING processes of each supplier whose windows close next, what is due. */
export const closingDue = (supplierIds: readonly number[], now: number, looks: number): Statement<DueRow> =>
  statement(CLOSING, JSON.stringify(supplierIds), now, looks);

const OF_THESE = `${DUE} FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  CROSS JOIN suppliers s ON s.id = p.supplier_id WHERE ${IS_DUE}`;

/** What of these processes is due. */
export const dueOf = (keys: readonly ProcessKey[], now: number): Statement<DueRow> =>
  statement(OF_THESE, JSON.stringify(keys.map(({ supplierId, id }) => [supplierId, id])), now);

const MARK_SENT = `UPDATE import_processes SET sent_at = ?2 FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1 AND import_processes.status = 0`;

export const markSent = (rows: readonly DueRow[], now: number): Write =>
  statement(MARK_SENT, JSON.stringify(rows.map((row) => [row.supplier_id, row.id])), now);
