/**
 * A document of the bucket as an answer: what an importer put there is never shown as a page of this service.
 */
import type { OpenDocument } from '../account-reading';
import type { AppContext } from './app';

/** What a browser shows by itself though the answer is sandboxed. Everything else is saved. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain']);

const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function documentReply(c: AppContext, { name, mediaType = '', bytes, body }: OpenDocument): Response {
  const type = /^[\w.+-]+\/[\w.+-]+$/.exec(mediaType.split(';')[0]?.trim().toLowerCase() ?? '')?.[0] ?? 'application/octet-stream';
  return c.body(body, 200, {
    'Content-Type': type,
    'Content-Length': String(bytes),
    'Content-Disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; ${filenames(name)}`,
    'Content-Security-Policy': POLICY,
  });
}

/** The name in ASCII for whoever reads no other, and as it is (RFC 6266). */
function filenames(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename="${name.replace(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encoded}`;
}
