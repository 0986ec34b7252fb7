/** `run …`: releases, holds, cancels, reports and reconciles a run. */
import type { DataImportClient, RunDifference } from '../../client';
import { ApiError } from '../../client';
import { EXIT, type ExitCode, UsageError } from '../exit';
import { jsonSource } from '../files/source';
import { number } from '../progress';

export interface RunOptions {
  readonly client: DataImportClient;
  readonly supplier: string;
  readonly run: string;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

export const RUN_VERBS = ['show', 'release', 'hold', 'cancel', 'report', 'reconcile'] as const;
type Verb = (typeof RUN_VERBS)[number];

export interface VerbOptions {
  /** Of release: the first so many. */
  readonly accounts: number | undefined;
  readonly isToMatch: boolean;
  /** Of reconcile: a list of the importer's own, NDJSON. */
  readonly list: string | undefined;
}

export const isVerb = (text: string): text is Verb => RUN_VERBS.some((verb) => verb === text);

/** Exit 1 where something differs. */
export async function operateRun(verb: string, more: VerbOptions, options: RunOptions): Promise<ExitCode> {
  if (!isVerb(verb)) throw new UsageError(`"${verb}" is nothing that a run does: choose ${RUN_VERBS.join(', ')}.`);
  const { client, supplier, run, signal, isJson } = options;
  switch (verb) {
    case 'show':
      return printRun(await client.runs.get(supplier, run, { signal }), isJson);
    case 'release':
      return release(more, options);
    case 'hold':
      return printRun(await client.runs.hold(supplier, run, { signal }), isJson);
    case 'cancel':
      return printRun(await client.runs.cancel(supplier, run, { signal }), isJson);
    case 'report':
      for await (const account of client.runs.report(supplier, run, { signal })) process.stdout.write(`${JSON.stringify(account)}\n`);
      return EXIT.allDone;
    case 'reconcile':
      return more.list === undefined ? reconcile(options) : compare(more.list, options);
  }
}

async function release({ accounts, isToMatch }: VerbOptions, { client, supplier, run, isJson, signal }: RunOptions): Promise<ExitCode> {
  const body = { ...(accounts === undefined ? {} : { accounts }), ...(isToMatch ? { require_match: true } : {}) };
  try {
    return printRun(await client.runs.release(supplier, run, body, { signal }), isJson);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'totals_differ') throw error;
    const { differences } = await client.runs.reconcile(supplier, run, { signal });
    const staged = differences.filter((difference) => difference.in === 'staged');
    process.stdout.write(isJson ? `${JSON.stringify({ released: false, differences: staged })}\n` : wordsOf(staged));
    process.stderr.write('Nothing is released: what is staged is not what was declared.\n');
    return EXIT.someFailed;
  }
}

/** Declared against staged against imported. */
export async function reconcile({ client, supplier, run, isJson, signal }: RunOptions): Promise<ExitCode> {
  const reconciled = await client.runs.reconcile(supplier, run, { signal });
  const { staged, imported, differences, matches } = reconciled;
  const words = `${run}: ${number(staged.accounts)} staged, ${number(imported.accounts)} imported, ${number(differences.length)} differences\n`;
  process.stdout.write(isJson ? `${JSON.stringify(reconciled)}\n` : words + wordsOf(differences));
  return matches ? EXIT.allDone : EXIT.someFailed;
}

async function compare(list: string, { client, supplier, run, signal }: RunOptions): Promise<ExitCode> {
  const source = await jsonSource(list);
  async function* accounts() {
    for await (const { text } of source.records()) yield JSON.parse(text);
  }
  let count = 0;
  for await (const difference of client.runs.compare(supplier, run, accounts(), { signal })) {
    count++;
    process.stdout.write(`${JSON.stringify(difference)}\n`);
  }
  process.stderr.write(`${number(count)} differences\n`);
  return count === 0 ? EXIT.allDone : EXIT.someFailed;
}

const wordsOf = (differences: readonly RunDifference[]): string =>
  differences.map(({ field, in: where, expected, found }) => `  ${field}: ${expected} expected, ${found} ${where}\n`).join('');

function printRun(shown: Awaited<ReturnType<DataImportClient['runs']['get']>>, isJson: boolean): ExitCode {
  const { run, released, held_by, counts } = shown;
  const state = held_by === undefined ? 'running' : `held (${held_by}), released: ${released}`;
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${number(count)} ${status}`);
  process.stdout.write(isJson ? `${JSON.stringify(shown)}\n` : `${run}: ${state}; ${words.join(', ') || 'no accounts'}\n`);
  return EXIT.allDone;
}
