/**
 * The SQL that stages accounts: one batch makes processes or replaces what they hold, keeps their payloads, and answers what the
 * process of each pair was before. What replaces names what it replaces, so the database decides races, whatever clocks say.
 */
import { ITEMS, jsonTextParameters, type RowOf, type Statement, statement } from '../db';
import type { Caller } from '../tokens';
import { EVENT } from './machine';
import type { Payload } from './rules-staging';
import type { ProcessKey } from './store-claims';

/** An account on its way into the table. */
export interface StagedAccount extends Payload {
  readonly externalAccountNumber: string;
  /** JSON text. Its digest is the payload's hash. */
  readonly body: string;
  readonly bodyBytes: number;
  /** Unix milliseconds. */
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
  /** How many documents it names. */
  readonly documents: number;
}

/** The process of a pair. */
export type ExistingRow = RowOf<
  'importProcesses',
  'supplier_id' | 'id' | 'external_account_number' | 'status' | 'payload_hash' | 'is_dry_run' | 'modified_at' | 'sent_at' | 'account_number'
>;

export interface Pair {
  readonly supplierId: number;
  readonly externalAccountNumber: string;
}

/** A payload that is to be stored, and the process whose payload it replaces: none, if the pair has no process. */
export interface StagingWrite {
  readonly supplierId: number;
  readonly account: StagedAccount;
  readonly replaced: ExistingRow | undefined;
  /** Unix milliseconds: the instant of the change; of a new process now, else later than that of any change before it. */
  readonly at: number;
  /** The instant of its message: now, or 0 if its window is yet to open. */
  readonly sentAt: number;
}

const EXISTING_COLUMNS = `p.supplier_id, p.id, p.external_account_number, p.status, p.payload_hash, p.is_dry_run, p.modified_at, p.sent_at,
    p.account_number`;

const PROCESSES_OF_CALLER = `SELECT ${EXISTING_COLUMNS} FROM api_keys k CROSS JOIN json_each(?3) j
  CROSS JOIN suppliers s ON s.code = j.value ->> 0 AND s.organisation_id = k.organisation_id
  CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.external_account_number = j.value ->> 1
  WHERE k.id = ?1 AND k.organisation_id = ?2 AND k.revoked_at IS NULL`;

/** The processes of pairs of this caller's suppliers. Pairs without a process, and of others' suppliers, have no row. */
export const processesOfCaller = (
  caller: Caller,
  pairs: readonly (readonly [supplierCode: string, externalAccountNumber: string])[],
): Statement<ExistingRow> => statement(PROCESSES_OF_CALLER, caller.apiKeyId, caller.organisationId, JSON.stringify(pairs));

// The largest id given so far. Payload rows are never deleted, so `1 + position` past it is new, whatever was staged before.
const LAST_ID = '(SELECT coalesce(max(id), 0) FROM payloads)';

/** The suppliers that are as they were when they were read, Ongoing, while the key is in force. Nothing is stored under any other. */
const unchangedSuppliers = (suppliers: string, key: string): string => `FROM json_each(${suppliers}) g
    CROSS JOIN suppliers s ON s.id = g.value ->> 0 AND s.version = g.value ->> 1 AND s.status = 'Ongoing'
    CROSS JOIN api_keys k ON k.id = ${key} AND k.organisation_id = s.organisation_id AND k.revoked_at IS NULL`;

const READ_UNCHANGED = `SELECT s.id AS supplier_id, ${LAST_ID} AS last_id ${unchangedSuppliers('?1', '?2')}`;

const READ_EXISTING = `SELECT ${EXISTING_COLUMNS}
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.external_account_number = j.value ->> 1`;

/** Stored bodies that one batch reads at most, in bytes; several of the largest that are taken. */
const MAX_BODY_BYTES = 4 * 1_048_576;

const READ_BODIES = `SELECT b.id, y.body FROM (
    SELECT p.id, sum(p.payload_bytes) OVER (ORDER BY j.key) AS bytes_so_far
    FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1 WHERE p.status = 1) AS b
  CROSS JOIN payloads y ON y.id = b.id WHERE b.bytes_so_far <= ${MAX_BODY_BYTES}`;

// The items of ?1 before position ?2 are new.
const INSERT = `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, window_start,
    window_end, created_at, scheduled_at, sent_at, modified_at, attempts, documents)
  SELECT value ->> 0, ${LAST_ID} + 1 + key, value ->> 1, 0, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, ?3, ?3,
    iif(coalesce(value ->> 5, 0) > ?3, 0, ?3), ?3, 0, value ->> 7
  FROM ${ITEMS} WHERE key < ?2 AND value ->> 0 IN (SELECT s.id ${unchangedSuppliers('?4', '?5')})
  ON CONFLICT DO NOTHING RETURNING id`;

/** True while what is replaced is what it was when the create was decided. A dry run never takes the place of a real import that waits. */
const isUnchanged = (p: string): string => `${p}.supplier_id = j.value ->> 0 AND ${p}.id = j.value ->> 10
    AND ${p}.status = j.value ->> 11 AND ${p}.payload_hash = j.value ->> 12 AND ${p}.modified_at = j.value ->> 13
    AND (${p}.status IN (3, 4, 5, 6) OR (${p}.status = 0 AND ${p}.is_dry_run >= j.value ->> 4))
    AND j.value ->> 0 IN (SELECT s.id ${unchangedSuppliers('?2', '?3')})`;

// Before the staging: what it will schedule again.
const EVENT_OF_RECREATED = `INSERT INTO import_process_events (process_id, occurred_at, event)
  SELECT p.id, j.value ->> 8, '${EVENT.CREATED}' FROM json_each(?1) j CROSS JOIN import_processes p ON ${isUnchanged('p')}
  WHERE p.status <> 0 ON CONFLICT DO NOTHING`;

const REPLACE = `UPDATE import_processes SET status = 0, payload_hash = j.value ->> 2, payload_bytes = j.value ->> 3, is_dry_run = j.value ->> 4,
    window_start = j.value ->> 5, window_end = j.value ->> 6, scheduled_at = iif(status = 0, scheduled_at, j.value ->> 8),
    sent_at = j.value ->> 9, started_at = NULL, finished_at = NULL, modified_at = j.value ->> 8, claim = NULL, lease_until = NULL,
    attempts = 0, error = NULL, documents = j.value ->> 7, expired_claims = NULL
  FROM json_each(?1) j WHERE ${isUnchanged('import_processes')} RETURNING import_processes.id`;

// Of what is PENDING with the very payload. The pair and hash of a body stand in ?2, at its place counted from ?3; the table that is
// written is not read, so SQLite need not set the bodies aside.
const ofItem = (index: number): string => `json_extract(?2, '$[' || CAST(b.key + ?3 AS INTEGER) || '][${index}]')`;
const KEEP_PAYLOADS = `INSERT INTO payloads (id, body)
  SELECT p.id, b.value FROM json_each(?1) b
    CROSS JOIN import_processes p ON p.supplier_id = ${ofItem(0)} AND p.external_account_number = ${ofItem(1)}
  WHERE p.status = 0 AND p.payload_hash = ${ofItem(2)}
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, reduced_at = NULL WHERE payloads.reduced_at IS NOT NULL OR payloads.body <> excluded.body`;

/** A supplier that is still as it was read, and the largest id of all before the batch. */
interface UnchangedRow {
  readonly supplier_id: number;
  readonly last_id: number;
}

/** A process that was staged; with `body`, one whose stored body was asked for. */
interface TouchedRow {
  readonly id: number;
  readonly body?: string;
}

type StagingBatch = readonly [Statement<UnchangedRow>, Statement<ExistingRow>, ...Statement<TouchedRow>[]];

export interface Staging {
  /** Those of pairs without a process come first, and take the ids after the last one, in order. */
  readonly writes: readonly StagingWrite[];
  /** Pairs that are only read, and of those the processes whose stored bodies are. */
  readonly reads: readonly Pair[];
  readonly bodies: readonly ProcessKey[];
  /** The suppliers of all creates, each with the version it was read in. */
  readonly suppliers: ReadonlyMap<number, number>;
  /** Unix milliseconds. */
  readonly now: number;
}

const itemOf = ({ supplierId, account: a, at, sentAt, replaced }: StagingWrite) => [
  supplierId,
  a.externalAccountNumber,
  a.payloadHash,
  a.bodyBytes,
  a.isDryRun ? 1 : 0,
  a.windowStart ?? null,
  a.windowEnd ?? null,
  a.documents,
  ...(replaced ? [at, sentAt, replaced.id, replaced.status, replaced.payload_hash, replaced.modified_at] : []),
];

/** The batch that stages a slice of any suppliers. It answers which suppliers are unchanged, what there was before, and what was staged. */
export function stagingBatch({ writes, reads, bodies, suppliers, now }: Staging, { apiKeyId }: Caller): StagingBatch {
  const items = writes.map(itemOf);
  const pairs = JSON.stringify([...items, ...reads.map(({ supplierId, externalAccountNumber }) => [supplierId, externalAccountNumber])]);
  const fresh = writes.filter(({ replaced }) => replaced === undefined).length;
  const replacing = JSON.stringify(items.slice(fresh));
  const versions = JSON.stringify([...suppliers]);
  return [
    statement(READ_UNCHANGED, versions, apiKeyId),
    statement(READ_EXISTING, pairs),
    ...(bodies.length > 0
      ? [statement<TouchedRow>(READ_BODIES, JSON.stringify(bodies.map(({ supplierId, id }) => [supplierId, id])))]
      : []),
    ...(fresh > 0 ? [statement<TouchedRow>(INSERT, pairs, fresh, now, versions, apiKeyId)] : []),
    ...(fresh < writes.length
      ? [
          statement<TouchedRow>(EVENT_OF_RECREATED, replacing, versions, apiKeyId),
          statement<TouchedRow>(REPLACE, replacing, versions, apiKeyId),
        ]
      : []),
    ...jsonTextParameters(writes.map(({ account }) => account.body)).map(({ parameter, from }) =>
      statement<TouchedRow>(KEEP_PAYLOADS, parameter, pairs, from),
    ),
  ];
}
