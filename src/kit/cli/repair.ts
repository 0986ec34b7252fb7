/** `repair`: the records of a file whose imports failed, as the service knows them, in a failed file. */
import type { DataImportClient, ErrorItem } from '../client';
import { accountOf } from './account';
import { erroredOf, errorsOf } from './errored';
import { EXIT, type ExitCode } from './exit';
import { noRecord, type Source } from './files/source';
import { writeFailed } from './files/write-failed';
import { AccountNumbers } from './guard/numbers';
import { counted, number } from './progress';
import { sendAgain } from './summary';

export interface RepairOptions {
  readonly client: DataImportClient;
  readonly supplier: string;
  /** The file that was sent: the service gives nothing of a payload back. */
  readonly source: Source;
  readonly failedFile: string | undefined;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

/** For when the import was not watched to its end, or its failed file is gone. Some failed where one is not in the file. */
export async function repair({ client, supplier, source, failedFile, isJson, signal }: RepairOptions): Promise<ExitCode> {
  const numbers = new AccountNumbers();
  let total = 0;
  for await (const { text, line } of source.records()) {
    const account = accountOf(text);
    numbers.add(account?.supplier, account?.number, line, text);
    total++;
  }
  if (total === 0) throw noRecord(source.name);
  const failures = new Map<number, readonly ErrorItem[]>();
  let elsewhere = 0;
  for await (const process of erroredOf(client, supplier, signal)) {
    const position = numbers.positionOf(supplier, process.external_account_number);
    if (position === undefined) elsewhere++;
    else failures.set(position, errorsOf(process));
  }
  const written = await writeFailed(source, failures, failedFile);
  const report = { supplier, errored: failures.size + elsewhere, not_in_file: elsewhere, failed_file: written[0] ?? null };
  const lines = isJson ? [JSON.stringify(report)] : wordsOf(supplier, source, failures.size, elsewhere, written);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return elsewhere === 0 ? EXIT.allDone : EXIT.someFailed;
}

function wordsOf(supplier: string, source: Source, failed: number, elsewhere: number, written: readonly string[]): string[] {
  return [
    `${counted(failed + elsewhere, 'import')} of ${supplier} failed, ${number(failed)} of ${source.name}.`,
    ...(elsewhere === 0
      ? []
      : [
          `${counted(elsewhere, 'account')} of them ${elsewhere === 1 ? 'is' : 'are'} not in this file: repeat it with the one they came from.`,
        ]),
    ...sendAgain(written, source.again),
  ];
}
