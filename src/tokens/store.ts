import { commit, type Statement, statement, type Write } from '../db';
import type { Caller } from './token';

/** One row if the caller's API key is in force. Joined by every statement that reads the facts of a request. */
export const activeKey = (caller: Caller): Statement<{ id: string }> =>
  statement(
    'SELECT id FROM api_keys WHERE id = ?1 AND organisation_id = ?2 AND revoked_at IS NULL',
    caller.apiKeyId,
    caller.organisationId,
  );

/** A refresh token that is to be stored; `expiresAt` and `now` in Unix milliseconds. */
export interface NewRefreshToken {
  readonly hash: string;
  readonly expiresAt: number;
  readonly now: number;
}

interface CallerRow {
  readonly api_key_id: string;
  readonly organisation_id: string;
}

/** Whose API key has this digest. No row: none that is in force. */
export const ownerOfKey = (keyHash: string): Statement<CallerRow> =>
  statement('SELECT id AS api_key_id, organisation_id FROM api_keys WHERE hash = ?1 AND revoked_at IS NULL', keyHash);

/** Whose refresh token has this digest. No row: it is unknown, spent, or of a revoked key. `now` in Unix milliseconds. */
export const ownerOfRefreshToken = (hash: string, now: number): Statement<CallerRow & { is_expired: number }> =>
  statement(
    `SELECT k.id AS api_key_id, k.organisation_id, r.expires_at <= ?2 AS is_expired
     FROM refresh_tokens r JOIN api_keys k ON k.id = r.api_key_id AND k.revoked_at IS NULL WHERE r.hash = ?1 AND r.spent_at IS NULL`,
    hash,
    now,
  );

// The digest of a new refresh token is random and ours: the row under it shows that this very request succeeded, even if
// its batch had to be repeated because an answer was lost.
const OBTAINED_BY = `SELECT k.id AS api_key_id, k.organisation_id FROM refresh_tokens r JOIN api_keys k ON k.id = r.api_key_id
  WHERE r.hash = ?1`;
const KEY_USED = 'UPDATE api_keys SET last_used_at = ?2 WHERE id = (SELECT api_key_id FROM refresh_tokens WHERE hash = ?1)';

/** Stores a refresh token for the key with this digest. Undefined if no such key is in force any more. */
export async function storeRefreshToken(db: D1Database, keyHash: string, fresh: NewRefreshToken): Promise<Caller | undefined> {
  const [, , rows] = await commit(db, [
    statement(
      `INSERT INTO refresh_tokens (hash, api_key_id, expires_at) SELECT ?1, id, ?2 FROM api_keys WHERE hash = ?3 AND revoked_at IS NULL
       ON CONFLICT (hash) DO NOTHING`,
      fresh.hash,
      fresh.expiresAt,
      keyHash,
    ),
    statement(KEY_USED, fresh.hash, fresh.now),
    statement<CallerRow>(OBTAINED_BY, fresh.hash),
  ]);
  return callerOf(rows);
}

/**
 * Spends a refresh token and stores its successor. Of any number of parallel uses exactly one succeeds; undefined for the others,
 * and for one that is not good any more.
 */
export async function exchangeRefreshToken(db: D1Database, spentHash: string, fresh: NewRefreshToken): Promise<Caller | undefined> {
  const [, , , rows] = await commit(db, [
    statement(
      `INSERT INTO refresh_tokens (hash, api_key_id, expires_at)
       SELECT ?1, r.api_key_id, ?2 FROM refresh_tokens r JOIN api_keys k ON k.id = r.api_key_id AND k.revoked_at IS NULL
       WHERE r.hash = ?3 AND r.spent_at IS NULL AND r.expires_at > ?4
       ON CONFLICT (hash) DO NOTHING`,
      fresh.hash,
      fresh.expiresAt,
      spentHash,
      fresh.now,
    ),
    statement(
      `UPDATE refresh_tokens SET spent_at = ?2
       WHERE hash = ?1 AND spent_at IS NULL AND EXISTS (SELECT 1 FROM refresh_tokens successor WHERE successor.hash = ?3)`,
      spentHash,
      fresh.now,
      fresh.hash,
    ),
    statement(KEY_USED, fresh.hash, fresh.now),
    statement<CallerRow>(OBTAINED_BY, fresh.hash),
  ]);
  return callerOf(rows);
}

/** Deletes refresh tokens that expired before the instant (Unix ms). After that they are told as invalid, not as expired. */
export const forgetRefreshTokens = (before: number): Write => statement('DELETE FROM refresh_tokens WHERE expires_at < ?1', before);

function callerOf(rows: readonly CallerRow[]): Caller | undefined {
  const [row] = rows;
  return row && { organisationId: row.organisation_id, apiKeyId: row.api_key_id };
}
