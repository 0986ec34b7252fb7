/**
 * The SQL of payload retention: a slow walk over finished processes, supplier by supplier.
 */
import { jsonParameters, type Statement, statement, type Write } from '../db';
import { DEFAULT_SETTINGS } from '../suppliers';
import { STATUS } from './machine';

/** Processes looked at, and bytes of payload read, in one run. */
const WALK = 1_000;
const MAX_BYTES = 4 * 1_048_576;
const DAY_MILLISECONDS = 86_400_000;

export interface WalkRow {
  readonly supplier_id: number;
  readonly retention_cursor: number;
  readonly retention_days: number;
}

// Null where the settings cannot be read: nothing is reduced on a guess.
const RETENTION_DAYS = `iif(json_valid(configuration), coalesce(configuration ->> 'payload_retention_days', ${DEFAULT_SETTINGS.payload_retention_days}), NULL)`;

/** The supplier whose walk is due longest. */
export const nextWalk = (now: number): Statement<WalkRow> =>
  statement(
    `SELECT id AS supplier_id, retention_cursor, ${RETENTION_DAYS} AS retention_days FROM suppliers
     WHERE retention_next_at <= ?1 AND ${RETENTION_DAYS} IS NOT NULL ORDER BY retention_next_at, id LIMIT 1`,
    now,
  );

export interface FinishedRow {
  readonly id: number;
  readonly status: number;
  readonly body: string | null;
}

const FINISHED = `SELECT id, status, body FROM (
    SELECT p.id, p.status, y.body, p.is_due, sum(iif(p.is_due, p.payload_bytes, 0)) OVER (ORDER BY p.id) AS bytes_so_far FROM (
      SELECT id, status, payload_bytes, status IN (${STATUS.PROCESSED}, ${STATUS.CANCELLED}) AND finished_at <= ?3 AS is_due
      FROM import_processes WHERE supplier_id = ?1 AND id > ?2 ORDER BY id LIMIT ${WALK}) AS p
    LEFT JOIN payloads y ON y.id = p.id AND p.is_due AND y.reduced_at IS NULL)
  WHERE bytes_so_far <= ${MAX_BYTES} OR id = ?2 + 1 ORDER BY id`;

const dueBefore = (walk: WalkRow, now: number): number => now - walk.retention_days * DAY_MILLISECONDS;

/** The next processes of the walk; a body only where it is to be reduced. */
export const finishedProcesses = (walk: WalkRow, now: number): Statement<FinishedRow> =>
  statement(FINISHED, walk.supplier_id, walk.retention_cursor, dueBefore(walk, now));

// The condition that made it due is repeated: a cancelled process may have been created again since, with another payload.
const REDUCE = `UPDATE payloads SET body = iif(j.value ->> 1 IS NULL, '', j.value -> 1), reduced_at = ?2
  FROM json_each(?1) j CROSS JOIN import_processes p ON p.supplier_id = j.value ->> 2 AND p.id = j.value ->> 0
  WHERE payloads.id = j.value ->> 0 AND payloads.reduced_at IS NULL
    AND p.status IN (${STATUS.PROCESSED}, ${STATUS.CANCELLED}) AND p.finished_at <= ?3`;

/** Replaces bodies, where they are still due. Each is JSON text, or '' where nothing is kept. */
export const reduceTo = (walk: WalkRow, bodies: readonly (readonly [id: number, body: string])[], now: number): Write[] =>
  jsonParameters(bodies.map(([id, body]) => [id, body === '' ? null : JSON.parse(body), walk.supplier_id])).map((parameter) =>
    statement(REDUCE, parameter, now, dueBefore(walk, now)),
  );

/** Remembers how far the walk came; at the end it rests for a day and begins again. */
export const moveWalk = (walk: WalkRow, cursor: number | 'end', now: number): Write =>
  cursor === 'end'
    ? statement('UPDATE suppliers SET retention_cursor = 0, retention_next_at = ?2 WHERE id = ?1', walk.supplier_id, now + DAY_MILLISECONDS)
    : statement('UPDATE suppliers SET retention_cursor = ?2 WHERE id = ?1', walk.supplier_id, cursor);
