/**
 * Tokens of operators (§10): made, shown once, revoked.
 */
import { auditId, auditValues } from '../../audit';
import { commit, type Page, type PageQuery, query, readPage } from '../../db';
import type { Deps } from '../../deps';
import { type FieldError, fieldError } from '../../shared/errors';
import { mintSecret } from '../../shared/minted';
import { parse } from '../../shared/parse';
import { operatorTokenBody } from './schema';
import {
  auditOperatorToken,
  auditOperatorTokenRevocation,
  insertOperatorToken,
  type OperatorTokenRow,
  operatorTokenById,
  operatorTokenPage,
  revokeToken,
} from './store';

/** What the tokens of operators begin with: nobody takes one for an API key. */
export const OPERATOR_TOKEN_PREFIX = 'op_';

export type OperatorTokenCreated =
  | { readonly kind: 'created'; readonly token: OperatorTokenRow; readonly secret: string }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Makes a token. The answer is the only place where it is ever shown. */
export async function createOperatorToken(deps: Deps, actor: string, raw: unknown): Promise<OperatorTokenCreated> {
  const { draft, errors } = parse(operatorTokenBody, raw);
  const { name, role } = draft;
  if (errors.length > 0 || name === undefined || role === undefined) return { kind: 'invalid', errors };
  const { secret, hash, lastFour } = mintSecret(OPERATOR_TOKEN_PREFIX);
  const [id, createdAt, audit] = [`opt_${crypto.randomUUID().replaceAll('-', '')}`, deps.now(), auditId(deps)];
  const entry = {
    id: audit,
    occurredAt: createdAt,
    actor,
    action: 'operator_token.created',
    subject: `operator token ${id}`,
    after: { name, role },
  } as const;
  const [, , [token]] = await commit(deps.db, [
    auditOperatorToken({ ...auditValues(entry), name }),
    insertOperatorToken({ auditId: audit, id, name, role, hash, lastFour, createdAt }),
    operatorTokenById({ id }),
  ]);
  if (token) return { kind: 'created', token, secret };
  return { kind: 'invalid', errors: [fieldError(['name'], 'unique', 'Choose another name: a token has or had this one.')] };
}

/** Newest first, revoked ones among them. */
export const listOperatorTokens = (deps: Deps, page: PageQuery): Promise<Page<OperatorTokenRow>> =>
  readPage(deps.db, page, {
    rows: (limit, cursor) => operatorTokenPage({ limit, cursor: cursor ?? null }),
    named: (id) => operatorTokenById({ id }),
    cursorOf: ({ id }) => id,
  });

export async function readOperatorToken(deps: Deps, id: string): Promise<OperatorTokenRow | undefined> {
  const [token] = await query(deps.db, operatorTokenById({ id }));
  return token;
}

/** Revokes a token: it and its sessions of the console count no more from the next request on. Revoking it again changes nothing. */
export async function revokeOperatorToken(deps: Deps, actor: string, id: string): Promise<{ readonly kind: 'revoked' | 'not_found' }> {
  const token = await readOperatorToken(deps, id);
  if (!token) return { kind: 'not_found' };
  const [now, audit] = [deps.now(), auditId(deps)];
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'operator_token.revoked',
    subject: `operator token ${id}`,
    before: { name: token.name, role: token.role },
  } as const;
  await commit(deps.db, [auditOperatorTokenRevocation({ ...auditValues(entry), id }), revokeToken({ auditId: audit, id, now })]);
  return { kind: 'revoked' };
}
