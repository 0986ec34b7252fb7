/** Import processes: searched, found by their account, counted by their errors. */
import { command, csv, flag, needed, text } from './commands.ts';
import { upTo } from './interface.ts';
import { table } from './table.ts';

interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly code: string; readonly attr: string; readonly detail: string }[];
}

interface Process {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status: string;
  readonly account_number?: string;
  readonly is_dry_run: boolean;
  readonly created_at: string;
  readonly modified_at: string;
  readonly latest_error?: Failure | null;
}

interface Count {
  readonly code: string;
  readonly count: number;
}

const processRow = ({ external_account_number, status, account_number, modified_at, latest_error: error }: Process) => ({
  'external account number': external_account_number,
  status,
  account: account_number,
  'last change': modified_at,
  error: error && (error.errors?.[0] ? `${error.errors[0].code} at ${error.errors[0].attr}` : error.code),
});

/** The columns of the console's file. */
const COLUMNS = ['external_account_number', 'status', 'account_number', 'dry_run', 'created_at', 'modified_at', 'error_code'];
const FIELD_COLUMNS = ['attr', 'field_code', 'detail'];

/** One row for each failed field, and one for each process without such. */
function fileRows(found: Process) {
  const error = found.latest_error;
  const fields = error?.errors?.length ? error.errors : [{ attr: null, code: null, detail: error?.detail ?? null }];
  return fields.map(({ attr, code, detail }) => ({
    supplier: found.import_supplier,
    external_account_number: found.external_account_number,
    status: found.status,
    account_number: found.account_number,
    dry_run: String(found.is_dry_run),
    created_at: found.created_at,
    modified_at: found.modified_at,
    error_code: error?.code,
    ...{ attr, field_code: code, detail },
  }));
}

export const accounts = command(
  'Import processes of a supplier, newest first',
  {
    code: needed('Supplier code'),
    status: text('PENDING, IN_PROGRESS, PROCESSED, ERRORED, CANCELLED, DRY_RUN_SUCCEEDED or DRY_RUN_ERRORED'),
    prefix: text('What the external account number begins with'),
    number: text('Platform account number or identifier'),
    'error-code': text('Error code'),
    limit: text('At most this many (50; with --csv all)'),
    csv,
  },
  async (call, { code, status, prefix, number, 'error-code': error, limit, csv: isWhole }) => {
    const query = { status, prefix, number, error_code: error };
    const answer = await upTo<Process>(call, ['suppliers', code, 'import-processes'], query, limit, isWhole);
    const file = { columns: [...COLUMNS, ...FIELD_COLUMNS], rows: answer.flatMap(fileRows) };
    return [answer, { rows: answer.map(processRow), empty: 'No account matches.', file }];
  },
);

export const find = command(
  'Accounts of any supplier: by platform number or identifier, or with --search by the beginning of the external number, too',
  { number: needed('A-… or the identifier in decimal; with --search any number'), search: flag('By the beginning of the number'), csv },
  async (call, { number, search, csv: isWhole }) => {
    const answer = await upTo<Process>(call, ['accounts'], search ? { search: number } : { number }, undefined, isWhole);
    const rows = answer.map((found) => ({ supplier: found.import_supplier, ...processRow(found) }));
    const file = { columns: ['supplier', ...COLUMNS, ...FIELD_COLUMNS], rows: answer.flatMap(fileRows) };
    return [answer, { rows, empty: 'No account has this number.', file }];
  },
);

export const errors = command('Errored accounts by code', { code: needed('Supplier code') }, async (call, { code }) => {
  const answer = await call<{ codes: Count[]; field_codes: Count[] }>('GET', ['suppliers', code, 'errors']);
  const fields = answer.field_codes.map(({ code: field, count }) => ({ 'field code': field, accounts: count }));
  const printed = table(
    answer.codes.map(({ code: error, count }) => ({ code: error, accounts: count })),
    'No account is errored.',
  );
  return [answer, fields.length > 0 ? `${printed}\n\n${table(fields)}` : printed];
});

interface Refusals {
  readonly refused: number;
  readonly refusals: readonly { code: string; attr: string; accounts: number; examples: { external_account_number?: string }[] }[];
}

export const refusals = command(
  'What creates of a supplier were refused for, in the last 24 hours by default',
  { code: needed('Supplier code'), minutes: text('Of the last so many minutes'), csv },
  async (call, { code, minutes }) => {
    const answer = await call<Refusals>('GET', ['suppliers', code, 'refusals'], undefined, { minutes });
    const rows = answer.refusals.map(({ code: error, attr, accounts, examples }) => ({
      code: error,
      field: attr,
      accounts,
      examples: examples.flatMap(({ external_account_number: number }) => number ?? []).join(' '),
    }));
    return [answer, { rows, empty: 'Nothing was refused.' }];
  },
);
