/**
 * The answers to the lines of one slice, in order. How much of them is held is bounded: an answer that would be too much is made again
 * when its turn has come.
 */
import { MAX_ERRORS } from '../shared/errors';
import { MAX_BULK_BYTES } from '../shared/sizes';

/** Characters that an answer may have before only few errors of a line are listed: as many as a body may have bytes. */
const MAX_CHARACTERS = MAX_BULK_BYTES;
const FEW_ERRORS = 10;
/** Characters of answers that are held until those before them are given. */
const MAX_HELD = 1_000_000;
/** Characters that are given at once. */
const PIECE = 64_000;

/** Makes the answer to a line, as text that ends with a line feed. */
export type MakeAnswer = () => string;

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
  readonly #failureOf: (position: number) => string;
  readonly #given: (string | MakeAnswer | undefined)[];
  #held = 0;

  /** `failureOf` makes the answer to a line that got no other. */
  constructor(lines: number, answered: Answered, failureOf: (position: number) => string) {
    this.#answered = answered;
    this.#failureOf = failureOf;
    this.#given = Array.from({ length: lines }, () => undefined);
  }

  /** `again` makes the same text once more. */
  give(position: number, text: string, again?: MakeAnswer): void {
    this.reopen(position);
    const isHeld = again === undefined || this.#held + text.length <= MAX_HELD;
    this.#given[position] = isHeld ? text : again;
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

  /** NDJSON text in pieces of whole lines. */
  *pieces(): Generator<string, void> {
    let piece = '';
    for (const [position, given] of this.#given.entries()) {
      piece += typeof given === 'string' ? given : given ? given() : this.#failureOf(position);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}
