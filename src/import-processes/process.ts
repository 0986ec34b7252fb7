/**
 * One import process as it is read, and as §2.7 shows it. Pure.
 */
import type { RowOf } from '../db';
import { isoInstant } from '../shared/dates';
import type { ErrorItem } from '../shared/errors';
import { latestEventOf, statusOf, transferStatusOf } from './machine';
import { platformIdentifierOf } from './number';

/** The latest error as it is stored; its domain is always `import_process`. */
export interface ProcessError {
  readonly code: string;
  readonly detail: string;
  /** All errors of a validation that failed in the consumer. */
  readonly errors?: readonly ErrorItem[];
}

/** The columns a status is made of. */
export type ProcessRow = RowOf<
  'importProcesses',
  'status' | 'created_at' | 'scheduled_at' | 'finished_at' | 'modified_at' | 'account_number' | 'error'
>;

export const PROCESS_COLUMNS = 'p.status, p.created_at, p.scheduled_at, p.finished_at, p.modified_at, p.account_number, p.error';

/** The v2 status resource (§2.7). `errors` is there only after a failed validation. */
export function processView(row: ProcessRow): Record<string, unknown> {
  const status = statusOf(row.status);
  const stored: ProcessError | undefined = row.error === null ? undefined : JSON.parse(row.error);
  const error = stored ? { code: stored.code, detail: stored.detail, domain: 'import_process' } : null;
  return {
    status,
    platform_identifier: row.account_number === null ? null : platformIdentifierOf(row.account_number),
    created_at: isoInstant(row.created_at),
    modified_at: isoInstant(row.modified_at),
    latest_event: { event: latestEventOf(status), occurred_at: isoInstant(row.finished_at ?? row.scheduled_at), data: error },
    latest_error: error,
    ...(stored?.errors ? { errors: stored.errors } : {}),
  };
}

/** The v1 transfer status (§4.8). */
export const transferView = (row: ProcessRow): Record<string, unknown> => ({
  status: transferStatusOf(statusOf(row.status)),
  platform_account_number: row.account_number ?? '',
});

/** True while the process may still change by itself. */
export function isUnfinished(row: ProcessRow): boolean {
  const status = statusOf(row.status);
  return status === 'PENDING' || status === 'IN_PROGRESS';
}
