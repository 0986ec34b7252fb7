/** `status`, `watch` and `lists`: what the service says about imports. */
import { type AccountImportSummary, ApiError, type DataImportClient, type ImportProcess, type ImportSupplier, pause } from '../client';
import { erroredOf, errorsOf } from './errored';
import { EXIT, type ExitCode, UsageError } from './exit';
import type { Outage } from './outage';
import { number, Progress } from './progress';
import { endingOf } from './waiting';

export interface LookOptions {
  readonly client: DataImportClient;
  readonly supplier: string;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
  readonly outage: Outage;
}

const PAGE = 10_000;
const WATCH_MILLISECONDS = 1_000;

/** The import of one account, or the counts of a supplier. */
export async function status(externalAccountNumber: string | undefined, options: LookOptions): Promise<ExitCode> {
  const { client, supplier, isJson, signal } = options;
  if (externalAccountNumber !== undefined) {
    const process = await client.getImportProcess(supplier, externalAccountNumber, { signal });
    printProcess(process, isJson);
    return EXIT.allDone;
  }
  printSupplier(await client.getImportSupplier(supplier, { signal }), isJson);
  return EXIT.allDone;
}

/** Follows one account to its end, or a supplier until nothing is PENDING or IN_PROGRESS. Some failed where anything is ERRORED then. */
export async function watch(externalAccountNumber: string | undefined, options: LookOptions): Promise<ExitCode> {
  return externalAccountNumber === undefined ? watchSupplier(options) : watchAccount(externalAccountNumber, options);
}

async function watchAccount(externalAccountNumber: string, { client, supplier, isJson, signal }: LookOptions): Promise<ExitCode> {
  for (let last = ''; ; await pause(WATCH_MILLISECONDS, signal)) {
    const process = await client.getImportProcess(supplier, externalAccountNumber, { signal });
    if (process.status !== last) printProcess(process, isJson);
    last = process.status;
    const ending = endingOf(process);
    if (ending) return ending.kind === 'failed' ? EXIT.someFailed : EXIT.allDone;
  }
}

async function watchSupplier({ client, supplier, isJson, signal, outage }: LookOptions): Promise<ExitCode> {
  let found = await client.getImportSupplier(supplier, { signal });
  let most = openOf(found);
  const progress = new Progress(() => {
    const { PENDING, IN_PROGRESS } = found.counts;
    const counts = { pending: PENDING, in_progress: IN_PROGRESS };
    const notice = outage.notice ?? (found.status === 'Paused' ? 'the supplier is paused' : undefined);
    return { finished: most - openOf(found), total: most, failed: failedOf(found), counts, notice };
  }, isJson);
  try {
    while (openOf(found) > 0) {
      await pause(WATCH_MILLISECONDS, signal);
      found = await client.getImportSupplier(supplier, { signal });
      most = Math.max(most, openOf(found));
      if (isJson && openOf(found) > 0) printSupplier(found, isJson);
    }
  } finally {
    progress.end();
  }
  printSupplier(found, isJson);
  return failedOf(found) === 0 ? EXIT.allDone : EXIT.someFailed;
}

const openOf = ({ counts }: ImportSupplier): number => counts.PENDING + counts.IN_PROGRESS;
const failedOf = ({ counts }: ImportSupplier): number => counts.ERRORED + counts.DRY_RUN_ERRORED;

export const LISTS = ['all', 'pending', 'imported', 'errored'] as const;

/** One line for each account. */
export async function lists(kind: string, options: LookOptions): Promise<ExitCode> {
  for await (const { words, item } of listed(kind, options)) {
    if (!(await printed(options.isJson ? JSON.stringify(item) : words))) break;
  }
  return EXIT.allDone;
}

interface Listed {
  readonly words: string;
  readonly item: object;
}

async function* listed(kind: string, { client, supplier, signal }: LookOptions): AsyncGenerator<Listed> {
  const options = { pageSize: PAGE, signal };
  switch (kind) {
    case 'all':
      return yield* summaries(client.listAccountImports(supplier, options));
    case 'pending':
      return yield* summaries(client.listPendingImports(supplier, options));
    case 'imported':
      return yield* summaries(client.listImportedAccounts(supplier, options));
    case 'errored':
      for await (const item of erroredOf(client, supplier, signal)) {
        const errors = errorsOf(item).map(({ code, attr }) => (attr === '' ? code : `${code} at ${attr}`));
        yield { words: [item.external_account_number, ...errors].join('\t'), item };
      }
      return;
    default:
      throw new UsageError(`"${kind}" is no list: choose ${LISTS.join(', ')}.`);
  }
}

async function* summaries(items: AsyncIterable<AccountImportSummary>): AsyncGenerator<Listed> {
  for await (const item of items) {
    const { external_account_number, platform_account_number, account_created_at } = item;
    yield { words: [external_account_number, platform_account_number ?? '-', account_created_at ?? '-'].join('\t'), item };
  }
}

/** Prints a line as fast as it is read. False: whoever read the lines has seen enough. */
export async function printed(line: string): Promise<boolean> {
  if (!process.stdout.write(`${line}\n`)) await drained();
  return !process.stdout.destroyed;
}

const drained = (): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      process.stdout.off('drain', done).off('close', done);
      resolve();
    };
    process.stdout.on('drain', done).on('close', done);
  });

/** Cancels the import of one account; one that has begun or ended is left as it is. */
export async function cancel(externalAccountNumber: string, { client, supplier, isJson, signal }: LookOptions): Promise<ExitCode> {
  try {
    await client.cancelImport(supplier, externalAccountNumber, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { status } = await client.getImportProcess(supplier, externalAccountNumber, { signal });
    process.stderr.write(`The import of ${supplier} ${externalAccountNumber} is ${status}: only what is PENDING can be cancelled.\n`);
    return EXIT.someFailed;
  }
  const shown = { supplier, external_account_number: externalAccountNumber, cancelled: true };
  process.stdout.write(isJson ? `${JSON.stringify(shown)}\n` : `The import of ${supplier} ${externalAccountNumber} is cancelled.\n`);
  return EXIT.allDone;
}

function printSupplier(found: ImportSupplier, isJson: boolean): void {
  const { import_supplier, status: state, counts } = found;
  if (isJson) {
    process.stdout.write(`${JSON.stringify(found)}\n`);
    return;
  }
  const words = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 || ALWAYS.has(name) ? `${number(count)} ${name.toLowerCase().replaceAll('_', ' ')}` : [],
  );
  process.stdout.write(`${import_supplier}${state === null ? '' : ` (${state})`}: ${words.join(', ')}\n`);
  if (failedOf(found) > 0) process.stdout.write(`  What failed: data-import lists errored ${import_supplier}\n`);
}

/** Shown even where there are none. */
const ALWAYS = new Set(['PENDING', 'IN_PROGRESS', 'PROCESSED', 'ERRORED']);

function printProcess(shown: ImportProcess, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify(shown)}\n`);
    return;
  }
  process.stdout.write(`${shown.status.padEnd(18)} ${shown.modified_at}   ${shown.latest_event.event}\n`);
  if (shown.latest_error) process.stdout.write(`  ${shown.latest_error.code}: ${shown.latest_error.detail}\n`);
  for (const { code, attr, detail } of shown.errors ?? []) process.stdout.write(`  ${code} at ${attr}: ${detail}\n`);
}
