/**
 * Digests: of secrets, of notes, of payloads. Pure.
 */
import { hash } from 'node:crypto';

/** SHA-256 of the text in UTF-8, lower-case hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The first 132 bits of the SHA-256 as 22 characters of base64url: equal digests mean equal texts, in a third of the space. */
export const shortDigest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** JSON with sorted keys: equal for equal values, whatever the order they were sent in. For decoded JSON of bounded depth. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '' : ',') + canonicalJson(item);
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const child: unknown = Reflect.get(value, key);
    if (child !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(child)}`;
  }
  return `{${text}}`;
}
