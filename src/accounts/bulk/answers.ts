/**
 * The answers to the lines of one slice, in order. How much of them is held is bounded: a refusal that would be too much is made again
 * from its line when its turn has come.
 */
import { MAX_ERRORS } from '../../shared/errors';
import { type BulkResult, failureOf, type LineFacts, lineText, refusalOf } from './line';
import type { Line } from './lines';

/** Characters that an answer may have before only few errors of a line are listed: as many as a body may have bytes. */
const MAX_CHARACTERS = 64 * 1_048_576;
const FEW_ERRORS = 10;
/** Characters of answers that are held until those before them are given. */
const MAX_HELD = 1_000_000;
/** Characters that are given at once. */
const PIECE = 64_000;

/** How much one request was answered with so far. */
export class Answered {
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  /** How many errors are listed of a line. */
  get maxErrors(): number {
    return this.#characters < MAX_CHARACTERS ? MAX_ERRORS : FEW_ERRORS;
  }

  add(characters: number): void {
    this.#characters += characters;
  }
}

export class SliceAnswers {
  readonly #answered: Answered;
  readonly #lines: readonly Line[];
  readonly #given: (string | LineFacts | undefined)[];
  #held = 0;

  constructor(lines: readonly Line[], answered: Answered) {
    this.#lines = lines;
    this.#answered = answered;
    this.#given = lines.map(() => undefined);
  }

  /** `facts` lead to the same refusal again. */
  give(position: number, result: BulkResult, facts?: LineFacts): void {
    const text = lineText(result);
    this.reopen(position);
    const isHeld = facts === undefined || this.#held + text.length <= MAX_HELD;
    this.#given[position] = isHeld ? text : facts;
    this.#answered.add(text.length);
    if (isHeld) this.#held += text.length;
  }

  /** Takes the answer of a line back. */
  reopen(position: number): void {
    const given = this.#given[position];
    if (typeof given === 'string') this.#held -= given.length;
    this.#given[position] = undefined;
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
      piece += typeof given === 'string' ? given : lineText(given ? refusalOf(line, given) : failureOf(line));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}
