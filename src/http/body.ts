/**
 * Reads a JSON body: media type, size, encoding, syntax. Own code because giving up in the middle of a body breaks the next
 * request of the connection: what is too large is read on and discarded before the answer.
 */
import { Bytes, PART_BYTES, partsOf } from '../shared/bytes';
import { decodeJson, type Json } from '../shared/json';
import { MAX_BODY_BYTES, MAX_DRAINED_BYTES } from '../shared/sizes';
import type { AppContext } from './app';

/** What of a body's head is not taken. */
export type MediaProblem = 'type' | 'charset' | 'encoding';

export type Body =
  | Json
  | { readonly kind: 'unsupported_media_type'; readonly problem: MediaProblem }
  | { readonly kind: 'too_large' }
  /** The sender hung up before the end. */
  | { readonly kind: 'cut' };

/** True for `application/json` and `application/*+json`. */
const isJson = (type: string): boolean => /^application\/(?:[\w.!#$&^-]+\+)?json$/.test(type);

/** The encoding of a body that is sent as it is. */
export const IDENTITY = 'identity';

/** The encoding that the head of a body names, in lower case. */
export const encodingOf = (headers: Headers): string => headers.get('content-encoding')?.trim().toLowerCase() || IDENTITY;

/** What is wrong with the head of a body: its type, a charset that is not UTF-8, or an encoding that is not taken; in this order. */
export function mediaProblem(
  headers: Headers,
  isType: (type: string) => boolean,
  encodings: readonly string[] = [IDENTITY],
): MediaProblem | undefined {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!isType(type)) return 'type';
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return 'charset';
  return encodings.includes(encodingOf(headers)) ? undefined : 'encoding';
}

/** Reads the body of a request. That the sender hung up is logged at once: who is gone may not let the answer be finished. */
export async function readJson(c: AppContext): Promise<Body> {
  const { raw: request } = c.req;
  const problem = mediaProblem(request.headers, isJson);
  if (problem) return { kind: 'unsupported_media_type', problem };
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return { kind: 'too_large' };
  const bytes = await readBytes(request);
  if (bytes === 'cut') {
    c.var.deps.log.info('body_cut', { request_id: c.var.requestId, method: c.req.method, route: c.req.routePath });
    return { kind: 'cut' };
  }
  return bytes === 'too_large' ? { kind: 'too_large' } : decodeJson(bytes);
}

async function readBytes({ body, headers }: Request): Promise<Uint8Array | 'too_large' | 'cut'> {
  if (!body) return new Uint8Array();
  const announced = Number(headers.get('content-length') ?? 0) || PART_BYTES;
  const parts = partsOf(body, Math.min(announced, PART_BYTES));
  const bytes = new Bytes();
  let total = 0;
  try {
    for (let part = await parts.read(); !part.done; part = await parts.read()) {
      total += part.value.byteLength;
      if (total <= MAX_BODY_BYTES) bytes.append(part.value);
      else if (total > MAX_DRAINED_BYTES) {
        await parts.cancel();
        break;
      }
    }
  } catch {
    // Nothing but the connection to the sender can fail here.
    return 'cut';
  }
  return total > MAX_BODY_BYTES ? 'too_large' : bytes.take();
}
