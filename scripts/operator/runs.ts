/** Runs of a supplier: listed, looked at, released, held, cancelled, reconciled, taken back. */
import { command, csv, flag, group, needed, text, wholeNumber } from './commands.ts';
import { type Call, Refused } from './interface.ts';
import { table } from './table.ts';

interface Run {
  readonly run: string;
  readonly is_held: boolean;
  readonly held_by?: string;
  readonly released: string;
  readonly errors_since_release: number;
  readonly refused: number;
  readonly expected: { readonly accounts?: number };
  readonly counts?: Readonly<Record<string, number>>;
}

interface Reconciliation {
  readonly matches: boolean;
  readonly differences: readonly {
    readonly field: string;
    readonly in: string;
    readonly expected: number | string;
    readonly found: number | string;
  }[];
}

const differing = ({ differences }: Reconciliation) => table(differences, 'It is what was declared.');

const RUN = { code: needed('Supplier code'), run: needed('Name of the run') };

const stateOf = ({ is_held, held_by, released }: Run) => (is_held ? `held (${held_by}), released: ${released}` : 'running');

const runRow = (run: Run) => ({
  run: run.run,
  state: stateOf(run),
  expected: run.expected.accounts,
  errors: run.errors_since_release,
  refused: run.refused,
});

function described(run: Run): string {
  const counts = Object.entries(run.counts ?? {}).map(([status, count]) => ({ status, accounts: count }));
  return `${table([runRow(run)])}\n\n${table(counts)}`;
}

const onRun = (description: string, verb: string) =>
  command(description, RUN, async (call, { code, run }) => {
    const answer = await call<Run>('POST', ['suppliers', code, 'runs', run, verb]);
    return [answer, described(answer)];
  });

/** What is too much for one request goes on in the next. */
async function cancel(call: Call, code: string, run: string) {
  let cancelled = 0;
  for (;;) {
    const answer = await call<Run & { cancelled: number; is_done: boolean }>('POST', ['suppliers', code, 'runs', run, 'cancel']);
    cancelled += answer.cancelled;
    if (answer.is_done) return { ...answer, cancelled };
  }
}

/** What is too much for one request goes on in the next. */
async function undo(call: Call, code: string, run: string, reason: string) {
  let undone = 0;
  for (;;) {
    const answer = await call<{ undone: number; not_undone_count: number; not_undone: Refusal[]; is_done: boolean }>(
      'POST',
      ['suppliers', code, 'runs', run, 'undo'],
      { reason },
    );
    undone += answer.undone;
    if (answer.is_done) return { ...answer, undone };
  }
}

interface Refusal {
  readonly external_account_number: string;
  readonly reason: string;
}

export const runs = group('Runs: one delivery of accounts each', {
  list: command('Runs of a supplier, newest first', { code: needed('Supplier code'), csv }, async (call, { code }) => {
    const answer = await call.list<Run>(['suppliers', code, 'runs']);
    return [answer, { rows: answer.map(runRow), empty: 'No run yet: an importer makes them.' }];
  }),
  show: command('One run with its accounts by status, and where its totals differ', RUN, async (call, { code, run }) => {
    const [answer, totals] = await Promise.all([
      call<Run>('GET', ['suppliers', code, 'runs', run]),
      call<Reconciliation>('GET', ['suppliers', code, 'runs', run, 'reconciliation']),
    ]);
    return [{ ...answer, reconciliation: totals }, `${described(answer)}\n\n${differing(totals)}`];
  }),
  release: command(
    'Let a run start, or its first accounts',
    { ...RUN, accounts: text('Only the first so many'), 'require-match': flag('Only if what is staged is what was declared') },
    async (call, { code, run, accounts, 'require-match': isToMatch }) => {
      const body = {
        ...(accounts === undefined ? {} : { accounts: wholeNumber(accounts) }),
        ...(isToMatch ? { require_match: true } : {}),
      };
      const answer = await call<Run>('POST', ['suppliers', code, 'runs', run, 'release'], body);
      return [answer, described(answer)];
    },
  ),
  hold: onRun('Stop what has not started', 'hold'),
  cancel: command('Hold a run and cancel what is PENDING', RUN, async (call, { code, run }) => {
    const answer = await cancel(call, code, run);
    return [answer, `${answer.cancelled} imports are cancelled.`];
  }),
  reconcile: command('Declared against staged against imported', RUN, async (call, { code, run }) => {
    const answer = await call<Reconciliation>('GET', ['suppliers', code, 'runs', run, 'reconciliation']);
    return [answer, differing(answer)];
  }),
  report: command(
    'Every account with its status and errors, a line of JSON each',
    { ...RUN, status: text('Only those in this status'), csv },
    async (call, { code, run, status, csv: isCsv, json }) => {
      const parts = ['suppliers', code, 'runs', run, 'report'];
      if (isCsv && !json) {
        const text = await (await call.open(parts, { status }, 'text/csv')).text();
        if (!/\r\n# the report is whole[^\r\n]*\r\n$/.test(text)) throw new Refused('The answer was cut off: ask again.');
        return [text, text.slice(0, -1)];
      }
      const lines = await call.lines(parts, { status });
      return [lines, lines.map((line) => JSON.stringify(line)).join('\n')];
    },
  ),
  undo: command(
    'Take the accounts of a run back to which nothing was added since',
    { ...RUN, reason: text('Kept in the audit log', true) },
    async (call, { code, run, reason }) => {
      const answer = await undo(call, code, run, reason);
      const left = answer.not_undone.map(({ external_account_number, reason: why }) => ({
        'external account number': external_account_number,
        why,
      }));
      const stay = left.length > 0 ? ` ${answer.not_undone_count} stay.\n\n${table(left)}` : '';
      return [answer, `${answer.undone} accounts are taken back.${stay}`];
    },
  ),
});
