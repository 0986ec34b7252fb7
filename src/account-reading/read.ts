/**
 * Reads imported accounts whole, from their rows (§10, §11).
 */
import { accountFields } from '../accounts';
import { commit, query, type Write } from '../db';
import type { Deps } from '../deps';
import { processIdOf } from '../import-processes';
import { NOTE_SOURCE } from '../notes';
import { accountNumberIn } from '../operator';
import { TRANSACTION_SOURCE } from '../transactions';
import {
  type AccountRow,
  accountByPair,
  accountNumberKey,
  accountsById,
  type CustomerRow,
  type EventRow,
  type HistoryRow,
  type InstructionRow,
  type NoteRow,
  type StatementRow,
  type TransactionRow,
} from './store';

/** An account and everything that is stored of it. */
export interface WholeAccount {
  readonly row: AccountRow;
  readonly accountNumber: string;
  /** What of its payload has no rows; undefined where the payload cannot be read. */
  readonly fields: object | undefined;
  /** As they were sent. */
  readonly customers: readonly CustomerRow[];
  readonly notes: readonly NoteRow[];
  readonly transactions: readonly TransactionRow[];
  readonly statements: readonly StatementRow[];
  readonly instructions: readonly InstructionRow[];
  /** Beyond the happy path, oldest first. */
  readonly events: readonly EventRow[];
  /** What operators did to it and to its import, newest first. */
  readonly history: readonly HistoryRow[];
}

/** An account that was found, and its number in the form of an account number. */
export interface NumberedAccount {
  readonly id: number;
  readonly accountNumber: string;
}

/**
 * From a platform account number, or an identifier in decimal, to the id that an account of this number has, if there is one. Undefined
 * for text that is neither.
 */
export async function numberedAccount(deps: Deps, text: string): Promise<NumberedAccount | undefined> {
  const accountNumber = accountNumberIn(text);
  if (accountNumber === undefined) return undefined;
  const [key] = await query(deps.db, accountNumberKey({}));
  return key && { id: processIdOf(accountNumber, key.value), accountNumber };
}

/** The account with this platform account number or identifier. `before` are writes that belong to the reading. */
export async function readAccount(deps: Deps, text: string): Promise<WholeAccount | undefined> {
  const numbered = await numberedAccount(deps, text);
  return numbered && readNumbered(deps, numbered);
}

/** The same of one whose id is known; `before` is written in the batch that reads. */
export async function readNumbered(deps: Deps, { id, accountNumber }: NumberedAccount, before: readonly Write[] = []) {
  const results = await commit(deps.db, [...accountsById([id]), ...before]);
  const [account] = accountsOf(results);
  return account?.accountNumber === accountNumber ? account : undefined;
}

/** The account of a pair; undefined unless it is imported. One trip. */
export async function readAccountOfPair(deps: Deps, code: string, externalAccountNumber: string): Promise<WholeAccount | undefined> {
  return accountsOf(await commit(deps.databaseOf(code), accountByPair(code, externalAccountNumber)))[0];
}

/** The accounts with these ids, in their order; what is not there is left out. One trip. */
export async function readAccounts(deps: Deps, ids: readonly number[]): Promise<WholeAccount[]> {
  const accounts = new Map(accountsOf(await commit(deps.db, accountsById(ids))).map((account) => [account.row.id, account]));
  return ids.flatMap((id) => accounts.get(id) ?? []);
}

/** The rows of a batch that begins with the statements of {@link accountsById}. */
type Rows = readonly [
  readonly AccountRow[],
  readonly CustomerRow[],
  readonly NoteRow[],
  readonly TransactionRow[],
  readonly StatementRow[],
  readonly InstructionRow[],
  readonly EventRow[],
  readonly HistoryRow[],
  ...(readonly unknown[])[],
];

function accountsOf([accounts, customers, notes, transactions, statements, instructions, events, history]: Rows): WholeAccount[] {
  const of = <Row extends { readonly accountId: number }>(rows: readonly Row[]) => Map.groupBy(rows, ({ accountId }) => accountId);
  const [customersOf, notesOf, transactionsOf, statementsOf] = [of(customers), of(notes), of(transactions), of(statements)];
  const [instructionsOf, historyOf] = [of(instructions), of(history)];
  const eventsOf = Map.groupBy(events, ({ processId }) => processId);
  return accounts.flatMap((row) => {
    if (row.accountNumber === null) return [];
    const account = {
      row,
      accountNumber: row.accountNumber,
      customers: customersOf.get(row.id) ?? [],
      notes: notesOf.get(row.id) ?? [],
      transactions: transactionsOf.get(row.id) ?? [],
      statements: statementsOf.get(row.id) ?? [],
      instructions: instructionsOf.get(row.id) ?? [],
      events: eventsOf.get(row.id) ?? [],
      history: historyOf.get(row.id) ?? [],
    };
    return [{ ...account, fields: accountFields(row.body, payloadRowsOf(account)) }];
  });
}

/** How many rows the account has of its payload: rows that were posted since are left out. */
const payloadRowsOf = ({ row, customers, notes, transactions, statements, instructions }: Omit<WholeAccount, 'fields'>) => ({
  haveAllFields: row.hasAllFields === 1,
  customers: customers.length,
  notes: notes.filter(({ source }) => source === NOTE_SOURCE.payload).length,
  transactions: transactions.filter(({ source }) => source !== TRANSACTION_SOURCE.posted).length,
  statements: statements.filter(({ createdAt }) => createdAt === row.createdAt).length,
  paymentInstructions: instructions.filter(({ position }) => position > 0).length,
});
