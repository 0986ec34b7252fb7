/**
 * Bulk (ours, §4.1–4.3): requests line by line in, their answers line by line out. Each slice costs two trips: what its lines are
 * validated by, and what they add.
 */
import { Answered, type BulkWork } from '../bulk';
import type { Deps } from '../deps';
import { MAX_BODY_BYTES } from '../shared/sizes';
import type { Caller } from '../tokens';
import { type AddsInBulk, lineText } from './bulk-line';
import { decideSlice } from './bulk-slice';

/** What a bulk request does with its lines. */
export function additionsInBulk<Body, Write, Written, Outcome>(
  deps: Deps,
  caller: Caller,
  adds: AddsInBulk<Body, Write, Written, Outcome>,
): BulkWork {
  const context = { deps, caller, answered: new Answered() };
  return {
    // As much as one request may have, because all that a slice holds is in memory at once.
    sliceBytes: MAX_BODY_BYTES,
    decide: (lines) => decideSlice(context, adds, lines),
    tooManyLines: (line) => lineText(line, adds.answers.tooManyLines),
  };
}
