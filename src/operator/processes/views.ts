/**
 * Import processes as the operator interface shows them. Internal ids stay inside.
 */
import { type LeftOutRow, platformIdentifierOf, statusOf } from '../../import-processes';
import { isoInstant } from '../../shared/dates';
import { errorOf, type ProcessDetails } from './read';
import type { FoundRow, ListedRow } from './store';

const instantOrNull = (instant: number | null): string | null => (instant === null ? null : isoInstant(instant));
const errorView = (error: ReturnType<typeof errorOf>) => (error ? { ...error, domain: 'import_process' } : null);

/** One row of a list. */
export const listedView = (row: ListedRow) => ({
  external_account_number: row.external_account_number,
  status: statusOf(row.status),
  account_number: row.account_number,
  platform_identifier: row.account_number === null ? null : platformIdentifierOf(row.account_number),
  is_dry_run: row.is_dry_run === 1,
  created_at: isoInstant(row.created_at),
  modified_at: isoInstant(row.modified_at),
  latest_error: errorView(errorOf(row.error)),
});

/** A process that was found by its account. */
export const foundView = (row: FoundRow) => ({ import_supplier: row.supplier_code, ...listedView(row) });

/** Everything of one process; `payload` is masked, and null once retention has emptied it. */
export const processView = ({ row, events, payload }: ProcessDetails) => ({
  ...listedView(row),
  scheduled_at: isoInstant(row.scheduled_at),
  schedule_window_start: instantOrNull(row.window_start),
  schedule_window_end: instantOrNull(row.window_end),
  started_at: instantOrNull(row.started_at),
  finished_at: instantOrNull(row.finished_at),
  lease_until: instantOrNull(row.lease_until),
  attempts: row.attempts,
  events: events.map(({ event, occurredAt, error }) => ({ event, occurred_at: isoInstant(occurredAt), data: errorView(error) })),
  payload: payload ?? null,
});

/** How many processes were retried; and how many could not be, where there are such. */
export const retriedView = ({ retried, leftOut }: { readonly retried: number; readonly leftOut: LeftOutRow | undefined }) => ({
  retried,
  ...(leftOut && leftOut.windowOver + leftOut.payloadEmptied > 0
    ? { left_out: { window_over: leftOut.windowOver, payload_emptied: leftOut.payloadEmptied } }
    : {}),
});
