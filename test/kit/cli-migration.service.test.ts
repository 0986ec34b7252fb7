/** A whole migration from a spreadsheet: 10,000 rows with mistakes go in, come back, are put right, and end as 10,000 accounts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aFile, linesIn, type Run, run, start } from './cli';
import { aKitSupplier } from './given';

const ROWS = 10_000;
/** Every fiftieth row is wrong. */
const EVERY = 50;
const HEADER = [
  'Kundennummer',
  'Art',
  'Vorname',
  'Geburtstag',
  'Telefon',
  'E-Mail',
  'Verkauft am',
  'Sprache',
  'Land',
  'Rechnung an',
  'Saldo',
  'Kanal',
  'Leer',
];
const MAPPING = {
  accounts: {
    Kundennummer: 'external_account_number',
    Art: 'account_type',
    Vorname: 'customers.0.given_name',
    Geburtstag: 'customers.0.date_of_birth',
    Telefon: 'customers.0.landline',
    'E-Mail': 'customers.0.email',
    'Verkauft am': 'date_of_sale',
    Sprache: 'language_preference',
    Land: 'billing_address.country',
    'Rechnung an': 'billing_email',
    Saldo: 'transfer_balance',
    Kanal: 'sales_channel',
    Leer: 'unknown_occupier',
  },
};
const RIGHT: Readonly<Record<string, string>> = {
  Art: 'DOMESTIC',
  Vorname: 'Ada; "the first"',
  Geburtstag: '10.12.1985',
  Telefon: '020 7946 0018',
  'E-Mail': 'ada@example.com',
  'Verkauft am': '31.01.2026',
  Sprache: 'de',
  Land: 'DE',
  'Rechnung an': 'bill@example.com',
  Saldo: '0,00',
  Kanal: 'Brief',
  Leer: 'no',
};
/** Ten kinds of mistakes: column, and what stands in it. */
const MISTAKES: readonly (readonly [string, string])[] = [
  ['Art', 'HOUSE'],
  ['Geburtstag', '30.02.1985'],
  ['Telefon', '12'],
  ['E-Mail', 'nobody'],
  ['Verkauft am', '31.04.2026'],
  ['Sprache', 'german!'],
  ['Land', 'ZZ'],
  ['Rechnung an', 'bill at example'],
  ['Saldo', '12,50'],
  ['Kanal', 'x'.repeat(65)],
];

const cell = (text: string) => (/[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const numberOf = (row: number) => `K-${String(row).padStart(6, '0')}`;

function rowOf(row: number, mistake: readonly [string, string] | undefined): string {
  const values: Record<string, string> = { ...RIGHT, Kundennummer: numberOf(row), ...(mistake ? { [mistake[0]]: mistake[1] } : {}) };
  return HEADER.map((header) => cell(values[header] ?? '')).join(';');
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) =>
    rowOf(row, row % EVERY === 7 ? MISTAKES[Math.floor(row / EVERY) % MISTAKES.length] : undefined),
  );

/** Puts the failed rows right in the CSV itself, as a person does who reads the column that is named. Answers the names. */
function mend(file: string): string[] {
  const [head = '', ...failed] = linesIn(file);
  const names: string[] = [];
  const mended = failed.map((line) => {
    const cells = (line.match(/("(?:[^"]|"")*"|[^;]*)(?:;|$)/g) ?? []).map((text) => text.replace(/;$/, ''));
    const name = cells[head.split(';').indexOf('_column')] ?? '';
    names.push(name);
    const at = HEADER.indexOf(name);
    return cells.map((text, index) => (index === at ? cell(RIGHT[name] ?? text) : text)).join(';');
  });
  writeFileSync(file, [head, ...mended].map((line) => `${line}\n`).join(''));
  return names;
}

const aMapping = () => aFile([JSON.stringify(MAPPING)], 'map.json');

it('10,000 rows with 2 % mistakes of ten kinds: in, back, put right in the CSV, and 10,000 accounts with a receipt', {
  timeout: 300_000,
}, async () => {
  const supplier = await aKitSupplier();
  const file = aFile([HEADER.join(';'), ...rows(ROWS)], 'kunden.csv');
  const given = ['--supplier', supplier.code, '--mapping', aMapping(), '--json'];

  const first = await run(['import', file, ...given], supplier);
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([1, { total: ROWS, imported: ROWS - 200, failed: 200 }]);
  const failed = `${file}.failed.csv`;
  const names = mend(failed);
  expect(names).toHaveLength(200);
  expect([...new Set(names)].toSorted()).toEqual(MISTAKES.map(([name]) => name).toSorted());

  const second = await run(['import', failed, ...given], supplier);
  expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { total: 200, imported: 200, failed: 0 }]);
  const [head, ...receipt] = linesIn(`${file}.receipt.csv`);
  expect(head).toBe('import_supplier,external_account_number,platform_account_number,status');
  expect(receipt.filter((line) => !/^[^,]+,K-\d{6},A-[0-9A-F]{8},imported$/.test(line))).toEqual([]);
  expect(new Set(receipt.map((line) => line.split(',')[1])).size).toBe(ROWS);
  expect(new Set(receipt.map((line) => line.split(',')[2])).size).toBe(ROWS);
  expect(JSON.parse((await run(['status', supplier.code, '--json'], supplier)).stdout)).toMatchObject({
    counts: { PROCESSED: ROWS, PENDING: 0 },
  });
});

it('kill -9 and Ctrl-C at ten random moments lose nothing and double nothing', { timeout: 300_000 }, async () => {
  const supplier = await aKitSupplier();
  const count = 2_000;
  const file = aFile([HEADER.join(';'), ...rows(count)], 'kunden.csv');
  const args = ['import', file, '--supplier', supplier.code, '--mapping', aMapping(), '--lines-per-request', '50', '--json'];
  const moments: string[] = [];
  for (let stop = 0; stop < 10; stop++) {
    const signal = stop % 2 === 0 ? 'SIGKILL' : 'SIGINT';
    const milliseconds = Math.round(250 + Math.random() * 1_250);
    const running = start(args, supplier);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    running.process.kill(signal);
    const ended: Run = await running.ended;
    moments.push(`${signal} after ${milliseconds} ms: ${ended.code}`);
    // It may have come to its end before, with the failed ones; or it was stopped.
    expect([null, 130, 1], moments.join('\n')).toContain(ended.code);
  }

  const last = await run(args, supplier);
  const summary = JSON.parse(last.stdout);
  expect([last.code, summary], moments.join('\n')).toMatchObject([1, { total: count, failed: count / EVERY }]);
  expect(summary.imported + summary.already_imported).toBe(count - count / EVERY);
  mend(summary.failed_file);
  expect((await run(['import', summary.failed_file, ...args.slice(2)], supplier)).code).toBe(0);

  const { stdout } = await run(['lists', 'imported', supplier.code], supplier);
  const listed = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(listed.map(([number]) => number).toSorted()).toEqual(Array.from({ length: count }, (_, row) => numberOf(row)));
  expect(new Set(listed.map(([, platform]) => platform)).size).toBe(count);
  const receipt = readFileSync(`${file}.receipt.csv`, 'utf8').trimEnd().split('\n').slice(1);
  expect(receipt.map((line) => line.split(',').slice(1, 3).join('\t')).toSorted()).toEqual(
    listed.map((item) => item.slice(0, 2).join('\t')).toSorted(),
  );
});
