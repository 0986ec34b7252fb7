/** Importers' own files: CSV in their words, their forms and their sheets, and their failed rows back as the same CSV. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aFile, aFolder, linesIn, run } from './cli';
import { aKitSupplier } from './given';
import { inTerminal } from './terminal';

const aCsv = (lines: readonly string[], name = 'accounts.csv') => aFile(lines, name);

/** The accounts that a file converts to. */
async function converted(file: string, ...options: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(['convert', file, ...options]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a header is enough', () => {
  it('dotted headers are fields, of lists and objects too; empty cells are not given', async () => {
    const file = aCsv([
      'import_supplier,external_account_number,customers.0.given_name,customers.1.given_name,billing_address.country,unknown_occupier',
      'S,A,Ada,,GB,no',
      'S,B,,"Grace, the second",,',
    ]);
    expect(await converted(file)).toEqual([
      {
        import_supplier: 'S',
        external_account_number: 'A',
        customers: [{ given_name: 'Ada' }],
        billing_address: { country: 'GB' },
        unknown_occupier: false,
      },
      { import_supplier: 'S', external_account_number: 'B', customers: [{ given_name: 'Grace, the second' }] },
    ]);
  });

  it('a template, filled in, is imported as it is', async () => {
    const supplier = await aKitSupplier();
    const header = (await run(['template', 'accounts'])).stdout.trimEnd();
    const values: Record<string, string> = {
      import_supplier: supplier.code,
      external_account_number: 'A',
      'customers.0.given_name': 'Ada',
      'customers.0.landline': '020 7946 0018',
      date_of_sale: '2026-01-31',
    };
    const row = header.split(',').map((name) => values[name] ?? '');
    expect((await run(['import', aCsv([header, row.join(',')])], supplier)).code).toBe(0);
    expect((await run(['import', aCsv([header])], supplier)).code).toBe(2);
    expect((await run(['template', 'odd'])).code).toBe(2);
  });

  it('what a spreadsheet says of its separator in the first line is believed; with options of CSV any header is one', async () => {
    expect(await converted(aCsv(['sep=|', 'external_account_number|billing_name', 'A|x, y; z']), '--supplier', 'S')).toMatchObject([
      { external_account_number: 'A', billing_name: 'x, y; z' },
    ]);
    const mapping = aFile([JSON.stringify({ accounts: { No: 'external_account_number', 'First name': null } })], 'map.json');
    const { code, stdout } = await run(['convert', '-', '--supplier', 'S', '--mapping', mapping], undefined, {}, 'No;First name\n1;x\n');
    expect([code, JSON.parse(stdout)]).toEqual([0, { import_supplier: 'S', external_account_number: '1' }]);
  });

  it('semicolons, tabs, UTF-16 and gzip are read without a word, and shown', async () => {
    const lines = ['external_account_number\tbilling_name', 'A\tZoë'];
    const file = join(aFolder(), 'accounts.csv.gz');
    writeFileSync(file, gzipSync(Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le')));
    const { stdout, stderr } = await run(['convert', file, '--supplier', 'S']);
    expect(JSON.parse(stdout)).toEqual({ import_supplier: 'S', external_account_number: 'A', billing_name: 'Zoë' });
    expect(stderr).toBe(`${file}: CSV with tabs, gzip, UTF-16; 1 record of supplier S\n`);
  });
});

describe('headers in other words', () => {
  const map = (value: object) => aFile([JSON.stringify(value)], 'map.json');

  it('are mapped; null leaves a column out', async () => {
    const file = aCsv(['Account No,First name,Remarks', '007,Ada,secret']);
    const mapping = map({ accounts: { 'Account No': 'external_account_number', 'First name': 'customers.0.given_name', Remarks: null } });
    expect(await converted(file, '--supplier', 'S', '--mapping', mapping)).toEqual([
      { import_supplier: 'S', external_account_number: '007', customers: [{ given_name: 'Ada' }] },
    ]);
  });

  it('that are no field stop with the column and the field they may have meant', async () => {
    const file = aCsv(['external_account_number,customers.given_name,Remarks', 'A,Ada,x']);
    const { code, stdout, stderr } = await run(['convert', file, '--supplier', 'S']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Column B of ${file}, "customers.given_name", is not a field: did you mean "customers.0.given_name"?`);
    expect(stderr).toContain(`Column C of ${file}, "Remarks", is not a field: name its field in a --mapping`);
    expect((await run(['convert', file, '--supplier', 'S', '--allow', 'unknown-fields'])).code).toBe(0);
  });

  it.each([
    [
      'a list that has no column of its own',
      'external_account_number,customers',
      'A,x',
      /cannot hold all of customers: .* as in customers\.0\.given_name/,
    ],
    ['one field twice', 'external_account_number,billing_name,billing_name', 'A,x,y', /are one field, billing_name: leave one out/],
    ['no account number', 'billing_name', 'x', /has no column external_account_number/],
    ['a cell without a header', 'external_account_number,', 'A,x', /B2 of \S+ has no header above it/],
    ['quotes that do not match', 'external_account_number', '"A', /cannot be read after row 1/],
  ])('that cannot be sent are refused: %s', async (_, header, row, words) => {
    const { code, stderr } = await run(['convert', aCsv([header, row]), '--supplier', 'S']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('a mapping that cannot be read says how one looks', async () => {
    const file = aCsv(['external_account_number', 'A']);
    const { code, stderr } = await run(['convert', file, '--supplier', 'S', '--mapping', map({ accounts: { x: 1 } })]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('{"accounts": {"Account No": "external_account_number"')]);
    expect((await run(['convert', file, '--supplier', 'S', '--mapping', map({ odd: {} })])).stderr).toContain(
      'maps "odd", which is no sheet',
    );
  });
});

describe('forms of dates and numbers', () => {
  const file = (...rows: string[]) => aCsv(['external_account_number;date_of_sale;transfer_balance', ...rows]);

  it('are taken from the cells that say them for certain, and shown with the cell', async () => {
    const { stdout, stderr } = await run(['convert', file('A;01/03/2026;1.234', 'B;31/03/2026;12,5'), '--supplier', 'S']);
    expect(stdout).toContain('"date_of_sale":"2026-03-01","transfer_balance":"1234"');
    expect(stderr).toMatch(/Dates are read as dd\/mm\/yyyy, because of 31\/03\/2026 in B3 of /);
    expect(stderr).toMatch(/The decimal sign is a comma, because of 12,5 in C3 of /);
  });

  it.each([
    [
      'a date',
      'A;01/03/2026;',
      /01\/03\/2026 in B2 of \S+ \("date_of_sale"\) can be read in two ways.*--dates dd\/mm\/yyyy or --dates mm\/dd\/yyyy/,
      '--dates',
      'mm/dd/yyyy',
      '2026-01-03',
    ],
    ['a number', 'A;;1.234', /1\.234 in C2 of \S+ can be read|1\.234 in C2 .*--decimal \. or --decimal ,/, '--decimal', ',', '1234'],
  ])('that could mean two things stop with the cell and the flag that answers: %s', async (_, row, words, flag, answer, value) => {
    const path = file(row);
    const { code, stdout, stderr } = await run(['validate', path, '--supplier', 'S', '--offline', '--country', 'GB']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
    expect(JSON.stringify(await converted(path, '--supplier', 'S', flag, answer))).toContain(`"${value}"`);
  });

  it('that contradict each other stop with both cells', async () => {
    const { code, stderr } = await run(['convert', file('A;31/01/2026;', 'B;01/31/2026;'), '--supplier', 'S']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/31\/01\/2026 in B2 .* says dd\/mm\/yyyy, but 01\/31\/2026 in B3 .* says mm\/dd\/yyyy/),
    ]);
  });

  it('a year of two digits and a spreadsheet’s own number for a day are refused', async () => {
    expect((await run(['convert', file('A;01/03/26;'), '--supplier', 'S'])).stderr).toMatch(/B2 of .*write the year with four digits/);
    expect((await run(['convert', file('A;45322;'), '--supplier', 'S'])).stderr).toMatch(/B2 of .*format the column as a date/);
  });
});

describe('what a spreadsheet has done to numbers', () => {
  it('digits that it cut off stop, with the cell', async () => {
    const file = aCsv(['external_account_number', '1.23457E+11', '123456789012']);
    const { code, stderr } = await run(['convert', file, '--supplier', 'S']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cut digits off: 1\.23457E\+11 in A2 of .*--allow scientific-numbers/s)]);
  });

  it('zeros that it took away stop, with the cell, unless it is said that they are none', async () => {
    const file = aCsv(['external_account_number', '12345678', '1234567', '87654321']);
    const { code, stderr } = await run(['convert', file, '--supplier', 'S']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/1 of 3 numbers .* fewer than 8 digits, the first 1234567 in A3 of .*--allow short-numbers/s),
    ]);
    expect(await converted(file, '--supplier', 'S', '--allow', 'short-numbers')).toHaveLength(3);
    const whole = aCsv(['external_account_number', '12345678', '01234567', '1234567']);
    expect(await converted(whole, '--supplier', 'S')).toHaveLength(3);
  });

  it('a workbook is named as such', async () => {
    const file = join(aFolder(), 'accounts.xlsx');
    writeFileSync(file, Buffer.from('PK\u0003\u0004 and so on'));
    expect(await run(['convert', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('save the sheet as "CSV UTF-8"') });
  });
});

describe('several sheets', () => {
  const accounts = ['external_account_number,billing_name', 'A,First', 'B,Second'];

  it('are joined by the account number, in the order of their rows', async () => {
    const customers = aCsv(['external_account_number,given_name', 'B,Grace', 'A,Ada', 'B,Joan'], 'customers.csv');
    const notes = aCsv(['external_account_number;body', 'A;Prefers letters.'], 'notes.csv');
    expect(await converted(aCsv(accounts), '--supplier', 'S', '--customers', customers, '--notes', notes)).toMatchObject([
      { external_account_number: 'A', customers: [{ given_name: 'Ada' }], notes: [{ body: 'Prefers letters.' }] },
      { external_account_number: 'B', customers: [{ given_name: 'Grace' }, { given_name: 'Joan' }] },
    ]);
  });

  it('a row that belongs to no account stops', async () => {
    const customers = aCsv(['external_account_number,given_name', 'A,Ada', 'X,Nobody'], 'customers.csv');
    const args = ['convert', aCsv(accounts), '--supplier', 'S', '--customers', customers];
    expect(await run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/1 rows of \S+ \(the first is row 3\) belong to no account/),
    });
    expect((await run([...args, '--allow', 'unmatched-rows'])).code).toBe(0);
  });

  it('come back with their failed rows, ready for the command that is printed', async () => {
    const supplier = await aKitSupplier();
    const file = aCsv(accounts);
    const customers = aCsv(
      ['external_account_number,given_name,landline', 'A,Ada,020 7946 0018', 'B,Grace,020 7946 0019', 'B,Joan,12'],
      'customers.csv',
    );
    const { code, stdout } = await run(['import', file, '--supplier', supplier.code, '--customers', customers], supplier);
    expect(code).toBe(1);
    const [failed, failedCustomers] = [`${file}.failed.csv`, `${customers}.failed.csv`];
    expect(linesIn(failed)).toEqual(['external_account_number,billing_name,_row,_column,_code,_advice', 'B,Second,3,,,']);
    expect(linesIn(failedCustomers)).toEqual([
      'external_account_number,given_name,landline,_row,_column,_code,_advice',
      'B,Grace,020 7946 0019,3,,,',
      expect.stringMatching(/^B,Joan,12,4,landline,invalid_phone_number,/),
    ]);
    const command = / {2}data-import (import .*)\n/.exec(stdout)?.[1] ?? '';
    expect(command).toContain(`--customers ${failedCustomers}`);

    writeFileSync(failedCustomers, linesIn(failedCustomers).join('\n').replace('Joan,12', 'Joan,020 7946 0020'));
    expect((await run(command.split(' '), supplier)).code).toBe(0);
    expect(linesIn(`${file}.receipt.csv`).map((line) => line.split(',').at(-1))).toEqual(['status', 'imported', 'imported']);
  });
});

describe('failed rows', () => {
  it('come back cell by cell as they were, with row, column, code and advice, which the next import ignores', async () => {
    const supplier = await aKitSupplier();
    const file = aCsv([
      'Number;Phone;Sold on;Balance',
      'A;020 7946 0018;31/01/2026;0,00',
      '"B;1";12;01/02/2026; 0,00 ',
      'C;13;01/02/2026;0,00',
    ]);
    const mapping = aFile(
      [
        JSON.stringify({
          accounts: {
            Number: 'external_account_number',
            Phone: 'customers.0.landline',
            'Sold on': 'date_of_sale',
            Balance: 'transfer_balance',
          },
        }),
      ],
      'map.json',
    );
    const given = ['--supplier', supplier.code, '--mapping', mapping];
    expect((await run(['import', file, ...given], supplier)).code).toBe(1);
    const failed = linesIn(`${file}.failed.csv`);
    expect(failed[0]).toBe('Number;Phone;Sold on;Balance;_row;_column;_code;_advice');
    expect(failed.find((line) => line.startsWith('"B;1";12;01/02/2026;" 0,00 ";3;'))).toMatch(/Phone/);
    expect(failed.find((line) => line.startsWith('C;13;'))).toMatch(/invalid_phone_number/);

    // As they are they fail again, in no second file; mended they are imported, whatever their forms would say without the rest.
    const again = await run(['import', `${file}.failed.csv`, ...given, '--dates', 'dd/mm/yyyy', '--json'], supplier);
    expect([again.code, JSON.parse(again.stdout).failed_file]).toEqual([1, `${file}.failed.csv`]);
    expect(existsSync(`${file}.failed-2.csv`)).toBe(false);
  });
});

it('a conversion may be read by halves', async () => {
  const file = aCsv(['external_account_number', ...Array.from({ length: 20_000 }, (_, index) => `N-${index}`)]);
  const { code, lines } = await inTerminal(`set -o pipefail; data-import convert ${file} --supplier S 2>/dev/null | head -1`).ended;
  expect([code, lines]).toEqual([0, ['{"import_supplier":"S","external_account_number":"N-0"}']]);
});

it('on a terminal of 80 columns the findings of a CSV are one screen, before anything is sent', async () => {
  const supplier = await aKitSupplier();
  const header = ['external_account_number', 'billing_nam', ...Array.from({ length: 30 }, (_, index) => `Column ${index}`)];
  const file = aCsv([header.join(','), header.map(() => 'x').join(',')]);
  const { code, lines } = await inTerminal(`data-import import ${file} --supplier ${supplier.code}`, supplier).ended;
  expect(code).toBe(2);
  expect(lines.reduce((rows, line) => rows + Math.ceil(line.length / 80), 0)).toBeLessThan(24);
  expect(lines.join(' ')).toContain('did you mean "billing_name"?');
});
