/** §2.5: what makes a list of historical statements right. */
import { describe, expect, it } from 'vitest';
import { inPayloadOrder } from '../../src/shared/errors';
import { parse } from '../../src/shared/parse';
import { statementErrors, statementRowsOf } from '../../src/statements';
import { conflictErrors, statementDocuments } from '../../src/statements/rules';
import { statementsBody } from '../../src/statements/schema';
import { worded } from '../support/worded';

const statement = (statement_id: string, more: Record<string, unknown> = {}) => ({
  statement_id,
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-01-31',
  ...more,
});
const errorsIn = (...statements: unknown[]) => {
  const raw = { import_supplier: 's', external_account_number: 'e', statements };
  const { draft, errors } = parse(statementsBody, raw);
  const found = inPayloadOrder(raw, [...errors, ...statementErrors(['statements'], draft.statements ?? [])]);
  return worded(found).map(({ path, code }) => [path.slice(1).join('.'), code]);
};

describe('a list of statements', () => {
  it.each([
    ['a period of one day', [statement('a', { bill_period_to_date: '2025-01-01' })], []],
    [
      'a period that ends before it starts',
      [statement('a', { bill_period_to_date: '2024-12-31' })],
      [['0.bill_period_to_date', 'period_ends_before_it_starts']],
    ],
    ['the same twice', [statement('a', { number: '1' }), { number: '1', ...statement('a'), issued_date: null }], []],
    ['the same number in another spelling', [statement('a', { gross_amount: 100 }), statement('a', { gross_amount: 1e2 })], []],
    [
      'another content',
      [statement('a'), statement('b'), statement('a', { number: '1' })],
      [['2.statement_id', 'statement_already_exists']],
    ],
    [
      'another content twice',
      [statement('a'), statement('a', { number: '1' }), statement('a', { number: '1' })],
      [
        ['1.statement_id', 'statement_already_exists'],
        ['2.statement_id', 'statement_already_exists'],
      ],
    ],
    ['another content that was refused', [statement('a'), statement('a', { number: 1 })], [['1.number', 'invalid']]],
    [
      'another content that is not whole',
      [statement('a'), { statement_id: 'a' }],
      [
        ['1.bill_period_from_date', 'required'],
        ['1.bill_period_to_date', 'required'],
      ],
    ],
    [
      'another content that lacks its first day',
      [statement('a'), { statement_id: 'a', bill_period_to_date: '2025-01-31' }],
      [['1.bill_period_from_date', 'required']],
    ],
    [
      'another content that lacks its last day',
      [statement('a'), { statement_id: 'a', bill_period_from_date: '2025-01-01' }],
      [['1.bill_period_to_date', 'required']],
    ],
    [
      'contents without an id',
      [
        { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
        { bill_period_from_date: '2025-02-01', bill_period_to_date: '2025-02-28' },
      ],
      [
        ['0.statement_id', 'required'],
        ['1.statement_id', 'required'],
      ],
    ],
    ['an id in another case', [statement('a'), statement('A', { number: '1' })], []],
    ['a gross amount that is text', [statement('a', { gross_amount: '1' })], [['0.gross_amount', 'invalid']]],
    ['no id', [statement('')], [['0.statement_id', 'blank']]],
  ])('%s', (_, statements, errors) => {
    expect(errorsIn(...statements)).toEqual(errors);
  });
});

it('keeps one row of the same statement, with a hash that does not hang on the order of its fields', () => {
  const one = { statement_id: 'a', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31', statement_path: 'x.pdf' };
  const other = { statement_path: 'x.pdf', bill_period_to_date: '2025-01-31', statement_id: 'a', bill_period_from_date: '2025-01-01' };
  const [first, ...rest] = statementRowsOf(7, [one, other], (path) => `root/${path}`, 5);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({ accountId: 7, statementId: 'a', content: one, documentKey: 'root/x.pdf', createdAt: 5 });
  expect(statementRowsOf(7, [other], String, 5)[0]?.contentHash).toBe(first?.contentHash);
});

it('statements stored with other content are reported by their ids', () => {
  const statements = [statement('a'), statement('b'), statement('a')];
  const errors = conflictErrors(['at'], statements, new Set(['a', 'c']));
  expect(worded(errors).map(({ path, code }) => [path.join('.'), code])).toEqual([
    ['at.0.statement_id', 'statement_already_exists'],
    ['at.2.statement_id', 'statement_already_exists'],
  ]);
});

it('the documents of statements are listed with their places, refused ones left out', () => {
  const statements = [undefined, {}, { statement_path: 'a' }, { statement_path: '/b' }];
  expect(statementDocuments(['at'], statements)).toEqual([
    { path: ['at', 2, 'statement_path'], documentPath: 'a' },
    { path: ['at', 3, 'statement_path'], documentPath: '/b' },
  ]);
});
