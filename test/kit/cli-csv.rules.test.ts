/** Cells as JSON: no form of a date or a number is guessed where the guess could change what it means. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterOf } from '../../src/kit/cli/csv/cell';
import { dateEvidence, decimalEvidence, isoDate, plainNumber } from '../../src/kit/cli/csv/forms';
import { templateOf } from '../../src/kit/cli/csv/template';
import { csvLine, csvRows } from '../../src/kit/cli/csv/text';
import { Branch } from '../../src/kit/cli/csv/tree';
import { jsonOfCell } from '../../src/kit/cli/csv/value';
import { accountLists, fieldAt, fieldsOf } from '../../src/kit/cli/fields';
import { openFile } from '../../src/kit/cli/files/open';
import { meant } from '../../src/kit/cli/guard/likeness';

const point = { decimal: '.', dates: 'dd/mm/yyyy' } as const;
const comma = { decimal: ',', dates: 'mm/dd/yyyy' } as const;

describe('the decimal sign', () => {
  it.each([
    ['12,50', ','],
    ['-1.234,5', ','],
    ['1.234.567', ','],
    ['0,125', ','],
    ['1234,567', ','],
    ['12.5', '.'],
    ['1,234.56', '.'],
    ['1,234,567', '.'],
  ])('of %s is certain', (text, form) => {
    expect(decimalEvidence(text)).toEqual({ kind: 'certain', form });
  });

  it.each(['1,234', '123.456', '-1.000'])('of %s is not certain', (text) => {
    expect(decimalEvidence(text).kind).toBe('ambiguous');
  });

  it.each(['', '12', '1 234', 'n/a', '£5.00'])('of "%s" is none', (text) => {
    expect(decimalEvidence(text).kind).toBe('none');
  });
});

describe('the order of a date', () => {
  it.each([
    ['31/01/2026', { kind: 'certain', form: 'dd/mm/yyyy' }],
    ['1.31.2026', { kind: 'certain', form: 'mm/dd/yyyy' }],
    ['01/03/2026', { kind: 'ambiguous' }],
    ['3-4-2026', { kind: 'ambiguous' }],
    ['05/05/2026', { kind: 'none' }],
    ['2026-01-03', { kind: 'none' }],
    ['soon', { kind: 'none' }],
  ])('%s', (text, evidence) => {
    expect(dateEvidence(text)).toEqual(evidence);
  });

  it.each(['01/03/26', '45322', '45322.5'])('%s cannot be read', (text) => {
    expect(dateEvidence(text).kind).toBe('refused');
  });
});

describe('a cell', () => {
  it.each([
    ['1.234,56', 'decimal', comma, '"1234.56"'],
    ["1'234.56", 'decimal', point, '"1234.56"'],
    ['-007.10', 'decimal', point, '"-7.10"'],
    ['12,34', 'decimal', point, '"12,34"'],
    ['1250', 'number', point, '1250'],
    ['007', 'integer', point, '7'],
    ['many', 'integer', point, '"many"'],
    ['YES', 'boolean', point, 'true'],
    ['0', 'boolean', point, 'false'],
    ['perhaps', 'boolean', point, '"perhaps"'],
    ['1/3/2026', 'date', point, '"2026-03-01"'],
    ['1/3/2026', 'date', comma, '"2026-01-03"'],
    ['2026/1/3', 'date', point, '"2026-01-03"'],
    ['2026-02-30', 'date', point, '"2026-02-30"'],
    ['31.01.2026 9:30', 'datetime', point, '"2026-01-31T09:30:00"'],
    ['2026-01-31T09:30:00Z', 'datetime', point, '"2026-01-31T09:30:00Z"'],
    ['007 "x"', 'text', point, '"007 \\"x\\""'],
  ] as const)('%s as %s', (text, kind, forms, json) => {
    expect(jsonOfCell(text, kind, forms)).toBe(json);
  });

  it('never changes the value of a number: in either form it means the digits that it shows', () => {
    const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(cents, fc.constantFrom(point, comma), fc.boolean(), (value, forms, isGrouped) => {
        const thousands = forms.decimal === ',' ? '.' : ',';
        const digits = String(Math.abs(value)).padStart(3, '0');
        const whole = isGrouped ? digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, thousands) : digits.slice(0, -2);
        const text = `${value < 0 ? '-' : ''}${whole}${forms.decimal}${digits.slice(-2)}`;
        expect(Number(plainNumber(text, forms))).toBe(value / 100);
        expect(decimalEvidence(text)).toEqual({ kind: 'certain', form: forms.decimal });
      }),
    );
  });

  it('never changes a day: whatever says an order for certain is read in that order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 28 }), fc.integer({ min: 1, max: 12 }), fc.constantFrom('/', '.', '-'), (day, month, sign) => {
        const iso = `2026-${String(month).padStart(2, '0')}-${day}`;
        expect(isoDate([day, month, 2026].join(sign), point)).toBe(iso);
        expect(isoDate([month, day, 2026].join(sign), comma)).toBe(iso);
      }),
    );
  });
});

describe('an account out of cells', () => {
  it('closes the holes of lists and says where each cell has come to', () => {
    const account = new Branch<string>();
    account.set(['a', '3', 'x'], { json: '1', origin: 'C' });
    account.set(['a', '1', 'x'], { json: '2', origin: 'B' });
    account.set(['__proto__'], { json: '3', origin: 'D' });
    const places: string[] = [];
    expect(account.json((path, origin) => places.push(`${origin} ${path}`))).toBe('{"a":[{"x":2},{"x":1}],"__proto__":3}');
    expect(places).toEqual(['B a.0.x', 'C a.1.x', 'D __proto__']);
  });

  it('every column of every template is a value that the schemas know', () => {
    const fields = fieldsOf('accounts');
    for (const path of templateOf('accounts').split(',')) expect([path, fieldAt(fields, path)?.shape]).toEqual([path, 'value']);
    for (const list of accountLists()) {
      const [first, ...paths] = templateOf(list).split(',');
      expect(first).toBe('external_account_number');
      for (const path of paths) expect([path, fieldAt(fields, `${list}.0.${path}`)?.shape]).toEqual([path, 'value']);
    }
  });
});

it('a line of CSV quotes what would not come back without', () => {
  expect(csvLine(['a', 'b;c', 'd"e', 'f\ng', ' h'], ';')).toBe('a;"b;c";"d""e";"f\ng";" h"');
});

it('rows come back as they were written, whatever is in their cells and wherever the bytes are cut', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'csv-'));
  const file = join(folder, 'rows.csv');
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\n', '\r\n', ' ', '\t', '=') });
  const cells = fc.array(text, { minLength: 1, maxLength: 4 }).filter((row) => row.some((one) => one.trim() !== ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(cells, { maxLength: 5 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, delimiter, size) => {
        writeFileSync(file, rows.map((row) => `${csvLine(row, delimiter)}\n`).join(''));
        const opened = await openFile(file);
        const read = [];
        for await (const row of csvRows({ ...opened, text: () => opened.text(size) }, delimiter)) read.push(row.cells);
        expect(read).toEqual(rows);
      },
    ),
  );
  rmSync(folder, { recursive: true });
});

it('columns have the letters of a spreadsheet', () => {
  expect([0, 25, 26, 701, 702].map(letterOf)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

it.each([
  ['customrs', 'customers'],
  ['External Account Number', 'external_account_number'],
  ['accuont_type', 'account_type'],
  ['own', undefined],
  ['loyalty_points', undefined],
])('"%s" may have meant %s', (name, field) => {
  expect(meant(name, fieldsOf('accounts').fields.keys())).toBe(field);
});
