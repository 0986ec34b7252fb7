/**
 * Cursors of the importers' lists: the external account number, or the document path, that a page begins after, in base64url. They say nothing of how much
 * others import.
 */
import type { AppContext } from './app';

/** The number in a cursor; undefined without one. One that cannot be read is the empty number, which no account has. */
export function numberIn(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** A `Link` header to the page after the account with this number. */
export function linkToNext(c: AppContext, parameters: Readonly<Record<string, string>>, lastNumber: string): string {
  const cursor = btoa(String.fromCharCode(...new TextEncoder().encode(lastNumber)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const url = new URL(c.req.url);
  url.search = new URLSearchParams({ ...parameters, cursor }).toString();
  return `<${url.href}>; rel="next"`;
}
