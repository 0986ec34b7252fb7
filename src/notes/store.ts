import { type GuardOfMany, guardOfMany, type Target, unchangedAccounts, withEvents } from '../account-state';
import {
  and,
  columnsOf,
  db,
  eq,
  field,
  gte,
  inArray,
  inserting,
  insertSelect,
  isNotNull,
  isNull,
  lt,
  not,
  notExists,
  notes,
  or,
  type Part,
  part,
  prepared,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  type Values,
} from '../db';
import { recordAdditions } from '../events';
import type { Caller } from '../tokens';
import { MOVED_NOTE_KEYS, type NoteRow } from './note';
import { type EarlierNotes, identityOf } from './rules';

/** Inserts notes of any number of accounts; those already stored stay as they are. */
export const insertNotes = inserting(notes);

/** A note of one request: without an instant of its own, any note of the same key is the same. */
export interface PostedNote {
  readonly row: NoteRow;
  readonly isDated: boolean;
  /** The trimmed body where the service may have written the same note itself; null elsewhere. */
  readonly movedBody: string | null;
}

/** True for a note that the service wrote itself with this body. */
const isMovedNote = (body: SQL<string | null>) =>
  and(gte(notes.noteKey, MOVED_NOTE_KEYS.from), lt(notes.noteKey, MOVED_NOTE_KEYS.to), eq(notes.body, body));

/** What a request adds to its account. */
export interface NotesToAdd {
  readonly target: Target;
  readonly notes: readonly PostedNote[];
  /** Unix milliseconds. */
  readonly now: number;
}

const posted = rowsOf('posted', {
  ...columnsOf(notes),
  isDated: field<boolean>(),
  movedBody: field<string | null>(),
});

/** What makes a note the same as another. */
const identified = rowsOf('identified', {
  request: field<number>(),
  supplierId: field<number>(),
  accountId: notes.accountId,
  noteKey: notes.noteKey,
  createdAt: notes.createdAt,
  isDated: field<boolean>(),
  movedBody: field<string | null>(),
});

/** True for a stored note that an instant, where one was sent, does not tell from the given one. */
const isSameInstant = ({ isDated, createdAt }: Pick<typeof identified.row, 'isDated' | 'createdAt'>) =>
  or(not(isDated), eq(notes.createdAt, createdAt));

/** For each note that its account has, by position: when the earliest such note was created. */
const EARLIEST = prepared(($: Values<{ identified: RowValues<typeof identified> }>) => {
  const { accountId, noteKey, movedBody } = identified.row;
  const createdAtOf = (isSame: SQL | undefined) =>
    db
      .select({ position: identified.position.as('position'), createdAt: notes.createdAt })
      .from(identified.from($.identified))
      .crossJoin(notes)
      .where(and(eq(notes.accountId, accountId), isSame, isSameInstant(identified.row)));
  const same = createdAtOf(eq(notes.noteKey, noteKey))
    .unionAll(createdAtOf(and(isNotNull(movedBody), isMovedNote(movedBody))))
    .as('same');
  return db
    .select({ position: same.position, createdAt: sql<number>`min(${same.createdAt})` })
    .from(same)
    .groupBy(sql`${same.position}`);
});

/** True for a note that its account has not, while that is unchanged. */
const isAdded = (
  $: Values<GuardOfMany>,
  { accountId, noteKey, createdAt, isDated, movedBody }: Omit<typeof identified.row, 'request' | 'supplierId'>,
) => {
  const isThere = (condition: SQL | undefined) =>
    db
      .select({ createdAt: notes.createdAt })
      .from(notes)
      .where(and(eq(notes.accountId, accountId), condition));
  const isSame = isSameInstant({ isDated, createdAt });
  return and(
    inArray(accountId, unchangedAccounts($)),
    notExists(isThere(and(eq(notes.noteKey, noteKey), isSame))),
    or(isNull(movedBody), notExists(isThere(and(isMovedNote(movedBody), isSame)))),
  );
};

const RECORD = prepared(($: Values<{ identified: RowValues<typeof identified>; now: number } & GuardOfMany>) => {
  const { row } = identified;
  const item = sql`${row.noteKey} || ' ' || ${row.createdAt}`;
  return recordAdditions($, 'notes.added', { ...row, item }, sql`FROM ${identified.from($.identified)} WHERE ${isAdded($, row)}`);
});

const ADD = prepared(($: Values<{ posted: RowValues<typeof posted> } & GuardOfMany>) => {
  const { isDated: _, movedBody: __, ...row } = posted.row;
  return insertSelect(notes, row, sql`FROM ${posted.from($.posted)} WHERE ${isAdded($, posted.row)}`).onConflictDoNothing();
});

/**
 * Adds the notes that are new to their accounts, unless what a request was validated by has changed. Reads, for each request, what had
 * been there before. No two requests of one account may hold the same note.
 */
export function addingNotes(caller: Caller, requests: readonly NotesToAdd[]): Part<EarlierNotes[]> {
  const values = posted.values(
    requests.flatMap(({ notes: of }) => of.map(({ row, isDated, movedBody }) => ({ ...row, isDated, movedBody }))),
  );
  const given = requests.flatMap(({ target, notes: of }, request) =>
    of.map(({ row: { accountId, noteKey, createdAt }, isDated, movedBody }) => {
      return { request, supplierId: target.supplier.id, accountId, noteKey, createdAt, isDated, movedBody };
    }),
  );
  const guard = guardOfMany(caller, requests);
  const now = Math.max(...requests.map((one) => one.now));
  const identities = identified.value(given);
  const writes = values.map((value) => ADD({ posted: value, ...guard }));
  return part(
    [
      EARLIEST({ identified: identities }),
      ...withEvents('notes.added', requests, now, writes, () => RECORD({ identified: identities, now, ...guard })),
    ],
    ([earliest]) => {
      const found = requests.map(() => new Map<string, number>());
      for (const { position, createdAt } of earliest) {
        const note = given[position];
        if (note) found[note.request]?.set(identityOf(note.noteKey, note.isDated ? note.createdAt : undefined), createdAt);
      }
      return found;
    },
  );
}
