/** The rows of a sheet by the account they belong to. They lie in a file without a name; only their places are in memory. */
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './text';

interface Places {
  /** Where each row begins, and how many bytes it has. */
  readonly spans: number[];
  readonly firstRow: number;
  isUsed: boolean;
}

const BUFFERED_BYTES = 1024 * 1024;

export class RowsByAccount {
  readonly #places = new Map<string, Places>();
  readonly #fd: number;
  #end = 0;
  #buffered: string[] = [];
  #bufferedBytes = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'data-import-'));
    this.#fd = openSync(join(folder, 'rows'), 'wx+', 0o600);
    rmSync(folder, { recursive: true });
  }

  /** `supplier` is empty where the sheet does not name it. */
  add(supplier: string, number: string, row: Row): void {
    const text = JSON.stringify(row);
    const bytes = Buffer.byteLength(text);
    const key = keyOf(supplier, number);
    const places = this.#places.get(key) ?? { spans: [], firstRow: row.row, isUsed: false };
    this.#places.set(key, places);
    places.spans.push(this.#end, bytes);
    this.#end += bytes;
    this.#buffered.push(text);
    this.#bufferedBytes += bytes;
    if (this.#bufferedBytes >= BUFFERED_BYTES) this.#flush();
  }

  /** The rows of an account, in the order of the sheet. */
  rowsOf(supplier: string, number: string): Row[] {
    this.#flush();
    return [keyOf('', number), keyOf(supplier, number)].flatMap((key) => {
      const places = this.#places.get(key);
      if (!places) return [];
      places.isUsed = true;
      const rows: Row[] = [];
      for (let index = 0; index < places.spans.length; index += 2)
        rows.push(this.#read(places.spans[index] ?? 0, places.spans[index + 1] ?? 0));
      return rows;
    });
  }

  /** Notes that the file has the account. */
  use(supplier: string, number: string): void {
    for (const key of [keyOf('', number), keyOf(supplier, number)]) {
      const places = this.#places.get(key);
      if (places) places.isUsed = true;
    }
  }

  /** The rows whose account the file does not have, and the first of them. */
  unused(): { readonly count: number; readonly first: number } {
    let [count, first] = [0, Number.POSITIVE_INFINITY];
    for (const { spans, firstRow, isUsed } of this.#places.values()) {
      if (isUsed) continue;
      count += spans.length / 2;
      first = Math.min(first, firstRow);
    }
    return { count, first };
  }

  #read(from: number, bytes: number): Row {
    const buffer = Buffer.alloc(bytes);
    readSync(this.#fd, buffer, 0, bytes, from);
    const row: Row = JSON.parse(buffer.toString());
    return row;
  }

  #flush(): void {
    if (this.#buffered.length === 0) return;
    const text = Buffer.from(this.#buffered.join(''));
    for (let written = 0; written < text.byteLength; )
      written += writeSync(this.#fd, text, written, text.byteLength - written, this.#end - text.byteLength + written);
    [this.#buffered, this.#bufferedBytes] = [[], 0];
  }
}

const keyOf = (supplier: string, number: string): string => JSON.stringify([supplier, number]);
