import { jsonParameters, statement, type Write } from '../db';
import type { NoteRow } from './note';

const INSERT = `INSERT INTO notes (account_id, note_key, created_at, body, documents, is_pinned, unpin_at, source)
  SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, nullif(j.value -> 4, 'null'), j.value ->> 5, j.value ->> 6, j.value ->> 7
  FROM json_each(?1) j`;

const valuesOf = (row: NoteRow) => [
  row.accountId,
  row.noteKey,
  row.createdAt,
  row.body,
  row.documents,
  row.isPinned,
  row.unpinAt,
  row.source,
];

const INSERT_OF_ANY_ACCOUNT = `${INSERT} WHERE true ON CONFLICT DO NOTHING`;

/** Inserts notes of any number of accounts; those already stored stay as they are. */
export const insertNotes = (rows: readonly NoteRow[]): Write[] =>
  jsonParameters(rows.map(valuesOf)).map((parameter) => statement(INSERT_OF_ANY_ACCOUNT, parameter));
