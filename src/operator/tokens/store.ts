import { type AuditValues, auditing, isAudited } from '../../audit';
import {
  alias,
  and,
  db,
  desc,
  eq,
  exists,
  insertSelect,
  isNull,
  limitOf,
  notExists,
  operatorTokens,
  or,
  prepared,
  type RowOfQuery,
  sql,
  type Values,
} from '../../db';

const TOKEN = {
  id: operatorTokens.id,
  name: operatorTokens.name,
  role: operatorTokens.role,
  lastFour: operatorTokens.lastFour,
  createdAt: operatorTokens.createdAt,
  revokedAt: operatorTokens.revokedAt,
};

export const operatorTokenById = prepared(($: Values<{ id: string }>) =>
  db.select(TOKEN).from(operatorTokens).where(eq(operatorTokens.id, $.id)),
);

export type OperatorTokenRow = RowOfQuery<ReturnType<typeof operatorTokenById>>;

/** The token with this digest, if it is in force. */
export const operatorTokenByHash = prepared(($: Values<{ hash: string }>) =>
  db
    .select({ id: operatorTokens.id, name: operatorTokens.name, role: operatorTokens.role, hash: operatorTokens.hash })
    .from(operatorTokens)
    .where(and(eq(operatorTokens.hash, $.hash), isNull(operatorTokens.revokedAt))),
);

const isOfName = ($: Values<{ name: string }>) =>
  db.select({ id: operatorTokens.id }).from(operatorTokens).where(eq(operatorTokens.name, $.name));

/** Newest first, after the token `cursor`, from the newest where that is null; revoked tokens stay in the list. */
export const operatorTokenPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(operatorTokens, 'last');
  const cursor = db.select({ createdAt: last.createdAt, id: last.id }).from(last).where(eq(last.id, $.cursor));
  return db
    .select(TOKEN)
    .from(operatorTokens)
    .where(or(isNull($.cursor), sql`(${operatorTokens.createdAt}, ${operatorTokens.id}) < ${cursor}`))
    .orderBy(desc(operatorTokens.createdAt), desc(operatorTokens.id))
    .limit(limitOf($.limit));
});

/** The audit entry of a new token: written while no token has its name. */
export const auditOperatorToken = prepared(($: Values<AuditValues & { name: string }>) => auditing($, notExists(isOfName($))));

export const insertOperatorToken = prepared(
  ($: Values<{ auditId: number; id: string; name: string; role: string; hash: string; lastFour: string; createdAt: number }>) =>
    insertSelect(
      operatorTokens,
      { id: $.id, name: $.name, role: $.role, hash: $.hash, lastFour: $.lastFour, createdAt: $.createdAt },
      sql`WHERE ${isAudited($.auditId)}`,
    ).onConflictDoNothing(),
);

const isInForce = ($: Values<{ id: string }>) => and(eq(operatorTokens.id, $.id), isNull(operatorTokens.revokedAt));

/** The audit entry of a revocation: written while the token is in force. */
export const auditOperatorTokenRevocation = prepared(($: Values<AuditValues & { id: string }>) =>
  auditing($, exists(db.select({ id: operatorTokens.id }).from(operatorTokens).where(isInForce($)))),
);

export const revokeToken = prepared(($: Values<{ auditId: number; id: string; now: number }>) =>
  db
    .update(operatorTokens)
    .set({ revokedAt: $.now })
    .where(and(isInForce($), isAudited($.auditId))),
);
