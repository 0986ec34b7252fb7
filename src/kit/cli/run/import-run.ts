/** `import --run NAME`: opens a run with the totals of the file, sends, releases as it was asked, and says how it adds up. */
import { createInterface } from 'node:readline/promises';
import { ApiError, pause, type Run } from '../../client';
import { EXIT, type ExitCode, UsageError } from '../exit';
import { Import, type ImportOptions } from '../import';
import { counted, number } from '../progress';
import { reconcile } from './operate';
import { type FileTotals, totalsOfFile } from './totals';

export interface RunPlan {
  readonly name: string;
  /** Nothing is released. */
  readonly isHeld: boolean;
  /** The first so many are released and compared, then it asks. */
  readonly canary: number | undefined;
  readonly stopAfterErrors: number | undefined;
  /** Released only if every account of the file is staged as it was sent. */
  readonly isAllOrNothing: boolean;
}

const LOOK_MILLISECONDS = 1_000;

/** Imports a file: as a run, if there is a plan of one. */
export const importAccounts = (options: Omit<ImportOptions, 'run'>, plan: RunPlan | undefined): Promise<ExitCode> =>
  plan ? new RunImport(options, plan).run() : new Import(options).run();

class RunImport {
  readonly #options: Omit<ImportOptions, 'run'>;
  readonly #plan: RunPlan;

  constructor(options: Omit<ImportOptions, 'run'>, plan: RunPlan) {
    this.#options = options;
    this.#plan = plan;
  }

  async run(): Promise<ExitCode> {
    const { source, connection, isToWait } = this.#options;
    const { name, canary, isHeld, isAllOrNothing, stopAfterErrors } = this.#plan;
    const { client, signal } = connection;
    if (canary !== undefined && isAllOrNothing) throw new UsageError('--canary and --all-or-nothing exclude each other.');
    const file = await totalsOfFile(source, canary ?? 0);
    const waitsFirst = isHeld || isAllOrNothing || canary !== undefined;
    await client.runs.put(
      file.supplier,
      name,
      { is_held: waitsFirst, expected: file.expected, ...(stopAfterErrors === undefined ? {} : { stop_after_errors: stopAfterErrors }) },
      { signal },
    );
    const run = {
      name,
      beforeWaiting: () => this.#release(file),
      isStopped: async () => (await client.runs.get(file.supplier, name, { signal })).held_by === 'errors',
    };
    const code = await new Import({ ...this.#options, run, isToWait: isToWait && !isHeld }).run();
    const target = { client, supplier: file.supplier, run: name, isJson: this.#options.isJson, signal };
    // What waits cannot match yet: only a run that came to its end is compared.
    const { counts } = await client.runs.get(file.supplier, name, { signal });
    if (counts.PENDING + counts.IN_PROGRESS > 0 || counts.DRY_RUN_SUCCEEDED > 0) return code;
    const matches = await reconcile(target);
    return code === EXIT.allDone ? matches : code;
  }

  /** Answers whether there is anything to wait for. */
  async #release(file: FileTotals): Promise<boolean> {
    const { canary, isAllOrNothing, isHeld, name } = this.#plan;
    if (isAllOrNothing) return this.#releaseIfWhole(file);
    if (canary === undefined) return !isHeld;
    if (!(await this.#tryCanary(file, canary))) return false;
    await this.#options.connection.client.runs.release(file.supplier, name, {}, { signal: this.#options.connection.signal });
    return true;
  }

  async #releaseIfWhole({ supplier }: FileTotals): Promise<boolean> {
    const { client, signal } = this.#options.connection;
    try {
      await client.runs.release(supplier, this.#plan.name, { require_match: true }, { signal });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'totals_differ') throw error;
      say('Nothing is imported: not every account of the file is staged as it was sent. Put the failed ones right and run it again.');
      return false;
    }
  }

  /** Releases the first accounts, waits for them, shows what differs, and asks. */
  async #tryCanary(file: FileTotals, canary: number): Promise<boolean> {
    const { client, signal } = this.#options.connection;
    const { name } = this.#plan;
    const { supplier, first } = file;
    await client.runs.release(supplier, name, { accounts: canary }, { signal });
    const wanted = Math.min(canary, first.length);
    say(`Importing the first ${counted(wanted, 'account')} of the run.`);
    let run: Run = await client.runs.get(supplier, name, { signal });
    while (endedOf(run) < Math.min(wanted, endedOf(run) + run.counts.PENDING + run.counts.IN_PROGRESS) && run.held_by !== 'errors') {
      await pause(LOOK_MILLISECONDS, signal);
      run = await client.runs.get(supplier, name, { signal });
    }
    let differing = 0;
    const mine = new Set(first.map(({ external_account_number }) => external_account_number));
    for await (const difference of client.runs.compare(supplier, name, first, { signal })) {
      // What an earlier canary imported is no surprise.
      if (difference.status === 'UNEXPECTED' && !mine.has(difference.external_account_number ?? '')) continue;
      differing++;
      process.stdout.write(`${JSON.stringify(difference)}\n`);
    }
    say(`${number(run.counts.PROCESSED)} imported, ${number(run.counts.ERRORED)} errored; ${number(differing)} differ from what was sent.`);
    return this.#asks(supplier);
  }

  async #asks(supplier: string): Promise<boolean> {
    const later = `The rest stays held. To go on: data-import run release ${supplier} ${this.#plan.name}`;
    if (process.stdin.isTTY) {
      const asking = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await asking.question('Import the rest? [y/N] ', { signal: this.#options.connection.signal });
      asking.close();
      if (/^y(?:es)?$/i.test(answer.trim())) return true;
    }
    say(later);
    return false;
  }
}

const endedOf = ({ counts }: Run): number =>
  counts.PROCESSED + counts.ERRORED + counts.DRY_RUN_SUCCEEDED + counts.DRY_RUN_ERRORED + counts.CANCELLED;

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
