/**
 * The bytes of a document on their way into the bucket: digested and passed on part by part, the last one held back until the
 * document is known to be whole and wanted. So what is refused in the end was never stored.
 */
import { createHash } from 'node:crypto';
import type { Deps } from '../deps';
import { inTime } from './bucket';
import type { SentDigest } from './rules-digests';

/** In base64. */
export type Digests = Readonly<Record<SentDigest['algorithm'], string>>;

/** Where parts go; it never rejects, so that a body is read to its end whatever becomes of it. */
export type Sink = (part: Uint8Array) => Promise<void>;

export interface WholeBody {
  readonly digests: Digests;
  /** The part that was held back; undefined for an empty document. */
  readonly last: Uint8Array | undefined;
}

/** Reads `size` bytes, and passes all but the last part on; undefined where the sender hung up before. */
export async function readBody(body: ReadableStream<Uint8Array> | null, size: number, sink: Sink): Promise<WholeBody | undefined> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  const reader = body?.getReader();
  let held: Uint8Array | undefined;
  let total = 0;
  for (;;) {
    const read = await reader?.read().catch(() => undefined);
    if (reader && !read) return undefined;
    if (!read || read.done) break;
    const part = read.value;
    if (part.byteLength === 0) continue;
    total += part.byteLength;
    if (total > size) return undefined;
    md5.update(part);
    sha256.update(part);
    if (held) await sink(held);
    held = part;
  }
  return total === size ? { digests: { md5: md5.digest('base64'), sha256: sha256.digest('base64') }, last: held } : undefined;
}

/** How long the bucket may take for a document after its last byte. */
const STORE_MILLISECONDS = 60_000;

/** A document that is being stored under a key where there is none: never over another, which the bucket itself decides. */
export class Storing {
  readonly #put: (body: ReadableStream) => Promise<R2Object | null>;
  readonly #size: number;
  #begun:
    | { readonly writer: WritableStreamDefaultWriter<Uint8Array>; readonly stored: Promise<R2Object | null>; readonly over: Promise<void> }
    | undefined;
  #isOver = false;

  constructor({ documents, calls }: Pick<Deps, 'documents' | 'calls'>, key: string, size: number, contentType: string | undefined) {
    this.#size = size;
    this.#put = (body) => {
      calls.left--;
      return documents.put(key, body, {
        onlyIf: { etagDoesNotMatch: '*' },
        ...(contentType === undefined ? {} : { httpMetadata: { contentType } }),
      });
    };
  }

  /** Passes a part on. {@link finish} reports a failure; what comes after one is dropped. */
  readonly sink: Sink = async (part) => {
    const { writer, over } = this.#begin();
    if (!this.#isOver) await Promise.race([writer.write(part).catch(() => undefined), over]);
  };

  /** Stores what was passed on and the last part; null where there is a document already. Rejects where the bucket fails. */
  async finish(last: Uint8Array | undefined): Promise<R2Object | null> {
    const { writer, stored } = this.#begin();
    if (last) await this.sink(last);
    if (!this.#isOver) void writer.close().catch(() => undefined);
    return inTime(stored, STORE_MILLISECONDS);
  }

  /** Stores nothing: the bucket never sees the end. */
  async abandon(): Promise<void> {
    if (!this.#begun) return;
    const { writer, over } = this.#begun;
    void writer.abort(new Error('the document is not stored')).catch(() => undefined);
    await inTime(over, STORE_MILLISECONDS);
  }

  /** Not before there is something to store: an empty document would be whole at once. */
  #begin() {
    if (this.#begun) return this.#begun;
    const { readable, writable } = new FixedLengthStream(this.#size);
    const writer: WritableStreamDefaultWriter<Uint8Array> = writable.getWriter();
    writer.closed.catch(() => undefined);
    const stored = this.#put(readable);
    const end = () => {
      this.#isOver = true;
    };
    this.#begun = { writer, stored, over: stored.then(end, end) };
    return this.#begun;
  }
}
