/**
 * Digests: of secrets, of notes, of payloads. Pure.
 */
import { createHash } from 'node:crypto';

/** SHA-256 of the text in UTF-8, lower-case hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The first 132 bits of the SHA-256 as 22 characters of base64url: equal digests mean equal texts, in a third of the space. */
export const shortDigest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** JSON with sorted keys: equal for equal values, whatever the order they were sent in. For decoded JSON of bounded depth. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`);
  return `{${fields.join(',')}}`;
}
