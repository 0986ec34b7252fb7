/**
 * The SQL that stages accounts: one batch makes or replaces the processes, keeps their payloads and answers what each pair's
 * process is now. What a create does to an existing process is decided here, by the database, and nowhere else.
 */
import { ITEMS, jsonTextParameters, type Statement, statement } from '../db';
import type { Caller } from '../tokens';
import { EVENT } from './machine';

/** One judged account on its way into the table. A slice never names a pair twice. */
export interface StagedAccount {
  readonly externalAccountNumber: string;
  readonly payloadHash: string;
  /** JSON text. */
  readonly body: string;
  readonly bodyBytes: number;
  readonly isDryRun: boolean;
  /** Unix milliseconds. */
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
  /** How many documents it names. */
  readonly documents: number;
}

/** A process that was already there, as it is after the batch. */
export interface ExistingRow {
  readonly position: number;
  readonly id: number;
  readonly status: number;
  readonly is_same_payload: number;
  readonly sent_at: number;
  readonly account_number: string | null;
}

// The largest id given so far. Payload rows are never deleted, so `1 + position` past it is new, whatever was staged before.
const LAST_ID = '(SELECT coalesce(max(id), 0) FROM payloads)';

// Nothing is stored on an old judgement: the supplier is as it was judged, Ongoing, and the key in force.
const GUARD = `EXISTS (SELECT 1 FROM suppliers s JOIN api_keys k ON k.organisation_id = s.organisation_id
  WHERE s.id = ?3 AND s.version = ?4 AND s.status = 'Ongoing' AND k.id = ?5 AND k.revoked_at IS NULL)`;

// Before the staging: what it will schedule again.
const EVENT_OF_RECREATED = `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT p.id, ?2, '${EVENT.CREATED}'
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = ?3 AND p.external_account_number = j.value ->> 0
  WHERE p.status IN (3, 4, 5, 6) AND p.modified_at <= ?2 AND ${GUARD} ON CONFLICT DO NOTHING`;

// A create that the network kept back must not undo what happened since it was judged: `modified_at`.
const STAGE = `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, window_start,
    window_end, created_at, scheduled_at, sent_at, modified_at, attempts, documents)
  SELECT ?3, ${LAST_ID} + 1 + key, value ->> 0, 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ?2, ?2,
    iif(coalesce(value ->> 4, 0) > ?2, 0, ?2), ?2, 0, value ->> 6
  FROM ${ITEMS} WHERE ${GUARD}
  ON CONFLICT (supplier_id, external_account_number) DO UPDATE SET status = 0, payload_hash = excluded.payload_hash,
    payload_bytes = excluded.payload_bytes, is_dry_run = excluded.is_dry_run, window_start = excluded.window_start,
    window_end = excluded.window_end, scheduled_at = iif(status = 0, scheduled_at, excluded.scheduled_at), sent_at = excluded.sent_at,
    started_at = NULL, finished_at = NULL, modified_at = excluded.modified_at, claim = NULL, lease_until = NULL, attempts = 0, error = NULL,
    documents = excluded.documents, expired_claims = NULL
  WHERE import_processes.modified_at <= excluded.modified_at
    AND ((import_processes.status = 0 AND import_processes.payload_hash <> excluded.payload_hash) OR import_processes.status IN (3, 4, 5, 6))
  RETURNING id, external_account_number, sent_at`;

// An account that found its own new place is new; every other one met an existing process of its pair. That is told under the guard only:
// what judged the account may be old, and then whose process this is, and whether it may be told, is not known. Or of what this very
// moment staged: an earlier try of this batch whose answer was lost.
const READ_EXISTING = `SELECT j.key AS position, p.id, p.status, p.payload_hash = j.value ->> 1 AS is_same_payload, p.sent_at, p.account_number
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = ?3 AND p.external_account_number = j.value ->> 0
  WHERE (${GUARD} OR (?2 IN (p.modified_at, p.sent_at) AND p.payload_hash = j.value ->> 1))
    AND NOT EXISTS (SELECT 1 FROM import_processes n
      WHERE n.supplier_id = ?3 AND n.id = ${LAST_ID} + 1 + j.key AND n.external_account_number = j.value ->> 0)`;

// Of what this batch staged, new or replaced, and of nothing else. The number and digest of a body stand in ?4, at its place counted from
// ?5; the table that is written is not read, so SQLite need not set the bodies aside.
const PLACE = 'CAST(b.key + ?5 AS INTEGER)';
const KEEP_PAYLOADS = `INSERT INTO payloads (id, body)
  SELECT p.id, b.value FROM json_each(?1) b
    CROSS JOIN import_processes p ON p.supplier_id = ?2 AND p.external_account_number = json_extract(?4, '$[' || ${PLACE} || '][0]')
  WHERE p.status = 0 AND p.modified_at = ?3 AND p.payload_hash = json_extract(?4, '$[' || ${PLACE} || '][1]')
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, reduced_at = NULL`;

type StagingBatch = readonly [
  Statement,
  Statement<{ id: number; external_account_number: string; sent_at: number }>,
  Statement<ExistingRow>,
  ...Statement[],
];

/** The batch that stages one supplier's slice. Its second and third rows: what was scheduled, and what had been there before. */
export function stagingBatch(
  accounts: readonly StagedAccount[],
  supplier: { readonly id: number; readonly version: number },
  caller: Caller,
  now: number,
): StagingBatch {
  const pairs = JSON.stringify(
    accounts.map((a) => [
      a.externalAccountNumber,
      a.payloadHash,
      a.bodyBytes,
      a.isDryRun ? 1 : 0,
      a.windowStart ?? null,
      a.windowEnd ?? null,
      a.documents,
    ]),
  );
  const bodies = jsonTextParameters(accounts.map(({ body }) => body));
  return [
    statement(EVENT_OF_RECREATED, pairs, now, supplier.id, supplier.version, caller.apiKeyId),
    statement(STAGE, pairs, now, supplier.id, supplier.version, caller.apiKeyId),
    statement(READ_EXISTING, pairs, now, supplier.id, supplier.version, caller.apiKeyId),
    ...bodies.map(({ parameter, from }) => statement(KEEP_PAYLOADS, parameter, supplier.id, now, pairs, from)),
  ];
}
