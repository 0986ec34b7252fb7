import { csvLine } from '../../src/shared/csv.ts';
import type { Row } from './table.ts';

/** Rows for a spreadsheet, RFC 4180: a line of names, then one line each. All rows have the keys of the first. */
export function csvOf(rows: readonly Row[], columns: readonly string[] = Object.keys(rows[0] ?? {})): string {
  const lines = [columns.map((name) => name.replaceAll(' ', '_')), ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  return lines.map(csvLine).join('');
}
