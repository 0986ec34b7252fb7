import { type AccountFacts, accountFacts, accountFactsOf, GUARD, guardParameters, type ImportedAccount } from '../account-facts';
import { commit, ITEMS, jsonParameters, type RowOf, statement, type Write } from '../db';
import type { Deps } from '../deps';
import { MOVED_NOTE_TITLE, movedNoteKey, NOTE_SOURCE } from '../notes';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import type { Posting, StoredTransaction } from './posting';
import { TRANSACTION_SOURCE, type TransactionRow } from './transaction';

const TRANSACTION_ID = "j.value ->> '$[0].transaction_id'";

/** Where a row's account, addition, source, ledger and creation come from: the row itself, or parameters that all rows share. */
type Origin = readonly [account: string, addition: string, source: string, ledger: string, createdAt: string];

// What was posted as it was imported is taken from the imported transaction, so that nothing crosses the wire twice.
const insert = ([account, addition, source, ledger, createdAt]: Origin): string => `INSERT INTO transactions
    (account_id, transaction_id, addition, source, ledger, transaction_date, amount_minor, type, note, imported, created_at)
  SELECT ${account}, ${TRANSACTION_ID}, ${addition}, ${source}, ${ledger}, coalesce(j.value ->> 2, j.value ->> '$[0].transaction_date'),
    j.value ->> 1, j.value ->> '$[0].type', coalesce(j.value ->> 3, j.value ->> '$[0].note'), j.value -> 0, ${createdAt}
  FROM ${ITEMS} j`;

const postedValues = ({ imported, amountMinor, transactionDate, note }: TransactionRow) => [
  imported,
  amountMinor,
  transactionDate === imported.transaction_date ? null : transactionDate,
  note === imported.note ? null : note,
];

const valuesOf = (row: TransactionRow) => [...postedValues(row), row.accountId, row.addition, row.source, row.ledger, row.createdAt];

const INSERT_OF_ANY_ACCOUNT = `${insert(['j.value ->> 4', 'j.value ->> 5', 'j.value ->> 6', 'j.value ->> 7', 'j.value ->> 8'])}
  WHERE true ON CONFLICT DO NOTHING`;

/** Inserts transactions of any number of accounts; those already stored stay as they are. */
export const insertTransactions = (rows: readonly TransactionRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));

type EarlierRow = RowOf<'transactions', 'transaction_id' | 'transaction_date' | 'amount_minor' | 'note' | 'imported'>;

// Of transactions that were added more than once, the first one is told.
const EARLIER = `SELECT t.transaction_id, t.transaction_date, t.amount_minor, t.note, t.imported
  FROM json_each(?1) j CROSS JOIN transactions t ON t.account_id = ?2 AND t.transaction_id = j.value
  WHERE NOT EXISTS (SELECT 1 FROM transactions f WHERE f.account_id = ?2 AND f.transaction_id = j.value AND f.addition < t.addition)`;

/** True where no transaction `id` is on the account `?6`. */
const isNew = (id: string): string => `NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = ?6 AND t.transaction_id = ${id})`;

// What is not checked has a number of its own, so that only our own retry meets it again.
const isNewAddition = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = ?6 AND t.transaction_id = ${id} AND t.addition = ?7)`;

// Comes before the transactions in the batch, so it tells exactly those that this request moves.
const noteMoved = (isNewId: (id: string) => string): string => `INSERT INTO notes
    (account_id, note_key, created_at, body, documents, is_pinned, unpin_at, source)
  SELECT ?6, ?9, ?8, ?10 || group_concat(char(10) || (j.value ->> 1), '' ORDER BY j.key), NULL, 1, NULL, ${NOTE_SOURCE.service}
  FROM json_each(?1) j WHERE ${GUARD} AND ${isNewId('j.value ->> 0')}
  HAVING count(*) > 0 ON CONFLICT DO NOTHING`;

const POSTED = insert(['?6', '?7', String(TRANSACTION_SOURCE.posted), 'NULL', '?8']);

const CHECKED = {
  note: noteMoved(isNew),
  add: `${POSTED} WHERE ${GUARD} AND ${isNew(TRANSACTION_ID)} AND NOT EXISTS (SELECT 1 FROM json_each(?9) b WHERE ${isNew('b.value')})
    ON CONFLICT DO NOTHING`,
};
// What is to be added again cannot be there already: anything barred bars all.
const UNCHECKED = {
  note: noteMoved(isNewAddition),
  add: `${POSTED} WHERE ${GUARD} AND ?9 = '[]' ON CONFLICT DO NOTHING`,
};

/**
 * Adds to the account what is new to it, and the pinned note about what moved, unless the facts that judged them have changed.
 * Returns those facts as they are, and by id what had been added before. One trip.
 */
export async function addPosting(
  deps: Deps,
  caller: Caller,
  pair: { readonly import_supplier: string; readonly external_account_number: string },
  { supplier, account }: { readonly supplier: Supplier; readonly account: ImportedAccount },
  posting: Posting,
): Promise<{ readonly facts: AccountFacts; readonly earlier: ReadonlyMap<string, StoredTransaction> }> {
  const { rows, checks, request, createdAt, moved, barred } = posting;
  const sql = checks ? CHECKED : UNCHECKED;
  const shared = [...guardParameters(caller, supplier), account.id, checks ? 0 : request, createdAt] as const;
  const ids = checks ? rows.map(({ transactionId }) => transactionId) : [];
  const lines = moved.map(({ transactionId, line }) => [transactionId, line]);
  const [facts, earlier] = await commit(deps.databaseOf(supplier.code), [
    accountFacts(caller, pair.import_supplier, pair.external_account_number),
    statement<EarlierRow>(EARLIER, JSON.stringify(ids), account.id),
    ...(moved.length > 0 ? [statement(sql.note, JSON.stringify(lines), ...shared, movedNoteKey(request), MOVED_NOTE_TITLE)] : []),
    ...jsonParameters(rows.map(postedValues)).map((values) => statement(sql.add, values, ...shared, JSON.stringify(barred))),
  ]);
  return { facts: accountFactsOf(facts), earlier: new Map(earlier.map((row) => [row.transaction_id, storedTransaction(row)])) };
}

const storedTransaction = (row: EarlierRow): StoredTransaction => ({
  transactionDate: row.transaction_date,
  amountMinor: row.amount_minor,
  note: row.note,
  imported: JSON.parse(row.imported),
});
