import { type GuardOfMany, guardOfMany, type Target, unchangedAccounts } from '../account-state';
import {
  alias,
  and,
  columnsOf,
  db,
  eq,
  field,
  inArray,
  inserting,
  insertSelect,
  lt,
  notExists,
  notes,
  notInArray,
  type Part,
  part,
  prepared,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  transactions,
  type Values,
} from '../db';
import { recordAdditions } from '../events';
import { MOVED_NOTE_TITLE, movedNoteKey, NOTE_SOURCE } from '../notes';
import type { Caller } from '../tokens';
import type { Posting, StoredTransaction } from './posting';

/** Inserts transactions of any number of accounts; those already stored stay as they are. */
export const insertTransactions = inserting(transactions);

/** What a request adds to its account. */
export interface PostingToAdd {
  readonly target: Target;
  readonly posting: Posting;
}

const named = { request: field<number>(), accountId: transactions.accountId, transactionId: transactions.transactionId };
const wanted = rowsOf('wanted', named);

/** What had been added before. Of a transaction that was added more than once, the first one. */
const EARLIER = prepared(($: Values<{ wanted: RowValues<typeof wanted> }>) => {
  const first = alias(transactions, 'first');
  const isOf = (table: typeof transactions | typeof first) =>
    and(eq(table.accountId, wanted.row.accountId), eq(table.transactionId, wanted.row.transactionId));
  return db
    .select({
      request: wanted.row.request,
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
const isNew = (accountId: SQL<number>, transactionId: SQL<string>, addition?: SQL<number>) =>
  notExists(
    db
      .select({ addition: transactions.addition })
      .from(transactions)
      .where(
        and(
          eq(transactions.accountId, accountId),
          eq(transactions.transactionId, transactionId),
          addition && eq(transactions.addition, addition),
        ),
      ),
  );

const moved = rowsOf('moved', {
  accountId: transactions.accountId,
  transactionId: transactions.transactionId,
  addition: transactions.addition,
  noteKey: notes.noteKey,
  createdAt: notes.createdAt,
  line: field<string>(),
});

type MovedNote = { moved: RowValues<typeof moved> } & GuardOfMany;

/** Writes the notes about what moved, one for each request. They come before the transactions in the batch, so each lists exactly those that its request moves. */
const insertMovedNotes = ($: Values<MovedNote>, isNewTransaction: SQL) => {
  const { accountId, noteKey, createdAt, line } = moved.row;
  return insertSelect(
    notes,
    {
      accountId,
      noteKey,
      createdAt,
      body: sql`${MOVED_NOTE_TITLE} || group_concat(char(10) || ${line}, '' ORDER BY ${moved.position})`,
      isPinned: true,
      source: NOTE_SOURCE.service,
    },
    sql`FROM ${moved.from($.moved)} WHERE ${and(inArray(accountId, unchangedAccounts($)), isNewTransaction)} GROUP BY ${accountId}, ${noteKey}, ${createdAt}`,
  ).onConflictDoNothing();
};

const identified = rowsOf('identified', { ...named, supplierId: field<number>(), addition: transactions.addition });
const given = rowsOf('given', { ...columnsOf(transactions), request: field<number>() });
const barred = rowsOf('barred', named);

type Checked = { barred: RowValues<typeof barred> } & GuardOfMany;
type Given = { rows: RowValues<typeof given> };
type Recorded = { identified: RowValues<typeof identified>; now: number };
type Row = Pick<typeof identified.row, 'request' | 'accountId' | 'transactionId'>;

const insertGiven = ($: Values<Given>, condition: SQL | undefined) => {
  const { request: _, ...row } = given.row;
  return insertSelect(transactions, row, sql`FROM ${given.from($.rows)} WHERE ${condition}`).onConflictDoNothing();
};

const recordGiven = ($: Values<Recorded>, condition: SQL | undefined) => {
  const found = sql`FROM ${identified.from($.identified)} WHERE ${condition}`;
  return recordAdditions($, 'transactions.added', { ...identified.row, item: identified.row.transactionId }, found);
};

const NOTE_CHECKED = prepared(($: Values<MovedNote>) => insertMovedNotes($, isNew(moved.row.accountId, moved.row.transactionId)));
/** A request of which anything is barred and new is not added at all. */
const isAddedChecked = ($: Values<Checked>, row: Row) => {
  const { request, accountId, transactionId } = barred.row;
  const refused = db.select({ request }).from(barred.from($.barred)).where(isNew(accountId, transactionId));
  const isFree = inArray(row.accountId, unchangedAccounts($));
  return and(isFree, isNew(row.accountId, row.transactionId), notInArray(row.request, refused));
};
const RECORD_CHECKED = prepared(($: Values<Recorded & Checked>) => recordGiven($, isAddedChecked($, identified.row)));
const ADD_CHECKED = prepared(($: Values<Given & Checked>) => insertGiven($, isAddedChecked($, given.row)));

// What is not checked has a number of its own, so that only our own retry meets it again.
const NOTE_UNCHECKED = prepared(($: Values<MovedNote>) =>
  insertMovedNotes($, isNew(moved.row.accountId, moved.row.transactionId, moved.row.addition)),
);
const RECORD_UNCHECKED = prepared(($: Values<Recorded & GuardOfMany>) => {
  const { accountId, transactionId, addition } = identified.row;
  return recordGiven($, and(inArray(accountId, unchangedAccounts($)), isNew(accountId, transactionId, addition)));
});
const ADD_UNCHECKED = prepared(($: Values<Given & GuardOfMany>) => insertGiven($, inArray(given.row.accountId, unchangedAccounts($))));

/**
 * Adds to the accounts what is new to them, and a pinned note about what each request moved, unless what a request was validated by
 * has changed. Reads, for each request, what had been added before, by id. All requests either check for that or do not; where they do
 * not, nothing of them is barred. No two requests of one account may hold the same id.
 */
export function addingPostings(caller: Caller, requests: readonly PostingToAdd[]): Part<ReadonlyMap<string, StoredTransaction>[]> {
  const checks = requests.every(({ posting }) => posting.checks);
  const guard = guardOfMany(caller, requests);
  const named = (itemsOf: (posting: Posting) => readonly { readonly transactionId: string }[]) =>
    requests.flatMap(({ target, posting }, request) =>
      itemsOf(posting).map(({ transactionId }) => ({ request, accountId: target.account.id, transactionId })),
    );
  const rows = requests.flatMap(({ target, posting }, request) =>
    posting.rows.map((row) => ({ ...row, supplierId: target.supplier.id, request })),
  );
  const dates = requests.flatMap(movedRows);
  // One value, however large: a note is written by one statement.
  const notesToWrite = dates.length === 0 ? [] : [(checks ? NOTE_CHECKED : NOTE_UNCHECKED)({ moved: moved.value(dates), ...guard })];
  const refused = barred.value(named((posting) => posting.barred));
  const recorded = { identified: identified.value(rows), now: Math.max(...requests.map(({ posting }) => posting.createdAt)) };
  return part(
    [
      EARLIER({ wanted: wanted.value(checks ? named((posting) => posting.rows) : []) }),
      ...notesToWrite,
      checks ? RECORD_CHECKED({ ...recorded, barred: refused, ...guard }) : RECORD_UNCHECKED({ ...recorded, ...guard }),
      ...given
        .values(rows)
        .map((value) => (checks ? ADD_CHECKED({ rows: value, barred: refused, ...guard }) : ADD_UNCHECKED({ rows: value, ...guard }))),
    ],
    ([earlier]) => {
      const found = Map.groupBy(earlier, ({ request }) => request);
      return requests.map(
        (_, request) => new Map((found.get(request) ?? []).map(({ transactionId, request: of, ...stored }) => [transactionId, stored])),
      );
    },
  );
}

const movedRows = ({ target, posting }: PostingToAdd) =>
  posting.moved.map(({ transactionId, line }) => ({
    accountId: target.account.id,
    transactionId,
    addition: posting.request,
    noteKey: movedNoteKey(posting.request),
    createdAt: posting.createdAt,
    line,
  }));
