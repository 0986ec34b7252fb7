/**
 * Lines out of a body. Memory is bounded by the longest line allowed, whatever is sent and in whatever parts.
 */
import { Bytes } from '../shared/bytes';
import { MAX_BODY_BYTES, MAX_BULK_BYTES } from '../shared/sizes';
import type { BodySource } from './source';

/** §8, bulk. */
export const MAX_LINES = 10_000;

/** How long the sender may pause before what it sent so far is worked on. */
const PAUSE_MILLISECONDS = 100;
const NEWLINE = 10;

/** A line with its number, counted from 1; blank lines are counted but never given. */
export interface Line {
  readonly number: number;
  /** A view of what arrived, good until the next line is asked for. Undefined if the line is longer than allowed. */
  readonly bytes: Uint8Array | undefined;
}

export type Arrival =
  | { readonly kind: 'lines'; readonly lines: Iterable<Line> }
  /** Nothing came for a moment: the sender may be waiting for answers. */
  | { readonly kind: 'pause' }
  /** The body is over: all lines were given. `lines` is the number of the last one, blank or not. */
  | { readonly kind: 'end'; readonly lines: number }
  /** More was sent than a body may hold; the rest is not read. */
  | { readonly kind: 'too_large' }
  /** The body ended in the middle, or is not what its encoding says. */
  | { readonly kind: 'broken' };

export async function* linesOf(source: BodySource): AsyncGenerator<Arrival, void> {
  const splitter = new LineSplitter();
  let total = 0;
  for (;;) {
    const reading = source.read();
    if (await isSlow(reading)) yield { kind: 'pause' };
    const part = await reading;
    if (part === 'broken') return yield { kind: 'broken' };
    if (part === 'end') break;
    total += part.byteLength;
    if (total > MAX_BULK_BYTES) return yield { kind: 'too_large' };
    yield { kind: 'lines', lines: splitter.split(part) };
  }
  yield { kind: 'lines', lines: splitter.rest() };
  yield { kind: 'end', lines: splitter.count };
}

async function isSlow(reading: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), PAUSE_MILLISECONDS);
  });
  const isLate = await Promise.race([pause, reading.then(() => false)]);
  if (timer !== undefined) clearTimeout(timer);
  return isLate;
}

/** Cuts parts at newlines and keeps what is left for the next. */
class LineSplitter {
  readonly #rest = new Bytes();
  /** Of the line that is not over yet; what is longer than allowed is counted only. */
  #length = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  *split(part: Uint8Array): Generator<Line, void> {
    let start = 0;
    while (start < part.byteLength) {
      if (this.#length === 0) start = this.#afterBlankLines(part, start);
      const end = part.indexOf(NEWLINE, start);
      if (end < 0) return this.#keep(part.subarray(start));
      yield* this.#finish(part.subarray(start, end));
      start = end + 1;
    }
  }

  /** The last line, where no newline ends it. */
  *rest(): Generator<Line, void> {
    if (this.#length > 0) yield* this.#finish(new Uint8Array());
  }

  /** Where the first line begins that is not blank, or not whole yet. By hand: a body of newlines alone has 64 million lines. */
  #afterBlankLines(part: Uint8Array, from: number): number {
    let start = from;
    for (let i = from; i < part.byteLength; i++) {
      const byte = part[i];
      if (byte === NEWLINE) {
        this.#count += 1;
        start = i + 1;
      } else if (!isSpace(byte)) break;
    }
    return start;
  }

  #keep(part: Uint8Array): void {
    this.#length += part.byteLength;
    if (this.#length <= MAX_BODY_BYTES) this.#rest.append(part);
    else this.#rest.take();
  }

  *#finish(part: Uint8Array): Generator<Line, void> {
    this.#count += 1;
    const length = this.#length + part.byteLength;
    const isWhole = this.#length === 0;
    this.#length = 0;
    const rest = this.#rest.take();
    if (length > MAX_BODY_BYTES) return yield { number: this.#count, bytes: undefined };
    const bytes = isWhole ? part : joined(rest, part);
    if (!bytes.every(isSpace)) yield { number: this.#count, bytes };
  }
}

function joined(rest: Uint8Array, part: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(rest.byteLength + part.byteLength);
  bytes.set(rest);
  bytes.set(part, rest.byteLength);
  return bytes;
}

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;
