/** `status`, `watch` and `lists`: what the service says about imports. */
import { ApiError, type DataImportClient, type ImportProcess, pause } from '../client';
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
    tellProcess(process, isJson);
    return EXIT.allDone;
  }
  const [pending, imported] = await Promise.all([
    countOf(client.listPendingImports(supplier, { pageSize: PAGE, signal })),
    countOf(client.listImportedAccounts(supplier, { pageSize: PAGE, signal })),
  ]);
  const words = `${number(imported)} imported, ${number(pending)} without an account (waiting, failed or cancelled)`;
  process.stdout.write(isJson ? `${JSON.stringify({ supplier, imported, pending })}\n` : `${supplier}: ${words}\n`);
  return EXIT.allDone;
}

/** Follows one account to its end, or a supplier until nothing is pending. */
export async function watch(externalAccountNumber: string | undefined, options: LookOptions): Promise<ExitCode> {
  return externalAccountNumber === undefined ? watchSupplier(options) : watchAccount(externalAccountNumber, options);
}

async function watchAccount(externalAccountNumber: string, { client, supplier, isJson, signal }: LookOptions): Promise<ExitCode> {
  for (let last = ''; ; await pause(WATCH_MILLISECONDS, signal)) {
    const process = await client.getImportProcess(supplier, externalAccountNumber, { signal });
    if (process.status !== last) tellProcess(process, isJson);
    last = process.status;
    const ending = endingOf(process);
    if (ending) return ending.kind === 'failed' ? EXIT.someFailed : EXIT.allDone;
  }
}

async function watchSupplier({ client, supplier, isJson, signal, outage }: LookOptions): Promise<ExitCode> {
  const first = await countOf(client.listPendingImports(supplier, { pageSize: PAGE, signal }));
  let [pending, most] = [first, first];
  const progress = new Progress(() => ({ finished: most - pending, total: most, failed: 0, counts: { pending }, notice: outage.notice }));
  try {
    while (pending > 0) {
      await pause(WATCH_MILLISECONDS, signal);
      pending = await countOf(client.listPendingImports(supplier, { pageSize: PAGE, signal }));
      most = Math.max(most, pending);
      if (isJson) process.stdout.write(`${JSON.stringify({ supplier, pending })}\n`);
    }
  } finally {
    progress.end();
  }
  return EXIT.allDone;
}

export const LISTS = ['all', 'pending', 'imported'] as const;

/** One line for each account. */
export async function lists(kind: string, { client, supplier, isJson, signal }: LookOptions): Promise<ExitCode> {
  const options = { pageSize: PAGE, signal };
  const items =
    kind === 'all'
      ? client.listAccountImports(supplier, options)
      : kind === 'pending'
        ? client.listPendingImports(supplier, options)
        : kind === 'imported'
          ? client.listImportedAccounts(supplier, options)
          : undefined;
  if (!items) throw new UsageError(`"${kind}" is no list: choose ${LISTS.join(', ')}.`);
  for await (const item of items) {
    const { external_account_number, platform_account_number, account_created_at } = item;
    const words = [external_account_number, platform_account_number ?? '-', account_created_at ?? '-'].join('\t');
    if (!(await printed(isJson ? JSON.stringify(item) : words))) break;
  }
  return EXIT.allDone;
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
  const told = { supplier, external_account_number: externalAccountNumber, cancelled: true };
  process.stdout.write(isJson ? `${JSON.stringify(told)}\n` : `The import of ${supplier} ${externalAccountNumber} is cancelled.\n`);
  return EXIT.allDone;
}

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

function tellProcess(told: ImportProcess, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify(told)}\n`);
    return;
  }
  process.stdout.write(`${told.status.padEnd(18)} ${told.modified_at}   ${told.latest_event.event}\n`);
  if (told.latest_error) process.stdout.write(`  ${told.latest_error.code}: ${told.latest_error.detail}\n`);
  for (const { code, attr, detail } of told.errors ?? []) process.stdout.write(`  ${code} at ${attr}: ${detail}\n`);
}
