import { type AuditValues, auditing, isAudited } from '../audit';
import {
  alias,
  and,
  apiKeys,
  db,
  desc,
  eq,
  exists,
  insertSelect,
  isNull,
  limitOf,
  or,
  organisations,
  prepared,
  type RowOfQuery,
  sql,
  type Values,
} from '../db';

const ORGANISATION = { id: organisations.id, name: organisations.name, createdAt: organisations.createdAt, isTest: organisations.isTest };

const withId = ($: Values<{ organisationId: string }>) =>
  db.select(ORGANISATION).from(organisations).where(eq(organisations.id, $.organisationId));

export const organisationById = prepared(withId);

export type OrganisationRow = RowOfQuery<ReturnType<typeof organisationById>>;

export const insertOrganisation = prepared(($: Values<{ id: string; name: string; createdAt: number; isTest: 0 | 1 }>) =>
  db
    .insert(organisations)
    .values({ id: $.id, name: $.name, createdAt: $.createdAt, isTest: sql`${$.isTest}` })
    .onConflictDoNothing(),
);

/** By name. */
export const allOrganisations = prepared(() => db.select(ORGANISATION).from(organisations).orderBy(organisations.name, organisations.id));

/** Newest first, after the organisation `cursor`; from the newest where that is null. */
export const organisationPage = prepared(($: Values<{ limit: number; cursor: string | null }>) => {
  const last = alias(organisations, 'last');
  const cursor = db.select({ createdAt: last.createdAt, id: last.id }).from(last).where(eq(last.id, $.cursor));
  return db
    .select(ORGANISATION)
    .from(organisations)
    .where(or(isNull($.cursor), sql`(${organisations.createdAt}, ${organisations.id}) < ${cursor}`))
    .orderBy(desc(organisations.createdAt), desc(organisations.id))
    .limit(limitOf($.limit));
});

const API_KEY = {
  id: apiKeys.id,
  organisationId: apiKeys.organisationId,
  label: apiKeys.label,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
  lastFour: apiKeys.lastFour,
  expiresAt: apiKeys.expiresAt,
  isReadOnly: apiKeys.isReadOnly,
};

export const apiKeyById = prepared(($: Values<{ id: string }>) => db.select(API_KEY).from(apiKeys).where(eq(apiKeys.id, $.id)));

export type ApiKeyRow = RowOfQuery<ReturnType<typeof apiKeyById>>;

/** Finds a key of the organisation. */
export const apiKeyNamed = prepared(($: Values<{ id: string; organisationId: string }>) =>
  db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, $.id), eq(apiKeys.organisationId, $.organisationId))),
);

/** Newest first, after the key `cursor`, from the newest where that is null; revoked keys stay in the list. */
export const apiKeyPage = prepared(($: Values<{ organisationId: string; limit: number; cursor: string | null }>) => {
  const last = alias(apiKeys, 'last');
  const cursor = db.select({ createdAt: last.createdAt, id: last.id }).from(last).where(eq(last.id, $.cursor));
  return db
    .select(API_KEY)
    .from(apiKeys)
    .where(and(eq(apiKeys.organisationId, $.organisationId), or(isNull($.cursor), sql`(${apiKeys.createdAt}, ${apiKeys.id}) < ${cursor}`)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(limitOf($.limit));
});

/** The audit entry of a new key: written while its organisation is there. */
export const auditApiKey = prepared(($: Values<AuditValues & { organisationId: string }>) => auditing($, exists(withId($))));

export const insertApiKey = prepared(
  (
    $: Values<{
      auditId: number;
      id: string;
      organisationId: string;
      label: string;
      hash: string;
      lastFour: string;
      createdAt: number;
      expiresAt: number | null;
      isReadOnly: 0 | 1;
    }>,
  ) =>
    insertSelect(
      apiKeys,
      {
        id: $.id,
        organisationId: $.organisationId,
        label: $.label,
        hash: $.hash,
        lastFour: $.lastFour,
        createdAt: $.createdAt,
        expiresAt: $.expiresAt,
        isReadOnly: sql`${$.isReadOnly}`,
      },
      sql`WHERE ${isAudited($.auditId)}`,
    ).onConflictDoNothing(),
);

const isInForce = ($: Values<{ id: string }>) => and(eq(apiKeys.id, $.id), isNull(apiKeys.revokedAt));

/** The audit entry of a revocation: written while the key is in force. */
export const auditRevocation = prepared(($: Values<AuditValues & { id: string }>) =>
  auditing($, exists(db.select({ id: apiKeys.id }).from(apiKeys).where(isInForce($)))),
);

export const revokeKey = prepared(($: Values<{ auditId: number; id: string; now: number }>) =>
  db
    .update(apiKeys)
    .set({ revokedAt: $.now })
    .where(and(isInForce($), isAudited($.auditId))),
);
