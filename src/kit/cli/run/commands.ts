/** The command `run`, and the options of `import` that are about a run. */
import type { ArgsDef, CommandDef } from 'citty';
import { connect } from '../access';
import { type Args, command, textOf, wholeOf } from '../command';
import { type ExitCode, UsageError } from '../exit';
import type { RunPlan } from './import-run';
import { operateRun, RUN_VERBS } from './operate';
import type { TaskParams } from './params';

const LOOK_MILLISECONDS = 5_000;

export const RUN_ARGS = {
  run: { type: 'string', description: 'The run that the accounts join; made with the totals of the file', valueHint: 'NAME' },
  hold: { type: 'boolean', description: 'With --run: stages all, releases nothing' },
  canary: {
    type: 'string',
    description: 'With --run: imports the first so many, compares them, and asks before the rest',
    valueHint: '50',
  },
  'stop-after-errors': { type: 'string', description: 'With --run: holds it once so many have errored', valueHint: '20' },
  'all-or-nothing': { type: 'boolean', description: 'With --run: releases only if all of the file is staged as it was sent' },
  'dry-run': { type: 'boolean', description: 'Validates and decides as a real import does, stores only the outcome' },
  'start-at': { type: 'string', description: 'Not to be imported before this moment', valueHint: '2026-12-01T22:00:00Z' },
} as const satisfies ArgsDef;

/** What `--dry-run` and `--start-at` give every account. */
export function paramsOf(args: Args): TaskParams {
  const startAt = textOf(args['start-at']);
  return {
    ...(args['dry-run'] === true ? { is_dry_run: true } : {}),
    ...(startAt === undefined ? {} : { schedule_window_start: startAt }),
  };
}

/** What is asked of the run that the accounts join; undefined without one. */
export function planOf(args: Args): RunPlan | undefined {
  const name = textOf(args['run']);
  const number = (option: string) => (textOf(args[option]) === undefined ? undefined : wholeOf(option, args[option], 1_000_000_000));
  const [canary, stopAfterErrors] = [number('canary'), number('stop-after-errors')];
  const [isHeld, isAllOrNothing] = [args['hold'] === true, args['all-or-nothing'] === true];
  if (name !== undefined) return { name, isHeld, canary, stopAfterErrors, isAllOrNothing };
  if (isHeld || isAllOrNothing || canary !== undefined || stopAfterErrors !== undefined)
    throw new UsageError('--hold, --canary, --stop-after-errors and --all-or-nothing are about a run: name it with --run.');
  return undefined;
}

export const runCommand = (end: (code: ExitCode) => void): CommandDef =>
  command(
    'run',
    'Shows, releases, holds, cancels, reports or reconciles a run of a supplier',
    {
      what: { type: 'positional', description: RUN_VERBS.join(', '), required: true },
      supplier: { type: 'positional', description: 'Import supplier code', required: true },
      name: { type: 'positional', description: 'Name of the run', required: true },
      accounts: { type: 'string', description: 'Of release: only the first so many', valueHint: '50' },
      'require-match': { type: 'boolean', description: 'Of release: only if what is staged is what was declared' },
      list: { type: 'string', description: 'Of reconcile: a list of your own, one JSON object a line', valueHint: 'FILE' },
      json: { type: 'boolean', description: 'Results as JSON on stdout' },
    },
    async (args) => {
      const { client, signal } = connect(LOOK_MILLISECONDS);
      const accounts = textOf(args['accounts']);
      const more = {
        accounts: accounts === undefined ? undefined : wholeOf('accounts', accounts, 1_000_000_000),
        isToMatch: args['require-match'] === true,
        list: textOf(args['list']),
      };
      const options = { client, signal, supplier: String(args['supplier']), run: String(args['name']), isJson: args['json'] === true };
      end(await operateRun(String(args['what']), more, options));
    },
  );
