/** `import FILE`: schedules every account, waits until each is finished, and leaves a receipt and the failed ones beside the file. */
import { type ErrorItem, pause } from '../client';
import type { Connection } from './access';
import { EXIT, type ExitCode } from './exit';
import type { Source } from './files/source';
import { writeFailed } from './files/write-failed';
import type { Allowable, Finding } from './guard/finding';
import { type Guarded, guard } from './guard/guard';
import { clock, counted, number, Progress } from './progress';
import { accountsThere, receiptFileOf, writeReceipt } from './receipt';
import type { RunOfImport } from './run/run-of-import';
import { type Outcome, type Sent, sendAccounts } from './sending';
import { countsOf, printSummary } from './summary';
import { type Ending, Waiting, windowsOf } from './waiting';

export interface ImportOptions {
  readonly source: Source;
  readonly connection: Connection;
  readonly allowed: ReadonlySet<Allowable>;
  /** What was found while the file was opened. */
  readonly findings: readonly Finding[];
  readonly isJson: boolean;
  /** False leaves as soon as all is scheduled. */
  readonly isToWait: boolean;
  readonly failedFile: string | undefined;
  readonly receiptFile: string | undefined;
  readonly linesPerRequest: number;
  /** The run that the accounts join. */
  readonly run?: RunOfImport;
}

const FIRST_LOOK_MILLISECONDS = 500;
const LAST_LOOK_MILLISECONDS = 5_000;
const STANDSTILL_MILLISECONDS = 60_000;
const STATUSES = ['', 'scheduled', 'imported', 'already_imported', 'dry_run_succeeded', 'replaced', 'failed'] as const;
type Status = (typeof STATUSES)[number];

export class Import {
  readonly #options: ImportOptions;
  readonly #waiting: Waiting;
  readonly #failures = new Map<number, readonly ErrorItem[]>();
  readonly #started = Date.now();
  readonly #counts = { validated: 0, scheduled: 0, imported: 0, already: 0, dryRuns: 0, replaced: 0, refused: 0, errored: 0, cancelled: 0 };
  /** What became of each record, as a position in {@link STATUSES}. */
  #statuses = new Uint8Array();
  #isSending = true;
  /** What is being sent once more, in words. */
  #again: string | undefined;
  #closed = { count: 0, first: Number.POSITIVE_INFINITY };

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#waiting = new Waiting(options.connection.client, (index, ending) => this.#end(index, ending));
  }

  async run(): Promise<ExitCode> {
    const { source, connection, allowed, findings, isJson } = this.#options;
    const { client, signal } = connection;
    await client.checkAccess({ signal });
    const guarded = await guard(source, allowed, (line) => process.stderr.write(`${line}\n`), findings);
    this.#statuses = new Uint8Array(guarded.total);
    const progress = new Progress(() => this.#shown(), isJson);
    // The watch beside the sending ends with the first failure of either.
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    let there: ReadonlyMap<number, string>;
    try {
      const { run, isToWait } = this.#options;
      if (run) {
        await this.#send(both, progress);
        if ((await run.beforeWaiting()) && isToWait) await this.#watch(both, progress);
      } else {
        await Promise.all([this.#send(both, progress), isToWait ? this.#watch(both, progress) : undefined]);
      }
      there = await this.#reconcile(guarded, signal);
    } catch (error) {
      ended.abort();
      throw error;
    } finally {
      progress.end();
    }
    return this.#print(guarded, there);
  }

  async #send(signal: AbortSignal, progress: Progress): Promise<void> {
    const { source, connection, linesPerRequest, run } = this.#options;
    async function* records(): AsyncGenerator<Sent> {
      let index = 0;
      for await (const { text } of source.records()) yield { index: index++, text };
    }
    await sendAccounts(records(), {
      client: connection.client,
      linesPerRequest,
      run: run?.name,
      patience: connection.outage.patience,
      signal,
      onOutcome: (sent, outcome) => this.#note(sent.index, outcome),
      onRound: (accounts, why) => {
        if (this.#again === undefined) progress.say(`Sending ${counted(accounts, 'account')} again, ${why}.`);
        this.#again = `${number(accounts)} sent again`;
      },
    });
    this.#again = undefined;
    this.#isSending = false;
  }

  #note(index: number, outcome: Outcome): void {
    this.#counts.validated++;
    switch (outcome.kind) {
      case 'scheduled':
        this.#counts.scheduled++;
        this.#mark(index, 'scheduled');
        this.#waiting.add(outcome.supplier, outcome.number, index, outcome.opensAt);
        break;
      case 'already':
        this.#counts.already++;
        this.#mark(index, 'already_imported');
        break;
      case 'failed':
        this.#counts.refused++;
        this.#fail(index, outcome.errors);
    }
  }

  async #watch(signal: AbortSignal, progress: Progress): Promise<void> {
    let milliseconds = FIRST_LOOK_MILLISECONDS;
    let movedAt = Date.now();
    let saidFirst = 0;
    while (this.#isSending || this.#waiting.size > 0) {
      await pause(milliseconds, signal);
      const hasMoved = await this.#waiting.look(signal);
      if (hasMoved || this.#isSending) movedAt = Date.now();
      if (!hasMoved && !this.#isSending && (await this.#options.run?.isStopped())) {
        progress.say('The run has stopped by itself: too many accounts errored.');
        return;
      }
      milliseconds = hasMoved ? FIRST_LOOK_MILLISECONDS : Math.min(milliseconds * 1.5, LAST_LOOK_MILLISECONDS);
      this.#closed = this.#waiting.closedWindows(Date.now());
      if (!this.#isSending && this.#closed.count > 0 && this.#closed.first !== saidFirst) {
        saidFirst = this.#closed.first;
        progress.say(windowsOf(this.#closed));
      }
      if (this.#closed.count === this.#waiting.size || Date.now() - movedAt < STANDSTILL_MILLISECONDS) continue;
      movedAt = Date.now();
      progress.say(
        `Nothing has moved for a minute: ${number(this.#waiting.size)} accounts still wait. Their supplier may be paused, or the service recovering.`,
      );
    }
  }

  #end(index: number, ending: Ending): void {
    switch (ending.kind) {
      case 'imported':
        this.#counts.imported++;
        this.#mark(index, 'imported');
        break;
      case 'dry_run_succeeded':
        this.#counts.dryRuns++;
        this.#mark(index, 'dry_run_succeeded');
        break;
      case 'replaced':
        this.#counts.replaced++;
        this.#mark(index, 'replaced');
        break;
      case 'failed':
        this.#counts[ending.errors.some(({ code }) => code === 'cancelled') ? 'cancelled' : 'errored']++;
        this.#fail(index, ending.errors);
    }
  }

  #fail(index: number, errors: readonly ErrorItem[]): void {
    this.#failures.set(index, errors);
    this.#mark(index, 'failed');
  }

  #mark(index: number, status: Status): void {
    this.#statuses[index] = STATUSES.indexOf(status);
  }

  /** The accounts that the platform has, whatever was said of their line now: those need nothing more. */
  async #reconcile(guarded: Guarded, signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
    const there = new Map<number, string>();
    const { source, connection } = this.#options;
    for await (const { index, number: platformNumber } of accountsThere({ client: connection.client, source, guarded, signal })) {
      there.set(index, platformNumber);
      if (!this.#failures.delete(index)) continue;
      // Whatever was said of its line now.
      this.#counts.already++;
      if (this.#counts.refused > 0) this.#counts.refused--;
      this.#mark(index, 'already_imported');
    }
    return there;
  }

  #shown() {
    const { validated, scheduled, imported, already, dryRuns, replaced } = this.#counts;
    const { isToWait, connection } = this.#options;
    const processed = imported + already + dryRuns + replaced;
    const failed = this.#failures.size;
    const done = isToWait ? processed + failed : validated;
    const isClosed = !this.#isSending && this.#closed.count > 0 && this.#closed.count === this.#waiting.size;
    const opens = isClosed ? `window opens in ${clock(Math.max(0, this.#closed.first - Date.now()) / 1_000)}` : undefined;
    // Two steps for each: to be validated, and to be created.
    const finished = isToWait ? (validated + done) / 2 : validated;
    const counts = { validated, scheduled, processed };
    return { finished, total: this.#statuses.length, done, failed, counts, notice: connection.outage.notice ?? this.#again ?? opens };
  }

  async #print(guarded: Guarded, there: ReadonlyMap<number, string>): Promise<ExitCode> {
    const { source, isJson, isToWait, failedFile, receiptFile } = this.#options;
    const written = await writeFailed(source, this.#failures, failedFile);
    const target = receiptFile ?? (source.name === 'stdin' ? undefined : receiptFileOf(source.beside));
    const receipt = target === undefined ? undefined : await this.#receipt(target, guarded, there);
    const { validated: _, ...counts } = this.#counts;
    const codes = countsOf([...this.#failures.values()].flatMap((errors) => [...new Set(errors.map(({ code }) => code))]));
    const seconds = Math.round((Date.now() - this.#started) / 100) / 10;
    const failed = this.#failures.size;
    printSummary({
      file: source.name,
      total: guarded.total,
      ...counts,
      failed,
      again: source.again,
      written,
      receipt,
      codes,
      seconds,
      isJson,
      isToWait,
      isRun: this.#options.run !== undefined,
    });
    if (receiptFile !== undefined && receipt === undefined) return EXIT.usageOrAccess;
    return failed === 0 ? EXIT.allDone : EXIT.someFailed;
  }

  /** Answers where the receipt is; undefined where it cannot be written, which ends no import. */
  async #receipt(target: string, guarded: Guarded, there: ReadonlyMap<number, string>): Promise<string | undefined> {
    const { source, connection } = this.#options;
    const statusOf = (index: number): string => STATUSES[this.#statuses[index] ?? 0] ?? '';
    try {
      await writeReceipt({ client: connection.client, source, guarded, target, signal: connection.signal, statusOf }, there);
      return target;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const why = `The receipt could not be written (${error.message})`;
      process.stderr.write(`${why}: name another place with --receipt and run the same command again.\n`);
      return undefined;
    }
  }
}
