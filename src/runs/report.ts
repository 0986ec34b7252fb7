/**
 * The report of a run: every account with what became of it and all its errors, as NDJSON or CSV, read as it is taken. The last line says
 * that the report is whole.
 */
import { query } from '../db';
import type { Deps } from '../deps';
import { type ProcessError, platformIdentifierOf, STATUS, type Status, statusOf } from '../import-processes';
import { csvLine } from '../shared/csv';
import { isoInstant } from '../shared/dates';
import { type FoundRun, pagesOf } from './read';
import { type ReportRow, reportPage } from './store-totals';

export type ReportForm = 'ndjson' | 'csv';

/** Processes of one page: a run of a million takes less than half of the calls that a request has. */
const PAGE = 2_500;

/** Text of whole lines, piece by piece. */
export async function* reportOf(deps: Deps, { supplier, run }: FoundRun, form: ReportForm, status?: Status): AsyncGenerator<string, void> {
  const db = deps.databaseOf(supplier.code);
  const wanted = status === undefined ? null : STATUS[status];
  let accounts = 0;
  if (form === 'csv') yield csvLine(COLUMNS);
  const pages = pagesOf(run, 1, async (key) => {
    const rows = await query(db, reportPage({ ...key, limit: PAGE, status: wanted }));
    return { rows, looked: rows.length, lastId: rows.at(-1)?.id };
  });
  for await (const rows of pages) {
    accounts += rows.length;
    yield rows.map(form === 'csv' ? csvOf : ndjsonLine).join('');
  }
  yield form === 'csv' ? `# the report is whole: ${accounts} accounts\r\n` : `${JSON.stringify({ done: true, accounts })}\n`;
}

const errorOf = ({ error }: ReportRow): ProcessError | undefined => (error === null ? undefined : JSON.parse(error));

function ndjsonLine(row: ReportRow): string {
  const { externalAccountNumber, status, accountNumber, modifiedAt } = row;
  const error = errorOf(row);
  const line = {
    external_account_number: externalAccountNumber,
    status: statusOf(status),
    platform_account_number: accountNumber,
    platform_identifier: accountNumber === null ? null : platformIdentifierOf(accountNumber),
    modified_at: isoInstant(modifiedAt),
    latest_error: error ? { code: error.code, detail: error.detail, domain: 'import_process' } : null,
    ...(error?.errors ? { errors: error.errors } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

const COLUMNS = ['external_account_number', 'status', 'platform_account_number', 'platform_identifier', 'modified_at', 'code', 'errors'];

function csvOf(row: ReportRow): string {
  const { externalAccountNumber, status, accountNumber, modifiedAt } = row;
  const error = errorOf(row);
  return csvLine([
    externalAccountNumber,
    statusOf(status),
    accountNumber ?? '',
    accountNumber === null ? '' : platformIdentifierOf(accountNumber),
    isoInstant(modifiedAt),
    error?.code ?? '',
    (error?.errors ?? []).map(({ attr, code }) => `${attr}: ${code}`).join('; '),
  ]);
}
