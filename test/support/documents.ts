/** Documents as importers send them. */

import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import type { Answer, GivenSupplier } from './given';
import { checkAnswer } from './openapi';

export const DOCUMENTS = '/v2/data-import/documents';

/** The path of a document in an address, each segment encoded. */
export const addressOf = (code: string, path: string): string =>
  `${DOCUMENTS}/${encodeURIComponent(code)}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** A body of so many bytes that come in parts, with the length that its request announces. */
export function announced(size: number, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(size);
  const write = async () => {
    const writer: WritableStreamDefaultWriter<Uint8Array> = writable.getWriter();
    for await (const part of parts) await writer.write(part);
    await writer.close();
  };
  write().catch(() => undefined);
  return readable;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly code?: string;
}

/** Puts a document under a supplier; a path that begins with the address is taken as it is. */
export async function put(
  given: GivenSupplier,
  path: string,
  body: BodyInit | null,
  { headers = {}, token = given.token, code = given.code }: Sending = {},
): Promise<Answer> {
  const address = path.startsWith(DOCUMENTS) ? path : addressOf(code, path);
  const size = typeof body === 'string' ? new TextEncoder().encode(body).length : body instanceof Uint8Array ? body.byteLength : undefined;
  const response = await exports.default.fetch(
    new Request(`https://import.test${address}`, {
      method: 'PUT',
      headers: { Authorization: `Token ${token}`, ...(size === undefined ? {} : { 'Content-Length': String(size) }), ...headers },
      body,
    }),
  );
  const text = await response.text();
  checkAnswer('PUT', address, { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** What lies under a key, as text; undefined if nothing does. */
export const textAt = async (key: string): Promise<string | undefined> => (await env.DOCUMENTS.get(key))?.text();

/** The keys under a root. */
export const keysUnder = async (root: string): Promise<string[]> =>
  (await env.DOCUMENTS.list({ prefix: root })).objects.map(({ key }) => key);

export const md5 = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('base64');
export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('base64');
