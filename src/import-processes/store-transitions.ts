/**
 * The SQL of transitions somebody asks for: cancel and retry. The condition of each is in the write, so the database decides.
 */
import { type Statement, statement, type Write } from '../db';
import { EVENT } from './machine';

const CANCEL_EVENT = `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT id, ?3, '${EVENT.CANCELLED}' FROM import_processes WHERE supplier_id = ?1 AND external_account_number = ?2 AND status = 0 ON CONFLICT DO NOTHING`;

const CANCEL = `UPDATE import_processes SET status = 4, finished_at = ?3, modified_at = ?3
  WHERE supplier_id = ?1 AND external_account_number = ?2 AND status = 0 RETURNING id`;

/** PENDING → CANCELLED. The second statement answers a row if it happened. */
export const cancelProcess = (
  supplierId: number,
  externalAccountNumber: string,
  now: number,
): readonly [Write, Statement<{ id: number }>] => [
  statement(CANCEL_EVENT, supplierId, externalAccountNumber, now),
  statement(CANCEL, supplierId, externalAccountNumber, now),
];

const RESCHEDULE = `status = 0, scheduled_at = ?2, sent_at = 0, started_at = NULL, finished_at = NULL, modified_at = ?2, claim = NULL,
  lease_until = NULL, attempts = 0, error = NULL`;

const CHOSEN = `p.supplier_id = ?1 AND p.status = 3 AND p.status <> 2`;

const byNumber = `${CHOSEN} AND p.external_account_number = ?3`;
const byCode = `${CHOSEN} AND p.error ->> 'code' = ?3`;

const retryEvents = (condition: string, limit: string) => `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT p.id, ?2, '${EVENT.CREATED}' FROM import_processes p WHERE ${condition} ORDER BY p.id ${limit} ON CONFLICT DO NOTHING`;

const retry = (condition: string, limit: string) => `UPDATE import_processes SET ${RESCHEDULE}
  FROM (SELECT p.supplier_id, p.id FROM import_processes p WHERE ${condition} ORDER BY p.id ${limit}) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id RETURNING import_processes.id, payload_bytes`;

const RETRY_ONE = [retryEvents(byNumber, 'LIMIT 1'), retry(byNumber, 'LIMIT 1')] as const;

/** Processes one retry by code takes up at most. */
export const RETRY_SLICE = 2_000;
const RETRY_BY_CODE = [retryEvents(byCode, `LIMIT ${RETRY_SLICE}`), retry(byCode, `LIMIT ${RETRY_SLICE}`)] as const;

type RetryBatch = readonly [Write, Statement<{ id: number; payload_bytes: number }>];

/** ERRORED → PENDING with the staged payload. The second statement answers a row if it happened. */
export const retryProcess = (supplierId: number, externalAccountNumber: string, now: number): RetryBatch => [
  statement(RETRY_ONE[0], supplierId, now, externalAccountNumber),
  statement(RETRY_ONE[1], supplierId, now, externalAccountNumber),
];

/** The same for up to {@link RETRY_SLICE} processes whose latest error has this code. */
export const retryProcessesWithCode = (supplierId: number, code: string, now: number): RetryBatch => [
  statement(RETRY_BY_CODE[0], supplierId, now, code),
  statement(RETRY_BY_CODE[1], supplierId, now, code),
];
