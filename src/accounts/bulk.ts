/**
 * Bulk (ours, §4.5, §4.6): accounts line by line in, results line by line out, in order, while the body is still coming. Each
 * slice costs one trip and one message. The last line tells that the answer is whole; without it the client sends again what
 * it has no answer for, and nothing is doubled.
 */
import type { Deps } from '../deps';
import type { Caller } from '../tokens';
import { Answered } from './bulk-answers';
import { BulkKnown } from './bulk-known';
import { lineText, unreadable } from './bulk-line';
import { type Line, linesOf, MAX_LINES } from './bulk-lines';
import { type BulkMode, type BulkRequest, sliceAnswers } from './bulk-slice';
import type { BodySource } from './bulk-source';

/** A slice is stored in one trip and sent in one message. */
const SLICE_ACCOUNTS = 500;
const SLICE_BYTES = 2_800_000;

const TOO_MANY_LINES = `Send this line and those after it in a request of their own: one holds at most ${MAX_LINES} lines.`;

/** How an answer ended: only a whole one has its last line. */
export type BulkEnd = 'whole' | 'too_many_lines' | 'too_large' | 'broken';

/** Yields NDJSON text, piece by piece, each of whole lines. */
export async function* bulkAccounts(
  deps: Deps,
  caller: Caller,
  mode: BulkMode,
  source: BodySource,
  run?: string,
): AsyncGenerator<string, BulkEnd> {
  const request: BulkRequest = {
    deps,
    caller,
    mode,
    run,
    known: new BulkKnown(deps, caller, mode === 'create'),
    answered: new Answered(),
  };
  let slice: Line[] = [];
  let [bytes, lines] = [0, 0];
  const answers = () => {
    const full = slice;
    [slice, bytes] = [[], 0];
    return sliceAnswers(request, full);
  };
  for await (const arrival of linesOf(source)) {
    switch (arrival.kind) {
      case 'lines':
        for (const line of arrival.lines) {
          lines += 1;
          if (lines > MAX_LINES) {
            yield* answers();
            yield lineText(unreadable(line.number, 'max_length', TOO_MANY_LINES));
            await source.drain();
            return 'too_many_lines';
          }
          const size = line.bytes?.byteLength ?? 0;
          if (slice.length >= SLICE_ACCOUNTS || (slice.length > 0 && bytes + size > SLICE_BYTES)) yield* answers();
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
