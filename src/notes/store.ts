import { type AccountFacts, accountFacts, accountFactsOf, GUARD, guardParameters, type ImportedAccount } from '../account-facts';
import { commit, ITEMS, jsonParameters, statement, type Write } from '../db';
import type { Deps } from '../deps';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import { MOVED_NOTE_KEYS, type NoteRow } from './note';
import type { AddedNotes } from './rules';

const INSERT = `INSERT INTO notes (account_id, note_key, created_at, body, documents, is_pinned, unpin_at, source, details)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, nullif(j.value -> 4, 'null'), j.value ->> 5, j.value ->> 6, j.value ->> 7,
    nullif(j.value -> 8, 'null')
  FROM ${ITEMS} j`;

const valuesOf = (row: NoteRow) => [
  row.accountId,
  row.noteKey,
  row.createdAt,
  row.body,
  row.documents,
  row.isPinned,
  row.unpinAt,
  row.source,
  row.details,
];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts notes of any number of accounts; those already stored stay as they are. */
export const insertNotes = (rows: readonly NoteRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));

/** A note of one request: without an instant of its own, any note of the same key is the same. */
export interface PostedNote {
  readonly row: NoteRow;
  readonly isDated: boolean;
  /** The trimmed body where the service may have written the same note itself. */
  readonly movedBody: string | undefined;
}

/** True for a note that the service wrote itself with this body. */
const isMovedNote = (body: string): string =>
  `n.note_key >= '${MOVED_NOTE_KEYS.from}' AND n.note_key < '${MOVED_NOTE_KEYS.to}' AND n.body = ${body}`;

const EARLIEST = `SELECT note_key, min(created_at) AS created_at FROM (
    SELECT j.value ->> 0 AS note_key, n.created_at FROM json_each(?1) j CROSS JOIN notes n ON n.account_id = ?2 AND n.note_key = j.value ->> 0
    UNION ALL SELECT j.value ->> 0, n.created_at FROM json_each(?1) j
      CROSS JOIN notes n ON n.account_id = ?2 AND ${isMovedNote('j.value ->> 1')} WHERE j.value ->> 1 IS NOT NULL)
  GROUP BY note_key`;

const ADD = `${INSERT} WHERE ${GUARD}
    AND (j.value ->> 9 OR NOT EXISTS (SELECT 1 FROM notes n WHERE n.account_id = j.value ->> 0 AND n.note_key = j.value ->> 1))
    AND (j.value ->> 10 IS NULL OR NOT EXISTS (SELECT 1 FROM notes n WHERE n.account_id = j.value ->> 0 AND ${isMovedNote('j.value ->> 10')}
      AND (NOT j.value ->> 9 OR n.created_at = j.value ->> 2)))
  ON CONFLICT DO NOTHING RETURNING note_key, created_at`;

/**
 * Adds the notes that are new to the account, unless the facts that judged them have changed. Returns those facts as they are, and
 * what the database found and added. One trip.
 */
export async function addDistinctNotes(
  deps: Deps,
  caller: Caller,
  pair: { readonly import_supplier: string; readonly external_account_number: string },
  { supplier, account }: { readonly supplier: Supplier; readonly account: ImportedAccount },
  notes: readonly PostedNote[],
): Promise<{ readonly facts: AccountFacts; readonly added: AddedNotes }> {
  const undated = notes.filter(({ isDated }) => !isDated).map(({ row, movedBody }) => [row.noteKey, movedBody]);
  const parameters = jsonParameters(notes.map(({ row, isDated, movedBody }) => [...valuesOf(row), isDated, movedBody]));
  const [facts, earliest, ...inserted] = await commit(deps.databaseOf(supplier.code), [
    accountFacts(caller, pair.import_supplier, pair.external_account_number),
    statement<{ note_key: string; created_at: number }>(EARLIEST, JSON.stringify(undated), account.id),
    ...parameters.map((parameter) =>
      statement<{ note_key: string; created_at: number }>(ADD, parameter, ...guardParameters(caller, supplier)),
    ),
  ]);
  return {
    facts: accountFactsOf(facts),
    added: {
      earliest: new Map(earliest.map((row) => [row.note_key, row.created_at])),
      inserted: new Set(inserted.flat().map((row) => `${row.note_key} ${row.created_at}`)),
    },
  };
}
