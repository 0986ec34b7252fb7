/**
 * Obtains an access token and a refresh token for an API key or for an earlier refresh token (§5.2).
 */
import { isErrorOfSql, query } from '../db';
import type { Deps } from '../deps';
import { DAY_MILLISECONDS } from '../shared/dates';
import { sha256 } from '../shared/digest';
import { isApiKey, isRefreshToken, mintRefreshToken } from './keys';
import { signingKeysOf } from './signing-keys';
import { exchangeRefreshToken, type NewRefreshToken, ownerOfKey, ownerOfRefreshToken, storeRefreshToken } from './store';
import { type Caller, type Claims, issueToken } from './token';

export const REFRESH_LIFETIME_MILLISECONDS = 7 * DAY_MILLISECONDS;

/** As given in the mutation's input; `null` and `''` are "not given". */
export interface Credentials {
  readonly APIKey?: string | null;
  readonly organizationSecretKey?: string | null;
  readonly refreshToken?: string | null;
}

/** The next refresh token. */
interface Refresh {
  readonly token: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export type Obtained =
  | {
      readonly kind: 'obtained';
      readonly token: string;
      readonly payload: Claims;
      /** Undefined where it could not be stored: the API key obtains the next token. */
      readonly refresh: Refresh | undefined;
    }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'not_one_credential' }
  | { readonly kind: 'bad_api_key' }
  | { readonly kind: 'refresh_token_expired' }
  | { readonly kind: 'refresh_token_invalid' };

/**
 * What cannot be a credential is refused by its form; the rate of the client address is asked before anything is looked up, the
 * rate of the organisation before anything is stored or spent.
 */
export async function obtainToken(deps: Deps, credentials: Credentials, clientAddress: string): Promise<Obtained> {
  const keys = signingKeysOf(deps);
  const { APIKey: apiKey, organizationSecretKey: secretKey, refreshToken } = credentials;
  const [given, ...others] = [apiKey, secretKey, refreshToken].filter((credential) => credential);
  if (!given || others.length > 0) return { kind: 'not_one_credential' };
  if (refreshToken ? !isRefreshToken(given) : !isApiKey(given)) return { kind: refreshToken ? 'refresh_token_invalid' : 'bad_api_key' };
  const { success: isWithinRate } = await deps.env.TOKEN_RATE.limit({ key: clientAddress });
  if (!isWithinRate) return { kind: 'throttled' };
  const now = deps.now();
  const minted = mintRefreshToken();
  const fresh = { hash: minted.hash, expiresAt: now + REFRESH_LIFETIME_MILLISECONDS, now };
  const granted = await (refreshToken ? bySpending(deps, given, fresh) : byKey(deps, given, fresh));
  if ('kind' in granted) return granted;
  const { token, claims } = await issueToken(granted.caller, keys, now);
  const refresh = { token: minted.secret, expiresAt: Math.floor(fresh.expiresAt / 1000) };
  return { kind: 'obtained', token, payload: claims, refresh: granted.isRefreshStored ? refresh : undefined };
}

type Granted = { readonly caller: Caller; readonly isRefreshStored: boolean } | Exclude<Obtained, { readonly kind: 'obtained' }>;

async function byKey(deps: Deps, apiKey: string, fresh: NewRefreshToken): Promise<Granted> {
  const hash = sha256(apiKey);
  const [owner] = await query(deps.db, ownerOfKey({ keyHash: hash }));
  if (!owner) return { kind: 'bad_api_key' };
  if (!(await isWithinRateOf(deps, owner.organisationId))) return { kind: 'throttled' };
  try {
    const caller = await storeRefreshToken(deps.db, hash, fresh);
    return caller ? { caller, isRefreshStored: true } : { kind: 'bad_api_key' };
  } catch (error) {
    if (isErrorOfSql(error)) throw error;
    // The key was in force a moment ago, and every request of its token asks again: nothing but convenience is lost.
    deps.log.error('refresh_token_not_stored', error);
    return { caller: owner, isRefreshStored: false };
  }
}

/** A refresh token that cannot be spent obtains nothing: it would be good for any number of uses. */
async function bySpending(deps: Deps, refreshToken: string, fresh: NewRefreshToken): Promise<Granted> {
  const hash = sha256(refreshToken);
  const [owner] = await query(deps.db, ownerOfRefreshToken({ hash, now: fresh.now }));
  if (!owner) return { kind: 'refresh_token_invalid' };
  if (owner.isExpired) return { kind: 'refresh_token_expired' };
  if (!(await isWithinRateOf(deps, owner.organisationId))) return { kind: 'throttled' };
  const caller = await exchangeRefreshToken(deps.db, hash, fresh);
  return caller ? { caller, isRefreshStored: true } : { kind: 'refresh_token_invalid' };
}

const isWithinRateOf = async (deps: Deps, organisationId: string): Promise<boolean> =>
  (await deps.env.ORGANISATION_RATE.limit({ key: organisationId })).success;
