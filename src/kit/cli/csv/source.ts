/** A CSV file of accounts, and the sheets that are joined to it, as records. */
import { UsageError } from '../exit';
import { type OpenedFile, openFile } from '../files/open';
import type { Source } from '../files/source';
import { isFailedFile } from '../files/write';
import type { Finding } from '../guard/finding';
import { number } from '../progress';
import { accountOfRow, type Conversion, type JoinedSheet, supplierOfRow } from './convert';
import { type Asked, CellEvidence } from './evidence';
import { failedParts } from './failed-rows';
import { type Mapping, readMapping } from './mapping';
import { RowsByAccount } from './rows-by-account';
import { cellOf, readSheet, type Sheet } from './sheet';
import { sheetNames } from './template';

export interface CsvOptions extends Asked {
  readonly mapping: string | undefined;
  /** List of the account -> file of its items. */
  readonly sheets: ReadonlyMap<string, string>;
  readonly supplier: string | undefined;
  readonly encoding: string | undefined;
}

export interface Opened {
  readonly source: Source;
  /** What was found while it was opened. */
  readonly findings: readonly Finding[];
}

const WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

/** Reads all sheets once, for what they say of their forms. Throws {@link UsageError} where that is not for certain. */
export async function csvSource(opened: OpenedFile, options: CsvOptions): Promise<Opened> {
  const mapping: Mapping = options.mapping === undefined ? new Map() : readMapping(options.mapping, sheetNames());
  const accounts = await readSheet(opened, 'accounts', mapping);
  if (!accounts.supplier && options.supplier === undefined)
    throw new UsageError(`${accounts.opened.name} has no column import_supplier: say the supplier of all rows with --supplier CODE.`);
  const evidence = new CellEvidence();
  const joined: JoinedSheet[] = [];
  for (const [of, path] of options.sheets)
    joined.push(await readJoined(await readSheet(await openFile(path, options.encoding), of, mapping), evidence));
  for await (const row of accounts.rows()) {
    takeCells(evidence, accounts, row.row, row.cells);
    for (const { rows } of joined) rows.use(supplierOfRow({ accounts, supplier: options.supplier }, row), cellOf(row, accounts.number));
  }
  const conversion: Conversion = { accounts, joined, forms: evidence.forms(options), supplier: options.supplier };
  const sheets = [accounts, ...joined.map(({ sheet }) => sheet)];
  return {
    source: sourceOf(conversion, options),
    findings: [
      ...sheets.flatMap(({ findings }) => findings),
      ...evidence.findings(options),
      ...joined.flatMap((one) => unmatched(one, accounts)),
    ],
  };
}

async function readJoined(sheet: Sheet, evidence: CellEvidence): Promise<JoinedSheet> {
  const rows = new RowsByAccount();
  for await (const row of sheet.rows()) {
    takeCells(evidence, sheet, row.row, row.cells);
    rows.add(cellOf(row, sheet.supplier), cellOf(row, sheet.number), row);
  }
  return { sheet, rows };
}

function takeCells(evidence: CellEvidence, sheet: Sheet, row: number, cells: readonly string[]): void {
  for (const column of sheet.sent) {
    const text = cells[column.index] ?? '';
    if (text.trim() !== '') evidence.take(sheet.opened.name, row, column, text);
  }
}

function unmatched({ sheet, rows }: JoinedSheet, accounts: Sheet): Finding[] {
  const { count, first } = rows.unused();
  if (count === 0) return [];
  const words = `${number(count)} rows of ${sheet.opened.name} (the first is row ${number(first)}) belong to no account of ${accounts.opened.name}`;
  // A failed file has some of the accounts, and its sheets may be the whole ones still.
  return [isFailedFile(accounts.opened.beside) ? { text: words } : { text: words, stop: 'unmatched-rows' }];
}

function sourceOf(conversion: Conversion, { mapping, supplier, encoding }: CsvOptions): Source {
  const { dates, decimal } = conversion.forms;
  const given = { supplier, mapping, encoding, dates, decimal };
  const { accounts } = conversion;
  const { opened, delimiter } = accounts;
  return {
    name: opened.name,
    beside: opened.beside,
    unit: 'row',
    // A few rows may not say for certain what the whole file says.
    again: Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    form: [`CSV with ${WORDS[delimiter]}s`, ...opened.traits].join(', '),
    async *records() {
      for await (const row of accounts.rows()) yield { text: accountOfRow(conversion, row).json(), line: row.row };
    },
    failed: (failures) => failedParts(conversion, failures),
  };
}
