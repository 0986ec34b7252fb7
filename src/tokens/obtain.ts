/**
 * Obtains an access token and a refresh token for an API key or for an earlier refresh token (§5.2).
 */
import type { Deps } from '../deps';
import { sha256 } from '../shared/digest';
import { mintRefreshToken } from './keys';
import { exchangeApiKey, exchangeRefreshToken } from './store';
import { type Caller, type Claims, issueToken } from './token';

export const REFRESH_LIFETIME_MILLISECONDS = 7 * 86_400_000;

/** As given in the mutation's input; `null` and `''` are "not given". */
export interface Credentials {
  readonly APIKey?: string | null;
  readonly organizationSecretKey?: string | null;
  readonly refreshToken?: string | null;
}

export type Obtained =
  | {
      readonly kind: 'obtained';
      readonly token: string;
      readonly payload: Claims;
      readonly refreshToken: string;
      /** Unix seconds. */
      readonly refreshExpiresAt: number;
    }
  | { readonly kind: 'not_one_credential' }
  | { readonly kind: 'bad_api_key' }
  | { readonly kind: 'refresh_token_expired' }
  | { readonly kind: 'refresh_token_invalid' };

export async function obtainToken(deps: Deps, credentials: Credentials): Promise<Obtained> {
  const { APIKey: apiKey, organizationSecretKey: secretKey, refreshToken } = credentials;
  const [given, ...others] = [apiKey, secretKey, refreshToken].filter((credential) => credential);
  if (!given || others.length > 0) return { kind: 'not_one_credential' };
  const now = deps.now();
  const minted = mintRefreshToken();
  const fresh = { hash: minted.hash, expiresAt: now + REFRESH_LIFETIME_MILLISECONDS, now };
  const caller = await (refreshToken ? bySpending(deps, given, fresh) : byKey(deps, given, fresh));
  if ('kind' in caller) return caller;
  const { token, claims } = await issueToken(caller, { current: deps.env.TOKEN_SIGNING_KEY }, now);
  return {
    kind: 'obtained',
    token,
    payload: claims,
    refreshToken: minted.secret,
    refreshExpiresAt: Math.floor(fresh.expiresAt / 1000),
  };
}

type Fresh = Parameters<typeof exchangeApiKey>[2];

async function byKey(deps: Deps, apiKey: string, fresh: Fresh): Promise<Caller | Obtained> {
  return (await exchangeApiKey(deps.db, sha256(apiKey), fresh)) ?? { kind: 'bad_api_key' };
}

async function bySpending(deps: Deps, refreshToken: string, fresh: Fresh): Promise<Caller | Obtained> {
  const exchange = await exchangeRefreshToken(deps.db, sha256(refreshToken), fresh);
  if (exchange.kind === 'exchanged') return exchange.caller;
  return { kind: exchange.kind === 'expired' ? 'refresh_token_expired' : 'refresh_token_invalid' };
}
