/**
 * Who operates (§10): the bearer of the secret of the environment or of a token with a name, or a person whom Cloudflare Access has
 * let in. With neither the secret nor Access configured nobody is.
 */

import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { query } from '../db';
import type { Deps } from '../deps';
import { sha256 } from '../shared/digest';
import { hasFormOfSecret } from '../shared/minted';
import { usableSecret } from '../shared/secrets';
import { verifyAssertion } from './access';
import { actorOfToken, type Operator, ROLES } from './tokens/rules';
import { operatorTokenByHash } from './tokens/store';
import { OPERATOR_TOKEN_PREFIX } from './tokens/tokens';

export interface OperatorCredentials {
  readonly authorization: string | undefined;
  /** `Cf-Access-Jwt-Assertion`. A browser carries it by itself, so it is worth nothing on a request of another site. */
  readonly assertion: string | undefined;
  readonly isCrossSite: boolean;
  readonly clientAddress: string;
}

type OfToken =
  | { readonly kind: 'authenticated'; readonly operator: Operator }
  | { readonly kind: 'authentication_failed' }
  /** More tokens of one client address than may be looked up. */
  | { readonly kind: 'throttled' };

type OfAssertion =
  | { readonly kind: 'authenticated'; readonly operator: Operator }
  | { readonly kind: 'not_authenticated' }
  | { readonly kind: 'authentication_failed' }
  /** It cannot be verified right now: a failure of ours. */
  | { readonly kind: 'keys_unavailable' };

export async function authenticateOperator(deps: Deps, credentials: OperatorCredentials): Promise<OfToken | OfAssertion> {
  const { authorization, assertion, isCrossSite, clientAddress } = credentials;
  if (!authorization) return operatorOfAssertion(deps, assertion, isCrossSite);
  const token = /^bearer\s+(\S+)\s*$/i.exec(authorization.trim())?.[1];
  return token === undefined ? { kind: 'authentication_failed' } : operatorOfToken(deps, token, clientAddress);
}

/** Whom Cloudflare Access speaks for. Its own rules decide who comes in, so they may do everything. */
export async function operatorOfAssertion(deps: Deps, assertion: string | undefined, isCrossSite: boolean): Promise<OfAssertion> {
  if (!assertion) return { kind: 'not_authenticated' };
  if (isCrossSite) return { kind: 'authentication_failed' };
  const outcome = await verifyAssertion(deps, assertion);
  switch (outcome.kind) {
    case 'actor':
      return { kind: 'authenticated', operator: { actor: outcome.actor, role: 'administer' } };
    case 'refused':
      return { kind: 'authentication_failed' };
    case 'keys_unavailable':
      return outcome;
  }
}

/** The bearer of the secret of the environment. */
export const BEARER_OF_SECRET: Operator = { actor: 'operator', role: 'administer' };

/**
 * Whose token it is; the secret needs no database. What cannot be one is refused by its form; a client address has as many look-ups as it has for API keys. Digests
 * are compared in constant time.
 */
export async function operatorOfToken(deps: Deps, token: string, clientAddress: string): Promise<OfToken> {
  if (isOperatorToken(deps, token)) return { kind: 'authenticated', operator: BEARER_OF_SECRET };
  if (!isInterfaceOpen(deps) || !hasFormOfSecret(OPERATOR_TOKEN_PREFIX, token)) return { kind: 'authentication_failed' };
  const { success } = await deps.env.TOKEN_RATE.limit({ key: `operator ${clientAddress}` });
  if (!success) return { kind: 'throttled' };
  const hash = sha256(token);
  const [found] = await query(deps.db, operatorTokenByHash({ hash }));
  const operator = found && areEqual(found.hash, hash) ? operatorOf(found) : undefined;
  return operator ? { kind: 'authenticated', operator } : { kind: 'authentication_failed' };
}

/** The operator of a token; undefined where this release does not know its role. */
export function operatorOf({
  id,
  name,
  role,
}: {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}): Operator | undefined {
  const known = ROLES.find((one) => one === role);
  return known && { actor: actorOfToken(name), role: known, tokenId: id };
}

/** The operator token of the environment, if one is set that is long enough: with a shorter one the interface is as closed as without any. */
export const operatorTokenOf = ({ env }: Deps): string | undefined => usableSecret(env.OPERATOR_TOKEN);

/** False where neither the secret nor Cloudflare Access is configured: then no credential counts. */
export const isInterfaceOpen = (deps: Deps): boolean =>
  operatorTokenOf(deps) !== undefined || Boolean(deps.env.ACCESS_TEAM_DOMAIN && deps.env.ACCESS_AUDIENCE);

/** Compares digests in constant time. False when no secret is configured. */
export function isOperatorToken(deps: Deps, token: string): boolean {
  const expected = operatorTokenOf(deps);
  return expected !== undefined && areEqual(sha256(token), sha256(expected));
}

/** Digests, which are all of one length. */
const areEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
