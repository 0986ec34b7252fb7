/**
 * The SQL of transitions somebody asks for: cancel and retry. The condition of each is in the write, so the database decides.
 */
import { auditedAs } from '../audit';
import { type Statement, statement, type Write } from '../db';
import type { Caller } from '../tokens';
import { EVENT } from './machine';

/** The supplier by its id, or by its code if it is the caller's and the key in force. Either takes the statement's first parameters. */
const BY_ID = '?3';
const OF_CALLER = `(SELECT s.id FROM suppliers s JOIN api_keys k ON k.organisation_id = s.organisation_id
  WHERE s.code = ?3 AND k.id = ?4 AND k.organisation_id = ?5 AND k.revoked_at IS NULL)`;

const cancelEvent = (supplier: string) => `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT id, ?1, '${EVENT.CANCELLED}' FROM import_processes WHERE supplier_id = ${supplier} AND external_account_number = ?2 AND status = 0
  ON CONFLICT DO NOTHING`;

const cancel = (supplier: string) => `UPDATE import_processes SET status = 4, finished_at = ?1, modified_at = ?1
  WHERE supplier_id = ${supplier} AND external_account_number = ?2 AND status = 0 RETURNING id`;

const [CANCEL_EVENT, CANCEL] = [cancelEvent(BY_ID), cancel(BY_ID)];
const [CANCEL_EVENT_OF_CALLER, CANCEL_OF_CALLER] = [cancelEvent(OF_CALLER), cancel(OF_CALLER)];

type CancelBatch = readonly [Write, Statement<{ id: number }>];

/** PENDING → CANCELLED. The second statement answers a row if it happened. */
export const cancelProcess = (supplierId: number, externalAccountNumber: string, now: number): CancelBatch => [
  statement(CANCEL_EVENT, now, externalAccountNumber, supplierId),
  statement(CANCEL, now, externalAccountNumber, supplierId),
];

/** The same for an importer, who names the supplier by its code. */
export function cancelOfCaller(caller: Caller, supplierCode: string, externalAccountNumber: string, now: number): CancelBatch {
  const parameters = [now, externalAccountNumber, supplierCode, caller.apiKeyId, caller.organisationId] as const;
  return [statement(CANCEL_EVENT_OF_CALLER, ...parameters), statement(CANCEL_OF_CALLER, ...parameters)];
}

const RESCHEDULE = `status = 0, scheduled_at = ?2, sent_at = 0, started_at = NULL, finished_at = NULL, modified_at = ?2, claim = NULL,
  lease_until = NULL, attempts = 0, expired_claims = NULL, error = NULL`;

const ERRORED = 'p.supplier_id = ?1 AND p.status = 3 AND p.status <> 2';

// A retry has to have a window to start in and a payload to start with. `now` is the statement's parameter.
const isOpen = (now: string) => `ifnull(p.window_end > ${now}, 1)`;
const HAS_PAYLOAD = `EXISTS (SELECT 1 FROM payloads y WHERE y.id = p.id AND y.body <> '')`;

/** The condition that an ERRORED process `p` can start again at `now`, a parameter of the statement. */
export const mayStartAgain = (now: string): string => `${isOpen(now)} AND ${HAS_PAYLOAD}`;

// Under a Complete supplier nothing is retried; it may have been completed since it was read.
const IS_RETRIED = `EXISTS (SELECT 1 FROM suppliers s WHERE s.id = p.supplier_id AND s.status <> 'Complete')`;

const byNumber = `import_processes p WHERE ${ERRORED} AND p.external_account_number = ?3 AND ${mayStartAgain('?2')} AND ${IS_RETRIED}`;
// Told by name: the planner would walk the whole supplier by its key, because the ids are wanted in order.
const OF_IDS = `import_processes p INDEXED BY import_processes_open WHERE ${ERRORED} AND p.id IN (SELECT value FROM json_each(?3))`;
const byId = `${OF_IDS} AND (?4 IS NULL OR p.error ->> 'code' = ?4) AND ${mayStartAgain('?2')} AND ${auditedAs('?5')}`;
const WITH_CODE = `import_processes p INDEXED BY import_processes_errored WHERE p.supplier_id = ?1 AND p.status = 3 AND p.error ->> 'code' = ?3`;

const retryEvents = (chosen: string) => `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT id, ?2, '${EVENT.CREATED}' FROM (SELECT p.id FROM ${chosen}) WHERE true ON CONFLICT DO NOTHING`;

const retry = (chosen: string) => `UPDATE import_processes SET ${RESCHEDULE} FROM (SELECT p.supplier_id, p.id FROM ${chosen}) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id RETURNING import_processes.id, payload_bytes`;

const RETRY_ONE = [retryEvents(byNumber), retry(byNumber)] as const;
const RETRY_BY_ID = [retryEvents(byId), retry(byId)] as const;

const leftOut = (chosen: string) => `SELECT count(*) FILTER (WHERE NOT is_open) AS window_over,
    count(*) FILTER (WHERE is_open AND NOT has_payload) AS payload_emptied
  FROM (SELECT ${isOpen('?2')} AS is_open, ${HAS_PAYLOAD} AS has_payload FROM ${chosen})`;

const [LEFT_OUT_WITH_CODE, LEFT_OUT_OF_IDS] = [leftOut(WITH_CODE), leftOut(OF_IDS)];

/** ERRORED processes that cannot be retried, each counted once. */
export interface LeftOutRow {
  /** Their schedule window has closed. */
  readonly window_over: number;
  /** Retention has emptied their payload. */
  readonly payload_emptied: number;
}

/** What a retry by code leaves out. */
export const leftOutWithCode = (supplierId: number, code: string, now: number): Statement<LeftOutRow> =>
  statement(LEFT_OUT_WITH_CODE, supplierId, now, code);

/** What a retry of these processes leaves out. */
export const leftOutOf = (supplierId: number, ids: readonly number[], now: number): Statement<LeftOutRow> =>
  statement(LEFT_OUT_OF_IDS, supplierId, now, JSON.stringify(ids));

/** Finds the supplier while it is not Complete: what the audit entry of a retry by code asks. */
export const supplierToRetry = (supplierId: number): Statement =>
  statement(`SELECT 1 FROM suppliers WHERE id = ? AND status <> 'Complete'`, supplierId);

const RETRYABLE_ONE = `SELECT 1 FROM import_processes p
  WHERE p.supplier_id = ? AND p.external_account_number = ? AND p.status = 3 AND ${isOpen('?')} AND ${HAS_PAYLOAD} AND ${IS_RETRIED}`;

/** Finds the process while it can be retried: what the audit entry of a retry asks. */
export const retryableProcess = (supplierId: number, externalAccountNumber: string, now: number): Statement =>
  statement(RETRYABLE_ONE, supplierId, externalAccountNumber, now);

type RetryBatch = readonly [Write, Statement<{ id: number; payload_bytes: number }>];

/** ERRORED → PENDING with the staged payload, where its window is not over and retention has left the payload. The second statement answers a row if it happened. */
export const retryProcess = (supplierId: number, externalAccountNumber: string, now: number): RetryBatch => [
  statement(RETRY_ONE[0], supplierId, now, externalAccountNumber),
  statement(RETRY_ONE[1], supplierId, now, externalAccountNumber),
];

/** Errored processes of one supplier that an operator wants tried again. */
export interface Retry {
  /** The entry in the same batch: without it nothing is retried. */
  readonly auditId: number;
  readonly supplierId: number;
  readonly ids: readonly number[];
  /** Only those whose latest error has this code. */
  readonly code: string | undefined;
}

/** The same for those of many that are ERRORED and may still start: their window is not over. */
export function retryProcesses({ auditId, supplierId, ids, code }: Retry, now: number): RetryBatch {
  const params = [supplierId, now, JSON.stringify(ids), code ?? null, auditId] as const;
  return [statement(RETRY_BY_ID[0], ...params), statement(RETRY_BY_ID[1], ...params)];
}
