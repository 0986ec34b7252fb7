/** Sentences and answers that several of the operations of runs share. */
import type { Said } from '../reference/operation';
import { invalid, NOT_FOUND, ok, one } from '../reference/words';
import { DIFFERENCE, LINE, RECONCILIATION, RUN } from './examples';

export const NAMED = { run: { description: 'Name of the run, percent-encoded.', example: 'wave-1' } };

export const UNKNOWN_SUPPLIER = NOT_FOUND('The supplier is not known.');
export const UNKNOWN_RUN = NOT_FOUND('The supplier or the run is not known.');
export const DIFFERS: Said = {
  description: 'With `require_match`: what is staged is not what was declared. Nothing is released.',
  examples: one('A penny is missing', {
    detail: 'What is staged is not what was declared. Nothing is released.',
    code: 'totals_differ',
    differences: [DIFFERENCE],
  }),
};
export const ONE = ok('The run, with how many of its accounts have each status.', RUN);
export const CANCELLED = ok('How many were cancelled.', { ...RUN, cancelled: 40, is_done: true });
export const RECONCILED = ok('The totals.', RECONCILIATION);
export const below = (least: number, attr: string) =>
  invalid('Not valid.', [{ detail: `Ensure this value is greater than or equal to ${least}.`, code: 'min_value', attr }]);
export const COUNT_WRONG = below(1, 'accounts');

export const RELEASE =
  'All accounts of the run may start, or with `accounts` the first so many in commit order: a canary. With `require_match` nothing is released unless what is staged equals what was declared.';
export const HOLD = 'What has not been claimed does not start; what is being created finishes.';
export const CANCEL =
  'The run is held, and what is PENDING is cancelled. Where `is_done` is false there was too much for one request: send it again.';
export const RECONCILE =
  'What was declared of the run, what is staged of it, and what is imported, counted from the rows of the accounts as they came. What was cancelled counts as neither.';

export const REPORT: Said = { description: 'The accounts, and the last line.', examples: one('One of the lines', LINE) };
