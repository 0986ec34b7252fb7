/**
 * Digests that are sent with a document: `Content-MD5` (RFC 1864) and `sha-256` of `Repr-Digest` (RFC 9530). Pure.
 */
import { type FieldError, fieldError } from '../shared/errors';

export interface SentDigest {
  readonly header: 'Content-MD5' | 'Repr-Digest';
  readonly algorithm: 'md5' | 'sha256';
  /** In base64. */
  readonly digest: string;
}

export interface SentDigests {
  readonly digests: readonly SentDigest[];
  readonly errors: readonly FieldError[];
}

const MD5 = /^[A-Za-z0-9+/]{22}==$/;
const SHA_256 = /^:([A-Za-z0-9+/]{43}=):$/;

/** Reads the headers as they were sent. Algorithms of `Repr-Digest` other than `sha-256` are passed over. Code: `invalid`, at the header. */
export function sentDigests(contentMd5: string | undefined, reprDigest: string | undefined): SentDigests {
  const digests: SentDigest[] = [];
  const errors: FieldError[] = [];
  const md5 = contentMd5?.trim();
  if (md5 !== undefined && MD5.test(md5)) digests.push({ header: 'Content-MD5', algorithm: 'md5', digest: md5 });
  else if (md5 !== undefined) errors.push(fieldError(['Content-MD5'], 'invalid', 'Send the MD5 of the document in base64.'));
  // Of a name that is given twice the last one counts (RFC 9651).
  const sha = (reprDigest ?? '')
    .split(',')
    .map((member) => /^\s*sha-256=(\S*?)\s*(?:;.*)?$/.exec(member)?.[1])
    .findLast((value) => value !== undefined);
  const digest = SHA_256.exec(sha ?? '')?.[1];
  if (digest !== undefined) digests.push({ header: 'Repr-Digest', algorithm: 'sha256', digest });
  else if (sha !== undefined)
    errors.push(fieldError(['Repr-Digest'], 'invalid', 'Send sha-256=:…: with the SHA-256 of the document in base64.'));
  return { digests, errors };
}

/** An error for each digest that is not the one found. Code: `digest_mismatch`, at the header. */
export const mismatches = (digests: readonly SentDigest[], found: Readonly<Record<SentDigest['algorithm'], string>>): FieldError[] =>
  digests
    .filter(({ algorithm, digest }) => found[algorithm] !== digest)
    .map(({ header }) => fieldError([header], 'digest_mismatch', 'The document that came is not the one of this digest. Send it again.'));
