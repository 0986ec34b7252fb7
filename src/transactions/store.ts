import { type AccountFacts, accountFacts, accountFactsOf, GUARD, guardParameters, type ImportedAccount } from '../account-facts';
import { commit, jsonParameters, type Statement, statement, type Write } from '../db';
import type { Deps } from '../deps';
import { NOTE_SOURCE } from '../notes';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import { MOVED_NOTE_TITLE, type Posting, type StoredTransaction } from './posting';
import type { TransactionRow } from './transaction';

const INSERT = `INSERT INTO transactions (account_id, transaction_id, addition, source, ledger, transaction_date, amount_minor, type, note,
    imported, created_at)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6, j.value ->> 7, j.value ->> 8,
    j.value -> 9, j.value ->> 10
  FROM json_each(?1) j`;

const valuesOf = (row: TransactionRow) => [
  row.accountId,
  row.transactionId,
  row.addition,
  row.source,
  row.ledger,
  row.transactionDate,
  row.amountMinor,
  row.type,
  row.note,
  row.imported,
  row.createdAt,
];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts transactions of any number of accounts; those already stored stay as they are. */
export const insertTransactions = (rows: readonly TransactionRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));

interface EarlierRow {
  readonly transaction_id: string;
  readonly transaction_date: string;
  readonly amount_minor: number;
  readonly note: string | null;
  readonly imported: string;
}

// Of transactions that were added more than once, the first one is told.
const EARLIER = `SELECT t.transaction_id, t.transaction_date, t.amount_minor, t.note, t.imported
  FROM json_each(?1) j CROSS JOIN transactions t ON t.account_id = ?2 AND t.transaction_id = j.value
    AND t.addition = (SELECT min(f.addition) FROM transactions f WHERE f.account_id = ?2 AND f.transaction_id = j.value)`;

/** True where the transaction `id` of the account has not been added: at all, or by the request `addition` that does not check. */
const isNew = (account: string, id: string, addition: string): string =>
  `NOT EXISTS (SELECT 1 FROM transactions t WHERE t.account_id = ${account} AND t.transaction_id = ${id} AND (${addition} = 0 OR t.addition = ${addition}))`;

// Comes before the transactions in the batch, so it tells exactly those that this request moves.
const NOTE_MOVED = `INSERT INTO notes (account_id, note_key, created_at, body, documents, is_pinned, unpin_at, source)
  SELECT ?6, ?7, ?8, ?9 || group_concat(char(10) || (j.value ->> 1), '' ORDER BY j.key), NULL, 1, NULL, ${NOTE_SOURCE.service}
  FROM json_each(?1) j WHERE ${GUARD} AND ${isNew('?6', 'j.value ->> 0', '?10')}
  HAVING count(*) > 0 ON CONFLICT DO NOTHING`;

const ADD = `${INSERT} WHERE ${GUARD} AND ${isNew('j.value ->> 0', 'j.value ->> 1', 'j.value ->> 2')}
    AND NOT EXISTS (SELECT 1 FROM json_each(?6) b WHERE ${isNew('?7', 'b.value', '0')})
  ON CONFLICT DO NOTHING`;

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
  const guard = guardParameters(caller, supplier);
  const checked = posting.rows.filter(({ addition }) => addition === 0).map(({ transactionId }) => transactionId);
  const [facts, earlier] = await commit(deps.databaseOf(supplier.code), [
    accountFacts(caller, pair.import_supplier, pair.external_account_number),
    statement<EarlierRow>(EARLIER, JSON.stringify(checked), account.id),
    ...movedNote(posting, account.id, guard),
    ...jsonParameters(posting.rows.map(valuesOf)).map((rows) => statement(ADD, rows, ...guard, JSON.stringify(posting.barred), account.id)),
  ]);
  return { facts: accountFactsOf(facts), earlier: new Map(earlier.map((row) => [row.transaction_id, storedTransaction(row)])) };
}

function movedNote({ rows, moved, request }: Posting, accountId: number, guard: ReturnType<typeof guardParameters>): Statement[] {
  const [first] = rows;
  if (!first || moved.length === 0) return [];
  const lines = JSON.stringify(moved.map(({ transactionId, line }) => [transactionId, line]));
  return [statement(NOTE_MOVED, lines, ...guard, accountId, `moved ${request}`, first.createdAt, MOVED_NOTE_TITLE, first.addition)];
}

const storedTransaction = (row: EarlierRow): StoredTransaction => ({
  transactionDate: row.transaction_date,
  amountMinor: row.amount_minor,
  note: row.note,
  imported: JSON.parse(row.imported),
});
