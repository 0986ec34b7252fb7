import { type GuardOfMany, guardOfMany, type Target, unchangedAccounts } from '../account-state';
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

/** What a request adds to its account. */
export interface NotesToAdd {
  readonly target: Target;
  readonly notes: readonly PostedNote[];
  /** Unix milliseconds. */
  readonly now: number;
}

const undated = rowsOf('undated', {
  request: field<number>(),
  accountId: notes.accountId,
  noteKey: notes.noteKey,
  movedBody: field<string | null>(),
});

/** By request and note key: when the earliest note was created that an undated one is the same as. */
const EARLIEST = prepared(($: Values<{ undated: RowValues<typeof undated> }>) => {
  const { request, accountId, noteKey, movedBody } = undated.row;
  const createdAtOf = (isSame: SQL | undefined) =>
    db
      .select({ request: request.as('request'), noteKey: noteKey.as('undated_key'), createdAt: notes.createdAt })
      .from(undated.from($.undated))
      .crossJoin(notes)
      .where(and(eq(notes.accountId, accountId), isSame));
  const same = createdAtOf(eq(notes.noteKey, noteKey))
    .unionAll(createdAtOf(and(isNotNull(movedBody), isMovedNote(movedBody))))
    .as('same');
  return db
    .select({ request: same.request, noteKey: same.noteKey, createdAt: sql<number>`min(${same.createdAt})` })
    .from(same)
    .groupBy(sql`${same.request}`, sql`${same.noteKey}`);
});

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

/** True for a note that its account has not, while that is unchanged. */
const isAdded = (
  $: Values<GuardOfMany>,
  { accountId, noteKey, createdAt, isDated, movedBody }: Omit<typeof identified.row, 'request' | 'supplierId'>,
) => {
  const isThere = (isSame: SQL | undefined) =>
    db
      .select({ createdAt: notes.createdAt })
      .from(notes)
      .where(and(eq(notes.accountId, accountId), isSame));
  const isSameInstant = or(not(isDated), eq(notes.createdAt, createdAt));
  return and(
    inArray(accountId, unchangedAccounts($)),
    notExists(isThere(and(eq(notes.noteKey, noteKey), isSameInstant))),
    or(isNull(movedBody), notExists(isThere(and(isMovedNote(movedBody), isSameInstant)))),
  );
};

const RECORD = prepared(($: Values<{ identified: RowValues<typeof identified>; now: number } & GuardOfMany>) => {
  const { row } = identified;
  const item = sql`${row.noteKey} || ' ' || ${row.createdAt}`;
  return recordAdditions($, 'notes.added', { ...row, item }, sql`FROM ${identified.from($.identified)} WHERE ${isAdded($, row)}`);
});

const ADD = prepared(($: Values<{ posted: RowValues<typeof posted> } & GuardOfMany>) => {
  const { isDated: _, movedBody: __, ...row } = posted.row;
  return insertSelect(notes, row, sql`FROM ${posted.from($.posted)} WHERE ${isAdded($, posted.row)}`)
    .onConflictDoNothing()
    .returning({ accountId: notes.accountId, noteKey: notes.noteKey, createdAt: notes.createdAt });
});

/**
 * Adds the notes that are new to their accounts, unless what a request was validated by has changed. Reads what the database found
 * and added, for each request. No two requests of one account may hold the same note.
 */
export function addingNotes(caller: Caller, requests: readonly NotesToAdd[]): Part<AddedNotes[]> {
  const withoutInstant = requests.flatMap(({ target, notes: of }, request) =>
    of
      .filter(({ isDated }) => !isDated)
      .map(({ row, movedBody }) => ({ request, accountId: target.account.id, noteKey: row.noteKey, movedBody })),
  );
  const values = posted.values(
    requests.flatMap(({ notes: of }) => of.map(({ row, isDated, movedBody }) => ({ ...row, isDated, movedBody }))),
  );
  const identities = requests.flatMap(({ target, notes: of }, request) =>
    of.map(({ row: { accountId, noteKey, createdAt }, isDated, movedBody }) => {
      return { request, supplierId: target.supplier.id, accountId, noteKey, createdAt, isDated, movedBody };
    }),
  );
  const guard = guardOfMany(caller, requests);
  const now = Math.max(...requests.map((one) => one.now));
  return part(
    [
      EARLIEST({ undated: undated.value(withoutInstant) }),
      RECORD({ identified: identified.value(identities), now, ...guard }),
      ...values.map((value) => ADD({ posted: value, ...guard })),
    ],
    ([earliest, _, ...inserted]) => {
      const found = Map.groupBy(earliest, ({ request }) => request);
      const added = Map.groupBy(inserted.flat(), ({ accountId, noteKey }) => `${accountId} ${noteKey}`);
      return requests.map(({ target, notes: of }, request) => ({
        earliest: new Map((found.get(request) ?? []).map(({ noteKey, createdAt }) => [noteKey, createdAt])),
        inserted: new Set(
          of.flatMap(({ row }) =>
            (added.get(`${target.account.id} ${row.noteKey}`) ?? []).map(({ noteKey, createdAt }) => `${noteKey} ${createdAt}`),
          ),
        ),
      }));
    },
  );
}
