/** The records of a JSON file: one value a line, or the items of one array. Streamed, each as it was written. */
import { UsageError } from '../exit';

export interface JsonRecord {
  /** Its JSON text, without surrounding space. */
  readonly text: string;
  /** Of a line: its number in the file, blank ones counted; of an item: its position. From 1. */
  readonly line: number;
}

/** Yields each record of a text that comes in parts; blank lines are none. `name` is the file's, for errors. */
export async function* recordsIn(name: string, parts: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let reader: Splitter | undefined;
  let blank = '';
  for await (const part of parts) {
    blank = reader ? '' : blank + part;
    const text = reader ? part : blank;
    if (!reader) {
      if (text.trimStart() === '') continue;
      reader = text.trimStart().startsWith('[') ? new ItemSplitter(name) : new LineSplitter();
    }
    yield* reader.take(text);
  }
  if (reader) yield* reader.end();
}

interface Splitter {
  take(text: string): Iterable<JsonRecord>;
  end(): Iterable<JsonRecord>;
}

class LineSplitter implements Splitter {
  #rest = '';
  #line = 0;

  *take(text: string): Iterable<JsonRecord> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#line++;
      if (line.trim() !== '') yield { text: line.trim(), line: this.#line };
    }
  }

  *end(): Iterable<JsonRecord> {
    if (this.#rest.trim() !== '') yield { text: this.#rest.trim(), line: this.#line + 1 };
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
  #line = 0;

  constructor(file: string) {
    this.#file = file;
  }

  *take(text: string): Iterable<JsonRecord> {
    let from = 0;
    for (let at = this.#next(text, 0); at >= 0; at = this.#next(text, at + 1)) {
      const sign = text[at];
      if (this.#isText) {
        if (sign === '"') this.#isText = false;
      } else if (sign === '"') this.#isText = true;
      else if (sign === '[' || sign === '{') {
        if (++this.#depth === 1) from = at + 1;
      } else if (sign === ',' && this.#depth === 1) {
        yield { text: this.#whole(text.slice(from, at)), line: ++this.#line };
        from = at + 1;
      } else if (sign === ']' || sign === '}') {
        if (--this.#depth > 0) continue;
        this.#hasEnded = true;
        const last = (this.#item + text.slice(from, at)).trim();
        this.#item = '';
        if (last !== '') yield { text: last, line: ++this.#line };
        from = at + 1;
        break;
      }
    }
    if (this.#hasEnded) {
      if (text.slice(from).trim() !== '') throw new UsageError(`${this.#file} goes on after the end of its array.`);
    } else this.#item += text.slice(from);
  }

  end(): Iterable<JsonRecord> {
    if (!this.#hasEnded) throw new UsageError(`${this.#file} ends in the middle of its array.`);
    return [];
  }

  /** The place of the next sign that counts; escaped ones do not. */
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
    // An empty place between two commas: no JSON, named as such when it is sent.
    return item === '' ? ',' : item;
  }
}
