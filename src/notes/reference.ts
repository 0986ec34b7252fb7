/** Words and examples for §4.1. */
import { addsInBulk } from '../reference/bulk';
import { NOT_IMPORTED, PAIR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { invalid, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

const NOTE = {
  body: 'Prefers letters to e-mail.',
  created_at: '2026-01-05T09:30:00Z',
  is_pinned: true,
  document_paths: [{ document_path: 'letters/welcome.pdf' }],
};

export const NOTES: readonly Operation[] = [
  describe(declared.createNotes, answers, {
    id: 'createNotes',
    tag: 'Account data',
    summary: 'Add notes',
    description:
      'Adds 1 to 500 notes, each once: a note with the same `body` (and the same `created_at`, where sent) that is there already, also one that the service wrote itself, is not created again. Results stand in the order of the request. Safe to repeat.',
    body: one('A pinned note with a document', { ...PAIR, notes: [NOTE] }),
    answers: {
      201: ok('One result for each note.', [{ created_at: '2026-01-05T09:30:00.000Z', body: NOTE.body, status: 'NOTE_CREATION_SUCCESS' }]),
      400: invalid('The notes are not valid; nothing was stored.', [
        { detail: 'A note needs a body or document paths.', code: 'body_or_document_paths_required', attr: 'notes.0.non_field_errors' },
      ]),
      404: NOT_IMPORTED,
    },
  }),
  describe(declared.bulkNotes, answers, { id: 'bulkNotes', ...addsInBulk('notes') }),
];
