/**
 * Adds notes to an imported account (§4.1), each once, all or nothing.
 */
import { admit, heldGuard, loadAccountFacts, MAX_JUDGEMENTS, type Refusal } from '../account-facts';
import type { Deps } from '../deps';
import { documentErrors, keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import type { Caller } from '../tokens';
import { NOTE_SOURCE } from './note';
import { distinctNotes, movedNoteBody, type NoteResult, noteDocuments, noteErrors, noteResults, noteRowOf } from './rules';
import { notesBody } from './schema';
import { addDistinctNotes } from './store';

export type AddNotesOutcome = Refusal | { readonly kind: 'added'; readonly results: readonly NoteResult[] };

export async function addNotes(deps: Deps, caller: Caller, raw: unknown): Promise<AddNotesOutcome> {
  const parsed = parse(notesBody, raw);
  const { import_supplier, external_account_number, notes = [] } = parsed.draft;
  const ruleErrors = notes.flatMap((note, index) => (note ? noteErrors(['notes', index], note) : []));
  const documents = noteDocuments(['notes'], notes);
  const now = deps.now();
  let facts = await loadAccountFacts(deps, caller, import_supplier, external_account_number);
  for (let judged = 0; judged < MAX_JUDGEMENTS; judged++) {
    if (!facts.isCallerActive) return { kind: 'unauthenticated' };
    const missing = await documentErrors(deps, facts.supplier, documents);
    const admission = admit(raw, parsed, [...ruleErrors, ...missing], facts);
    if (admission.kind !== 'admitted') return admission;
    const { value, supplier, account } = admission;
    const keyOf = keyOfUnder(supplier.configuration.documents_root);
    const distinct = distinctNotes(value.notes);
    const posted = distinct.notes.map((note) => ({
      row: noteRowOf(account.id, note, keyOf, now, NOTE_SOURCE.posted),
      isDated: note.createdAt !== undefined,
      movedBody: movedNoteBody(note.note),
    }));
    const stored = await addDistinctNotes(deps, caller, value, { supplier, account }, posted);
    if (heldGuard(stored.facts, supplier)) return { kind: 'added', results: noteResults(distinct.sent, stored.added, now) };
    facts = stored.facts;
  }
  throw new Error('the supplier kept changing while notes were added');
}
