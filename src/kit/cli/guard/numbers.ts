/** The account numbers of a file, as digests: a number takes some sixty bytes, whatever else its account holds. */
import { createHash } from 'node:crypto';

const KEY_BYTES = 12;
/** As many as a number can say. */
const CONTENT_BYTES = 6;

export interface Repeat {
  /** Lines that name one account: the earlier and the later. */
  readonly first: number;
  readonly second: number;
  /** True where both say the same. */
  readonly isSame: boolean;
}

export class AccountNumbers {
  /** Digest of supplier and number -> position of the last record that names it. */
  readonly #positions = new Map<string, number>();
  readonly #lines: number[] = [];
  readonly #contents: number[] = [];

  /** Notes the next record of the file, in order; `text` is its content. Answers the earlier record of the same account. */
  add(supplier: string | undefined, number: string | undefined, line: number, text: string): Repeat | undefined {
    const position = this.#lines.length;
    const content = Number.parseInt(digestOf(text, CONTENT_BYTES, 'hex'), 16);
    this.#lines.push(line);
    this.#contents.push(content);
    if (number === undefined) return undefined;
    const key = keyOf(supplier, number);
    const earlier = this.#positions.get(key);
    this.#positions.set(key, position);
    if (earlier === undefined) return undefined;
    return { first: this.#lines[earlier] ?? 0, second: line, isSame: this.#contents[earlier] === content };
  }

  /** The last record of an account, from 0; undefined where the file does not name it. */
  positionOf(supplier: string | undefined, number: string): number | undefined {
    return this.#positions.get(keyOf(supplier, number));
  }

  /** Where a person finds a record. */
  lineOf(position: number): number {
    return this.#lines[position] ?? position + 1;
  }

  /** How many accounts the file names. */
  get size(): number {
    return this.#positions.size;
  }
}

const keyOf = (supplier: string | undefined, number: string): string =>
  digestOf(JSON.stringify([supplier ?? null, number]), KEY_BYTES, 'base64');

/** Of the length that is needed: a part of a longer text would keep all of it in memory. */
const digestOf = (text: string, outputLength: number, form: 'hex' | 'base64'): string =>
  createHash('shake128', { outputLength }).update(text).digest(form);
