/**
 * Many PENDING processes at once, written straight into the tables.
 */
import { env } from 'cloudflare:workers';
import type { GivenSupplier } from './given';
import { readRow } from './tables';

/** Instants in Unix milliseconds. */
export interface Waiting {
  readonly sentAt?: number;
  readonly windowStart?: number;
  readonly windowEnd?: number;
}

/** Adds `count` PENDING accounts of the supplier, each small and valid; answers the id of the first, the others follow. */
export async function aBacklog(given: GivenSupplier, count: number, waiting: Waiting = {}): Promise<number> {
  const last = await readRow<{ id: number | null }>('SELECT max(id) AS id FROM payloads');
  const first = (last?.id ?? 0) + 1;
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1)';
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} INSERT INTO payloads (id, body)
       SELECT i, json_object('import_supplier', ?3, 'external_account_number', 'b' || i) FROM n`,
    ).bind(first, count, given.code),
    env.DB.prepare(
      `${numbers} INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run,
         window_start, window_end, created_at, scheduled_at, sent_at, modified_at, attempts)
       SELECT ?3, i, 'b' || i, 0, '', 70, 0, ?4, ?5, 1, 1, ?6, 1, 0 FROM n`,
    ).bind(first, count, given.supplierId, waiting.windowStart ?? null, waiting.windowEnd ?? null, waiting.sentAt ?? 0),
  ]);
  return first;
}

/** Takes the supplier's PENDING processes away, so that they weigh on no other test. */
export const forgetBacklog = (given: GivenSupplier): Promise<unknown> =>
  env.DB.prepare('DELETE FROM import_processes WHERE supplier_id = ? AND status = 0').bind(given.supplierId).run();
