/**
 * Secrets of importers: API keys and refresh tokens. Random, told once, stored as digests only.
 */
import { Buffer } from 'node:buffer';
import { sha256 } from '../shared/digest';

/** A secret as it is told to the importer, and the digest that is stored in its place. */
export interface MintedSecret {
  readonly secret: string;
  readonly hash: string;
}

const SECRET_BYTES = 32;
const API_KEY = 'sk_live_';
const REFRESH_TOKEN = 'rt_';

/** A new API key: `sk_live_` and 32 random bytes in base64url. */
export const mintApiKey = (): MintedSecret => minted(API_KEY);

/** A new refresh token: opaque, 32 random bytes in base64url. */
export const mintRefreshToken = (): MintedSecret => minted(REFRESH_TOKEN);

/** True for what has the form of an API key; all else cannot be one, so it need not be looked up. */
export const isApiKey = (text: string): boolean => hasForm(API_KEY, text);

/** True for what has the form of a refresh token. */
export const isRefreshToken = (text: string): boolean => hasForm(REFRESH_TOKEN, text);

/** The prefix and 32 bytes in base64url. */
const hasForm = (prefix: string, text: string): boolean => text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));

function minted(prefix: string): MintedSecret {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const secret = prefix + Buffer.from(bytes).toString('base64url');
  return { secret, hash: sha256(secret) };
}
