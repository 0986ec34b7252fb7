/** One CSV file: its header, its columns and its rows. */
import { UsageError } from '../exit';
import type { OpenedFile } from '../files/open';
import { noRecord } from '../files/source';
import { type Column, letterOf } from './cell';
import { type Columns, columnsOf, PAIR } from './columns';
import type { Mapping } from './mapping';
import { csvRows, type Delimiter, delimiterOf, type Row } from './text';

export interface Sheet extends Columns {
  /** `accounts`, or the list whose items its rows are. */
  readonly of: string;
  readonly opened: OpenedFile;
  readonly delimiter: Delimiter;
  /** The columns of the pair that names an account. */
  readonly supplier: Column | undefined;
  readonly number: Column;
  /** Its rows without the header. Throws {@link UsageError} for a row with more cells than headers. */
  rows(): AsyncGenerator<Row>;
}

export async function readSheet(opened: OpenedFile, of: string, mapping: Mapping): Promise<Sheet> {
  const delimiter = await delimiterOf(opened);
  const headers = await headersOf(opened, delimiter);
  const columns = columnsOf(opened.name, of, headers, mapping);
  const [supplier, number] = PAIR.map((name) => columns.sent.find(({ path }) => path.join('.') === name));
  if (!number) throw new UsageError(withoutNumber(opened.name, columns));
  return { ...columns, of, opened, delimiter, supplier, number, rows: () => rowsOf(opened, delimiter, headers) };
}

async function headersOf(opened: OpenedFile, delimiter: Delimiter): Promise<string[]> {
  for await (const { cells } of csvRows(opened, delimiter)) return [...cells];
  throw noRecord(opened.name);
}

function withoutNumber(name: string, { findings }: Columns): string {
  const listed = findings.map(({ text }) => `\n  ${text}`).join('');
  return `${name} has no column external_account_number: give it that header, or name it in a --mapping.${listed}`;
}

async function* rowsOf(opened: OpenedFile, delimiter: Delimiter, headers: readonly string[]): AsyncGenerator<Row> {
  let isHeader = true;
  for await (const read of csvRows(opened, delimiter)) {
    if (!isHeader) {
      read.cells.forEach((cell, index) => {
        if (cell.trim() !== '' && (headers[index] ?? '').trim() === '')
          throw new UsageError(`${letterOf(index)}${read.row} of ${opened.name} has no header above it: give the column one, or empty it.`);
      });
      yield read;
    }
    isHeader = false;
  }
}

/** The text of a cell; empty where the row ends before it. */
export const cellOf = ({ cells }: Row, column: Column | undefined): string => (column ? (cells[column.index] ?? '').trim() : '');
