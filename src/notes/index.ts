export { MOVED_NOTE_TITLE, movedNoteKey, NOTE_SOURCE } from './note';
export { distinctNotes, noteErrors, noteRowsOf } from './rules';
export { type Note, noteItem } from './schema';
export { insertNotes } from './store';
