/**
 * Adds notes to an imported account (§4.1), each once, all or nothing.
 */
import { type Addition, addOne, type Refusal } from '../additions';
import type { Deps } from '../deps';
import { keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import type { Caller } from '../tokens';
import { NOTE_SOURCE } from './note';
import {
  distinctNotes,
  type EarlierNotes,
  movedNoteBody,
  type NoteResult,
  noteDocuments,
  noteErrors,
  noteResults,
  noteRowOf,
} from './rules';
import { type NotesBody, notesBody } from './schema';
import { addingNotes, type NotesToAdd } from './store';

type Added = { readonly kind: 'added'; readonly results: readonly NoteResult[] };
export type AddNotesOutcome = Refusal | Added;

/** What a request adds; `now` in Unix milliseconds. */
export function notesAddition(raw: unknown, now: number): Addition<NotesBody, NotesToAdd, EarlierNotes, Added> {
  const parsed = parse(notesBody, raw);
  const { import_supplier, external_account_number, notes = [] } = parsed.draft;
  const ruleErrors = notes.flatMap((note, index) => (note ? noteErrors(['notes', index], note) : []));
  return {
    raw,
    parsed,
    pair: { supplierCode: import_supplier, externalAccountNumber: external_account_number },
    ruleErrors: () => ruleErrors,
    documents: noteDocuments(['notes'], notes),
    prepare: (value, target) => {
      const keyOf = keyOfUnder(target.supplier.configuration.documents_root);
      const distinct = distinctNotes(value.notes);
      const posted = distinct.notes.map((note) => ({
        row: noteRowOf(target.account.id, note, keyOf, now, NOTE_SOURCE.posted),
        isDated: note.createdAt !== undefined,
        movedBody: movedNoteBody(note.note) ?? null,
      }));
      return {
        kind: 'write',
        write: { target, notes: posted, now },
        items: new Set(distinct.notes.map(({ noteKey }) => noteKey)),
        outcomeOf: (earlier) => ({ kind: 'added', results: noteResults(distinct.sent, earlier, now) }),
      };
    },
  };
}

export const addNotes = (deps: Deps, caller: Caller, raw: unknown): Promise<AddNotesOutcome> =>
  addOne(deps, caller, notesAddition(raw, deps.now()), addingNotes);

/** Adds by each line of a bulk body. */
export const notesInBulk = ({ now }: Pick<Deps, 'now'>) => ({ read: (raw: unknown) => notesAddition(raw, now()), adding: addingNotes });
