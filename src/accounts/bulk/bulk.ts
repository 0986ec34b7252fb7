/**
 * Bulk (ours, §4.5, §4.6): accounts line by line in, results line by line out. Each slice costs one trip and one message.
 */
import { Answered, type BulkWork, TOO_MANY_LINES } from '../../bulk';
import type { Deps } from '../../deps';
import { GatheredRefusals } from '../../refusals';
import type { Caller } from '../../tokens';
import { BulkKnown } from './known';
import { lineText, unreadable } from './line';
import { type BulkMode, type BulkRequest, decideSlice } from './slice';

/** A slice is stored in one trip and sent in one message. */
const SLICE_BYTES = 2_800_000;

/** What a bulk request does with its accounts. `run` is that of lines that name none themselves. */
export function accountsInBulk(deps: Deps, caller: Caller, mode: BulkMode, run?: string): BulkWork {
  const known = new BulkKnown(deps, caller, mode === 'create');
  const refusals = new GatheredRefusals(deps);
  const request: BulkRequest = { deps, caller, mode, run, known, refusals, answered: new Answered() };
  return {
    sliceBytes: SLICE_BYTES,
    decide: (lines) => decideSlice(request, lines),
    finish: () => refusals.count(),
    tooManyLines: (line) => lineText(unreadable(line, 'max_length', TOO_MANY_LINES)),
  };
}
