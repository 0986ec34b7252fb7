/**
 * Document paths (§2.1) as payloads name them: relative to a root that is configured per supplier. Pure.
 *
 * Object keys are raw strings: nothing behind this rule would stop a path from leaving its root.
 */
import type { Problem } from './errors';
import { isLine, utf8Length } from './unicode';

/** The longest object key the store takes, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;

export const INVALID_DOCUMENT_PATH: Problem = {
  code: 'invalid_document_path',
  detail: 'Enter a path relative to the document root: no empty, "." or ".." segment, no backslash or control character.',
};

/** True if the text has more bytes than a key may have; only a text near the limit is encoded to be counted. */
export const isLongerThanKey = (text: string): boolean => text.length * 3 > MAX_KEY_BYTES && utf8Length(text) > MAX_KEY_BYTES;

/** The form in which the root of a supplier's documents is stored and compared: NFC, no slash at its ends. `''` is no root. */
export const documentsRoot = (text: string): string => text.replace(/^\/+|\/+$/g, '').normalize('NFC');

/** Before NFC; what is longer does not become a key that fits. */
const MAX_SENT_CHARACTERS = 3 * MAX_KEY_BYTES;
/**
 * Putting marks in order takes quadratic time, so a run has an end: 30 as in Unicode's Stream-Safe Text Format (UAX 15). Looked for where
 * a run begins only: from every mark of it anew would be 30 times as much.
 */
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u;

/** The beginning of a path, without its one allowed leading `/`, in NFC; undefined if no path begins like this. */
export function documentPrefix(text: string): string | undefined {
  if (text.length > MAX_SENT_CHARACTERS || !isLine(text) || text.includes('\\') || TOO_MANY_MARKS.test(text)) return undefined;
  const path = (text.startsWith('/') ? text.slice(1) : text).normalize('NFC');
  return isLongerThanKey(path) ? undefined : path;
}

/** The path without its one allowed leading `/`, in NFC; undefined if it is refused whatever the root. */
export function relativeDocumentPath(text: string): string | undefined {
  const path = documentPrefix(text);
  const isRefused = path?.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
  return isRefused ? undefined : path;
}
