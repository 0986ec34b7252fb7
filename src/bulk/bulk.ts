/**
 * A bulk request (ours): lines in, answers line by line out, in order, while the body is still coming. The last line says that the
 * answer is whole; without it the client sends again what it has no answer for, and nothing is doubled.
 */
import type { Deps } from '../deps';
import type { SliceAnswers } from './answers';
import { type Line, linesOf, MAX_LINES } from './lines';
import type { BodySource } from './source';

/** Lines that are decided together. */
const SLICE_LINES = 500;

export const TOO_MANY_LINES = `Send this line and those after it in a request of their own: one holds at most ${MAX_LINES} lines.`;

/** A slice with its answers. `key_revoked`: nothing of it was stored, and no line has an answer. */
export interface Decided {
  readonly kind: 'decided' | 'key_revoked';
  readonly answers: SliceAnswers;
}

/** What is done with the lines of one bulk request. */
export interface BulkWork {
  /** Bytes of the lines of a slice, save that a slice has at least one line. */
  readonly sliceBytes: number;
  /** Decides the lines of a slice and stores what is right. */
  readonly decide: (lines: readonly Line[]) => Promise<Decided>;
  /** Does what is left once the last slice was decided, before the last line of the answer, and however else the request ends. Once more it does nothing. */
  readonly finish?: () => Promise<void>;
  /** The answer to a line beyond `MAX_LINES`, as text. */
  readonly tooManyLines: (line: number) => string;
}

/** How an answer ended: only a whole one has its last line. `unauthenticated`: with no line at all, and nothing was stored. */
export type BulkEnd = 'whole' | 'too_many_lines' | 'too_large' | 'broken' | 'unauthenticated';

/** Yields NDJSON text, piece by piece, each of whole lines. */
export async function* bulkAnswers(deps: Deps, source: BodySource, work: BulkWork): AsyncGenerator<string, BulkEnd> {
  try {
    return yield* slicesAnswered(deps, source, work);
  } finally {
    // Also where the client hung up.
    await work.finish?.();
  }
}

async function* slicesAnswered(deps: Deps, source: BodySource, work: BulkWork): AsyncGenerator<string, BulkEnd> {
  let isFirst = true;
  for await (const next of slicesOf(source, work.sliceBytes)) {
    switch (next.kind) {
      case 'slice': {
        const decided = await work.decide(next.lines);
        if (decided.kind === 'key_revoked') {
          deps.log.info('bulk_key_revoked', { lines: next.lines.length });
          if (isFirst) return 'unauthenticated';
        }
        yield* decided.answers.pieces();
        isFirst = false;
        break;
      }
      case 'too_many_lines':
        yield work.tooManyLines(next.line);
        await source.drain();
        return next.kind;
      case 'end':
        await work.finish?.();
        yield `${JSON.stringify({ done: true, lines: next.lines })}\n`;
        return 'whole';
      case 'too_large':
      case 'broken':
        deps.log.info('body_cut', { why: next.kind, lines: next.lines });
        await source.drain();
        return next.kind;
    }
  }
  return 'broken';
}

/** What a body is worked on by. `lines` of its end are those that came before it. */
type Next =
  | { readonly kind: 'slice'; readonly lines: readonly Line[] }
  | { readonly kind: 'too_many_lines'; readonly line: number }
  | { readonly kind: 'end' | 'too_large' | 'broken'; readonly lines: number };

/** Cuts a body into slices: full ones, and what there is where the sender pauses. What is cut off by a bad end is not worked on. */
async function* slicesOf(source: BodySource, sliceBytes: number): AsyncGenerator<Next, void> {
  let slice: Line[] = [];
  let [bytes, lines] = [0, 0];
  const cut = (): Next => {
    const full = slice;
    [slice, bytes] = [[], 0];
    return { kind: 'slice', lines: full };
  };
  for await (const arrival of linesOf(source)) {
    switch (arrival.kind) {
      case 'lines':
        for (const line of arrival.lines) {
          lines += 1;
          if (lines > MAX_LINES) {
            yield cut();
            return yield { kind: 'too_many_lines', line: line.number };
          }
          const size = line.bytes?.byteLength ?? 0;
          if (slice.length >= SLICE_LINES || (slice.length > 0 && bytes + size > sliceBytes)) yield cut();
          // A copy: the line is a view of a part that may hold much else. (`slice` of a Buffer, as zlib gives them, is none.)
          slice.push({ number: line.number, bytes: line.bytes && new Uint8Array(line.bytes) });
          bytes += size;
        }
        break;
      case 'pause':
        if (slice.length > 0) yield cut();
        break;
      case 'end':
        if (slice.length > 0) yield cut();
        return yield arrival;
      case 'too_large':
      case 'broken':
        return yield { kind: arrival.kind, lines };
    }
  }
}
