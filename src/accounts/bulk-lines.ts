/**
 * Lines out of a byte stream. Memory is bounded by the longest line allowed, whatever is sent.
 */

/** §8, bulk. */
export const MAX_LINE_BYTES = 1_048_576;
export const MAX_BULK_BYTES = 64 * 1_048_576;
export const MAX_LINES = 10_000;

/** How long the sender may pause before what it sent so far is worked on. */
const PAUSE_MILLISECONDS = 100;
const NEWLINE = 10;

/** A line with its number, counted from 1; blank lines are counted but never given. */
export interface Line {
  readonly number: number;
  /** Undefined if the line is longer than allowed. */
  readonly bytes: Uint8Array | undefined;
}

export type Arrival =
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  /** Nothing came for a moment: the sender may be waiting for answers. */
  | { readonly kind: 'pause' }
  /** The sender hung up in the middle of the body. */
  | { readonly kind: 'cut' }
  /** More was sent than a body may hold; the rest is not read. */
  | { readonly kind: 'too_large' };

export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Arrival, void> {
  const reader = body.getReader();
  const splitter = new LineSplitter();
  let total = 0;
  for (;;) {
    const reading = reader.read().catch((): 'cut' => 'cut');
    if (await isSlow(reading)) yield { kind: 'pause' };
    const read = await reading;
    if (read === 'cut') {
      yield { kind: 'cut' };
      return;
    }
    const { done, value } = read;
    if (done) break;
    total += value.byteLength;
    if (total > MAX_BULK_BYTES) {
      yield { kind: 'too_large' };
      return;
    }
    yield { kind: 'lines', lines: splitter.push(value) };
  }
  yield { kind: 'lines', lines: splitter.end() };
}

async function isSlow(reading: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), PAUSE_MILLISECONDS);
  });
  const isLate = await Promise.race([pause, reading.then(() => false)]);
  clearTimeout(timer);
  return isLate;
}

/** Cuts chunks at newlines and keeps what is left for the next. */
class LineSplitter {
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #number = 0;

  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(...this.#finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  end(): Line[] {
    return this.#restBytes > 0 ? this.#finish(new Uint8Array()) : [];
  }

  #keep(part: Uint8Array): void {
    if (part.byteLength === 0) return;
    this.#restBytes += part.byteLength;
    // Past the limit the bytes are of no use any more.
    if (this.#restBytes <= MAX_LINE_BYTES) this.#rest.push(part.slice());
    else this.#rest = [];
  }

  #finish(part: Uint8Array): Line[] {
    this.#number += 1;
    const length = this.#restBytes + part.byteLength;
    const rest = this.#rest;
    this.#rest = [];
    this.#restBytes = 0;
    if (length > MAX_LINE_BYTES) return [{ number: this.#number, bytes: undefined }];
    const bytes = rest.length === 0 ? part : joined([...rest, part], length);
    return isBlank(bytes) ? [] : [{ number: this.#number, bytes }];
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
