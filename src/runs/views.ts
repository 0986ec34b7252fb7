/**
 * Runs as they are answered. Pure.
 */
import { STATUSES, type Status } from '../import-processes';
import { isoInstant } from '../shared/dates';
import type { Reconciliation } from './reconcile';
import { ALL } from './rules';
import { type Difference, expectedOf, shownTotals } from './rules-totals';
import type { RunRow } from './store';
import type { NotUndone } from './undo';

/** `held_by` is there only while the run is held; what was not set is left out. */
export function runView(run: RunRow) {
  const { name, heldReason, releasedTo, pacePerMinute, stopAfterErrors } = run;
  return {
    run: name,
    is_held: heldReason !== null,
    ...(heldReason === null ? {} : { held_by: heldReason }),
    released: releasedTo === ALL || (heldReason === null && pacePerMinute !== null) ? 'all' : releasedTo > 0 ? 'some' : 'none',
    ...(pacePerMinute === null ? {} : { pace_per_minute: pacePerMinute }),
    ...(stopAfterErrors === null ? {} : { stop_after_errors: stopAfterErrors }),
    errors_since_release: run.errors,
    refused: run.refused,
    expected: shownTotals(expectedOf(run.expected)),
    created_at: isoInstant(run.createdAt),
    modified_at: isoInstant(run.modifiedAt),
  };
}

export const countsView = (counts: ReadonlyMap<Status, number>) =>
  Object.fromEntries(STATUSES.map((status) => [status, counts.get(status) ?? 0]));

export const differencesView = (differences: readonly Difference[]) =>
  differences.map((difference) => ({ field: difference.field, in: difference.in, expected: difference.expected, found: difference.found }));

export const reconciliationView = ({ expected, staged, imported, differences }: Reconciliation) => ({
  expected: shownTotals(expected),
  staged: shownTotals(staged),
  imported: shownTotals(imported),
  differences: differencesView(differences),
  matches: differences.length === 0,
});

export const notUndoneView = ({ externalAccountNumber, reason }: NotUndone) => ({
  external_account_number: externalAccountNumber,
  reason,
});
