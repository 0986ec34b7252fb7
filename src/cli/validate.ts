/** `validate FILE`: tells all errors of all accounts and stores nothing. */
import type { BulkResult, DataImportClient } from '../client';
import { EXIT, type ExitCode } from './exit';
import { withoutErrors } from './failed-file';
import { countsOf } from './import';
import { judgeOffline, type OfflineSupplier } from './offline';
import { number, Progress } from './progress';
import { checkFile, countRecords, recordsOf } from './records';

export interface ValidateOptions {
  readonly file: string;
  readonly isJson: boolean;
  /** Judges here with what is known of the supplier, or by the service. */
  readonly by: DataImportClient | OfflineSupplier;
  readonly signal: AbortSignal;
}

/** Lines that are told to a person; machines are told all. */
const MAX_TOLD = 50;

export async function validate(options: ValidateOptions): Promise<ExitCode> {
  const { file, isJson, signal } = options;
  checkFile(file);
  const total = await countRecords(file);
  const counts = { validated: 0, invalid: 0 };
  const codes: string[] = [];
  const progress = new Progress(() => ({ finished: counts.validated, total, counts }), isJson);
  try {
    for await (const result of resultsOf(options)) {
      signal.throwIfAborted();
      counts.validated++;
      const { index, ...told } = result;
      if (isJson) process.stdout.write(`${JSON.stringify({ line: index + 1, ...told })}\n`);
      if (result.status === 'VALID') continue;
      counts.invalid++;
      codes.push(...new Set(result.errors?.map(({ code }) => code) ?? [result.status]));
      if (!isJson && counts.invalid <= MAX_TOLD) progress.print(wordsOf(result));
    }
  } finally {
    progress.end();
  }
  if (isJson) process.stdout.write(`${JSON.stringify({ done: true, lines: total, invalid: counts.invalid })}\n`);
  else {
    if (counts.invalid > MAX_TOLD) process.stdout.write(`… and ${number(counts.invalid - MAX_TOLD)} more; --json tells all.\n`);
    process.stdout.write(`${number(total)} accounts: ${number(total - counts.invalid)} valid, ${number(counts.invalid)} not\n`);
    for (const [code, count] of Object.entries(countsOf(codes))) process.stdout.write(`${number(count).padStart(9)}  ${code}\n`);
  }
  return counts.invalid === 0 ? EXIT.allDone : EXIT.someFailed;
}

async function* resultsOf({ file, by, signal }: ValidateOptions): AsyncGenerator<BulkResult> {
  if ('bulk' in by) return yield* by.bulk(recordsToSend(file), { mode: 'validate', signal });
  let index = 0;
  for await (const record of recordsToSend(file)) yield judgeOffline(record, index++, by);
}

async function* recordsToSend(file: string): AsyncGenerator<string> {
  for await (const record of recordsOf(file)) yield withoutErrors(record);
}

function wordsOf({ index, external_account_number, status, errors }: BulkResult): string {
  const told = errors?.map(({ code, attr }) => (attr === '' ? code : `${code} at ${attr}`)).join(', ') ?? status;
  return `line ${index + 1}${external_account_number === undefined ? '' : `  ${external_account_number}`}  ${told}`;
}
