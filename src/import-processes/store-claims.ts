/**
 * The SQL of the consumer: claim processes by compare-and-set, and write their outcomes while the claim holds.
 */
import {
  db,
  eq,
  prepared,
  type RowOf,
  type RowValues,
  rowsOf,
  type Statement,
  SUPPLIER,
  statement,
  suppliers,
  type Values,
  type Write,
} from '../db';
import type { SupplierFields } from '../suppliers';
import { ALONE_FROM_EXPIRIES, EVENT, LEASE_MILLISECONDS, STATUS } from './machine';
import type { ProcessError } from './process';

/** A process named in a message. */
export interface ProcessKey {
  readonly supplierId: number;
  readonly id: number;
}

export type ClaimedRow = RowOf<'importProcesses', 'supplier_id' | 'id' | 'is_dry_run' | 'payload_bytes' | 'documents'> &
  RowOf<'payloads', 'body'>;

/** How a claimed process ended. */
export type Outcome = ProcessKey &
  (
    | { readonly status: 'PROCESSED'; readonly accountNumber: string }
    | { readonly status: 'DRY_RUN_SUCCEEDED' }
    | { readonly status: 'ERRORED' | 'DRY_RUN_ERRORED'; readonly error: ProcessError }
  );

/** Bodies read by one claim; parsed, judged and made rows of, they take several times that, and the isolate has 128 MB for all it does. */
export const MAX_SLICE_BYTES = 4 * 1_048_576;

// What may start now: PENDING, under an Ongoing supplier, inside its window.
const CLAIMABLE = `json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  CROSS JOIN suppliers s ON s.id = p.supplier_id
  WHERE p.status = 0 AND s.status = 'Ongoing' AND coalesce(p.window_start, 0) <= ?2 AND coalesce(p.window_end, ?2 + 1) > ?2`;

/** How many leases of a process have run out since it was scheduled. */
export const EXPIRIES = 'coalesce(json_array_length(p.expired_claims), 0)';

// What may kill its isolate is claimed alone or not at all.
const CLAIM = `UPDATE import_processes SET status = 1, claim = ?3, lease_until = ?2 + ${LEASE_MILLISECONDS}, started_at = ?2, modified_at = ?2,
    attempts = attempts + 1
  FROM (SELECT supplier_id, id FROM (
      SELECT p.supplier_id, p.id, p.payload_bytes, sum(p.payload_bytes) OVER in_order AS bytes_so_far, sum(p.documents) OVER in_order AS documents_so_far
      FROM ${CLAIMABLE} AND (${EXPIRIES} < ${ALONE_FROM_EXPIRIES} OR json_array_length(?1) = 1) WINDOW in_order AS (ORDER BY j.key))
    WHERE (bytes_so_far <= ?4 OR bytes_so_far = payload_bytes) AND documents_so_far <= ?5) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id AND import_processes.status = 0`;

const READ_CLAIMED = `SELECT p.supplier_id, p.id, p.is_dry_run, p.payload_bytes, p.documents, y.body
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  CROSS JOIN payloads y ON y.id = p.id
  WHERE p.claim = ?2 AND p.status = 1`;

const owners = rowsOf('owners', { id: suppliers.id });
const READ_SUPPLIERS = prepared(($: Values<{ owners: RowValues<typeof owners> }>) =>
  db.select({ supplier: SUPPLIER }).from(owners.from($.owners)).innerJoin(suppliers, eq(suppliers.id, owners.row.id)),
);

const keysOf = (keys: readonly ProcessKey[]): string => JSON.stringify(keys.map(({ supplierId, id }) => [supplierId, id]));

type ClaimBatch = readonly [Statement, Statement<ClaimedRow>, Statement<{ supplier: SupplierFields }>, Statement<{ value: string }>];

/** Claims what may start now, up to 4 MiB of bodies and `maxDocuments` documents, and reads it, its suppliers, and the key of account numbers. */
export function claimBatch(keys: readonly ProcessKey[], claim: number, now: number, maxDocuments: number): ClaimBatch {
  const json = keysOf(keys);
  return [
    statement(CLAIM, json, now, claim, MAX_SLICE_BYTES, maxDocuments),
    statement(READ_CLAIMED, json, claim),
    READ_SUPPLIERS({ owners: owners.value([...new Set(keys.map(({ supplierId }) => supplierId))].map((id) => ({ id }))) }),
    statement(`SELECT value FROM service_keys WHERE name = 'account_number'`),
  ];
}

// A claim that no longer holds all its processes makes the whole batch fail: 'lost' is no JSON. Finished ones keep their claim,
// so repeating a batch that was committed passes here and then changes nothing.
const FENCE = `SELECT json(iif((SELECT count(*) FROM json_each(?1) j CROSS JOIN import_processes p
  ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1 WHERE p.claim = ?2) = json_array_length(?1), '1', 'lost'))`;

// A batch ends all its processes or none, so the first one of a supplier tells for all whether they were counted before.
const COUNT = `INSERT INTO imports_per_minute (supplier_id, minute, processed, errored)
  SELECT p.supplier_id, ?2, j.value ->> 2, j.value ->> 3
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1 WHERE p.status = 1
  ON CONFLICT (supplier_id, minute) DO UPDATE SET processed = processed + excluded.processed, errored = errored + excluded.errored`;

// D1 binds every number as a REAL, so what has to be whole is made so here.
const minuteOf = (instant: number): number => Math.floor(instant / 60_000);

const EVENTS = `INSERT INTO import_process_events (process_id, occurred_at, event, data)
  SELECT j.value ->> 1, ?2, j.value ->> 5, j.value ->> 4 FROM json_each(?1) j WHERE j.value ->> 5 IS NOT NULL ON CONFLICT DO NOTHING`;

// The fence stands before it in the same transaction.
const FINISH = `UPDATE import_processes SET status = j.value ->> 2, account_number = j.value ->> 3, error = j.value ->> 4, finished_at = ?2,
    modified_at = ?2, lease_until = NULL
  FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1`;

function eventOf(outcome: Outcome): string | null {
  if (outcome.status === 'PROCESSED') return null;
  return outcome.status === 'DRY_RUN_SUCCEEDED' ? EVENT.DRY_RUN_SUCCEEDED : EVENT.ERRORED;
}

/** `[supplier, its first process, processed, errored]` of each supplier. */
function countsOf(outcomes: readonly Outcome[]): string {
  const bySupplier = Map.groupBy(outcomes, ({ supplierId }) => supplierId);
  return JSON.stringify(
    [...bySupplier].map(([supplierId, members]) => [
      supplierId,
      members[0]?.id,
      members.filter(({ status }) => status === 'PROCESSED').length,
      members.filter(({ status }) => status === 'ERRORED').length,
    ]),
  );
}

/** Puts the writes of created accounts between the fence that guards the claim and the outcomes of the processes. */
export function finishBatch(outcomes: readonly Outcome[], claim: number, now: number, accountWrites: readonly Write[]): Write[] {
  const json = JSON.stringify(
    outcomes.map((outcome) => [
      outcome.supplierId,
      outcome.id,
      STATUS[outcome.status],
      outcome.status === 'PROCESSED' ? outcome.accountNumber : null,
      'error' in outcome ? JSON.stringify(outcome.error) : null,
      eventOf(outcome),
    ]),
  );
  const hasEvents = outcomes.some((outcome) => eventOf(outcome) !== null);
  return [
    statement(FENCE, json, claim),
    ...accountWrites,
    statement(COUNT, countsOf(outcomes), minuteOf(now)),
    ...(hasEvents ? [statement(EVENTS, json, now)] : []),
    statement(FINISH, json, now),
  ];
}

/** True for the error {@link finishBatch} fails with when the claim no longer holds. */
export const isLostClaim = (error: unknown): boolean => error instanceof Error && error.message.includes('malformed JSON');

const RENEW = `UPDATE import_processes SET lease_until = ?3 + ${LEASE_MILLISECONDS} FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1 AND import_processes.claim = ?2
    AND import_processes.status = 1`;

/** Begins the lease of what the claim still holds anew. */
export const renewLease = (keys: readonly ProcessKey[], claim: number, now: number): Write => statement(RENEW, keysOf(keys), claim, now);

const FORGET_EXPIRY = `UPDATE import_processes SET expired_claims = (
    SELECT nullif(json_group_array(e.value), '[]') FROM json_each(import_processes.expired_claims) e WHERE e.value <> ?2)
  FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1
    AND EXISTS (SELECT 1 FROM json_each(import_processes.expired_claims) e WHERE e.value = ?2)`;

const HELD = `SELECT p.id FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  WHERE p.claim = ?2`;

/** Takes the claim out of those that ran out, and reads what it still holds. */
export function heldBatch(keys: readonly ProcessKey[], claim: number): readonly [Write, Statement<{ id: number }>] {
  const json = keysOf(keys);
  return [statement(FORGET_EXPIRY, json, claim), statement(HELD, json, claim)];
}

const RELEASE = `UPDATE import_processes SET status = 0, claim = NULL, lease_until = NULL, started_at = NULL, sent_at = ?3, modified_at = ?3,
    failed_at = iif(?4, ?3, failed_at)
  FROM json_each(?1) j
  WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1 AND import_processes.claim = ?2
    AND import_processes.status = 1`;

/** Why a process is given back: its account could not be decided or stored, or the database failed all of them alike. */
export type Release = 'failed' | 'interrupted';

/** Gives claimed processes back: PENDING again, to be tried with the message's next delivery. */
export const releaseClaim = (keys: readonly ProcessKey[], claim: number, now: number, why: Release): Write =>
  statement(RELEASE, keysOf(keys), claim, now, why === 'failed' ? 1 : 0);

// Until it is claimed, `modified_at` is when its payload was staged: one that nothing has tried yet is not given up for another.
const GIVE_UP_CONDITION = `(p.status = 0 OR (p.status = 1 AND p.lease_until <= ?2)) AND iif(p.attempts, p.scheduled_at, p.modified_at) <= ?4
  AND coalesce(p.failed_at, 0) >= ?5`;

const GIVE_UP_EVENTS = `INSERT INTO import_process_events (process_id, occurred_at, event, data)
  SELECT p.id, ?2, '${EVENT.ERRORED}', ?3 FROM json_each(?1) j
    CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  WHERE ${GIVE_UP_CONDITION} ON CONFLICT DO NOTHING`;

const GIVE_UP_COUNT = `INSERT INTO imports_per_minute (supplier_id, minute, processed, errored)
  SELECT p.supplier_id, ?3, 0, count(*) FROM json_each(?1) j
    CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  WHERE ${GIVE_UP_CONDITION} AND p.is_dry_run = 0 GROUP BY p.supplier_id
  ON CONFLICT (supplier_id, minute) DO UPDATE SET errored = errored + excluded.errored`;

const GIVE_UP = `UPDATE import_processes SET status = iif(is_dry_run, 6, 3), error = ?3, finished_at = ?2, modified_at = ?2, claim = NULL,
    lease_until = NULL
  FROM (SELECT p.supplier_id, p.id FROM json_each(?1) j
      CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1 WHERE ${GIVE_UP_CONDITION}) AS chosen
  WHERE import_processes.supplier_id = chosen.supplier_id AND import_processes.id = chosen.id`;

/** What is told of a process whose tries ran out. */
export const GAVE_UP: ProcessError = {
  code: 'account_import_process_failed',
  detail: 'The account could not be created by several tries. Create it again or ask the operator to retry it.',
};

/**
 * Ends processes nobody holds whose payload was staged by `sentAt`: their tries ran out. Each is ERRORED, or DRY_RUN_ERRORED if it was
 * a dry run. With `failedSince` only those that a consumer gave back as failed since then.
 */
export function giveUp(keys: readonly ProcessKey[], now: number, sentAt: number, failedSince = 0): readonly [Write, Write, Write] {
  const [json, error] = [keysOf(keys), JSON.stringify(GAVE_UP)];
  return [
    statement(GIVE_UP_EVENTS, json, now, error, sentAt, failedSince),
    statement(GIVE_UP_COUNT, json, now, minuteOf(now), sentAt, failedSince),
    statement(GIVE_UP, json, now, error, sentAt, failedSince),
  ];
}

const GIVEN_UP = `SELECT count(*) AS count FROM json_each(?1) j
  CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1
  WHERE p.status IN (${STATUS.ERRORED}, ${STATUS.DRY_RUN_ERRORED}) AND p.error ->> 'code' = '${GAVE_UP.code}'`;

/** How many of these processes have ended because their tries ran out. */
export const countGivenUp = (keys: readonly ProcessKey[]): Statement<{ count: number }> => statement(GIVEN_UP, keysOf(keys));
