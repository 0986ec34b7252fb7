import type { Row } from './table.ts';

/** Rows for a spreadsheet, RFC 4180: a line of names, then one line each. All rows have the keys of the first. */
export function csvOf(rows: readonly Row[], columns: readonly string[] = Object.keys(rows[0] ?? {})): string {
  const lines = [columns.map((name) => name.replaceAll(' ', '_')), ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  return lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** A spreadsheet would run what begins like a formula. */
function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
