/**
 * The state of queue and leases. Nothing here counts processes: the oldest is a look-up per supplier.
 */
import { AUDITED } from '../../audit';
import { type RowOf, type Statement, statement, type Write } from '../../db';

export interface OldestRow {
  readonly code: string;
  readonly external_account_number: string;
  readonly scheduled_at: number;
}

/** Of the first PENDING process of each Ongoing supplier that may start now, in commit order, the longest waiting one. */
export const oldestPending = (now: number): Statement<OldestRow> =>
  statement(
    `SELECT s.code, p.external_account_number, p.scheduled_at FROM suppliers s
     CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.id = (
       SELECT o.id FROM import_processes o INDEXED BY import_processes_open
       WHERE o.supplier_id = s.id AND o.status = 0 AND o.status <> 2 AND coalesce(o.window_start, 0) <= ?1 ORDER BY o.id LIMIT 1)
     WHERE s.status = 'Ongoing' ORDER BY p.scheduled_at LIMIT 1`,
    now,
  );

export const expiredLeases = (now: number): Statement<{ count: number }> =>
  statement(
    `SELECT count(*) AS count FROM suppliers s
     CROSS JOIN import_processes p INDEXED BY import_processes_open ON p.supplier_id = s.id AND p.status = 1 AND p.status <> 2
     WHERE p.lease_until <= ?1`,
    now,
  );

const IS_OPEN = 'redriven_at IS NULL AND dismissed_at IS NULL';

export const openDeadLetters = (): Statement<{ count: number }> => statement(`SELECT count(*) AS count FROM dead_letters WHERE ${IS_OPEN}`);

export interface DeadLetterRow
  extends RowOf<'deadLetters', 'message_id' | 'queue' | 'message' | 'failed_at' | 'redriven_at' | 'dismissed_at'> {
  readonly supplier_code: string | null;
  readonly supplier_status: string | null;
}

const DEAD_LETTERS = `SELECT d.message_id, d.queue, d.message, d.failed_at, d.redriven_at, d.dismissed_at, s.code AS supplier_code,
    s.status AS supplier_status
  FROM dead_letters d LEFT JOIN suppliers s ON s.id = iif(json_valid(d.message), d.message ->> 'supplier_id', NULL)`;

/** Newest first, after the letter `cursor`. */
export const deadLetterPage = (limit: number, cursor: string | undefined): Statement<DeadLetterRow> =>
  statement(
    `${DEAD_LETTERS} WHERE ?2 IS NULL OR (d.failed_at, d.message_id) < (SELECT c.failed_at, c.message_id FROM dead_letters c WHERE c.message_id = ?2)
     ORDER BY d.failed_at DESC, d.message_id DESC LIMIT ?1`,
    limit,
    cursor ?? null,
  );

export const deadLetterById = (messageId: string): Statement<DeadLetterRow> =>
  statement(`${DEAD_LETTERS} WHERE d.message_id = ?1`, messageId);

/** How many of the processes are ERRORED, and how many of those have a window that is over. */
export const erroredOf = (supplierId: number, ids: readonly number[], now: number): Statement<{ errored: number; over: number }> =>
  statement(
    `SELECT count(*) AS errored, coalesce(sum(coalesce(p.window_end, ?3 + 1) <= ?3), 0) AS over
     FROM import_processes p INDEXED BY import_processes_open
     WHERE p.supplier_id = ?1 AND p.status = 3 AND p.status <> 2 AND p.id IN (SELECT value FROM json_each(?2))`,
    supplierId,
    JSON.stringify(ids),
    now,
  );

/** Finds the letter until it is re-driven or dismissed: what the audit entry asks. */
export const openLetter = (messageId: string): Statement =>
  statement(`SELECT 1 FROM dead_letters WHERE message_id = ? AND ${IS_OPEN}`, messageId);

/** The same while its supplier is not Complete. */
export const openLetterToRedrive = (messageId: string, supplierId: number): Statement =>
  statement(
    `SELECT 1 FROM dead_letters WHERE message_id = ? AND ${IS_OPEN}
       AND EXISTS (SELECT 1 FROM suppliers s WHERE s.id = ? AND s.status <> 'Complete')`,
    messageId,
    supplierId,
  );

const mark = (column: 'redriven_at' | 'dismissed_at') =>
  `UPDATE dead_letters SET ${column} = ?3 WHERE message_id = ?2 AND ${IS_OPEN} AND ${AUDITED}`;

export const markRedriven = (auditId: number, messageId: string, now: number): Write =>
  statement(mark('redriven_at'), auditId, messageId, now);
export const markDismissed = (auditId: number, messageId: string, now: number): Write =>
  statement(mark('dismissed_at'), auditId, messageId, now);
