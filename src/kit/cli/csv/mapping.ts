/** `--mapping map.json`: which field a column is, for headers in the importer's own words. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../exit';

/** Header -> path of the field; null leaves the column out. By sheet: `accounts`, or the name of a list. */
export type Mapping = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

const EXAMPLE = '{"accounts": {"Account No": "external_account_number", "Remarks": null}, "customers": {"First name": "given_name"}}';

/** Reads the file. Throws {@link UsageError} where it is anything else than objects of headers by sheet. */
export function readMapping(file: string, sheets: readonly string[]): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : ''}`);
  }
  return new Map(
    entriesOf(value, file).map(([sheet, columns]) => {
      if (!sheets.includes(sheet)) throw new UsageError(`${file} maps "${sheet}", which is no sheet: choose ${sheets.join(', ')}.`);
      const paths = entriesOf(columns, file).map(([header, path]): [string, string | null] => {
        if (path !== null && typeof path !== 'string') throw wrong(file);
        return [header.trim(), path];
      });
      return [sheet, new Map(paths)];
    }),
  );
}

function entriesOf(value: unknown, file: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(file);
  return Object.entries(value);
}

const wrong = (file: string): UsageError => new UsageError(`${file} must name fields by header, sheet by sheet, as in ${EXAMPLE}`);
