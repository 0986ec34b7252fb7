/** Import processes: searched, found by their account, retried, cancelled. */
import { command, needed, optional, text } from './commands.ts';
import { Refused } from './interface.ts';
import { table } from './table.ts';

interface Process {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly status: string;
  readonly account_number?: string;
  readonly modified_at: string;
  readonly latest_error?: { readonly code: string; readonly errors?: readonly { readonly code: string; readonly attr: string }[] } | null;
}

interface Count {
  readonly code: string;
  readonly count: number;
}

export interface Retried {
  readonly retried: number;
  readonly left_out?: { readonly window_over: number; readonly payload_emptied: number };
}

const processRow = ({ external_account_number, status, account_number, modified_at, latest_error: error }: Process) => ({
  'external account number': external_account_number,
  status,
  account: account_number,
  'last change': modified_at,
  error: error && (error.errors?.[0] ? `${error.errors[0].code} at ${error.errors[0].attr}` : error.code),
});

export const accounts = command(
  'Import processes of a supplier, newest first',
  {
    code: needed('Supplier code'),
    status: text('PENDING, IN_PROGRESS, PROCESSED, ERRORED, CANCELLED, DRY_RUN_SUCCEEDED or DRY_RUN_ERRORED'),
    prefix: text('What the external account number begins with'),
    number: text('Platform account number or identifier'),
    limit: text('At most this many (50)'),
  },
  async (call, { code, status, prefix, number, limit }) => {
    const answer = await call<Process[]>('GET', ['suppliers', code, 'import-processes'], undefined, { status, prefix, number, limit });
    return [answer, table(answer.map(processRow), 'No account matches.')];
  },
);

export const find = command(
  'The account with a platform number or identifier, of any supplier',
  { number: needed('A-… or the identifier in decimal') },
  async (call, { number }) => {
    const answer = await call<Process[]>('GET', ['accounts'], undefined, { number });
    const rows = answer.map((found) => ({ supplier: found.import_supplier, ...processRow(found) }));
    return [answer, table(rows, 'No account has this number.')];
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

/** What a retry did, and what it left out. */
export function retriedInWords({ retried, left_out: leftOut }: Retried): string {
  const printed = `${retried} accounts are scheduled again.`;
  if (!leftOut) return printed;
  const { window_over: over, payload_emptied: emptied } = leftOut;
  return `${printed} Not retried: ${over} whose schedule window is over, ${emptied} whose payload retention has emptied. They have to be created again.`;
}

export const retry = command(
  'Schedule errored accounts again: one, or all with an error code',
  { supplier: needed('Supplier code'), account: optional('External account number'), code: text('Error code') },
  async (call, { supplier, account, code }) => {
    if ((account === undefined) === (code === undefined))
      throw new Refused('Say which: an external account number, or --code with an error code.');
    if (account !== undefined) {
      const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'retry']);
      return [answer, `${account} is scheduled again.`];
    }
    const answer = await call<Retried & { left: number }>('POST', ['suppliers', supplier, 'retry-errored'], { error_code: code });
    const left = answer.left > 0 ? ` ${answer.left} are left: run it again.` : '';
    return [answer, `${retriedInWords(answer)}${left}`];
  },
);

export const cancel = command(
  'Cancel a pending import',
  { supplier: needed('Supplier code'), account: needed('External account number') },
  async (call, { supplier, account }) => {
    const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'cancel']);
    return [answer, `${account} is cancelled.`];
  },
);
