/**
 * From bytes to a JSON value. Pure.
 */
import { excessOf } from './bounds';
import { parseExactly } from './literals';

export type Json =
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'malformed'; readonly detail: string };

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** From bytes to a JSON value. UTF-8 only; a byte order mark is passed over. */
export function decodeJson(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return { kind: 'malformed', detail: 'JSON parse error: the body is not UTF-8.' };
  }
  return parseJson(text);
}

export function parseJson(text: string): Json {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    return { kind: 'malformed', detail: 'JSON parse error: the body is not valid JSON.' };
  }
  const excess = excessOf(value);
  if (excess !== undefined) return { kind: 'malformed', detail: `JSON parse error: ${excess}.` };
  return { kind: 'json', value, text };
}
