/**
 * Secrets of the deployment: which are long enough to be used at all, and what they sign with.
 */
import { Buffer } from 'node:buffer';

/** HS256 is as strong as its key up to 32 bytes (RFC 7518 §3.2); a shorter one can be guessed from any token it signed. */
export const MIN_SECRET_BYTES = 32;

/** The secret, if it is set and long enough. One that is not signs, opens and verifies nothing. */
export const usableSecret = (secret: string | undefined): string | undefined =>
  secret !== undefined && Buffer.byteLength(secret) >= MIN_SECRET_BYTES ? secret : undefined;

/** Thrown where a request needs a secret that is missing or too short: the operator has to set it. */
export class NotSetUp extends Error {
  override readonly name = 'NotSetUp';
}

/** The key of HS256 that a secret is, whatever its text: a library that is given text takes one with PUBLIC or PRIVATE in it for another kind. */
export const signingKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
