/** CSV as text: rows out of it, and lines into it (RFC 4180). */
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { UsageError } from '../exit';
import type { OpenedFile } from '../files/open';

export interface Row {
  /** Counted as a spreadsheet does: from 1, a cell of several lines is one row. */
  readonly row: number;
  readonly cells: readonly string[];
}

export type Delimiter = ',' | ';' | '\t' | '|';
/** A quote that never ends would take all that follows into memory. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

/** Yields each row; blank ones are counted and left out. Throws {@link UsageError} where quotes do not match. */
export async function* csvRows(opened: OpenedFile, delimiter: Delimiter): AsyncGenerator<Row> {
  const text = Readable.from(opened.text());
  const parser = text.pipe(parse({ delimiter, relax_column_count: true, max_record_size: MAX_ROW_CHARACTERS }));
  text.once('error', (error) => parser.destroy(error));
  let row = 0;
  try {
    for await (const read of parser) {
      const cells: string[] = read;
      row++;
      // What a spreadsheet says of its separator is no row of anybody's.
      const isHint = row === 1 && /^sep=/i.test(cells[0] ?? '');
      if (!isHint && cells.some((cell) => cell.trim() !== '')) yield { row, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`${opened.name} cannot be read after row ${row}: ${error.message}`);
  } finally {
    text.destroy();
  }
}

/** The delimiter that the first line names (`sep=;`), else has most of outside quotes; a comma where it has none. */
export async function delimiterOf(opened: OpenedFile): Promise<Delimiter> {
  const line = (await firstLineOf(opened)).replace(/"[^"]*"/g, '');
  const named = DELIMITERS.find((delimiter) => line.toLowerCase() === `sep=${delimiter}`);
  if (named) return named;
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The first line that is not blank, without its end. */
export async function firstLineOf(opened: OpenedFile): Promise<string> {
  let text = '';
  for await (const part of opened.text(4_096)) {
    text = (text + part).trimStart();
    if (text.includes('\n') || text.length > 1_000_000) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** One line without its end; what needs quotes gets them. */
export const csvLine = (cells: readonly string[], delimiter: Delimiter = ','): string =>
  cells
    .map((cell) => (cell.includes(delimiter) || /["\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(delimiter);
