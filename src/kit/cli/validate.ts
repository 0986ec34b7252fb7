/** `validate FILE`: reports all errors of all accounts and stores nothing. */
import type { BulkResult } from '../client';
import type { Connection } from './access';
import { accountOf } from './account';
import { EXIT, type ExitCode } from './exit';
import type { Source } from './files/source';
import type { Allowable, Finding } from './guard/finding';
import { guard } from './guard/guard';
import { checkOffline, type OfflineSupplier } from './offline';
import { number, Progress } from './progress';
import { checkSupplier } from './sending';
import { countsOf } from './summary';

export interface ValidateOptions {
  readonly source: Source;
  readonly allowed: ReadonlySet<Allowable>;
  /** What was found while the file was opened. */
  readonly findings: readonly Finding[];
  readonly isJson: boolean;
  /** Validates here with what is known of the supplier, or by the service. */
  readonly by: Connection | OfflineSupplier;
  readonly signal: AbortSignal;
}

/** A person is shown at most this many lines; a machine gets all. */
const MAX_SHOWN = 50;

export async function validate(options: ValidateOptions): Promise<ExitCode> {
  const { source, allowed, findings, by, isJson, signal } = options;
  if ('client' in by) await by.client.checkAccess({ signal });
  const guarded = await guard(source, allowed, (line) => process.stderr.write(`${line}\n`), findings);
  const { total } = guarded;
  const counts = { validated: 0, invalid: 0 };
  const codes: string[] = [];
  const notice = () => ('client' in by ? by.outage.notice : undefined);
  const progress = new Progress(() => ({ finished: counts.validated, total, failed: counts.invalid, notice: notice() }), isJson);
  try {
    for await (const result of resultsOf(options)) {
      signal.throwIfAborted();
      counts.validated++;
      const { index, ...shown } = result;
      const line = guarded.numbers.lineOf(index);
      if (isJson) process.stdout.write(`${JSON.stringify({ line, ...shown })}\n`);
      if (result.status === 'VALID') continue;
      counts.invalid++;
      codes.push(...new Set(result.errors?.map(({ code }) => code) ?? [result.status]));
      if (!isJson && counts.invalid <= MAX_SHOWN) progress.print(wordsOf(result, source.unit, line));
    }
  } finally {
    progress.end();
  }
  if (isJson) process.stdout.write(`${JSON.stringify({ done: true, lines: total, invalid: counts.invalid })}\n`);
  else {
    if (counts.invalid > MAX_SHOWN) process.stdout.write(`… and ${number(counts.invalid - MAX_SHOWN)} more; --json lists all.\n`);
    process.stdout.write(`${number(total)} accounts: ${number(total - counts.invalid)} valid, ${number(counts.invalid)} not\n`);
    for (const [code, count] of Object.entries(countsOf(codes))) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
  }
  if (!('client' in by) && by.country === undefined) {
    process.stderr.write(
      `NOT VALIDATED: phone numbers and the reasons of transactions, which need the supplier's country. Say it: --country GB.\n`,
    );
    return EXIT.usageOrAccess;
  }
  return counts.invalid === 0 ? EXIT.allDone : EXIT.someFailed;
}

async function* resultsOf({ source, by, signal }: ValidateOptions): AsyncGenerator<BulkResult> {
  const suppliers = new Map<number, string | undefined>();
  async function* texts() {
    let index = 0;
    for await (const { text } of source.records()) {
      suppliers.set(index++, accountOf(text)?.supplier);
      yield text;
    }
  }
  if ('client' in by) {
    for await (const result of by.client.bulk(texts(), { mode: 'validate', signal })) {
      checkSupplier(result.errors ?? [], suppliers.get(result.index));
      suppliers.delete(result.index);
      yield result;
    }
    return;
  }
  let index = 0;
  for await (const { text } of source.records()) yield checkOffline(text, index++, by);
}

function wordsOf({ external_account_number, status, errors }: BulkResult, unit: string, line: number): string {
  const shown = errors?.map(({ code, attr }) => (attr === '' ? code : `${code} at ${attr}`)).join(', ') ?? status;
  return `${unit} ${line}${external_account_number === undefined ? '' : `  ${external_account_number}`}  ${shown}`;
}
