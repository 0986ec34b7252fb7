/**
 * The SQL of payload retention: a slow walk over finished processes, supplier by supplier.
 */
import { jsonTextParameters, type Statement, statement, type Write } from '../db';
import { DEFAULT_SETTINGS } from '../suppliers';
import { STATUS } from './machine';

/** Processes looked at, and bytes of payload read, in one run. */
const WALK = 1_000;
const MAX_BYTES = 4 * 1_048_576;
const DAY_MILLISECONDS = 86_400_000;

export interface WalkRow {
  readonly supplier_id: number;
  readonly retention_cursor: number;
  /** Null if the configuration cannot be read. */
  readonly retention_days: unknown;
}

/** A walk whose supplier says for how long payloads are kept. */
export type Walk = WalkRow & { readonly retention_days: number };

// Null where the settings cannot be read: nothing is reduced on a guess.
const RETENTION_DAYS = `iif(json_valid(configuration), coalesce(configuration ->> 'payload_retention_days', ${DEFAULT_SETTINGS.payload_retention_days}), NULL)`;

/** The supplier whose walk is due longest. */
export const nextWalk = (now: number): Statement<WalkRow> =>
  statement(
    `SELECT id AS supplier_id, retention_cursor, ${RETENTION_DAYS} AS retention_days FROM suppliers
     WHERE retention_next_at <= ?1 ORDER BY retention_next_at, id LIMIT 1`,
    now,
  );

export interface FinishedRow {
  readonly id: number;
  readonly status: number;
  readonly body: string | null;
}

// ?3 is the moment before which it must have ended: PROCESSED and CANCELLED by themselves; what has no account, but could be tried
// again, with its supplier's Complete.
const IS_DUE = `iif(p.status IN (${STATUS.PROCESSED}, ${STATUS.CANCELLED}), p.finished_at <= ?3,
  p.status IN (${STATUS.ERRORED}, ${STATUS.DRY_RUN_SUCCEEDED}, ${STATUS.DRY_RUN_ERRORED})
    AND s.status = 'Complete' AND coalesce(s.completed_at, s.modified_at) <= ?3)`;

const FINISHED = `SELECT id, status, body FROM (
    SELECT d.id, d.status, y.body, sum(iif(d.is_due, d.payload_bytes, 0)) OVER (ORDER BY d.id) AS bytes_so_far FROM (
      SELECT p.id, p.status, p.payload_bytes, ${IS_DUE} AS is_due
      FROM suppliers s CROSS JOIN import_processes p ON p.supplier_id = s.id AND p.id > ?2 WHERE s.id = ?1 ORDER BY p.id LIMIT ${WALK}) AS d
    LEFT JOIN payloads y ON y.id = d.id AND d.is_due AND y.reduced_at IS NULL)
  WHERE bytes_so_far <= ${MAX_BYTES} OR id = ?2 + 1 ORDER BY id`;

const dueBefore = (walk: Walk, now: number): number => now - walk.retention_days * DAY_MILLISECONDS;

/** The next processes of the walk; a body only where it is to be reduced. */
export const finishedProcesses = (walk: Walk, now: number): Statement<FinishedRow> =>
  statement(FINISHED, walk.supplier_id, walk.retention_cursor, dueBefore(walk, now));

// The condition that made it due is repeated: it may have been scheduled again since, perhaps with another payload.
const REDUCE = `UPDATE payloads SET body = iif(j.value ->> 1 IS NULL, '', j.value -> 1), reduced_at = ?2
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 2 AND p.id = j.value ->> 0
    CROSS JOIN suppliers s ON s.id = p.supplier_id
  WHERE payloads.id = j.value ->> 0 AND payloads.reduced_at IS NULL AND ${IS_DUE}`;

/** Replaces bodies, where they are still due. Each is JSON text, or '' where nothing is left. */
export const reduceTo = (walk: Walk, bodies: readonly (readonly [id: number, body: string])[], now: number): Write[] =>
  jsonTextParameters(bodies.map(([id, body]) => `[${id},${body === '' ? 'null' : body},${walk.supplier_id}]`)).map(({ parameter }) =>
    statement(REDUCE, parameter, now, dueBefore(walk, now)),
  );

/** How long a walk rests that failed. */
const HOUR_MILLISECONDS = 3_600_000;

/** Lets a walk that failed wait where it is, so that it keeps no other supplier's from going on. */
export const postponeWalk = (walk: WalkRow, now: number): Write =>
  statement('UPDATE suppliers SET retention_next_at = ?2 WHERE id = ?1', walk.supplier_id, now + HOUR_MILLISECONDS);

/** Remembers how far the walk came; at the end it rests for a day and begins again. */
export const moveWalk = (walk: WalkRow, cursor: number | 'end', now: number): Write =>
  cursor === 'end'
    ? statement('UPDATE suppliers SET retention_cursor = 0, retention_next_at = ?2 WHERE id = ?1', walk.supplier_id, now + DAY_MILLISECONDS)
    : statement('UPDATE suppliers SET retention_cursor = ?2 WHERE id = ?1', walk.supplier_id, cursor);
