/** What is reported of a file before its first byte is sent. */

/** What stops a command, by the name that `--allow` takes. */
export type Allowable = 'wrong-kind' | 'unknown-fields' | 'duplicates' | 'short-numbers' | 'scientific-numbers' | 'unmatched-rows';

/** What is sent where it is allowed. */
export const ALLOWABLE: ReadonlyMap<Allowable, string> = new Map([
  ['wrong-kind', 'records of another endpoint'],
  ['unknown-fields', 'fields that the service does not know, as they are named'],
  ['duplicates', 'several different records of one account: the last one counts'],
  ['short-numbers', 'numbers shorter than the others of their column'],
  ['scientific-numbers', 'numbers that a spreadsheet has written as 1.23E+10'],
  ['unmatched-rows', 'all but the rows whose account is not in the file'],
]);

export interface Finding {
  readonly text: string;
  /** Set where going on could lose data without a word. */
  readonly stop?: Allowable;
}
