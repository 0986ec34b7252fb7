/** Where a note came from. */
export const NOTE_SOURCE = { payload: 0, posted: 1, service: 2 } as const;
export type NoteSource = (typeof NOTE_SOURCE)[keyof typeof NOTE_SOURCE];

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
}
