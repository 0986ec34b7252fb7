/** Notes on the wire (§2.3, §4.1). */
import * as z from 'zod';
import { boolean, datetime, documentPath, freeText, identifier, list, optional, optionalList } from '../shared/fields';
import type { Draft, Given } from '../shared/parse';

const MAX_NOTES = 500;
const MAX_BODY = 100_000;

/** One note of an account payload or of a request. */
export const noteItem = z.object({
  body: optional(freeText(MAX_BODY)),
  document_paths: optionalList(z.object({ document_path: documentPath }), 500),
  created_at: optional(datetime),
  is_pinned: optional(boolean),
  unpin_at: optional(datetime),
});
export type Note = Given<z.output<typeof noteItem>>;
export type NoteDraft = Draft<z.output<typeof noteItem>>;

export const notesBody = z.object({
  import_supplier: identifier(32),
  external_account_number: identifier(128),
  notes: list(noteItem, MAX_NOTES),
});
export type NotesBody = z.output<typeof notesBody>;
