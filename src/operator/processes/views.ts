/**
 * Import processes as the operator interface shows them. Internal ids stay inside.
 */
import { type LeftOutRow, platformIdentifierOf, statusOf } from '../../import-processes';
import { isoInstant } from '../../shared/dates';
import { errorOf, type ProcessDetails } from './read';
import type { FoundRow } from './store';
import type { ListedRow } from './store-pages';

const instantOrNull = (instant: number | null): string | null => (instant === null ? null : isoInstant(instant));
const errorView = (error: ReturnType<typeof errorOf>) => (error ? { ...error, domain: 'import_process' } : null);

/** One row of a list. */
export const listedView = (row: ListedRow) => ({
  external_account_number: row.externalAccountNumber,
  status: statusOf(row.status),
  account_number: row.accountNumber,
  platform_identifier: row.accountNumber === null ? null : platformIdentifierOf(row.accountNumber),
  is_dry_run: row.isDryRun === 1,
  created_at: isoInstant(row.createdAt),
  modified_at: isoInstant(row.modifiedAt),
  latest_error: errorView(errorOf(row.error)),
});

/** A process that was found by its account. */
export const foundView = (row: FoundRow) => ({ import_supplier: row.supplierCode, ...listedView(row) });

/** Everything of one process; `payload` is masked, and null once retention has emptied it. */
export const processView = ({ row, events, payload }: ProcessDetails) => ({
  ...listedView(row),
  scheduled_at: isoInstant(row.scheduledAt),
  schedule_window_start: instantOrNull(row.windowStart),
  schedule_window_end: instantOrNull(row.windowEnd),
  started_at: instantOrNull(row.startedAt),
  finished_at: instantOrNull(row.finishedAt),
  lease_until: instantOrNull(row.leaseUntil),
  attempts: row.attempts,
  ...(row.erasedAt === null ? {} : { erased_at: isoInstant(row.erasedAt) }),
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
