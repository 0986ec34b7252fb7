/** What a file of accounts brings, to the penny: declared of the run before the first account is sent. */
import { readAccount, TOTALS, type Total, totalsOf } from '../../../accounts/pure';
import { accountBody } from '../../../accounts/schema';
import { formatMinorUnits } from '../../../shared/money';
import { parse } from '../../../shared/parse';
import type { ListedAccount, RunTotals } from '../../client';
import { accountOf } from '../account';
import { UsageError } from '../exit';
import type { Source } from '../files/source';

export interface FileTotals {
  readonly supplier: string;
  readonly expected: RunTotals;
  /** The first accounts of the file with their totals, as a list to compare with. */
  readonly first: readonly ListedAccount[];
}

/** Of a number that the file has twice the later record counts. `count` is how many of the first accounts are listed. */
export async function totalsOfFile(source: Source, count: number): Promise<FileTotals> {
  const last = new Map<string, number>();
  const suppliers = new Set<string>();
  let position = 0;
  for await (const { text } of source.records()) {
    const { supplier, number } = accountOf(text) ?? {};
    if (supplier !== undefined) suppliers.add(supplier);
    if (number !== undefined) last.set(number, position);
    position++;
  }
  const [supplier, other] = [...suppliers];
  if (supplier === undefined) throw new UsageError('No account of the file names an import supplier.');
  if (other !== undefined) throw new UsageError(`A run is of one supplier; the file names ${supplier} and ${other}. Send a file for each.`);
  let sum = new Map<Total, bigint>();
  const first: ListedAccount[] = [];
  position = 0;
  for await (const { text } of source.records()) {
    const number = accountOf(text)?.number;
    if (number === undefined || last.get(number) !== position++) continue;
    const totals = totalsIn(text);
    if (first.length < count) first.push({ external_account_number: number, ...shown((name) => totals?.[name] ?? 0n) });
    if (totals) sum = new Map(TOTALS.map((name) => [name, (sum.get(name) ?? 0n) + totals[name]]));
  }
  return { supplier, expected: { accounts: last.size, ...shown((name) => sum.get(name) ?? 0n) }, first };
}

/** Undefined for an account whose fields are wrong: the service refuses it, so it brings nothing. */
function totalsIn(text: string) {
  const read = readAccount(JSON.parse(text));
  const { value } = parse(accountBody, read.sent);
  return value && totalsOf(value);
}

const shown = (of: (name: Total) => bigint): Omit<RunTotals, 'accounts'> => ({
  customers: Number(of('customers')),
  notes: Number(of('notes')),
  transactions: Number(of('transactions')),
  transactions_amount: formatMinorUnits(of('transactions_amount')),
  statements: Number(of('statements')),
  payment_instructions: Number(of('payment_instructions')),
  balance: formatMinorUnits(of('balance')),
});
