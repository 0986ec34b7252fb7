import { type AccountFacts, accountFactsOf, additionOf, factsAgain, type Guard, guardOf, isUnchanged, type Target } from '../account-facts';
import {
  and,
  columnsOf,
  commit,
  db,
  eq,
  field,
  gte,
  inserting,
  insertSelect,
  isNotNull,
  isNull,
  lt,
  not,
  notExists,
  notes,
  or,
  prepared,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  type Values,
} from '../db';
import type { Deps } from '../deps';
import { recordCount } from '../events';
import { MOVED_NOTE_KEYS, type NoteRow } from './note';
import type { AddedNotes } from './rules';

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

const undated = rowsOf('undated', { noteKey: notes.noteKey, movedBody: field<string | null>() });

/** By note key: when the earliest note was created that an undated one is the same as. */
const EARLIEST = prepared(($: Values<{ undated: RowValues<typeof undated>; accountId: number }>) => {
  const createdAtOf = (isSame: SQL | undefined) =>
    db
      .select({ noteKey: undated.row.noteKey.as('undated_key'), createdAt: notes.createdAt })
      .from(undated.from($.undated))
      .crossJoin(notes)
      .where(and(eq(notes.accountId, $.accountId), isSame));
  const same = createdAtOf(eq(notes.noteKey, undated.row.noteKey))
    .unionAll(createdAtOf(and(isNotNull(undated.row.movedBody), isMovedNote(undated.row.movedBody))))
    .as('same');
  return db
    .select({ noteKey: same.noteKey, createdAt: sql<number>`min(${same.createdAt})` })
    .from(same)
    .groupBy(sql`${same.noteKey}`);
});

const posted = rowsOf('posted', { ...columnsOf(notes), isDated: field<boolean>(), movedBody: field<string | null>() });

const ADD = prepared(($: Values<{ posted: RowValues<typeof posted> } & Guard>) => {
  const { isDated, movedBody, ...row } = posted.row;
  const isThere = (isSame: SQL | undefined) =>
    db
      .select({ createdAt: notes.createdAt })
      .from(notes)
      .where(and(eq(notes.accountId, row.accountId), isSame));
  const isSameInstant = or(not(isDated), eq(notes.createdAt, row.createdAt));
  const isNew = and(
    or(isDated, notExists(isThere(eq(notes.noteKey, row.noteKey)))),
    or(isNull(movedBody), notExists(isThere(and(isMovedNote(movedBody), isSameInstant)))),
  );
  return insertSelect(notes, row, sql`FROM ${posted.from($.posted)} WHERE ${and(isUnchanged($), isNew)}`)
    .onConflictDoNothing()
    .returning({ noteKey: notes.noteKey, createdAt: notes.createdAt });
});

/**
 * Adds the notes that are new to the account, unless what the request was validated by has changed. Returns that as it is now, and
 * what the database found and added. One trip.
 */
export async function addDistinctNotes(
  deps: Deps,
  target: Target,
  notes: readonly PostedNote[],
  now: number,
): Promise<{ readonly facts: AccountFacts; readonly added: AddedNotes }> {
  const withoutInstant = notes.filter(({ isDated }) => !isDated).map(({ row, movedBody }) => ({ noteKey: row.noteKey, movedBody }));
  const values = posted.values(notes.map(({ row, isDated, movedBody }) => ({ ...row, isDated, movedBody })));
  const [facts, earliest, ...inserted] = await commit(deps.databaseOf(target.supplier.code), [
    factsAgain(target),
    EARLIEST({ undated: undated.value(withoutInstant), accountId: target.account.id }),
    ...values.flatMap((value) => [ADD({ posted: value, ...guardOf(target) }), recordCount(additionOf('notes.added', target, now))]),
  ]);
  return {
    facts: accountFactsOf(facts),
    added: {
      earliest: new Map(earliest.map(({ noteKey, createdAt }) => [noteKey, createdAt])),
      inserted: new Set(inserted.flat().map(({ noteKey, createdAt }) => `${noteKey} ${createdAt}`)),
    },
  };
}
