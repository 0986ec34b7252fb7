/** The rows of failed accounts, cell by cell as they came, with their errors in columns of their own. */
import type { ErrorItem } from '../../client';
import type { FailedPart, Failures } from '../files/source';
import { OWN_COLUMNS } from './columns';
import { accountOfRow, type Conversion, type Origin, supplierOfRow } from './convert';
import { cellOf, type Sheet } from './sheet';
import { csvLine, type Row } from './text';

const BETWEEN = '; ';

/** One file for the accounts, and one for each sheet that was joined to them. */
export function failedParts(conversion: Conversion, failures: Failures): FailedPart[] {
  return [conversion.accounts, ...conversion.joined.map(({ sheet }) => sheet)].map((sheet) => ({
    of: sheet.opened.beside,
    ending: 'csv',
    ...(sheet === conversion.accounts ? {} : { option: `--${sheet.of.replaceAll('_', '-')}` }),
    lines: () => linesOf(conversion, sheet, failures),
  }));
}

async function* linesOf(conversion: Conversion, sheet: Sheet, failures: Failures): AsyncGenerator<string> {
  // Whoever wrote a mark before has a program that needs one.
  const mark = sheet.opened.traits.some((trait) => trait === 'byte order mark' || trait === 'UTF-16') ? '\uFEFF' : '';
  yield `${mark}${line(sheet, sheet.headers, OWN_COLUMNS)}`;
  let index = 0;
  for await (const row of conversion.accounts.rows()) {
    const errors = failures.get(index++);
    if (!errors) continue;
    const placed = placesOf(conversion, row, errors);
    for (const one of rowsIn(conversion, sheet, row)) {
      const own = placed.filter(({ origin }) => origin.sheet === sheet && origin.row.row === one.row);
      yield line(sheet, one.cells, [
        `${one.row}`,
        own.map(({ column }) => column).join(BETWEEN),
        own.map(({ error }) => error.code).join(BETWEEN),
        own.map(({ error }) => error.detail).join(BETWEEN),
      ]);
    }
  }
}

function rowsIn(conversion: Conversion, sheet: Sheet, row: Row): readonly Row[] {
  const joined = conversion.joined.find((one) => one.sheet === sheet);
  return joined ? joined.rows.rowsOf(supplierOfRow(conversion, row), cellOf(row, conversion.accounts.number)) : [row];
}

interface Placed {
  readonly error: ErrorItem;
  readonly origin: Pick<Origin, 'sheet' | 'row'>;
  /** The header of the cell; the path of the error where it belongs to no cell. */
  readonly column: string;
}

function placesOf(conversion: Conversion, row: Row, errors: readonly ErrorItem[]): Placed[] {
  const origins = new Map<string, Origin>();
  accountOfRow(conversion, row).json((path, origin) => origins.set(path, origin));
  return errors.map((error) => {
    const origin = origins.get(error.attr);
    if (origin) return { error, origin, column: origin.column.header };
    // An error of an item belongs to the row that the item is from.
    const holder = error.attr.replace(/\.?[^.]*$/, '');
    const inside = holder === '' ? undefined : [...origins].find(([path]) => path.startsWith(`${holder}.`))?.[1];
    return { error, origin: inside ?? { sheet: conversion.accounts, row }, column: error.attr };
  });
}

const line = ({ theirs, delimiter }: Sheet, cells: readonly string[], own: readonly string[]): string =>
  csvLine([...theirs.map((index) => cells[index] ?? ''), ...own], delimiter);
