/**
 * Access tokens (§5): HS256 JWTs of 60 minutes, verified without a look at the database. Whether the key that obtained one
 * has been revoked since is read with the state for each request.
 */
import { sign, verify } from 'hono/jwt';
import { signingKey } from '../shared/secrets';

const ISSUER = 'account-data-import';
export const TOKEN_LIFETIME_SECONDS = 3_600;

/** Who calls: the organisation and the API key the token was obtained with. */
export interface Caller {
  readonly organisationId: string;
  readonly apiKeyId: string;
  /** True if the key may change nothing. */
  readonly isReadOnly?: boolean;
}

/** The claims as the mutation's `payload` shows them; times in Unix seconds. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly kid: string;
  readonly iat: number;
  readonly exp: number;
  /** Only of a key that may change nothing. */
  readonly scope?: 'read';
}

export interface SigningKeys {
  readonly current: string;
  /** Still accepted, never used to sign: keys are rotated without an outage. */
  readonly previous?: string | undefined;
}

export async function issueToken(caller: Caller, keys: SigningKeys, now: number): Promise<{ token: string; claims: Claims }> {
  const iat = Math.floor(now / 1000);
  const { organisationId: sub, apiKeyId: kid, isReadOnly = false } = caller;
  const claims: Claims = { iss: ISSUER, sub, kid, iat, exp: iat + TOKEN_LIFETIME_SECONDS, ...(isReadOnly ? { scope: 'read' } : {}) };
  return { token: await sign({ ...claims }, await signingKey(keys.current), 'HS256'), claims };
}

/** Verifies algorithm, signature, issuer and lifetime. Returns undefined for every token that is not good right now. */
export async function verifyToken(token: string, keys: SigningKeys, now: number): Promise<Caller | undefined> {
  for (const key of [keys.current, keys.previous]) {
    if (!key) continue;
    try {
      const claims = await verify(token, await signingKey(key), { alg: 'HS256', iss: ISSUER, exp: false, iat: false, nbf: false });
      const { sub, kid, exp, iat, scope } = claims;
      if (typeof sub !== 'string' || typeof kid !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') return undefined;
      if (exp <= now / 1000 || iat > now / 1000 + 60) return undefined;
      return { organisationId: sub, apiKeyId: kid, ...(scope === undefined ? {} : { isReadOnly: true }) };
    } catch {
      // Not signed by this key; the previous one may have signed it.
    }
  }
  return undefined;
}
