/**
 * CSV for spreadsheets (RFC 4180). Pure.
 */

/** One line with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A spreadsheet would run what begins like a formula: an apostrophe leads it. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
