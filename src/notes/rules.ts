/**
 * What makes a note right, and which notes are the same (§2.3). Pure.
 */

import { instantOf } from '../shared/dates';
import { shortDigest } from '../shared/digest';
import { relativeDocumentPath } from '../shared/document-paths';
import { type FieldError, fieldError, type Path } from '../shared/errors';
import { isRefused } from '../shared/parse';
import type { NoteRow, NoteSource } from './note';
import type { Note, NoteDraft } from './schema';

/** Judges one note; `path` leads to it. Codes: `body_or_document_paths_required`, `unpin_at_not_after_created_at`. */
export function noteErrors(path: Path, note: NoteDraft): FieldError[] {
  const errors: FieldError[] = [];
  if (!bodyOf(note) && !note.document_paths && !isRefused(note, 'body') && !isRefused(note, 'document_paths')) {
    errors.push(
      fieldError([...path, 'non_field_errors'], 'body_or_document_paths_required', 'Give the note a body, document paths, or both.'),
    );
  }
  const [createdAt, unpinAt] = [instant(note.created_at), instant(note.unpin_at)];
  if (createdAt !== undefined && unpinAt !== undefined && unpinAt <= createdAt) {
    errors.push(fieldError([...path, 'unpin_at'], 'unpin_at_not_after_created_at', 'A note is unpinned after it was created.'));
  }
  return errors;
}

/** A note that is like no other of its request. */
export interface DistinctNote {
  readonly note: Note;
  readonly noteKey: string;
  /** Unix milliseconds, as supplied: undefined lets any moment count as the same. */
  readonly createdAt: number | undefined;
}

/**
 * Takes the copies out of a list: same body (or, without one, same set of documents) and, when supplied, same instant as an
 * earlier one. `positions` says for each item where its note stands among the distinct ones.
 */
export function distinctNotes(items: readonly Note[]): { readonly notes: readonly DistinctNote[]; readonly positions: readonly number[] } {
  const notes: DistinctNote[] = [];
  const firsts = new Map<string, number>();
  const positions = items.map((note) => {
    const [noteKey, createdAt] = [noteKeyOf(note), instant(note.created_at)];
    const identity = createdAt === undefined ? noteKey : `${noteKey} ${createdAt}`;
    const earlier = firsts.get(identity);
    if (earlier !== undefined) return earlier;
    const position = notes.push({ note, noteKey, createdAt }) - 1;
    firsts.set(identity, position);
    if (!firsts.has(noteKey)) firsts.set(noteKey, position);
    return position;
  });
  return { notes, positions };
}

/** The rows of an account's notes, the same note twice being one. `keyOf` turns a document path into its object key. */
export const noteRowsOf = (
  accountId: number,
  items: readonly Note[],
  keyOf: (documentPath: string) => string,
  now: number,
  source: NoteSource,
): NoteRow[] => distinctNotes(items).notes.map((distinct) => noteRow(accountId, distinct, keyOf, now, source));

function noteRow(
  accountId: number,
  { note, noteKey, createdAt }: DistinctNote,
  keyOf: (documentPath: string) => string,
  now: number,
  source: NoteSource,
): NoteRow {
  const documents = note.document_paths?.map(({ document_path }) => ({ document_path, key: keyOf(document_path) }));
  return {
    accountId,
    noteKey,
    createdAt: createdAt ?? now,
    body: bodyOf(note) ?? null,
    documents: documents ?? null,
    isPinned: note.is_pinned === true,
    unpinAt: instant(note.unpin_at) ?? null,
    source,
  };
}

/** The body as sent; undefined if it says nothing. */
export const bodyOf = ({ body }: { readonly body?: string | undefined }): string | undefined =>
  body === undefined || body.trim() === '' ? undefined : body;

function noteKeyOf(note: Note): string {
  const body = bodyOf(note);
  if (body !== undefined) return shortDigest(`body ${body.trim()}`);
  const paths = new Set(note.document_paths?.map(({ document_path }) => relativeDocumentPath(document_path) ?? document_path));
  return shortDigest(`documents ${JSON.stringify([...paths].sort())}`);
}

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : instantOf(text));
