import { type AccountFacts, accountFactsOf, additionOf, factsAgain, type Guard, guardOf, isUnchanged, type Target } from '../account-facts';
import {
  alias,
  and,
  columnsOf,
  commit,
  db,
  eq,
  field,
  inserting,
  insertSelect,
  lt,
  notExists,
  notes,
  prepared,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  transactions,
  type Values,
  type Write,
} from '../db';
import type { Deps } from '../deps';
import { recordCount } from '../events';
import { MOVED_NOTE_TITLE, movedNoteKey, NOTE_SOURCE } from '../notes';
import type { Posting, StoredTransaction } from './posting';

/** Inserts transactions of any number of accounts; those already stored stay as they are. */
export const insertTransactions = inserting(transactions);

const wanted = rowsOf('wanted', { transactionId: transactions.transactionId });

/** What had been added before. Of a transaction that was added more than once, the first one. */
const EARLIER = prepared(($: Values<{ wanted: RowValues<typeof wanted>; accountId: number }>) => {
  const first = alias(transactions, 'first');
  const isOf = (table: typeof transactions | typeof first) =>
    and(eq(table.accountId, $.accountId), eq(table.transactionId, wanted.row.transactionId));
  return db
    .select({
      transactionId: transactions.transactionId,
      transactionDate: transactions.transactionDate,
      amountMinor: transactions.amountMinor,
      note: transactions.note,
      imported: transactions.imported,
    })
    .from(wanted.from($.wanted))
    .crossJoin(transactions)
    .where(
      and(
        isOf(transactions),
        notExists(
          db
            .select({ addition: first.addition })
            .from(first)
            .where(and(isOf(first), lt(first.addition, transactions.addition))),
        ),
      ),
    );
});

/** True where the account has no transaction of that id, or none of that id and addition. */
const isNew = ($: Values<{ accountId: number }>, transactionId: SQL<string>, addition?: SQL<number>) =>
  notExists(
    db
      .select({ addition: transactions.addition })
      .from(transactions)
      .where(
        and(
          eq(transactions.accountId, $.accountId),
          eq(transactions.transactionId, transactionId),
          addition && eq(transactions.addition, addition),
        ),
      ),
  );

const moved = rowsOf('moved', { transactionId: transactions.transactionId, line: field<string>() });

type MovedNote = { moved: RowValues<typeof moved>; accountId: number; createdAt: number; noteKey: string } & Guard;

/** Writes the note about what moved. It comes before the transactions in the batch, so it lists exactly those that this request moves. */
const insertMovedNote = ($: Values<MovedNote>, isNewTransaction: SQL) =>
  insertSelect(
    notes,
    {
      accountId: $.accountId,
      noteKey: $.noteKey,
      createdAt: $.createdAt,
      body: sql`${MOVED_NOTE_TITLE} || group_concat(char(10) || ${moved.row.line}, '' ORDER BY ${moved.position})`,
      isPinned: true,
      source: NOTE_SOURCE.service,
    },
    sql`FROM ${moved.from($.moved)} WHERE ${and(isUnchanged($), isNewTransaction)} HAVING count(*) > 0`,
  ).onConflictDoNothing();

const given = rowsOf('given', columnsOf(transactions));
const barred = rowsOf('barred', { transactionId: transactions.transactionId });

type Added = { rows: RowValues<typeof given>; barred: RowValues<typeof barred>; accountId: number } & Guard;

const insertGiven = ($: Values<Added>, condition: SQL | undefined) =>
  insertSelect(transactions, given.row, sql`FROM ${given.from($.rows)} WHERE ${and(isUnchanged($), condition)}`).onConflictDoNothing();

const idsBarred = ($: Values<Added>) => db.select({ transactionId: barred.row.transactionId }).from(barred.from($.barred));

const NOTE_CHECKED = prepared(($: Values<MovedNote>) => insertMovedNote($, isNew($, moved.row.transactionId)));
const ADD_CHECKED = prepared(($: Values<Added>) =>
  insertGiven($, and(isNew($, given.row.transactionId), notExists(idsBarred($).where(isNew($, barred.row.transactionId))))),
);

// What is not checked has a number of its own, so that only our own retry meets it again.
const NOTE_UNCHECKED = prepared(($: Values<MovedNote & { addition: number }>) =>
  insertMovedNote($, isNew($, moved.row.transactionId, $.addition)),
);
// What is to be added again cannot be there already: anything barred bars all.
const ADD_UNCHECKED = prepared(($: Values<Added>) => insertGiven($, notExists(idsBarred($))));

/**
 * Adds to the account what is new to it, and the pinned note about what moved, unless what the request was validated by has changed.
 * Returns that as it is now, and by id what had been added before. One trip.
 */
export async function addPosting(
  deps: Deps,
  target: Target,
  posting: Posting,
): Promise<{ readonly facts: AccountFacts; readonly earlier: ReadonlyMap<string, StoredTransaction> }> {
  const accountId = target.account.id;
  const [facts, earlier] = await commit(deps.databaseOf(target.supplier.code), [
    factsAgain(target),
    EARLIER({ wanted: wanted.value(posting.checks ? posting.rows : []), accountId }),
    ...noteWrites(target, posting),
    ...given.values(posting.rows).flatMap((rows) => {
      const values = { rows, barred: barred.value(posting.barred), ...guardOf(target) };
      const add = posting.checks ? ADD_CHECKED(values) : ADD_UNCHECKED(values);
      return [add, recordCount(additionOf('transactions.added', target, posting.createdAt))];
    }),
  ]);
  return { facts: accountFactsOf(facts), earlier: new Map(earlier.map(({ transactionId, ...stored }) => [transactionId, stored])) };
}

function noteWrites(target: Target, { checks, request, createdAt, moved: transactions }: Posting): Write[] {
  if (transactions.length === 0) return [];
  const values = { moved: moved.value(transactions), createdAt, noteKey: movedNoteKey(request), ...guardOf(target) };
  return [checks ? NOTE_CHECKED(values) : NOTE_UNCHECKED({ ...values, addition: request })];
}
