/**
 * Sessions of the console: a signed cookie for the bearer of a token, nothing for a person whom Cloudflare Access lets in anew with
 * each request. Signing out ends a session, and so does revoking the token that began it; changing the secret of the environment ends
 * all of them, and so does a restore of the database, which forgets who signed out.
 */

import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sign, verify } from 'hono/jwt';
import { auditId, auditWrite } from '../audit';
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { epochWanted } from '../health';
import {
  BEARER_OF_SECRET,
  isInterfaceOpen,
  type Operator,
  operatorOf,
  operatorOfAssertion,
  operatorOfToken,
  operatorTokenById,
  operatorTokenOf,
  type Role,
} from '../operator';
import { sha256 } from '../shared/digest';
import { signingKey, usableSecret } from '../shared/secrets';
import { signingKeysOf } from '../tokens';
import { endedSession, endSession, forgetEndedSessions, useCode } from './store';

export const SESSION_SECONDS = 8 * 3_600;
const ISSUER = 'operator-console';

export interface Session {
  readonly actor: string;
  readonly role: Role;
  /** Every form that changes something carries it. */
  readonly formToken: string;
  /** True if the session can be signed out of here. */
  readonly isOurs: boolean;
}

export interface SessionSource {
  readonly cookie: string | undefined;
  readonly assertion: string | undefined;
  readonly isCrossSite: boolean;
}

/**
 * The session a request belongs to, or undefined for a request without one. A good cookie needs no assertion; throws where an
 * assertion is all there is and the keys that verify it cannot be read.
 */
export async function readSession(deps: Deps, source: SessionSource): Promise<Session | undefined> {
  const { assertion, isCrossSite } = source;
  const access = await operatorOfAssertion(deps, assertion, isCrossSite);
  if (access.kind === 'authenticated') return sessionOf(deps, access.operator, `access ${access.operator.actor}`, false);
  const signedIn = source.cookie === undefined ? undefined : await readCookie(deps, source.cookie);
  const operator = signedIn && (await operatorOfSession(deps, signedIn));
  if (signedIn && operator) return sessionOf(deps, operator, signedIn.id, true);
  if (access.kind === 'keys_unavailable') throw new Error('the keys of Cloudflare Access cannot be read');
  return undefined;
}

/** Whose session it is; undefined once it was signed out of, or the token that began it was revoked. */
async function operatorOfSession(deps: Deps, { id, tokenId }: SignedIn): Promise<Operator | undefined> {
  if (tokenId === undefined) return (await query(deps.db, endedSession({ id }))).length > 0 ? undefined : BEARER_OF_SECRET;
  const [ended, [token]] = await commit(deps.db, [endedSession({ id }), operatorTokenById({ id: tokenId })]);
  if (ended.length > 0) return undefined;
  return token?.revokedAt === null ? operatorOf(token) : undefined;
}

/** Ends the session of a cookie, audited: it cannot be used again. Answers whether that could be stored. */
export async function signOut(deps: Deps, actor: string, cookie: string): Promise<boolean> {
  const session = await readCookie(deps, cookie);
  if (!session) return true;
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'operator.signed_out',
    subject: 'console',
  } as const;
  try {
    await commit(deps.db, [
      endSession({ id: session.id, expiresAt: session.expiresAt }),
      forgetEndedSessions({ now: deps.now() }),
      auditWrite(entry),
    ]);
    return true;
  } catch (error) {
    deps.log.error('session_not_ended', error);
    return false;
  }
}

/** The cookie of a new session; undefined unless this is the token of an operator. */
export async function signIn(deps: Deps, token: string, clientAddress: string): Promise<string | undefined> {
  const found = await operatorOfToken(deps, token, clientAddress);
  return found.kind === 'authenticated' ? newCookie(deps, found.operator) : undefined;
}

/** Names of the machine itself: no request from elsewhere is addressed to them. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The digest of the sign-in code of a local service; undefined for a service that is not local, whatever its variables say. */
export const localCodeOf = ({ env }: Deps, hostname: string): string | undefined =>
  LOOPBACK.has(hostname) ? env.LOCAL_SIGN_IN_SHA256 : undefined;

/** The cookie of a new session for the code with this digest, once; undefined for another code or one that was used. */
export async function signInByCode(deps: Deps, digest: string, code: string): Promise<string | undefined> {
  const isCode = timingSafeEqual(Buffer.from(sha256(sha256(code))), Buffer.from(sha256(digest)));
  if (!isCode || (await query(deps.db, useCode(digest))).length === 0) return undefined;
  return newCookie(deps, BEARER_OF_SECRET);
}

/** Audited where the database takes it; undefined where the console is closed. */
async function newCookie(deps: Deps, { actor, tokenId }: Operator): Promise<string | undefined> {
  const key = cookieKey(deps);
  if (key === undefined) return undefined;
  const entry = { id: auditId(deps), occurredAt: deps.now(), actor, action: 'operator.signed_in', subject: 'console' } as const;
  try {
    await query(deps.db, auditWrite(entry));
  } catch (error) {
    // A database in trouble is what the operator signs in for. The log has what the audit trail lacks.
    deps.log.error('sign_in_not_audited', error);
  }
  const exp = Math.floor(deps.now() / 1000) + SESSION_SECONDS;
  const claims = { iss: ISSUER, jti: crypto.randomUUID(), exp, ...(tokenId === undefined ? {} : { sub: tokenId }) };
  return sign(claims, await signingKey(key), 'HS256');
}

/** True if the form was made for this session. */
export const isFormOf = (session: Session, formToken: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(formToken)), Buffer.from(sha256(session.formToken)));

interface SignedIn {
  readonly id: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Of the token that began it; undefined for the secret of the environment. */
  readonly tokenId: string | undefined;
}

/** What a cookie of ours says, until it expires. */
async function readCookie(deps: Deps, cookie: string): Promise<SignedIn | undefined> {
  const key = cookieKey(deps);
  if (key === undefined) return undefined;
  try {
    const { jti, exp, sub } = await verify(cookie, await signingKey(key), { alg: 'HS256', iss: ISSUER, exp: false });
    if (typeof jti !== 'string' || typeof exp !== 'number' || exp <= deps.now() / 1000) return undefined;
    return { id: jti, expiresAt: exp * 1000, tokenId: typeof sub === 'string' ? sub : undefined };
  } catch {
    // Not ours, or of a secret that has been changed.
    return undefined;
  }
}

function cookieKey(deps: Deps): string | undefined {
  const [token, signing] = [operatorTokenOf(deps) ?? '', usableSecret(deps.env.TOKEN_SIGNING_KEY)];
  return isInterfaceOpen(deps) && signing !== undefined
    ? createHmac('sha256', signing)
        .update(`console session ${epochWanted(deps)} ${token}`)
        .digest('hex')
    : undefined;
}

const sessionOf = (deps: Deps, { actor, role }: Operator, id: string, isOurs: boolean): Session => ({
  actor,
  role,
  formToken: createHmac('sha256', signingKeysOf(deps).current).update(`console form ${id}`).digest('base64url'),
  isOurs,
});
