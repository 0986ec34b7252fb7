import {
  alias,
  and,
  apiKeys,
  commit,
  db,
  eq,
  exists,
  gt,
  insertSelect,
  isNull,
  lt,
  lte,
  or,
  prepared,
  refreshTokens,
  sql,
  type Values,
} from '../db';
import type { Caller } from './token';

/**
 * True while an API key is neither revoked nor expired. The database asks its own clock, so that what begins before a key expires
 * and writes after it is refused as well.
 */
const isInForce = () =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`unixepoch('subsec') * 1000`)));

/** True for the row of the caller's API key while it is in force: part of every query that reads the state for a request. */
export const isCallerActive = ($: Values<{ apiKeyId: string; organisationId: string }>) =>
  and(eq(apiKeys.id, $.apiKeyId), eq(apiKeys.organisationId, $.organisationId), isInForce());

/** One row if the caller's API key is in force. */
export const activeKey = prepared(($: Values<{ apiKeyId: string; organisationId: string }>) =>
  db.select({ id: apiKeys.id }).from(apiKeys).where(isCallerActive($)),
);

/** A refresh token that is to be stored; `expiresAt` and `now` in Unix milliseconds. */
export interface NewRefreshToken {
  readonly hash: string;
  readonly expiresAt: number;
  readonly now: number;
}

/** A {@link Caller}. */
const CALLER = { apiKeyId: apiKeys.id, organisationId: apiKeys.organisationId, isReadOnly: apiKeys.isReadOnly };

const isKeyInForce = ($: Values<{ keyHash: string }>) => and(eq(apiKeys.hash, $.keyHash), isInForce());

/** Whose API key has this digest. No row: none that is in force. */
export const ownerOfKey = prepared(($: Values<{ keyHash: string }>) => db.select(CALLER).from(apiKeys).where(isKeyInForce($)));

/** The refresh token's key, while that is in force. */
const isKeyOfToken = () => and(eq(apiKeys.id, refreshTokens.apiKeyId), isInForce());

/** Whose refresh token has this digest. No row: it is unknown, spent, or of a revoked key. `now` in Unix milliseconds. */
export const ownerOfRefreshToken = prepared(($: Values<{ hash: string; now: number }>) =>
  db
    .select({ ...CALLER, isExpired: lte(refreshTokens.expiresAt, $.now).mapWith(Boolean) })
    .from(refreshTokens)
    .innerJoin(apiKeys, isKeyOfToken())
    .where(and(eq(refreshTokens.hash, $.hash), isNull(refreshTokens.spentAt))),
);

const ADD_BY_KEY = prepared(($: Values<NewRefreshToken & { keyHash: string }>) =>
  insertSelect(
    refreshTokens,
    { hash: $.hash, apiKeyId: sql`${apiKeys.id}`, expiresAt: $.expiresAt },
    sql`FROM ${apiKeys} WHERE ${isKeyInForce($)}`,
  ).onConflictDoNothing({ target: refreshTokens.hash }),
);

const KEY_USED = prepared(($: Values<NewRefreshToken>) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: $.now })
    .where(eq(apiKeys.id, db.select({ id: refreshTokens.apiKeyId }).from(refreshTokens).where(eq(refreshTokens.hash, $.hash)))),
);

// The digest of a new refresh token is random and ours: the row under it shows that this very request succeeded, even if
// its batch had to be repeated because an answer was lost.
const OBTAINED_BY = prepared(($: Values<NewRefreshToken>) =>
  db.select(CALLER).from(refreshTokens).innerJoin(apiKeys, eq(apiKeys.id, refreshTokens.apiKeyId)).where(eq(refreshTokens.hash, $.hash)),
);

/** Stores a refresh token for the key with this digest. Undefined if no such key is in force any more. */
export async function storeRefreshToken(database: D1Database, keyHash: string, fresh: NewRefreshToken): Promise<Caller | undefined> {
  const [, , [caller]] = await commit(database, [ADD_BY_KEY({ ...fresh, keyHash }), KEY_USED(fresh), OBTAINED_BY(fresh)]);
  return caller;
}

const ADD_BY_SPENDING = prepared(($: Values<NewRefreshToken & { spentHash: string }>) =>
  insertSelect(
    refreshTokens,
    { hash: $.hash, apiKeyId: sql`${refreshTokens.apiKeyId}`, expiresAt: $.expiresAt },
    sql`FROM ${refreshTokens} INNER JOIN ${apiKeys} ON ${isKeyOfToken()}
      WHERE ${and(eq(refreshTokens.hash, $.spentHash), isNull(refreshTokens.spentAt), gt(refreshTokens.expiresAt, $.now))}`,
  ).onConflictDoNothing({ target: refreshTokens.hash }),
);

const SPEND = prepared(($: Values<NewRefreshToken & { spentHash: string }>) => {
  const successor = alias(refreshTokens, 'successor');
  return db
    .update(refreshTokens)
    .set({ spentAt: $.now })
    .where(
      and(
        eq(refreshTokens.hash, $.spentHash),
        isNull(refreshTokens.spentAt),
        exists(db.select({ hash: successor.hash }).from(successor).where(eq(successor.hash, $.hash))),
      ),
    );
});

/**
 * Spends a refresh token and stores its successor. Of any number of parallel uses exactly one succeeds; undefined for the others,
 * and for one that is not good any more.
 */
export async function exchangeRefreshToken(database: D1Database, spentHash: string, fresh: NewRefreshToken): Promise<Caller | undefined> {
  const spending = { ...fresh, spentHash };
  const [, , , [caller]] = await commit(database, [ADD_BY_SPENDING(spending), SPEND(spending), KEY_USED(fresh), OBTAINED_BY(fresh)]);
  return caller;
}

/** Deletes refresh tokens that expired before the instant (Unix ms). After that they are answered as invalid, not as expired. */
export const forgetRefreshTokens = prepared(($: Values<{ before: number }>) =>
  db.delete(refreshTokens).where(lt(refreshTokens.expiresAt, $.before)),
);
