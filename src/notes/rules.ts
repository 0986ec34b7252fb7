/**
 * What makes a note right, and which notes are the same (§2.3). Pure.
 */

import type { DocumentReference } from '../documents/pure';
import { instantIn, isoInstant } from '../shared/dates';
import { shortDigest } from '../shared/digest';
import { relativeDocumentPath } from '../shared/document-paths';
import { type FieldError, fieldError, type Path } from '../shared/errors';
import { isRefused } from '../shared/parse';
import { undocumentedOf } from '../shared/shape';
import { isBlank } from '../shared/unicode';
import { MOVED_NOTE_TITLE, type NoteRow, type NoteSource } from './note';
import { type Note, type NoteDraft, noteItem } from './schema';

/** Validates one note; `path` leads to it. Codes: `body_or_document_paths_required`, `unpin_at_not_after_created_at`. */
export function noteErrors(path: Path, note: NoteDraft): FieldError[] {
  const errors: FieldError[] = [];
  if (!bodyOf(note) && !note.document_paths && !isRefused(note, 'body') && !isRefused(note, 'document_paths')) {
    errors.push(
      fieldError([...path, 'non_field_errors'], 'body_or_document_paths_required', 'Give the note a body, document paths, or both.'),
    );
  }
  const [createdAt, unpinAt] = [instantIn(note.created_at), instantIn(note.unpin_at)];
  if (createdAt !== undefined && unpinAt !== undefined && unpinAt <= createdAt) {
    errors.push(fieldError([...path, 'unpin_at'], 'unpin_at_not_after_created_at', 'Enter a moment after the note was created.'));
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

/** By which two notes of an account are one. Without an instant (Unix milliseconds) any note of the same key is the same. */
export const identityOf = (noteKey: string, createdAt: number | undefined): string =>
  createdAt === undefined ? noteKey : `${noteKey} ${createdAt}`;

/** The documents a list of notes names, and where; `path` leads to the list. */
export const noteDocuments = (path: Path, notes: readonly (NoteDraft | undefined)[]): DocumentReference[] =>
  notes.flatMap((note, index) =>
    (note?.document_paths ?? []).flatMap((document, position) =>
      document?.document_path === undefined
        ? []
        : [{ path: [...path, index, 'document_paths', position, 'document_path'], documentPath: document.document_path }],
    ),
  );

/** A note as it was sent, and the distinct one that it is. */
export interface SentNote {
  readonly body: string | undefined;
  readonly distinct: DistinctNote;
}

/**
 * Takes the copies out of a list: same body (or, without one, same set of documents) and, when supplied, same instant as an
 * earlier one. `sent` says for each item which note it is.
 */
export function distinctNotes(items: readonly Note[]): { readonly notes: readonly DistinctNote[]; readonly sent: readonly SentNote[] } {
  const notes: DistinctNote[] = [];
  const firsts = new Map<string, DistinctNote>();
  const sent = items.map((note) => {
    const [body, noteKey, createdAt] = [bodyOf(note), noteKeyOf(note), instantIn(note.created_at)];
    const identity = identityOf(noteKey, createdAt);
    const earlier = firsts.get(identity);
    if (earlier) return { body, distinct: earlier };
    const distinct = { note, noteKey, createdAt };
    notes.push(distinct);
    firsts.set(identity, distinct);
    if (!firsts.has(noteKey)) firsts.set(noteKey, distinct);
    return { body, distinct };
  });
  return { notes, sent };
}

/** The rows of an account's notes, the same note twice being one. `keyOf` turns a document path into its object key. */
export const noteRowsOf = (
  accountId: number,
  items: readonly Note[],
  keyOf: (documentPath: string) => string,
  now: number,
  source: NoteSource,
): NoteRow[] => distinctNotes(items).notes.map((distinct) => noteRowOf(accountId, distinct, keyOf, now, source));

/** The row of one note; created at `now` unless it says when. */
export function noteRowOf(
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
    unpinAt: instantIn(note.unpin_at) ?? null,
    source,
    details: undocumentedOf(noteItem, note) ?? null,
  };
}

/** The trimmed body where it may be that of a note which the service wrote itself: such a note is known by its body alone. */
export function movedNoteBody(note: Note): string | undefined {
  const body = bodyOf(note)?.trim();
  return body?.startsWith(MOVED_NOTE_TITLE) ? body : undefined;
}

/** Of the notes of a request that were there before, by {@link identityOf}: when the earliest such note was created, in Unix milliseconds. */
export type EarlierNotes = ReadonlyMap<string, number>;

/** §4.1: one result for each note posted, in the order of the request. */
export interface NoteResult {
  readonly created_at: string;
  /** As sent; empty for a note of documents only. */
  readonly body: string;
  readonly status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
}

/** The result of each note sent: whether it was created or was there. A copy inside the request found the one before it. */
export function noteResults(sent: readonly SentNote[], earlier: EarlierNotes, now: number): NoteResult[] {
  const seen = new Set<DistinctNote>();
  return sent.map(({ body, distinct }) => {
    const earliest = earlier.get(identityOf(distinct.noteKey, distinct.createdAt));
    const createdAt = distinct.createdAt ?? earliest ?? now;
    const isFirst = !seen.has(distinct);
    seen.add(distinct);
    return {
      created_at: isoInstant(createdAt),
      body: body ?? '',
      status: earliest === undefined && isFirst ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
    };
  });
}

/** The body as sent; undefined if it says nothing. */
export const bodyOf = ({ body }: { readonly body?: string | undefined }): string | undefined =>
  body === undefined || isBlank(body) ? undefined : body;

function noteKeyOf(note: Note): string {
  const body = bodyOf(note);
  if (body !== undefined) return shortDigest(`body ${body.trim()}`);
  const paths = new Set(note.document_paths?.map(({ document_path }) => relativeDocumentPath(document_path) ?? document_path));
  return shortDigest(`documents ${JSON.stringify([...paths].sort())}`);
}
