/** The queue, what it gave up on, the end of a restore, and what operators did. */
import { command, csv, group, needed, text, wholeNumber } from './commands.ts';
import { upTo } from './interface.ts';
import { table } from './table.ts';
import { type Retried, retriedInWords } from './transitions.ts';

interface Queue {
  readonly oldest_pending: { readonly external_account_number: string; readonly supplier: string; readonly waiting_seconds: number } | null;
  readonly database: { readonly percent: number; readonly limit_bytes: number; readonly level: string } | null;
  readonly takes_new_accounts: boolean;
  readonly last_sweep_seconds: number | null;
  readonly expired_leases: number;
  readonly dead_letters: number;
  readonly last_id: number;
}

interface Letter {
  readonly message_id: string;
  readonly supplier: string;
  readonly processes: number;
  readonly failed_at: string;
  readonly redriven_at: string | null;
  readonly dismissed_at: string | null;
}

interface Entry {
  readonly occurred_at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
}

export const queue = command('Is the queue moving, and is there room?', {}, async (call) => {
  const answer = await call<Queue>('GET', ['queue']);
  const { oldest_pending: oldest, database, takes_new_accounts: takes, last_sweep_seconds: sweep } = answer;
  const row = {
    'longest waiting': oldest ? `${oldest.external_account_number} of ${oldest.supplier}, ${oldest.waiting_seconds} s` : 'nothing',
    'expired leases': answer.expired_leases,
    'dead letters': answer.dead_letters,
    'last id': answer.last_id,
    'last sweep': sweep === null ? 'never' : `${sweep} s ago`,
    database: database ? `${database.percent} % of ${(database.limit_bytes / 1e9).toLocaleString('en-GB')} GB` : null,
  };
  const warnings = [
    ...(database && database.level !== 'ok' ? [`THE DATABASE IS ${database.percent} % FULL. docs/operating.md says what to do.`] : []),
    ...(takes ? [] : ['NEW ACCOUNTS ARE REFUSED.']),
  ];
  return [answer, [table([row]), ...warnings].join('\n')];
});

export const restored = command(
  'Bring a restore of the database to its end, so that new accounts come in again (docs/operating.md)',
  {
    to: text('The moment it was restored to, for example 2026-11-20T10:00:00Z', true),
    'last-id': text('The last id that queue showed before the restore; else as many are skipped as may have been given'),
  },
  async (call, { to, 'last-id': last }) => {
    const answer = await call<{ last_id: number }>('POST', ['restores'], {
      restored_to: to,
      ...(last === undefined ? {} : { last_id: wholeNumber(last) }),
    });
    return [answer, `New accounts come in again, under ids past ${answer.last_id}.`];
  },
);

export const letters = group('Messages that ran out of tries', {
  list: command('Newest first', { csv }, async (call) => {
    const answer = await call.list<Letter>(['dead-letters']);
    const rows = answer.map(({ message_id, supplier, processes, failed_at, redriven_at, dismissed_at }) => ({
      id: message_id,
      supplier,
      accounts: processes,
      'gave up': failed_at,
      're-driven': redriven_at,
      dismissed: dismissed_at,
    }));
    return [answer, { rows, empty: 'No dead letters.' }];
  }),
  redrive: command('Schedule its errored accounts again', { id: needed('Message id') }, async (call, { id }) => {
    const answer = await call<Retried>('POST', ['dead-letters', id, 'redrive']);
    return [answer, retriedInWords(answer)];
  }),
  dismiss: command('Put it away; the accounts it named stay as they are', { id: needed('Message id') }, async (call, { id }) => {
    const answer = await call('POST', ['dead-letters', id, 'dismiss']);
    return [answer, `${id} is dismissed.`];
  }),
});

export const audit = command(
  'Who changed what, newest first',
  {
    actor: text('Who: operator, token <name>, or an e-mail address'),
    action: text('What was done, for example supplier.changed'),
    supplier: text('To whose migration: a supplier code'),
    from: text('From this day or moment on'),
    to: text('Up to this day or moment'),
    limit: text('At most this many (50; with --csv all)'),
    csv,
  },
  async (call, { actor, action, supplier, from, to, limit, csv: isWhole }) => {
    const answer = await upTo<Entry>(call, ['audit'], { actor, action, supplier, from, to }, limit, isWhole);
    const rows = answer.map((entry) => ({ when: entry.occurred_at, who: entry.actor, action: entry.action, subject: entry.subject }));
    return [answer, { rows, empty: 'No change matches.' }];
  },
);
