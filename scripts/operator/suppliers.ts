/** Suppliers: made, changed, paused, resumed, completed. */
import { createInterface } from 'node:readline/promises';
import { command, csv, flag, group, needed, text } from './commands.ts';
import { Refused } from './interface.ts';
import { settingOptions, settingsIn } from './settings.ts';
import { table } from './table.ts';

interface Supplier {
  readonly code: string;
  readonly name: string;
  readonly status: string | null;
  readonly import_processes: Readonly<Record<'PENDING' | 'IN_PROGRESS' | 'PROCESSED' | 'ERRORED', number>>;
  readonly configuration?: Readonly<Record<string, unknown>> | null;
}

const supplierRow = ({ code, name, status, import_processes: counts }: Supplier) => ({
  code,
  name,
  status: status ?? 'unreadable',
  imported: counts.PROCESSED,
  'in progress': counts.IN_PROGRESS,
  errored: counts.ERRORED,
  pending: counts.PENDING,
});

function described(answer: Supplier): string {
  const settings = Object.entries(answer.configuration ?? {});
  const rows = settings.map(([setting, value]) => ({ setting, value: String(value) || '(empty)' }));
  return `${table([supplierRow(answer)])}\n\n${table(rows, 'Its settings cannot be read.')}`;
}

export const suppliers = group('Migrations: who imports where', {
  list: command('All suppliers with their counts', { csv }, async (call) => {
    const answer = await call.list<Supplier>(['suppliers']);
    return [answer, { rows: answer.map(supplierRow), empty: 'No supplier yet: suppliers create' }];
  }),
  show: command('One supplier and its settings', { code: needed('Supplier code') }, async (call, { code }) => {
    const answer = await call<Supplier>('GET', ['suppliers', code]);
    return [answer, described(answer)];
  }),
  create: command(
    'Make a supplier',
    {
      code: needed('Supplier code, up to 32 characters'),
      organisation: text('Organisation id', true),
      name: text('Name', true),
      ...settingOptions,
      country: { ...settingOptions.country, required: true },
    },
    async (call, { code, organisation, name, ...given }) => {
      const body = { organisation_id: organisation, code, name, configuration: settingsIn(given) };
      const answer = await call<Supplier>('POST', ['suppliers'], body);
      return [answer, `${answer.code} is ready.`];
    },
  ),
  change: command(
    'Change the name or settings of a supplier; what is not given stays',
    {
      code: needed('Supplier code'),
      name: text('Name'),
      'if-version': text('Only if it is still at this version, as suppliers show --json prints it'),
      ...settingOptions,
    },
    async (call, { code, name, 'if-version': version, ...given }) => {
      if (version !== undefined && !/^\d+$/.test(version)) throw new Refused(`${version} is no version.`);
      const body = { name, configuration: settingsIn(given), ...(version === undefined ? {} : { version: Number(version) }) };
      const answer = await call<Supplier>('PATCH', ['suppliers', code], body);
      return [answer, described(answer)];
    },
  ),
});

const setStatus = (description: string, status: string, printed: (counts: Supplier['import_processes']) => string) =>
  command(description, { code: needed('Supplier code'), reason: text('Kept in the audit log') }, async (call, { code, reason }) => {
    const answer = await call<Supplier>('PATCH', ['suppliers', code], { status, reason });
    return [answer, `${answer.code} is ${answer.status}. ${printed(answer.import_processes)}`];
  });

export const pause = setStatus('Hold a migration', 'Paused', (counts) => `${counts.PENDING} pending accounts wait.`);
export const resume = setStatus('Go on with a migration', 'Ongoing', (counts) => `${counts.PENDING} pending accounts can start.`);

export const complete = command(
  'End a migration: what is still pending is cancelled, after its number was shown',
  { code: needed('Supplier code'), reason: text('Kept in the audit log'), yes: flag('Do not ask') },
  async (call, { code, reason, yes }) => {
    const before = await call<Supplier>('GET', ['suppliers', code]);
    const pending = before.import_processes.PENDING;
    if (pending > 0 && !yes) await confirm(`${pending} pending accounts of ${code} will be cancelled. Go on?`);
    const answer = await call('PATCH', ['suppliers', code], { status: 'Complete', reason, confirm_pending: pending });
    return [answer, `${code} is Complete. ${pending} pending accounts are being cancelled.`];
  },
);

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Refused(`${question} Say --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refused('Nothing was changed.');
}
