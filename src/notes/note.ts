/** Where a note came from. */
export const NOTE_SOURCE = { payload: 0, posted: 1, service: 2 } as const;
export type NoteSource = (typeof NOTE_SOURCE)[keyof typeof NOTE_SOURCE];

/** The first line of the pinned note that lists the transactions a request moved (§4.2). The service writes it itself, in SQL. */
export const MOVED_NOTE_TITLE = 'Imported transactions were dated outside the open statement period and moved into it:';

/** The key of that note: no digest, because only the database knows its whole body. */
export const movedNoteKey = (request: number): string => `${MOVED_NOTE_KEYS.from}${request}`;
/** Every such key lies between these; no digest does. */
export const MOVED_NOTE_KEYS = { from: 'moved ', to: 'moved!' } as const;

/** A note as it is stored. Datetimes are Unix milliseconds. */
export interface NoteRow {
  readonly accountId: number;
  readonly noteKey: string;
  readonly createdAt: number;
  readonly body: string | null;
  readonly documents: readonly { readonly document_path: string; readonly key: string }[] | null;
  readonly isPinned: boolean;
  readonly unpinAt: number | null;
  readonly source: NoteSource;
  /** What was sent with it beside the documented fields; null if there is nothing. */
  readonly details: object | null;
}
