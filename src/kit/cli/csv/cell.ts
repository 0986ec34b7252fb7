/** Where a cell is, in the words of a spreadsheet. */
import type { Field } from '../fields';

export interface Column {
  /** From 0. */
  readonly index: number;
  readonly header: string;
  /** Steps of the field that its cells are; list positions are digits. */
  readonly path: readonly string[];
  /** The field; undefined where no schema knows it. */
  readonly field: Field | undefined;
}

/** `C` for 2, `AA` for 26. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** `C5 of customers.csv ("Phone")`. */
export const cellName = (sheet: string, row: number, { index, header }: Pick<Column, 'index' | 'header'>): string =>
  `${letterOf(index)}${row} of ${sheet} ("${header}")`;
