/**
 * The answers to the lines of one slice, in order. How much of them is held is bounded: a refusal that would be too much is made again
 * from its line when its turn has come.
 */
import { type BulkResult, type LineFacts, lineText, refusalOf } from './bulk-line';
import type { Line } from './bulk-lines';

/** Characters of answers that are held until those before them are given. */
const MAX_HELD = 1_000_000;
/** Characters that are given at once. */
const PIECE = 64_000;

export class SliceAnswers {
  readonly #lines: readonly Line[];
  readonly #given: (string | LineFacts | undefined)[];
  readonly #names: (string | undefined)[] = [];
  #held = 0;
  #characters = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#given = lines.map(() => undefined);
  }

  /** Of all answers so far, held or not. */
  get characters(): number {
    return this.#characters;
  }

  /** The account number by which a line is answered that gets no other answer. */
  name(position: number, externalAccountNumber: string | undefined): void {
    this.#names[position] = externalAccountNumber;
  }

  /** `facts` lead to the same refusal again. */
  give(position: number, result: BulkResult, facts?: LineFacts): void {
    const text = lineText(result);
    const isHeld = facts === undefined || this.#held + text.length <= MAX_HELD;
    this.#given[position] = isHeld ? text : facts;
    this.#characters += text.length;
    if (isHeld) this.#held += text.length;
  }

  /** Positions of the lines that have no answer. */
  open(): number[] {
    return [...this.#given.keys()].filter((position) => this.#given[position] === undefined);
  }

  /** NDJSON text in pieces of whole lines. A line without an answer is FAILED. */
  *pieces(): Generator<string, void> {
    let piece = '';
    for (const [position, line] of this.#lines.entries()) {
      const given = this.#given[position];
      const failed: BulkResult = { line: line.number, external_account_number: this.#names[position], status: 'FAILED' };
      piece += typeof given === 'string' ? given : lineText(given ? refusalOf(line, given) : failed);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}
