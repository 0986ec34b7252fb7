/** §2.1, §2.4, §8: how long a text and how many items of a list inside an item may be. */
import { describe, expect, it } from 'vitest';
import { notesBody } from '../../src/notes/schema';
import { parse } from '../../src/shared/parse';
import { statementsBody } from '../../src/statements/schema';
import { transactionsBody } from '../../src/transactions/schema';

const PAIR = { import_supplier: 'S', external_account_number: 'A' };
const DAY = '2026-01-01';
const LINE = { start_date: DAY, end_date: DAY, number_of_units: 1, net_amount: 1 };
const TAX = { amount: 1, tax_type: 'VAT', value_taxed: 1, rate: 1, unit_type: 'PROPORTION' };
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);
const x = (length: number) => '𝒜'.repeat(length);

const errorsOf = (schema: typeof notesBody | typeof statementsBody | typeof transactionsBody, list: string, item: object) =>
  parse(schema, { ...PAIR, [list]: [item] }).errors.map(({ path, code }) => [path.slice(2).join('.'), code]);
const ofTransaction = (more: object) =>
  errorsOf(transactionsBody, 'transactions', { transaction_id: 'T', transaction_date: DAY, amount: 1, type: 'PAYMENT', ...more });
const ofNote = (more: object) => errorsOf(notesBody, 'notes', more);
const ofStatement = (more: object) =>
  errorsOf(statementsBody, 'statements', { statement_id: 'S', bill_period_from_date: DAY, bill_period_to_date: DAY, ...more });

describe('a text without a limit of its own', () => {
  it.each([
    ['body', 100_000, ofNote],
    ['note', 100_000, ofTransaction],
    ['display_note', 100_000, ofTransaction],
    ['reason', 512, ofTransaction],
    ['reference', 512, ofTransaction],
    ['payment_type', 512, ofTransaction],
    ['product_code', 512, ofTransaction],
    ['number', 512, ofStatement],
  ] as const)('%s holds %i characters, counted as people count them', (field, max, errors) => {
    expect(errors({ [field]: x(max) })).toEqual([]);
    expect(errors({ [field]: x(max + 1) })).toEqual([[field, 'max_length']]);
  });
});

describe('a list inside a transaction', () => {
  it.each([
    ['line_items', 1_000, LINE],
    ['tax_items', 1_000, TAX],
  ] as const)('%s holds %i items', (field, max, item) => {
    expect(ofTransaction({ [field]: many(max, item) })).toEqual([]);
    expect(ofTransaction({ [field]: many(max + 1, item) })).toEqual([[field, 'max_length']]);
  });

  it('units holds 10,000 decimals', () => {
    expect(ofTransaction({ line_items: [{ ...LINE, units: many(10_000, 1) }] })).toEqual([]);
    expect(ofTransaction({ line_items: [{ ...LINE, units: many(10_001, 1) }] })).toEqual([['line_items.0.units', 'max_length']]);
  });
});
