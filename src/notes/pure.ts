/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { MOVED_NOTE_TITLE, movedNoteKey, NOTE_SOURCE } from './note';
export { distinctNotes, noteErrors, noteRowsOf } from './rules';
export { type Note, noteItem } from './schema';
