/**
 * API keys of an organisation (§5, §10): made, shown once, revoked.
 */
import { auditId, auditValues } from '../audit';
import { commit, type Page, type PageQuery, query, readPage } from '../db';
import type { Deps } from '../deps';
import { instantOf, isoInstant } from '../shared/dates';
import { type FieldError, fieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { mintApiKey } from '../tokens';
import { apiKeyBody } from './schema';
import {
  type ApiKeyRow,
  apiKeyById,
  apiKeyNamed,
  apiKeyPage,
  auditApiKey,
  auditRevocation,
  insertApiKey,
  organisationById,
  revokeKey,
} from './store';

export type ApiKeyCreated =
  | { readonly kind: 'created'; readonly key: ApiKeyRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' };

/** Makes a key: `sk_test_…` for an organisation for tests. The answer is the only place where it is ever shown. */
export async function createApiKey(deps: Deps, actor: string, organisationId: string, raw: unknown): Promise<ApiKeyCreated> {
  const { draft, errors } = parse(apiKeyBody, raw);
  const { label, expires_at: expires, is_read_only: isReadOnly = null } = draft;
  const expiresAt = expires ? (instantOf(expires) ?? null) : null;
  const wrong = expiresAt !== null && expiresAt <= deps.now() ? [...errors, PAST] : errors;
  if (wrong.length > 0 || label === undefined) return { kind: 'invalid', errors: wrong };
  const [organisation] = await query(deps.db, organisationById({ organisationId }));
  if (!organisation) return { kind: 'not_found' };
  const { secret, hash, lastFour } = mintApiKey(organisation.isTest);
  const [id, now, audit] = [`key_${crypto.randomUUID().replaceAll('-', '')}`, deps.now(), auditId(deps)];
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'api_key.created',
    subject: `api key ${id}`,
    after: {
      organisation_id: organisationId,
      label,
      ...(expiresAt === null ? {} : { expires_at: isoInstant(expiresAt) }),
      ...(isReadOnly ? { is_read_only: true } : {}),
    },
  } as const;
  const key = { id, organisationId, label, hash, lastFour, createdAt: now, expiresAt, isReadOnly: isReadOnly ? 1 : 0 } as const;
  const [, , [stored]] = await commit(deps.db, [
    auditApiKey({ ...auditValues(entry), organisationId }),
    insertApiKey({ auditId: audit, ...key }),
    apiKeyById({ id }),
  ]);
  return stored ? { kind: 'created', key: stored, secret } : { kind: 'not_found' };
}

const PAST = fieldError(['expires_at'], 'invalid', 'Enter a moment in the future.');

/** The organisation's keys, newest first; undefined if there is no such organisation. */
export async function listApiKeys(deps: Deps, organisationId: string, page: PageQuery): Promise<Page<ApiKeyRow> | undefined> {
  const organisation = await query(deps.db, organisationById({ organisationId }));
  if (organisation.length === 0) return undefined;
  return readPage(deps.db, page, {
    rows: (limit, cursor) => apiKeyPage({ organisationId, limit, cursor: cursor ?? null }),
    named: (id) => apiKeyNamed({ organisationId, id }),
    cursorOf: ({ id }) => id,
  });
}

export async function readApiKey(deps: Deps, id: string): Promise<ApiKeyRow | undefined> {
  const [key] = await query(deps.db, apiKeyById({ id }));
  return key;
}

/** Revokes a key: it counts at the next request. Revoking it again changes nothing. */
export async function revokeApiKey(deps: Deps, actor: string, id: string): Promise<{ readonly kind: 'revoked' | 'not_found' }> {
  const key = await readApiKey(deps, id);
  if (!key) return { kind: 'not_found' };
  const [now, audit] = [deps.now(), auditId(deps)];
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'api_key.revoked',
    subject: `api key ${id}`,
    before: { organisation_id: key.organisationId, label: key.label },
  } as const;
  await commit(deps.db, [auditRevocation({ ...auditValues(entry), id }), revokeKey({ auditId: audit, id, now })]);
  return { kind: 'revoked' };
}
