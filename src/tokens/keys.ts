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

/** A new API key: `sk_live_` and 32 random bytes in base64url. */
export const mintApiKey = (): MintedSecret => minted('sk_live_');

/** A new refresh token: opaque, 32 random bytes in base64url. */
export const mintRefreshToken = (): MintedSecret => minted('rt_');

function minted(prefix: string): MintedSecret {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const secret = prefix + Buffer.from(bytes).toString('base64url');
  return { secret, hash: sha256(secret) };
}
