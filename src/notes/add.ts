/**
 * Adds notes to an imported account (§4.1), each once, all or nothing.
 */
import { loadAccountFacts } from '../account-facts';
import { addToAccount, type Refusal } from '../additions';
import type { Deps } from '../deps';
import { keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import type { Caller } from '../tokens';
import { NOTE_SOURCE } from './note';
import { distinctNotes, movedNoteBody, type NoteResult, noteDocuments, noteErrors, noteResults, noteRowOf } from './rules';
import { notesBody } from './schema';
import { addDistinctNotes } from './store';

export type AddNotesOutcome = Refusal | { readonly kind: 'added'; readonly results: readonly NoteResult[] };

export function addNotes(deps: Deps, caller: Caller, raw: unknown): Promise<AddNotesOutcome> {
  const parsed = parse(notesBody, raw);
  const { import_supplier, external_account_number, notes = [] } = parsed.draft;
  const ruleErrors = notes.flatMap((note, index) => (note ? noteErrors(['notes', index], note) : []));
  const now = deps.now();
  return addToAccount(deps, caller, {
    raw,
    parsed,
    load: () => loadAccountFacts(deps, caller, import_supplier, external_account_number),
    ruleErrors: () => ruleErrors,
    documents: noteDocuments(['notes'], notes),
    store: async (value, target) => {
      const keyOf = keyOfUnder(target.supplier.configuration.documents_root);
      const distinct = distinctNotes(value.notes);
      const posted = distinct.notes.map((note) => ({
        row: noteRowOf(target.account.id, note, keyOf, now, NOTE_SOURCE.posted),
        isDated: note.createdAt !== undefined,
        movedBody: movedNoteBody(note.note) ?? null,
      }));
      const { facts, added } = await addDistinctNotes(deps, target, posted, now);
      return { kind: 'written', facts, outcome: () => ({ kind: 'added', results: noteResults(distinct.sent, added, now) }) };
    },
  });
}
