/**
 * Sessions of the console: a signed cookie for the bearer of the operator token, nothing for a person whom Cloudflare Access
 * lets in anew with each request. Changing the operator token ends all sessions.
 */

import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sign, verify } from 'hono/jwt';
import { auditId, auditWrite } from '../audit';
import { query } from '../db';
import type { Deps } from '../deps';
import { authenticateOperator, isOperatorToken, operatorTokenOf } from '../operator';
import { sha256 } from '../shared/digest';
import { usableSecret } from '../shared/secrets';
import { signingKeysOf } from '../tokens';

export const SESSION_SECONDS = 8 * 3_600;
const ISSUER = 'operator-console';

export interface Session {
  readonly actor: string;
  /** Every form that changes something carries it. */
  readonly formToken: string;
  /** True if the session can be signed out of here. */
  readonly isOurs: boolean;
}

export interface SessionFacts {
  readonly cookie: string | undefined;
  readonly assertion: string | undefined;
  readonly isCrossSite: boolean;
}

/** The session a request belongs to, or undefined for a request without one. */
export async function readSession(deps: Deps, facts: SessionFacts): Promise<Session | undefined> {
  const { assertion, isCrossSite } = facts;
  if (assertion) {
    const access = await authenticateOperator(deps, { authorization: undefined, assertion, isCrossSite });
    if (access.kind === 'authenticated') return sessionOf(deps, access.operator.actor, `access ${access.operator.actor}`, false);
  }
  const id = facts.cookie === undefined ? undefined : await sessionIdOf(deps, facts.cookie);
  return id === undefined ? undefined : sessionOf(deps, 'operator', id, true);
}

/** The cookie of a new session, audited where the database takes it; undefined unless this is the operator token. */
export async function signIn(deps: Deps, token: string): Promise<string | undefined> {
  const key = cookieKey(deps);
  if (key === undefined || !isOperatorToken(deps, token)) return undefined;
  const entry = { id: auditId(deps), occurredAt: deps.now(), actor: 'operator', action: 'operator.signed_in', subject: 'console' } as const;
  try {
    await query(deps.db, auditWrite(entry));
  } catch (error) {
    // A database in trouble is what the operator signs in for. The log has what the audit trail lacks.
    deps.log.error('sign_in_not_audited', error);
  }
  const exp = Math.floor(deps.now() / 1000) + SESSION_SECONDS;
  return sign({ iss: ISSUER, jti: crypto.randomUUID(), exp }, key, 'HS256');
}

/** True if the form was made for this session. */
export const isFormOf = (session: Session, formToken: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(formToken)), Buffer.from(sha256(session.formToken)));

async function sessionIdOf(deps: Deps, cookie: string): Promise<string | undefined> {
  const key = cookieKey(deps);
  if (key === undefined) return undefined;
  try {
    const { jti, exp } = await verify(cookie, key, { alg: 'HS256', iss: ISSUER, exp: false });
    return typeof jti === 'string' && typeof exp === 'number' && exp > deps.now() / 1000 ? jti : undefined;
  } catch {
    // Not ours, or of an operator token that has been changed.
    return undefined;
  }
}

function cookieKey(deps: Deps): string | undefined {
  const [token, signing] = [operatorTokenOf(deps), usableSecret(deps.env.TOKEN_SIGNING_KEY)];
  return token !== undefined && signing !== undefined
    ? createHmac('sha256', signing).update(`console session ${token}`).digest('hex')
    : undefined;
}

const sessionOf = (deps: Deps, actor: string, id: string, isOurs: boolean): Session => ({
  actor,
  formToken: createHmac('sha256', signingKeysOf(deps).current).update(`console form ${id}`).digest('base64url'),
  isOurs,
});
