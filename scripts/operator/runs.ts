/** Runs: deliveries of accounts, held, released, compared, reported and taken back as a whole. */
import { command, group, needed, text, wholeNumber } from './commands.ts';
import type { Call } from './interface.ts';
import { table } from './table.ts';

interface Run {
  readonly run: string;
  readonly is_held: boolean;
  readonly pace_per_minute?: number;
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
interface Undone {
  readonly undone: number;
  readonly not_undone_count: number;
  readonly is_done: boolean;
}

const CODE = needed('Supplier code');
const RUN = needed('Name of the run');

const partsOf = (code: string, run: string, ...more: string[]) => ['suppliers', code, 'runs', run, ...more];
const rowOf = ({ run, is_held, pace_per_minute, counts = {} }: Run) => ({
  run,
  state: is_held ? 'held' : 'released',
  'a minute': pace_per_minute,
  ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
});
const said = (answer: Run) => [answer, table([rowOf(answer)])] as const;

export const runs = group('Deliveries of accounts, as a whole', {
  list: command('Those of a supplier, by their names', { code: CODE }, async (call, { code }) => {
    const answer = await call.list<Run>(['suppliers', code, 'runs']);
    return [answer, table(answer.map(rowOf), 'No run.')];
  }),
  show: command('One, with its accounts by status and where its totals differ', { code: CODE, run: RUN }, async (call, { code, run }) => {
    const [answer, totals] = await Promise.all([
      call<Run>('GET', partsOf(code, run)),
      call<Reconciliation>('GET', partsOf(code, run, 'reconciliation')),
    ]);
    const differing = table(totals.differences, 'It is what was declared.');
    return [{ ...answer, reconciliation: totals }, `${table([rowOf(answer)])}\n\n${differing}`];
  }),
  release: command(
    'Let it start, or its first accounts',
    { code: CODE, run: RUN, accounts: text('Only so many; else all') },
    async (call, { code, run, accounts }) =>
      said(await call<Run>('POST', partsOf(code, run, 'release'), accounts === undefined ? {} : { accounts: wholeNumber(accounts) })),
  ),
  hold: command('Stop what has not been claimed', { code: CODE, run: RUN }, async (call, { code, run }) =>
    said(await call<Run>('POST', partsOf(code, run, 'hold'))),
  ),
  cancel: command('Cancel what of it is pending', { code: CODE, run: RUN }, async (call, { code, run }) => {
    for (let cancelled = 0; ; ) {
      const answer = await call<Run & { cancelled: number; is_done: boolean }>('POST', partsOf(code, run, 'cancel'));
      cancelled += answer.cancelled;
      if (answer.is_done) return [{ ...answer, cancelled }, `${cancelled} imports are cancelled.`];
    }
  }),
  undo: command(
    'Take its accounts back, but for those to which something was added since',
    { code: CODE, run: RUN, reason: text('Kept in the audit log', true) },
    async (call, { code, run, reason }) => undone(call, partsOf(code, run, 'undo'), reason),
  ),
  report: command(
    'Every account with its status and errors, a line of JSON each',
    { code: CODE, run: RUN, status: text('Only those in this status') },
    async (call, { code, run, status }) => {
      const lines = await call.lines(partsOf(code, run, 'report'), { status });
      return [lines, lines.map((line) => JSON.stringify(line)).join('\n')];
    },
  ),
});

async function undone(call: Call, parts: readonly string[], reason: string): Promise<readonly [Undone, string]> {
  for (let undone = 0; ; ) {
    const answer = await call<Undone>('POST', parts, { reason });
    undone += answer.undone;
    if (answer.is_done) {
      const left = answer.not_undone_count > 0 ? ` ${answer.not_undone_count} were left as they are; --json names them.` : '';
      return [{ ...answer, undone }, `${undone} accounts are taken back.${left}`];
    }
  }
}
