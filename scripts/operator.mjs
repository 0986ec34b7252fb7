/**
 * `npm run operator -- …`: the operator interface from the terminal, as a table or with `--json` as the service answers.
 *
 *   npm run operator -- suppliers list
 *   npm run operator -- pause NORTH --reason "vendor down"
 *   npm run operator -- errors NORTH
 *   npm run operator -- retry NORTH --code import_process_failed_validation
 *   npm run operator -- keys create org_… --label "migration team"
 */
import { createInterface } from 'node:readline/promises';
import { defineCommand, runMain } from 'citty';
import { operatorInterface, Refused } from './operator/interface.mjs';
import { table } from './operator/table.mjs';

const COMMON = {
  json: { type: 'boolean', description: 'Print what the service answers' },
  url: { type: 'string', description: 'The service; else OPERATOR_URL, else the one that npm start runs here' },
  token: { type: 'string', description: 'The operator token; better OPERATOR_TOKEN, which no list of processes shows' },
};

const needed = (description) => ({ type: 'positional', description, required: true });
const optional = (description) => ({ type: 'positional', description, required: false });
const text = (description, required = false) => ({ type: 'string', description, required });

/** What a retry did, and what it left out. */
function retriedInWords({ retried, left_out: leftOut }) {
  const told = `${retried} accounts are scheduled again.`;
  if (!leftOut) return told;
  const { window_over: over, payload_emptied: emptied } = leftOut;
  return `${told} Not retried: ${over} whose schedule window is over, ${emptied} whose payload retention has emptied. They have to be created again.`;
}

/** A command: `run` calls the service and answers `[what it said, how a person reads it]`. */
const command = (description, args, run) =>
  defineCommand({
    meta: { description },
    args: { ...args, ...COMMON },
    async run({ args: given }) {
      try {
        const [answer, told] = await run(operatorInterface(given), given);
        console.log(given.json ? JSON.stringify(answer, null, 2) : told);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        console.error(error.message);
        process.exitCode = 1;
      }
    },
  });

const group = (description, subCommands) => defineCommand({ meta: { description }, subCommands: named(subCommands) });

/** Usage tells a command by its name. */
function named(subCommands) {
  for (const [name, sub] of Object.entries(subCommands)) sub.meta.name = name;
  return subCommands;
}

const supplierRow = ({ code, name, status, import_processes: counts }) => ({
  code,
  name,
  status,
  imported: counts.PROCESSED,
  'in progress': counts.IN_PROGRESS,
  errored: counts.ERRORED,
  pending: counts.PENDING,
});

const suppliers = group('Migrations: who imports where', {
  list: command('All suppliers with their counts', {}, async (call) => {
    const answer = await call('GET', ['suppliers']);
    return [answer, table(answer.map(supplierRow), 'No supplier yet: suppliers create')];
  }),
  show: command('One supplier and its settings', { code: needed('Supplier code') }, async (call, { code }) => {
    const answer = await call('GET', ['suppliers', code]);
    const settings = Object.entries(answer.configuration).map(([setting, value]) => ({ setting, value: String(value) || '(empty)' }));
    return [answer, `${table([supplierRow(answer)])}\n\n${table(settings)}`];
  }),
  create: command(
    'Make a supplier',
    {
      code: needed('Supplier code, up to 32 characters'),
      organisation: text('Organisation id', true),
      name: text('Name', true),
      country: text('Default country, for example GB', true),
    },
    async (call, { code, organisation, name, country }) => {
      const body = { organisation_id: organisation, code, name, configuration: { default_country: country } };
      const answer = await call('POST', ['suppliers'], body);
      return [answer, `${answer.code} is ready.`];
    },
  ),
});

const setStatus = (description, status, told) =>
  command(description, { code: needed('Supplier code'), reason: text('Kept in the audit log') }, async (call, { code, reason }) => {
    const answer = await call('PATCH', ['suppliers', code], { status, reason });
    return [answer, `${answer.code} is ${answer.status}. ${told(answer.import_processes)}`];
  });

const complete = command(
  'End a migration: what is still pending is cancelled, after its number was shown',
  { code: needed('Supplier code'), reason: text('Kept in the audit log'), yes: { type: 'boolean', description: 'Do not ask' } },
  async (call, { code, reason, yes }) => {
    const before = await call('GET', ['suppliers', code]);
    const pending = before.import_processes.PENDING;
    if (pending > 0 && !yes) await confirm(`${pending} pending accounts of ${code} will be cancelled. Go on?`);
    const answer = await call('PATCH', ['suppliers', code], { status: 'Complete', reason, confirm_pending: pending });
    return [answer, `${code} is Complete. ${pending} pending accounts are being cancelled.`];
  },
);

async function confirm(question) {
  if (!process.stdin.isTTY) throw new Refused(`${question} Say --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refused('Nothing was changed.');
}

const processRow = ({ external_account_number, status, account_number, modified_at, latest_error: error }) => ({
  'external account number': external_account_number,
  status,
  account: account_number,
  'last change': modified_at,
  error: error && (error.errors?.[0] ? `${error.errors[0].code} at ${error.errors[0].attr}` : error.code),
});

const accounts = command(
  'Import processes of a supplier, newest first',
  {
    code: needed('Supplier code'),
    status: text('PENDING, IN_PROGRESS, PROCESSED, ERRORED, CANCELLED, DRY_RUN_SUCCEEDED or DRY_RUN_ERRORED'),
    prefix: text('What the external account number begins with'),
    limit: text('At most this many (50)'),
  },
  async (call, { code, status, prefix, limit }) => {
    const answer = await call('GET', ['suppliers', code, 'import-processes'], undefined, { status, prefix, limit });
    return [answer, table(answer.map(processRow), 'No account matches.')];
  },
);

const errors = command('Errored accounts by code', { code: needed('Supplier code') }, async (call, { code }) => {
  const answer = await call('GET', ['suppliers', code, 'errors']);
  const fields = answer.field_codes.map(({ code: field, count }) => ({ 'field code': field, accounts: count }));
  const told = table(
    answer.codes.map(({ code: error, count }) => ({ code: error, accounts: count })),
    'No account is errored.',
  );
  return [answer, fields.length > 0 ? `${told}\n\n${table(fields)}` : told];
});

const retry = command(
  'Schedule errored accounts again: one, or all with an error code',
  { supplier: needed('Supplier code'), account: optional('External account number'), code: text('Error code') },
  async (call, { supplier, account, code }) => {
    if ((account === undefined) === (code === undefined))
      throw new Refused('Say which: an external account number, or --code with an error code.');
    if (code === undefined) {
      const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'retry']);
      return [answer, `${account} is scheduled again.`];
    }
    const answer = await call('POST', ['suppliers', supplier, 'retry-errored'], { error_code: code });
    return [answer, retriedInWords(answer)];
  },
);

const cancel = command(
  'Cancel a pending import',
  { supplier: needed('Supplier code'), account: needed('External account number') },
  async (call, { supplier, account }) => {
    const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'cancel']);
    return [answer, `${account} is cancelled.`];
  },
);

const organisations = group('Who sends accounts', {
  list: command('All organisations', {}, async (call) => {
    const answer = await call('GET', ['organisations']);
    return [
      answer,
      table(
        answer.map(({ id, name, created_at }) => ({ id, name, created: created_at })),
        'No organisation yet: organisations create',
      ),
    ];
  }),
  create: command('Make an organisation', { name: needed('Name') }, async (call, { name }) => {
    const answer = await call('POST', ['organisations'], { name });
    return [answer, answer.id];
  }),
});

const keys = group('API keys of an organisation', {
  list: command('Keys by label and use', { organisation: needed('Organisation id') }, async (call, { organisation }) => {
    const answer = await call('GET', ['organisations', organisation, 'api-keys']);
    const rows = answer.map(({ id, label, created_at, last_used_at, revoked_at }) => ({
      id,
      label,
      created: created_at,
      'last used': last_used_at,
      state: revoked_at ? 'revoked' : 'in force',
    }));
    return [answer, table(rows, 'No API key yet: keys create')];
  }),
  create: command(
    'Issue a key; it is shown once',
    { organisation: needed('Organisation id'), label: text('What it is for', true) },
    async (call, { organisation, label }) => {
      const answer = await call('POST', ['organisations', organisation, 'api-keys'], { label });
      return [answer, `${answer.api_key}\nKeep it now: it is not shown again. Its id is ${answer.id}.`];
    },
  ),
  revoke: command('Revoke a key: it and its tokens are refused at once', { id: needed('Key id') }, async (call, { id }) => {
    await call('DELETE', ['api-keys', id]);
    return [{ id, revoked: true }, `${id} is revoked.`];
  }),
});

const queue = command('Is the queue moving?', {}, async (call) => {
  const answer = await call('GET', ['queue']);
  const oldest = answer.oldest_pending;
  const waiting = oldest ? `${oldest.external_account_number} of ${oldest.supplier}, ${oldest.waiting_seconds} s` : 'nothing';
  return [answer, table([{ 'longest waiting': waiting, 'expired leases': answer.expired_leases, 'dead letters': answer.dead_letters }])];
});

const letters = group('Messages that ran out of tries', {
  list: command('Newest first', {}, async (call) => {
    const answer = await call('GET', ['dead-letters']);
    const rows = answer.map(({ message_id, supplier, processes, failed_at, redriven_at }) => ({
      id: message_id,
      supplier,
      accounts: processes,
      'gave up': failed_at,
      're-driven': redriven_at,
    }));
    return [answer, table(rows, 'No dead letters.')];
  }),
  redrive: command('Schedule its errored accounts again', { id: needed('Message id') }, async (call, { id }) => {
    const answer = await call('POST', ['dead-letters', id, 'redrive']);
    return [answer, retriedInWords(answer)];
  }),
});

const audit = command('Who changed what, newest first', { limit: text('At most this many (50)') }, async (call, { limit }) => {
  const answer = await call('GET', ['audit'], undefined, { limit });
  const rows = answer.map(({ occurred_at, actor, action, subject }) => ({ when: occurred_at, who: actor, action, subject }));
  return [answer, table(rows, 'Nothing has been changed yet.')];
});

await runMain(
  defineCommand({
    meta: { name: 'npm run operator --', description: 'Operate the account data-import service' },
    subCommands: named({
      suppliers,
      pause: setStatus('Hold a migration', 'Paused', (counts) => `${counts.PENDING} pending accounts wait.`),
      resume: setStatus('Go on with a migration', 'Ongoing', (counts) => `${counts.PENDING} pending accounts can start.`),
      complete,
      accounts,
      errors,
      retry,
      cancel,
      organisations,
      keys,
      queue,
      'dead-letters': letters,
      audit,
    }),
  }),
);
