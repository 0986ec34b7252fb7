/** The file of accounts that a command names, whatever its form. */
import { type CsvOptions, csvSource, type Opened } from './csv/source';
import { delimiterOf, firstLineOf } from './csv/text';
import { UsageError } from './exit';
import { type OpenedFile, openFile } from './files/open';
import { firstCharacter, jsonSourceOf } from './files/source';

/** Throws {@link UsageError} where the file cannot be read, or where options are about CSV and it is none. */
export async function openAccounts(file: string, options: CsvOptions): Promise<Opened> {
  const opened = await openFile(file, options.encoding);
  const { mapping, sheets, supplier, dates, decimal } = options;
  const isMeant = sheets.size > 0 || [mapping, supplier, dates, decimal].some((option) => option !== undefined);
  if (await isCsv(opened, isMeant)) return csvSource(opened, options);
  if (isMeant) throw new UsageError(`${opened.name} is JSON: --mapping, --supplier, --dates, --decimal and sheets are for CSV.`);
  return { source: await jsonSourceOf(opened), findings: [] };
}

/** By its content first: what begins with a bracket is JSON. */
async function isCsv(opened: OpenedFile, isMeant: boolean): Promise<boolean> {
  if (['{', '['].includes(await firstCharacter(opened))) return false;
  if (isMeant || /\.(?:csv|tsv|tab)(?:\.gz)?$/i.test(opened.name)) return true;
  const cells = (await firstLineOf(opened)).split(await delimiterOf(opened));
  return cells.some((cell) => cell.replace(/"/g, '').trim() === 'external_account_number');
}
