/** The records of a file: one JSON value a line, or the items of one JSON array. Streamed, and kept as they were written. */
import { createReadStream, statSync } from 'node:fs';
import { UsageError } from './exit';

/** Throws unless the file is there to be read, more than once. */
export function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${file}.`);
  if (!found.isFile()) throw new UsageError(`${file} is no regular file.`);
}

/** Yields the text of each record without surrounding space; blank lines are none. */
export async function* recordsOf(file: string, bytesAtOnce = 256 * 1024): AsyncGenerator<string> {
  let isFirst = true;
  let reader: Splitter | undefined;
  for await (const part of createReadStream(file, { encoding: 'utf8', highWaterMark: bytesAtOnce })) {
    let text = String(part);
    if (isFirst) text = text.replace(/^\uFEFF/, '');
    isFirst = false;
    if (!reader) {
      text = text.trimStart();
      if (text === '') continue;
      reader = text.startsWith('[') ? new ItemSplitter(file) : new LineSplitter();
    }
    yield* reader.take(text);
  }
  if (reader) yield* reader.end();
}

/** How many records there are. */
export async function countRecords(file: string): Promise<number> {
  let count = 0;
  for await (const _ of recordsOf(file)) count++;
  return count;
}

interface Splitter {
  take(text: string): Iterable<string>;
  end(): Iterable<string>;
}

class LineSplitter implements Splitter {
  #rest = '';

  *take(text: string): Iterable<string> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line.trim();
  }

  *end(): Iterable<string> {
    if (this.#rest.trim() !== '') yield this.#rest.trim();
  }
}

/** What in JSON may change where an item begins or ends. */
const SIGNS = /["\\[\]{},]/g;

class ItemSplitter implements Splitter {
  readonly #file: string;
  #item = '';
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #hasEnded = false;

  constructor(file: string) {
    this.#file = file;
  }

  *take(text: string): Iterable<string> {
    let from = 0;
    for (let at = this.#next(text, 0); at >= 0; at = this.#next(text, at + 1)) {
      const sign = text[at];
      if (this.#isText) {
        if (sign === '"') this.#isText = false;
      } else if (sign === '"') this.#isText = true;
      else if (sign === '[' || sign === '{') {
        if (++this.#depth === 1) from = at + 1;
      } else if (sign === ',' && this.#depth === 1) {
        yield this.#whole(text.slice(from, at));
        from = at + 1;
      } else if (sign === ']' || sign === '}') {
        if (--this.#depth > 0) continue;
        this.#hasEnded = true;
        const last = (this.#item + text.slice(from, at)).trim();
        this.#item = '';
        if (last !== '') yield last;
        from = at + 1;
        break;
      }
    }
    if (this.#hasEnded) {
      if (text.slice(from).trim() !== '') throw new UsageError(`${this.#file} goes on after the end of its array.`);
    } else this.#item += text.slice(from);
  }

  end(): Iterable<string> {
    if (!this.#hasEnded) throw new UsageError(`${this.#file} ends in the middle of its array.`);
    return [];
  }

  /** Where the next sign stands that counts; escaped ones do not. */
  #next(text: string, from: number): number {
    if (this.#hasEnded) return -1;
    let start = from;
    for (;;) {
      if (this.#isEscaped) {
        if (start >= text.length) return -1;
        this.#isEscaped = false;
        start++;
      }
      SIGNS.lastIndex = start;
      const at = SIGNS.exec(text)?.index ?? -1;
      if (at < 0 || text[at] !== '\\') return at;
      this.#isEscaped = true;
      start = at + 1;
    }
  }

  #whole(end: string): string {
    const item = (this.#item + end).trim();
    this.#item = '';
    // An empty place between two commas: no JSON, told as such when it is judged.
    return item === '' ? ',' : item;
  }
}
