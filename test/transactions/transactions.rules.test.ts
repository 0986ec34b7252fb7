/** §2.4: what each type of transaction requires and allows. */
import { describe, expect, it } from 'vitest';
import { inPayloadOrder } from '../../src/shared/errors';
import { parse } from '../../src/shared/parse';
import { transactionErrors } from '../../src/transactions';
import { failedTransaction } from '../../src/transactions/refusal';
import { transactionListErrors } from '../../src/transactions/rules';
import { TRANSACTION_TYPES, transactionsBody } from '../../src/transactions/schema';
import { PAYMENT_TYPES, REASONS } from '../../src/transactions/vocabulary';
import { worded } from '../support/worded';

const EXTRAS = { extra_charge_reasons: ['MY_CHARGE'], extra_credit_reasons: ['MY_CREDIT'] };
const LINE = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: 1 };
const TAX = { amount: 1, tax_type: 'VAT', value_taxed: 1, rate: 0.2, unit_type: 'PROPORTION' };

const BASE: Readonly<Record<string, Record<string, unknown>>> = {
  CHARGE: { reason: 'IMPORTED_CHARGE' },
  CREDIT: { reason: 'IMPORTED_CREDIT' },
  PAYMENT: {},
  REPAYMENT: {},
  SUPPLY_CHARGE: { product_code: 'P', line_items: [LINE] },
};
const transaction = (type: string, more: Record<string, unknown> = {}) => ({
  transaction_id: 'T',
  transaction_date: '2026-01-01',
  amount: 1,
  type,
  ...BASE[type],
  ...more,
});

const errorsOfAll = (transactions: unknown[], configuration: typeof EXTRAS | undefined = EXTRAS) => {
  const raw = { import_supplier: 's', external_account_number: 'e', transactions };
  const { draft, errors } = parse(transactionsBody, raw);
  const list = { path: ['transactions'], items: draft.transactions ?? [] };
  return worded(inPayloadOrder(raw, [...errors, ...transactionListErrors(list, configuration)]));
};
const errorsIn = (item: unknown, configuration?: typeof EXTRAS) =>
  errorsOfAll([item], configuration).map(({ path, code }) => [path.slice(2).join('.'), code]);

describe('every type', () => {
  it.each(TRANSACTION_TYPES)('%s is right with what it requires', (type) => {
    expect(errorsIn(transaction(type))).toEqual([]);
  });

  it.each(TRANSACTION_TYPES)('%s needs id, date and amount', (type) => {
    expect(errorsIn({ type, ...BASE[type] })).toEqual([
      ['transaction_id', 'required'],
      ['transaction_date', 'required'],
      ['amount', 'required'],
    ]);
  });

  it.each(TRANSACTION_TYPES)('%s takes each field of §2.4, and text where it has no set', (type) => {
    const more: Record<string, unknown> = {
      display_note: 'd\n',
      note: 'n',
      reference: 'r',
      product_code: 'p',
      line_items: [LINE],
      tax_items: [TAX],
    };
    if (!REASONS[type]) more['reason'] = 'anything at all';
    if (!PAYMENT_TYPES[type]) more['payment_type'] = 'anything at all';
    expect(errorsIn(transaction(type, more))).toEqual([]);
  });
});

describe('required by type', () => {
  it.each([
    ['CHARGE', { reason: undefined }, [['reason', 'required']]],
    ['CREDIT', { reason: null }, [['reason', 'null']]],
    ['CHARGE', { reason: '' }, [['reason', 'blank']]],
    ['CHARGE', { reason: 7 }, [['reason', 'invalid']]],
    ['PAYMENT', { reason: undefined }, []],
    ['SUPPLY_CHARGE', { product_code: undefined }, [['product_code', 'required']]],
    ['SUPPLY_CHARGE', { product_code: '  ' }, [['product_code', 'blank']]],
    ['SUPPLY_CHARGE', { line_items: undefined }, [['line_items', 'required']]],
    ['SUPPLY_CHARGE', { line_items: [] }, [['line_items', 'empty']]],
    ['SUPPLY_CHARGE', { line_items: {} }, [['line_items', 'not_a_list']]],
    ['PAYMENT', { amount: 0 }, [['amount', 'min_value']]],
    ['PAYMENT', { amount: '-0.01' }, [['amount', 'min_value']]],
    ['PAYMENT', { amount: 'x' }, [['amount', 'invalid']]],
    ['REPAYMENT', { amount: -5 }, [['amount', 'min_value']]],
    ['CHARGE', { amount: -5 }, []],
    ['CREDIT', { amount: 0 }, []],
    ['SUPPLY_CHARGE', { amount: '-0' }, []],
  ])('%s with %o', (type, more, errors) => {
    expect(errorsIn(transaction(type, more))).toEqual(errors);
  });

  it('a transaction without a type is validated by its fields alone', () => {
    expect(errorsIn({ ...transaction('PAYMENT', { amount: 0, reason: 'x' }), type: 'REFUND' })).toEqual([['type', 'invalid_choice']]);
    expect(errorsIn({ ...transaction('PAYMENT'), type: null })).toEqual([['type', 'null']]);
    expect(errorsIn({ ...transaction('PAYMENT'), type: '' })).toEqual([['type', 'blank']]);
  });
});

describe('closed sets', () => {
  const sets = [
    ...Object.entries(REASONS).map(([type, set]) => ['reason', type, set] as const),
    ...Object.entries(PAYMENT_TYPES).map(([type, set]) => ['payment_type', type, set] as const),
  ];

  it.each(sets)('%s of %s takes each of its own and no other', (field, type, set) => {
    const all = new Set(sets.filter(([name]) => name === field).flatMap(([, , words]) => [...words]));
    for (const word of [...all, 'default', 'NONSENSE']) {
      expect(errorsIn(transaction(type, { [field]: word }))).toEqual(set.has(word) ? [] : [[field, 'invalid_choice']]);
    }
  });

  it('has as many words as the specification lists', () => {
    expect(sets.map(([field, type, set]) => [field, type, set.size])).toEqual([
      ['reason', 'CHARGE', 16],
      ['reason', 'CREDIT', 17],
      ['reason', 'PAYMENT', 13],
      ['reason', 'REPAYMENT', 15],
      ['payment_type', 'PAYMENT', 23],
      ['payment_type', 'REPAYMENT', 5],
    ]);
  });

  it('takes the extra reasons of the supplier on their own type only', () => {
    expect(errorsIn(transaction('CHARGE', { reason: 'MY_CHARGE' }))).toEqual([]);
    expect(errorsIn(transaction('CREDIT', { reason: 'MY_CREDIT' }))).toEqual([]);
    expect(errorsIn(transaction('CREDIT', { reason: 'MY_CHARGE' }))).toEqual([['reason', 'invalid_choice']]);
    expect(errorsIn(transaction('PAYMENT', { reason: 'MY_CHARGE' }))).toEqual([['reason', 'invalid_choice']]);
  });

  it('leaves open, while the supplier is unknown, what only a supplier could allow', () => {
    const unknown = (type: 'CHARGE' | 'CREDIT' | 'PAYMENT') =>
      transactionErrors(
        { path: [], items: [{ transaction_id: 'T', transaction_date: '2026-01-01', amount: 1, type, reason: 'X' }] },
        undefined,
      );
    expect(unknown('CHARGE')).toEqual([]);
    expect(unknown('PAYMENT').map(({ code }) => code)).toEqual(['invalid_choice']);
  });
});

describe('line and tax items', () => {
  it.each([
    [
      'a line item needs dates, units and net amount',
      { line_items: [{}] },
      ['start_date', 'end_date', 'number_of_units', 'net_amount'].map((f) => [`line_items.0.${f}`, 'required']),
    ],
    ['a line of one day', { line_items: [{ ...LINE, end_date: LINE.start_date }] }, []],
    [
      'a line that ends before it starts',
      { line_items: [{ ...LINE, end_date: '2025-12-31' }] },
      [['line_items.0.end_date', 'period_ends_before_it_starts']],
    ],
    ['a line whose end was refused', { line_items: [{ ...LINE, end_date: 'x' }] }, [['line_items.0.end_date', 'invalid_date']]],
    ['a line whose start was refused', { line_items: [{ ...LINE, start_date: 'x' }] }, [['line_items.0.start_date', 'invalid_date']]],
    ['a line that is no object', { line_items: [LINE, 'x'] }, [['line_items.1', 'invalid']]],
    ['a rate band of the importer', { line_items: [{ ...LINE, rate_band: 'DAY_2' }] }, []],
    ['a rate band in small letters', { line_items: [{ ...LINE, rate_band: 'day' }] }, [['line_items.0.rate_band', 'invalid_choice']]],
    ['decimals with 15 digits as numbers', { line_items: [{ ...LINE, net_amount: 0.123456789012345, units: [1e20, 1] }] }, []],
    [
      'a number with more',
      { line_items: [{ ...LINE, units: [1, Number('0.12345678901234566')] }] },
      [['line_items.0.units.1', 'max_digits']],
    ],
    ['a string with more', { line_items: [{ ...LINE, price_per_unit: '0.12345678901234567890' }] }, []],
    [
      'a tax item needs all five',
      { tax_items: [{}] },
      ['amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'].map((f) => [`tax_items.0.${f}`, 'required']),
    ],
    ['a tax type of the importer', { tax_items: [{ ...TAX, tax_type: 'CCL', unit_type: 'CURRENCY_PER_KWH' }] }, []],
    [
      'a blank tax type and an unknown unit',
      { tax_items: [{ ...TAX, tax_type: '', unit_type: 'KWH' }] },
      [
        ['tax_items.0.tax_type', 'blank'],
        ['tax_items.0.unit_type', 'invalid_choice'],
      ],
    ],
  ])('%s', (_, more, errors) => {
    expect(errorsIn(transaction('SUPPLY_CHARGE', more))).toEqual(errors);
  });
});

describe('ids and amounts', () => {
  it('reports each later transaction with the id of an earlier one', () => {
    const items = ['a', 'b', 'a', 'B', 'a'].map((transaction_id) => transaction('PAYMENT', { transaction_id }));
    expect(errorsOfAll(items).map(({ path, code }) => [path[1], path[2], code])).toEqual([
      [2, 'transaction_id', 'duplicate_transaction_id'],
      [4, 'transaction_id', 'duplicate_transaction_id'],
    ]);
  });

  it('says of transactions without an id that they lack it, not that they share it', () => {
    const items = [transaction('PAYMENT', { transaction_id: undefined }), transaction('PAYMENT', { transaction_id: undefined })];
    expect(errorsOfAll(items).map(({ path, code }) => [path[1], path[2], code])).toEqual([
      [0, 'transaction_id', 'required'],
      [1, 'transaction_id', 'required'],
    ]);
  });

  it.each([
    [0.1, undefined],
    ['0.10', undefined],
    [9_999_999_999.99, undefined],
    ['00000000000012.000', undefined],
    [1e2, undefined],
    [10_000_000_000, 'max_whole_digits'],
    [0.001, 'max_decimal_places'],
    ['1e2', 'invalid'],
    ['', 'invalid'],
    [' 1', 'invalid'],
    ['+1', 'invalid'],
    [true, 'invalid'],
  ])('amount %o: %s', (amount, code) => {
    expect(errorsIn(transaction('CHARGE', { amount }))).toEqual(code ? [['amount', code]] : []);
  });

  it('takes an id of 128 characters of any plane', () => {
    expect(errorsIn(transaction('PAYMENT', { transaction_id: '\u{1F600}'.repeat(128) }))).toEqual([]);
    expect(errorsIn(transaction('PAYMENT', { transaction_id: 'x'.repeat(129) }))).toEqual([['transaction_id', 'max_length']]);
  });
});

describe('the first failing transaction', () => {
  const failed = (...transactions: unknown[]) => failedTransaction({ transactions }, errorsOfAll(transactions))?.data;

  it('is reported as sent, by its documented fields, with two decimals in its amount where it can be read', () => {
    expect(failed(transaction('PAYMENT'), { amount: 7, colour: 'red', note: null }, {})).toEqual({ amount: '7.00', note: null });
    expect(failed({ amount: 'seven' })).toEqual({ amount: 'seven' });
    expect(failed({ tax_items: [{ rate: 1, x: 1 }, 3], line_items: 'none' })).toEqual({ tax_items: [{ rate: 1 }, 3], line_items: 'none' });
    expect(failed('text')).toBe('text');
    expect(failed(transaction('PAYMENT'))).toBeUndefined();
  });
});
