/**
 * One import process as it is read, and as §2.7 shows it. Pure.
 */
import { isoInstant } from '../shared/dates';
import type { ErrorItem } from '../shared/errors';
import { isOpen, latestEventOf, statusOf, transferStatusOf } from './machine';
import { platformIdentifierOf } from './number';
import type { ProcessRow } from './status/store';

/** The latest error as it is stored; its domain is always `import_process`. */
export interface ProcessError {
  readonly code: string;
  readonly detail: string;
  /** All errors of a validation that failed in the consumer. */
  readonly errors?: readonly ErrorItem[];
}

/** The v2 status resource (§2.7). `errors` is there only after a failed validation. */
export function processView(row: ProcessRow): Record<string, unknown> {
  const status = statusOf(row.status);
  const stored: ProcessError | undefined = row.error === null ? undefined : JSON.parse(row.error);
  const error = stored ? { code: stored.code, detail: stored.detail, domain: 'import_process' } : null;
  return {
    status,
    platform_identifier: row.accountNumber === null ? null : platformIdentifierOf(row.accountNumber),
    created_at: isoInstant(row.createdAt),
    modified_at: isoInstant(row.modifiedAt),
    latest_event: {
      event: latestEventOf(status, row.undoneAt !== null),
      occurred_at: isoInstant(row.finishedAt ?? row.scheduledAt),
      data: error,
    },
    latest_error: error,
    ...(stored?.errors ? { errors: stored.errors } : {}),
  };
}

/** The v1 transfer status (§4.8). */
export const transferView = (row: ProcessRow): Record<string, unknown> => ({
  status: transferStatusOf(statusOf(row.status)),
  platform_account_number: row.accountNumber ?? '',
});

/** True while the process may still change by itself. */
export const isUnfinished = (row: ProcessRow): boolean => isOpen(statusOf(row.status));
