export { NOTE_SOURCE, type NoteRow, type NoteSource } from './note';
export { noteErrors, noteRowsOf } from './rules';
export { MAX_NOTES, type Note, type NoteDraft, noteItem } from './schema';
export { insertNotes } from './store';
