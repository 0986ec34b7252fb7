/**
 * What an importer is shown of its suppliers and their import processes.
 */
import { type ProcessError, platformIdentifierOf, STATUSES, statusOf } from '../import-processes';
import { isoInstant } from '../shared/dates';
import type { Progress } from './read';
import type { ListedProcess } from './store';

/** A supplier whose status this release cannot read has none. */
export const progressView = ({ supplier, pausedAt, oldestPendingAt, counts }: Progress) => ({
  import_supplier: supplier.code,
  status: supplier.status ?? null,
  counts: Object.fromEntries(STATUSES.map((status) => [status, counts.get(status) ?? 0])),
  oldest_pending_at: oldestPendingAt === null ? null : isoInstant(oldestPendingAt),
  ...(supplier.status === 'Paused' && pausedAt !== null ? { paused_since: isoInstant(pausedAt) } : {}),
});

/** One process; `errors` is there only after a failed validation. */
export function listedProcessView({ externalAccountNumber, status, accountNumber, modifiedAt, error, run }: ListedProcess) {
  const stored: ProcessError | undefined = error === null ? undefined : JSON.parse(error);
  return {
    external_account_number: externalAccountNumber,
    status: statusOf(status),
    platform_account_number: accountNumber,
    platform_identifier: accountNumber === null ? null : platformIdentifierOf(accountNumber),
    modified_at: isoInstant(modifiedAt),
    latest_error: stored ? { code: stored.code, detail: stored.detail, domain: 'import_process' } : null,
    ...(stored?.errors ? { errors: stored.errors } : {}),
    ...(run === null ? {} : { run }),
  };
}
