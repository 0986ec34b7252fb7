/** §2.3: what makes a note right, and which notes are the same. */
import { describe, expect, it } from 'vitest';
import { NOTE_SOURCE, type Note, noteErrors, noteRowsOf } from '../../src/notes';
import { distinctNotes, noteDocuments, noteResults } from '../../src/notes/rules';
import { notesBody } from '../../src/notes/schema';
import { inPayloadOrder } from '../../src/shared/errors';
import { parse } from '../../src/shared/parse';
import { worded } from '../support/worded';

const errorsIn = (note: unknown) => {
  const raw = { import_supplier: 's', external_account_number: 'e', notes: [note] };
  const { draft, errors } = parse(notesBody, raw);
  const [first] = draft.notes ?? [];
  const found = inPayloadOrder(raw, [...errors, ...(first ? noteErrors(['notes', 0], first) : [])]);
  return worded(found).map(({ path, code }) => [path.slice(2).join('.'), code]);
};

const NOTHING = ['non_field_errors', 'body_or_document_paths_required'];
const UNPIN = ['unpin_at', 'unpin_at_not_after_created_at'];
const paths = (...document_paths: string[]) => document_paths.map((document_path) => ({ document_path }));

describe('a note', () => {
  it.each([
    ['with a body', { body: 'x' }, []],
    ['with documents', { document_paths: paths('a.pdf') }, []],
    ['with both', { body: 'x', document_paths: paths('a.pdf') }, []],
    ['with nothing', {}, [NOTHING]],
    ['with a blank body and no documents', { body: ' \n\t', document_paths: [] }, [NOTHING]],
    ['with nulls', { body: null, document_paths: null }, [NOTHING]],
    ['with a body that was refused', { body: 7 }, [['body', 'invalid']]],
    ['with documents that were refused', { document_paths: 'a.pdf' }, [['document_paths', 'not_a_list']]],
    ['with a document that was refused', { document_paths: [{}] }, [['document_paths.0.document_path', 'required']]],
    ['unpinned after it was created', { body: 'x', created_at: '2026-01-01T00:00:00Z', unpin_at: '2026-01-01T00:00:00.001Z' }, []],
    ['unpinned at its creation', { body: 'x', created_at: '2026-01-01T00:00:00Z', unpin_at: '2026-01-01T01:00:00+01:00' }, [UNPIN]],
    ['unpinned before its creation', { body: 'x', created_at: '2026-01-01T00:00:00Z', unpin_at: '2025-01-01T00:00:00Z' }, [UNPIN]],
    ['unpinned in the past, with no word of its creation', { body: 'x', unpin_at: '1999-01-01T00:00:00Z' }, []],
    [
      'unpinned after a creation that was refused',
      { body: 'x', created_at: 'now', unpin_at: '1999-01-01T00:00:00Z' },
      [['created_at', 'invalid_datetime']],
    ],
  ])('%s', (_, note, errors) => {
    expect(errorsIn(note)).toEqual(errors);
  });
});

const A = '2026-01-01T00:00:00Z';
const B = '2026-01-02T00:00:00Z';
const positions = (...items: Note[]) => {
  const { notes, sent } = distinctNotes(items);
  return sent.map(({ distinct }) => notes.indexOf(distinct));
};

describe('the same note', () => {
  it.each([
    ['has the same body, trimmed', [{ body: 'x' }, { body: '\tx ' }], [0, 0]],
    ['has its body in the same case', [{ body: 'x' }, { body: 'X' }], [0, 1]],
    [
      'is created at the same instant, however written',
      [
        { body: 'x', created_at: A },
        { body: 'x', created_at: '2026-01-01T02:00:00+02' },
      ],
      [0, 0],
    ],
    [
      'is not created at another instant',
      [
        { body: 'x', created_at: A },
        { body: 'x', created_at: B },
      ],
      [0, 1],
    ],
    ['may leave open when it was created', [{ body: 'x', created_at: B }, { body: 'x', created_at: A }, { body: 'x' }], [0, 1, 0]],
    ['is not met by a later one that says when', [{ body: 'x' }, { body: 'x', created_at: A }, { body: 'x' }], [0, 1, 0]],
    [
      'has the same set of documents where it has no body',
      [{ document_paths: paths('a', 'b') }, { document_paths: paths('b', '/a', 'b') }, { document_paths: paths('a') }],
      [0, 0, 1],
    ],
    ['is identified by its body alone where it has one', [{ body: 'x', document_paths: paths('a') }, { body: 'x' }], [0, 0]],
    ['is not one of documents that are named like its body', [{ body: '["a"]' }, { document_paths: paths('a') }], [0, 1]],
  ])('%s', (_, notes, expected) => {
    expect(positions(...notes)).toEqual(expected);
  });

  it('is one row of an account', () => {
    const rows = noteRowsOf(
      7,
      [{ body: ' x' }, { body: 'x ' }, { body: 'x', created_at: A, is_pinned: true, unpin_at: B, document_paths: paths('a') }],
      (path) => `root/${path}`,
      5,
      NOTE_SOURCE.payload,
    );
    expect(rows).toMatchObject([
      { accountId: 7, createdAt: 5, body: ' x', documents: null, isPinned: false, unpinAt: null, source: 0 },
      { createdAt: Date.parse(A), body: 'x', documents: [{ document_path: 'a', key: 'root/a' }], isPinned: true, unpinAt: Date.parse(B) },
    ]);
    expect(rows[0]?.noteKey).toBe(rows[1]?.noteKey);
  });
});

it('the documents of notes are listed with their places, refused ones left out', () => {
  const notes = [undefined, { body: 'x' }, { document_paths: [undefined, {}, ...paths('a', '/b')] }];
  expect(noteDocuments(['at'], notes)).toEqual([
    { path: ['at', 2, 'document_paths', 2, 'document_path'], documentPath: 'a' },
    { path: ['at', 2, 'document_paths', 3, 'document_path'], documentPath: '/b' },
  ]);
});

describe('the results', () => {
  it('echo the body as sent and the moment as stored, and name one maker of each new note', () => {
    const notes: Note[] = [
      { body: ' x' },
      { body: 'x' },
      { body: 'y' },
      { body: 'z', created_at: A },
      { body: ' ', document_paths: paths('a') },
    ];
    const distinct = distinctNotes(notes);
    const key = (position: number) => distinct.notes[position]?.noteKey ?? '';
    const added = { earliest: new Map([[key(1), 1]]), inserted: new Set([`${key(0)} 9`, `${key(3)} 9`]) };
    expect(noteResults(distinct.sent, added, 9)).toStrictEqual([
      { created_at: '1970-01-01T00:00:00.009Z', body: ' x', status: 'NOTE_CREATION_SUCCESS' },
      { created_at: '1970-01-01T00:00:00.009Z', body: 'x', status: 'NOTE_ALREADY_EXISTS' },
      { created_at: '1970-01-01T00:00:00.001Z', body: 'y', status: 'NOTE_ALREADY_EXISTS' },
      { created_at: '2026-01-01T00:00:00.000Z', body: 'z', status: 'NOTE_ALREADY_EXISTS' },
      { created_at: '1970-01-01T00:00:00.009Z', body: '', status: 'NOTE_CREATION_SUCCESS' },
    ]);
  });
});
