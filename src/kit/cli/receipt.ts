/** The receipt of an import: each account of the file, its number on the platform, and what became of it. */
import { existsSync } from 'node:fs';
import { ApiError, type DataImportClient } from '../client';
import { accountOf } from './account';
import { csvLine, csvRows } from './csv/text';
import { openFile } from './files/open';
import type { Source } from './files/source';
import { familyOf, isFailedFile, writeOver } from './files/write';
import type { Guarded } from './guard/guard';

export interface ReceiptOptions {
  readonly client: DataImportClient;
  readonly source: Source;
  readonly guarded: Guarded;
  readonly target: string;
  readonly signal: AbortSignal;
  /** What became of a record, in one word. */
  readonly statusOf: (index: number) => string;
}

const COLUMNS = ['import_supplier', 'external_account_number', 'platform_account_number', 'status'];
/** From so many accounts on, the supplier's list is read instead of one status each. */
const MANY = 200;
const AT_ONCE = 8;

/** Beside the file that the accounts first came from: what is put right and sent again takes its place in the same receipt. */
export const receiptFileOf = (file: string): string => `${familyOf(file)}.receipt.csv`;

/** The accounts of the file that the platform has: their position in the file, and their number. */
export async function* accountsThere(
  options: Omit<ReceiptOptions, 'target' | 'statusOf'>,
): AsyncGenerator<{ index: number; number: string }> {
  const { client, guarded, signal } = options;
  if (guarded.numbers.size <= MANY) return yield* fewThere(options);
  for (const supplier of guarded.suppliers.keys()) {
    for await (const item of importedOf(client, supplier, signal)) {
      const index = guarded.numbers.positionOf(supplier, item.external_account_number);
      if (index !== undefined && item.platform_account_number !== null) yield { index, number: item.platform_account_number };
    }
  }
}

async function* fewThere({ client, source, guarded, signal }: Omit<ReceiptOptions, 'target' | 'statusOf'>) {
  const found: { index: number; number: string }[] = [];
  const records = namedRecords(source, guarded);
  const read = async () => {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { index, supplier, number } = next.value;
      const platformNumber = await platformNumberOf(client, supplier, number, signal);
      if (platformNumber !== '') found.push({ index, number: platformNumber });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, read));
  yield* found.sort((one, other) => one.index - other.index);
}

/** None where the supplier is none of this key's, or no address could name it. */
async function* importedOf(client: DataImportClient, supplier: string, signal: AbortSignal) {
  if (isUnaddressable(supplier)) return;
  try {
    yield* client.listImportedAccounts(supplier, { pageSize: 10_000, signal });
  } catch (error) {
    if (!isNone(error)) throw error;
  }
}

const isUnaddressable = (name: string): boolean => name.trim() === '' || name === '.' || name === '..';

const isNone = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400);

/** Empty where there is no account, or no address could name it. */
async function platformNumberOf(client: DataImportClient, supplier: string, number: string, signal: AbortSignal): Promise<string> {
  if (isUnaddressable(supplier) || isUnaddressable(number)) return '';
  try {
    return (await client.getTransferStatus(supplier, number, { signal })).platform_account_number;
  } catch (error) {
    if (isNone(error)) return '';
    throw error;
  }
}

/** Each account of the file that has a supplier and a number, once. */
async function* namedRecords(source: Source, { numbers }: Guarded) {
  let index = -1;
  for await (const { text } of source.records()) {
    index++;
    const account = accountOf(text);
    if (account?.supplier === undefined || account.number === undefined) continue;
    if (numbers.positionOf(account.supplier, account.number) !== index) continue;
    yield { index, supplier: account.supplier, number: account.number };
  }
}

/** Writes the receipt; `there` are the platform numbers by position. */
export async function writeReceipt(options: ReceiptOptions, there: ReadonlyMap<number, string>): Promise<void> {
  await writeOver(options.target, receiptLines(options, there));
}

async function* receiptLines({ source, guarded, target, statusOf }: ReceiptOptions, there: ReadonlyMap<number, string>) {
  yield csvLine(COLUMNS);
  if (isFailedFile(source.beside) && existsSync(target)) {
    const opened = await openFile(target);
    for await (const { cells, row } of csvRows(opened, ',')) {
      const [supplier = '', number = ''] = cells;
      if (row > 1 && guarded.numbers.positionOf(supplier, number) === undefined) yield csvLine(cells);
    }
  }
  for await (const { index, supplier, number } of namedRecords(source, guarded)) {
    yield csvLine([supplier, number, there.get(index) ?? '', statusOf(index)]);
  }
}
