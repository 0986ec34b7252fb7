/**
 * Events (§12): what happened, for those who follow it. Whoever changes something that an event reports writes the event in the same batch:
 *
 * - `recordWrite({ supplierId, now, type, data })` right behind the write that it reports: it is there if that changed a row;
 *   `recordCount` puts the number of rows into the data.
 * - `recordAdditions`, `recordFound` and `recordImports` before the effect of a statement that changes many, under a condition that holds only until then.
 *
 * A new type of event is a line of {@link EventData}, one in `answers.ts`, and such a statement.
 */
export { placeOfCursor, type WaitingEvent, waitingEvents } from './read';
export { forgetEvents } from './store';
export { recordAdditions, recordCount, recordFound, recordImports, recordWrite } from './store-recording';
export type { CancelReason, CountedType, FinishedImport } from './types';
export { eventView } from './views';
