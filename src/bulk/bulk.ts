/**
 * A bulk request (ours): lines in, answers line by line out, in order, while the body is still coming. The last line says that the
 * answer is whole; without it the client sends again what it has no answer for, and nothing is doubled.
 */
import type { Deps } from '../deps';
import { type Line, linesOf, MAX_LINES } from './lines';
import type { BodySource } from './source';

/** Lines that are answered together. */
export const SLICE_LINES = 500;

export const TOO_MANY_LINES = `Send this line and those after it in a request of their own: one holds at most ${MAX_LINES} lines.`;

/** What is done with the lines of one bulk request. */
export interface BulkWork {
  /** Bytes of the lines of a slice, save that a slice has at least one line. */
  readonly sliceBytes: number;
  /** Yields the answers to the lines of a slice as NDJSON text, in order. */
  readonly answersTo: (lines: readonly Line[]) => AsyncGenerator<string, void>;
  /** The answer to a line beyond `MAX_LINES`. */
  readonly tooManyLines: (line: number) => string;
}

/** How an answer ended: only a whole one has its last line. */
export type BulkEnd = 'whole' | 'too_many_lines' | 'too_large' | 'broken';

/** Yields NDJSON text, piece by piece, each of whole lines. */
export async function* bulkAnswers(deps: Deps, source: BodySource, work: BulkWork): AsyncGenerator<string, BulkEnd> {
  let slice: Line[] = [];
  let [bytes, lines] = [0, 0];
  const answers = () => {
    const full = slice;
    [slice, bytes] = [[], 0];
    return work.answersTo(full);
  };
  for await (const arrival of linesOf(source)) {
    switch (arrival.kind) {
      case 'lines':
        for (const line of arrival.lines) {
          lines += 1;
          if (lines > MAX_LINES) {
            yield* answers();
            yield work.tooManyLines(line.number);
            await source.drain();
            return 'too_many_lines';
          }
          const size = line.bytes?.byteLength ?? 0;
          if (slice.length >= SLICE_LINES || (slice.length > 0 && bytes + size > work.sliceBytes)) yield* answers();
          // A copy: the line is a view of a part that may hold much else. (`slice` of a Buffer, as zlib gives them, is none.)
          slice.push({ number: line.number, bytes: line.bytes && new Uint8Array(line.bytes) });
          bytes += size;
        }
        break;
      case 'pause':
        if (slice.length > 0) yield* answers();
        break;
      case 'end':
        if (slice.length > 0) yield* answers();
        yield `${JSON.stringify({ done: true, lines: arrival.lines })}\n`;
        return 'whole';
      case 'too_large':
      case 'broken':
        deps.log.info('body_cut', { why: arrival.kind, lines });
        await source.drain();
        return arrival.kind;
    }
  }
  return 'broken';
}
