/** `import FILE`: schedules every account, waits until each is finished, and leaves the failed ones in a file to be put right. */
import { type DataImportClient, type ErrorItem, pause } from '../client';
import { EXIT, type ExitCode } from './exit';
import { objectOf, withoutErrors, writeFailedFile } from './failed-file';
import { number, Progress } from './progress';
import { checkFile, countRecords, recordsOf } from './records';
import { type Ending, Waiting } from './waiting';

export interface ImportOptions {
  readonly file: string;
  readonly isJson: boolean;
  /** False leaves as soon as all is scheduled. */
  readonly isToWait: boolean;
  readonly failedFile: string | undefined;
  readonly linesPerRequest: number;
  readonly signal: AbortSignal;
}

const FIRST_LOOK_MILLISECONDS = 500;
const LAST_LOOK_MILLISECONDS = 5_000;
const STANDSTILL_MILLISECONDS = 60_000;
/** How often an account whose earlier payload is just being processed is sent again. */
const MAX_ROUNDS = 30;
const ROUND_MILLISECONDS = 2_000;

export class Import {
  readonly #client: DataImportClient;
  readonly #options: ImportOptions;
  readonly #waiting: Waiting;
  readonly #failures = new Map<number, readonly ErrorItem[]>();
  readonly #counts = { sent: 0, validated: 0, scheduled: 0, imported: 0, already: 0, dryRuns: 0 };
  readonly #started = Date.now();
  #total = 0;
  #isSending = true;

  constructor(client: DataImportClient, options: ImportOptions) {
    this.#client = client;
    this.#options = options;
    this.#waiting = new Waiting(client, (index, ending) => this.#end(index, ending));
  }

  async run(): Promise<ExitCode> {
    const { file, isJson, signal } = this.#options;
    checkFile(file);
    await this.#client.checkAccess({ signal });
    this.#total = await countRecords(file);
    const progress = new Progress(() => this.#shown(), isJson);
    // The watch beside the sending ends with the first failure of either.
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    try {
      await Promise.all([this.#send(both), this.#options.isToWait ? this.#watch(both, progress) : undefined]);
    } catch (error) {
      ended.abort();
      throw error;
    } finally {
      progress.end();
    }
    return this.#tell(await writeFailedFile(file, this.#failures, this.#options.failedFile));
  }

  async #send(signal: AbortSignal): Promise<void> {
    let again = await this.#sendRecords(this.#records(), signal);
    for (let round = 0; again.length > 0; round++) {
      if (round === MAX_ROUNDS) {
        for (const { index } of again) this.#fail(index, 'account_import_process_in_progress', 'Another payload is still being processed.');
        break;
      }
      await pause(ROUND_MILLISECONDS, signal);
      again = await this.#sendRecords(again, signal);
    }
    this.#isSending = false;
  }

  async *#records(): AsyncGenerator<Sent> {
    for await (const record of recordsOf(this.#options.file)) yield { index: this.#counts.sent++, text: withoutErrors(record) };
  }

  /** Sends accounts and notes what became of each. Answers those that are to be sent again later. */
  async #sendRecords(records: AsyncIterable<Sent> | Iterable<Sent>, signal: AbortSignal): Promise<Sent[]> {
    const again: Sent[] = [];
    const open = new Map<number, Sent>();
    async function* texts() {
      let position = 0;
      for await (const sent of records) {
        open.set(position++, sent);
        yield sent.text;
      }
    }
    const options = { signal, linesPerRequest: this.#options.linesPerRequest };
    for await (const { index: position, status, external_account_number, errors, account_id } of this.#client.bulk(texts(), options)) {
      const sent = open.get(position);
      if (!sent) continue;
      open.delete(position);
      const { index, text } = sent;
      if (status === 'IN_PROGRESS') {
        again.push(sent);
        continue;
      }
      this.#counts.validated++;
      if (status === 'SCHEDULED' && external_account_number !== undefined) {
        this.#counts.scheduled++;
        this.#waiting.add(supplierOf(text), external_account_number, index);
      } else if (status === 'ALREADY_IMPORTED' || account_id !== undefined) this.#counts.already++;
      else if (errors?.length) this.#failures.set(index, errors);
      else this.#fail(index, 'error', 'The service could not take this account. Send it again.');
    }
    return again;
  }

  async #watch(signal: AbortSignal, progress: Progress): Promise<void> {
    let milliseconds = FIRST_LOOK_MILLISECONDS;
    let movedAt = Date.now();
    while (this.#isSending || this.#waiting.size > 0) {
      await pause(milliseconds, signal);
      const hasMoved = await this.#waiting.look(signal);
      if (hasMoved || this.#isSending) movedAt = Date.now();
      milliseconds = hasMoved ? FIRST_LOOK_MILLISECONDS : Math.min(milliseconds * 1.5, LAST_LOOK_MILLISECONDS);
      if (Date.now() - movedAt < STANDSTILL_MILLISECONDS) continue;
      movedAt = Date.now();
      progress.say(
        `Nothing has moved for a minute: ${number(this.#waiting.size)} accounts still wait. Their supplier may be paused, their window not open, or the service recovering.`,
      );
    }
  }

  #end(index: number, ending: Ending): void {
    switch (ending.kind) {
      case 'imported':
        this.#counts.imported++;
        break;
      case 'dry_run_succeeded':
        this.#counts.dryRuns++;
        break;
      case 'failed':
        this.#failures.set(index, ending.errors);
    }
  }

  #fail(index: number, code: string, detail: string): void {
    this.#failures.set(index, [{ code, attr: '', detail }]);
  }

  #shown() {
    const { validated, scheduled, imported, already, dryRuns } = this.#counts;
    const processed = imported + already + dryRuns;
    const errored = this.#failures.size;
    // Two steps for each: to be judged, and to be created.
    const finished = this.#options.isToWait ? (validated + processed + errored) / 2 : validated;
    return { finished, total: this.#total, counts: { validated, scheduled, processed, errored } };
  }

  #tell(failedFile: string | undefined): ExitCode {
    const { imported, already, dryRuns, scheduled } = this.#counts;
    const failed = this.#failures.size;
    const codes = countsOf([...this.#failures.values()].flatMap((errors) => [...new Set(errors.map(({ code }) => code))]));
    const seconds = Math.round((Date.now() - this.#started) / 100) / 10;
    if (this.#options.isJson) {
      const summary = {
        file: this.#options.file,
        total: this.#total,
        scheduled,
        imported,
        already_imported: already,
        dry_run_succeeded: dryRuns,
        failed,
        failed_file: failedFile ?? null,
        codes,
        seconds,
      };
      process.stdout.write(`${JSON.stringify(summary)}\n`);
    } else {
      const done = this.#options.isToWait ? `${number(imported)} imported` : `${number(scheduled)} scheduled`;
      const parts = [done, `${number(already)} had been before`, ...(dryRuns ? [`${number(dryRuns)} dry runs succeeded`] : [])];
      process.stdout.write(`${number(this.#total)} accounts: ${parts.join(', ')}, ${number(failed)} failed, in ${seconds} s\n`);
      for (const [code, count] of Object.entries(codes)) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
      if (failedFile)
        process.stdout.write(`The failed ones with their errors are in ${failedFile}: put them right and import that file.\n`);
    }
    return failed === 0 ? EXIT.allDone : EXIT.someFailed;
  }
}

interface Sent {
  /** Position in the file, from 0. */
  readonly index: number;
  readonly text: string;
}

/** How many of each, the most frequent first. */
export function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The supplier an accepted account names, in either form of the body. */
function supplierOf(text: string): string {
  const body = objectOf(text) ?? {};
  const payload = body['payload'];
  const account = Object.hasOwn(body, 'import_supplier') || typeof payload !== 'object' || payload === null ? body : payload;
  return String(Reflect.get(account, 'import_supplier'));
}
