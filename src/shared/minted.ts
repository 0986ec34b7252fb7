/**
 * Secrets that the service makes: random, shown once, stored as digests only.
 */
import { Buffer } from 'node:buffer';
import { sha256 } from './digest';

/** A secret as it is shown to its owner, and what is stored in its place. */
export interface MintedSecret {
  readonly secret: string;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** The last four characters of the secret: enough to distinguish secrets, worth nothing to a guesser. */
  readonly lastFour: string;
}

const SECRET_BYTES = 32;

/** A new secret: the prefix and 32 random bytes in base64url. */
export function mintSecret(prefix: string): MintedSecret {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const secret = prefix + Buffer.from(bytes).toString('base64url');
  return { secret, hash: sha256(secret), lastFour: secret.slice(-4) };
}

/** True for what has the form of such a secret: the prefix and 32 bytes in base64url. */
export const hasFormOfSecret = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
