/**
 * Reads a JSON body: media type, size, encoding, syntax. Own code because giving up in the middle of a body breaks the next
 * request of the connection: what is too large is read on and discarded before the answer.
 */
import { Bytes } from '../shared/bytes';
import { decodeJson, type Json } from '../shared/json';

/** §8: the largest JSON body, with or without Content-Length. */
export const MAX_BODY_BYTES = 1_048_576;
/** How much of an oversized body is drained before the connection is left to break. */
const MAX_DRAINED_BYTES = 64 * 1_048_576;

export type Body = Json | { readonly kind: 'unsupported_media_type' } | { readonly kind: 'too_large' };

/** True for `application/json` and `application/*+json` with no charset but UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!/^application\/(?:[\w.!#$&^-]+\+)?json$/.test(type)) return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Body> {
  if (!isJson(request.headers.get('content-type') ?? undefined)) return { kind: 'unsupported_media_type' };
  const encoding = request.headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') return { kind: 'unsupported_media_type' };
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { kind: 'too_large' };
  const bytes = await readBytes(request, maxBytes);
  if (!bytes) return { kind: 'too_large' };
  return decodeJson(bytes);
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!request.body) return new Uint8Array();
  const bytes = new Bytes();
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.byteLength;
    if (total <= maxBytes) bytes.append(chunk);
    else if (total > MAX_DRAINED_BYTES) break;
  }
  return total > maxBytes ? undefined : bytes.take();
}
