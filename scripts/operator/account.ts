/** One account: its import with its errors and its trail, what is stored of it, the end of a payment instruction. */
import { command, csv, flag, needed, optional, text } from './commands.ts';
import { Refused } from './interface.ts';
import { table } from './table.ts';

interface Failure {
  readonly code: string;
  readonly errors?: readonly { readonly code: string; readonly attr: string }[];
}

interface Happened {
  readonly event: string;
  readonly occurred_at: string;
  readonly data: Failure | null;
}

interface Done {
  readonly occurred_at: string;
  readonly actor: string;
  readonly action: string;
}

interface Process {
  readonly external_account_number: string;
  readonly status: string;
  readonly account_number: string | null;
  readonly scheduled_at: string;
  readonly attempts: number;
  readonly latest_error: Failure | null;
  readonly events: readonly Happened[];
}

interface Account {
  readonly platform_account_number: string;
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly customers: readonly unknown[];
  readonly notes: readonly { readonly is_pinned: boolean }[];
  readonly transactions: readonly unknown[];
  readonly statements: readonly unknown[];
  readonly payment_instructions: readonly unknown[];
  readonly import_process: { readonly events: readonly Happened[] };
  readonly history: readonly Done[];
}

const describedError = (error: Failure | null) =>
  error && [error.code, ...(error.errors ?? []).map(({ code, attr }) => `${code} at ${attr}`)].join(', ');

/** What happened to it and what operators did to it, oldest first. */
function trail(events: readonly Happened[], history: readonly Done[]) {
  const rows = [
    ...events.map(({ event, occurred_at, data }) => ({ when: occurred_at, what: event, who: null, error: describedError(data) })),
    ...history.map(({ occurred_at, actor, action }) => ({ when: occurred_at, what: action, who: actor, error: null })),
  ];
  return table(
    rows.toSorted((one, other) => one.when.localeCompare(other.when)),
    'Nothing has happened to it.',
  );
}

function describedProcess(answer: Process) {
  const { external_account_number, status, account_number, scheduled_at, attempts, latest_error: error } = answer;
  const row = {
    'external account number': external_account_number,
    status,
    account: account_number,
    scheduled: scheduled_at,
    tries: attempts,
  };
  return [table([row]), ...(error ? [`Latest error: ${describedError(error)}`] : []), trail(answer.events, [])].join('\n\n');
}

function describedAccount(answer: Account) {
  const row = {
    account: answer.platform_account_number,
    supplier: answer.import_supplier,
    'external account number': answer.external_account_number,
    customers: answer.customers.length,
    notes: answer.notes.length,
    transactions: answer.transactions.length,
    statements: answer.statements.length,
    'payment instructions': answer.payment_instructions.length,
  };
  const pinned = answer.notes.filter(({ is_pinned: isPinned }) => isPinned).length;
  return [
    table([row]),
    ...(pinned > 0 ? [`${pinned} of its notes are pinned.`] : []),
    trail(answer.import_process.events, answer.history),
  ].join('\n\n');
}

export const account = command(
  'One account with its trail: by platform number, or by supplier and external account number',
  {
    name: needed('Platform account number or identifier; or a supplier code'),
    external: optional('External account number'),
    reveal: flag('Answer --json with nothing masked; that it was seen is audited'),
  },
  async (call, { name, external, reveal, json }) => {
    if (reveal && !json) throw new Refused('Say --json as well: only that shows what is revealed.');
    if (external === undefined) {
      const answer = reveal ? await call<Account>('POST', ['accounts', name, 'reveal']) : await call<Account>('GET', ['accounts', name]);
      return [answer, describedAccount(answer)];
    }
    const parts = ['suppliers', name, 'import-processes', external];
    const answer = await call<Process>('GET', parts);
    const payload = reveal ? await call<{ payload: unknown }>('POST', [...parts, 'reveal']) : {};
    return [{ ...answer, ...payload }, describedProcess(answer)];
  },
);

export const endInstruction = command(
  'End the active payment instruction of a type, so that another may be posted',
  {
    number: needed('Platform account number or identifier'),
    type: needed('CARD, DIRECT_DEBIT, BPAY, CUSTOM or PAYMENT_SLIP'),
    reason: text('Kept in the audit log', true),
  },
  async (call, { number, type, reason }) => {
    const answer = await call('POST', ['accounts', number, 'payment-instructions', type, 'end'], { reason });
    return [answer, `The ${type} of ${number} has ended. Another may be posted.`];
  },
);

export const erase = command(
  'Overwrite what is personal of an account, or of what was never imported; numbers, dates and amounts stay',
  {
    name: needed('Platform account number or identifier; or a supplier code'),
    external: optional('External account number of what was never imported'),
    reason: text('Kept in the audit log; nothing of the person', true),
    'delete-documents': flag('Delete its documents from the bucket, too'),
  },
  async (call, { name, external, reason, 'delete-documents': deletes }) => {
    const parts = external === undefined ? ['accounts', name] : ['suppliers', name, 'import-processes', external];
    const answer = await call<{ documents?: readonly string[] }>('POST', [...parts, 'erase'], {
      reason,
      delete_documents: deletes === true,
    });
    const documents = answer.documents ?? [];
    const left = documents.length > 0 ? `\n${deletes ? 'Deleted' : 'Its documents, still in the bucket'}:\n${documents.join('\n')}` : '';
    return [answer, `What is personal of ${external ?? name} is overwritten.${left}`];
  },
);

export const rates = command(
  'Accounts of a supplier that ended in each minute',
  { code: needed('Supplier code'), minutes: text('Of the last so many minutes (60)'), csv },
  async (call, { code, minutes }) => {
    const answer = await call<{ minute: string; processed: number; errored: number }[]>('GET', ['suppliers', code, 'rates'], undefined, {
      minutes,
    });
    const rows = answer.filter(({ processed, errored }) => processed + errored > 0);
    return [answer, { rows, empty: 'Nothing ended in this time.' }];
  },
);
