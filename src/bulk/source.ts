/**
 * Where the bytes of a bulk body come from: as they are, or out of gzip, in small parts and never faster than they are read.
 */

import { PART_BYTES, partsOf } from '../shared/bytes';
import { MAX_DRAINED_BYTES } from '../shared/sizes';

/** A part, or why there is none. */
export type Part = Uint8Array | 'end' | 'broken';

export interface BodySource {
  /** A part is good until the next one is asked for. */
  read(): Promise<Part>;
  /** Reads what is left and throws it away, to a bound: a body that is not read to its end breaks the connection's next request. */
  drain(): Promise<void>;
}

interface RawReader {
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
}

export const sourceOf = (body: ReadableStream<Uint8Array> | null, isGzip: boolean): Promise<BodySource> => {
  const stream = body ?? new Blob().stream();
  return isGzip ? gunzipped(stream.getReader()) : Promise.resolve(plain(partsOf(stream)));
};

const plain = (raw: RawReader): BodySource => ({
  read: () => partOf(raw),
  drain: () => drained(raw),
});

async function partOf(raw: RawReader): Promise<Part> {
  try {
    const { done, value } = await raw.read();
    return done ? 'end' : value;
  } catch {
    return 'broken';
  }
}

async function drained(raw: RawReader): Promise<void> {
  for (let total = 0; total <= MAX_DRAINED_BYTES; ) {
    const part = await partOf(raw);
    if (typeof part === 'string') return;
    total += part.byteLength;
  }
}

/** By zlib and not by a `DecompressionStream`: that one refuses several members in a row, as `cat a.gz b.gz` makes them. */
async function gunzipped(raw: RawReader): Promise<BodySource> {
  const { createGunzip } = await import('node:zlib');
  const gunzip = createGunzip({ chunkSize: PART_BYTES });
  const parts: AsyncIterator<Uint8Array> = gunzip[Symbol.asyncIterator]();
  let wake = () => {};
  for (const event of ['drain', 'close', 'error']) gunzip.on(event, () => wake());
  const feed = async () => {
    while (!gunzip.destroyed) {
      const part = await partOf(raw);
      if (part === 'broken') gunzip.destroy(new Error('the body was cut'));
      if (gunzip.destroyed) return;
      if (typeof part === 'string') return void gunzip.end();
      const isWanted = gunzip.write(part);
      if (!isWanted) await new Promise<void>((resume) => (wake = resume));
    }
  };
  let feeding: Promise<void> | undefined;
  return {
    async read() {
      try {
        const reading = parts.next();
        feeding ??= feed();
        const { done, value } = await reading;
        return done ? 'end' : value;
      } catch {
        return 'broken';
      }
    },
    async drain() {
      gunzip.destroy();
      await feeding;
      await drained(raw);
    },
  };
}
