/**
 * Who operates (contract 12): the bearer of the operator token, or a person whom Cloudflare Access has let in. With neither
 * configured nobody is.
 */

import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps';
import { sha256 } from '../shared/digest';
import { usableSecret } from '../shared/secrets';
import { verifyAssertion } from './access';

export interface Operator {
  /** As the audit trail names it: `operator`, or the e-mail address of the Access identity. */
  readonly actor: string;
}

export interface OperatorCredentials {
  readonly authorization: string | undefined;
  /** `Cf-Access-Jwt-Assertion`. A browser carries it by itself, so it is worth nothing on a request of another site. */
  readonly assertion: string | undefined;
  readonly isCrossSite: boolean;
}

export type OperatorAuthentication =
  | { readonly kind: 'authenticated'; readonly operator: Operator }
  | { readonly kind: 'not_authenticated' }
  | { readonly kind: 'authentication_failed' }
  /** An assertion that cannot be verified right now: a failure of ours. */
  | { readonly kind: 'keys_unavailable' };

export async function authenticateOperator(deps: Deps, credentials: OperatorCredentials): Promise<OperatorAuthentication> {
  const { authorization, assertion, isCrossSite } = credentials;
  if (authorization) {
    const token = /^bearer\s+(\S+)\s*$/i.exec(authorization.trim())?.[1];
    return token !== undefined && isOperatorToken(deps, token)
      ? { kind: 'authenticated', operator: { actor: 'operator' } }
      : { kind: 'authentication_failed' };
  }
  if (!assertion) return { kind: 'not_authenticated' };
  if (isCrossSite) return { kind: 'authentication_failed' };
  const outcome = await verifyAssertion(deps, assertion);
  switch (outcome.kind) {
    case 'actor':
      return { kind: 'authenticated', operator: { actor: outcome.actor } };
    case 'refused':
      return { kind: 'authentication_failed' };
    case 'keys_unavailable':
      return outcome;
  }
}

/** The operator token, if one is set that is long enough: with a shorter one the interface is as closed as without any. */
export const operatorTokenOf = ({ env }: Deps): string | undefined => usableSecret(env.OPERATOR_TOKEN);

/** Compares digests in constant time. False when no token is configured. */
export function isOperatorToken(deps: Deps, token: string): boolean {
  const expected = operatorTokenOf(deps);
  return expected !== undefined && timingSafeEqual(Buffer.from(sha256(token)), Buffer.from(sha256(expected)));
}
