import { describe, expect, it } from 'vitest';
import { accountDocument, type PayloadRows } from '../../src/accounts/payload/document';
import { aFullAccount, anAustralianAccount } from '../support/payloads';

const NO_ROWS: PayloadRows = { customers: 0, notes: 0, statements: 0, paymentInstructions: 0, transactions: 0, haveAllFields: true };
const ALL_ROWS: PayloadRows = { ...NO_ROWS, customers: 2, notes: 2, statements: 1, paymentInstructions: 2, transactions: 5 };
const documentOf = (body: unknown, rows: PayloadRows): unknown => JSON.parse(accountDocument(JSON.stringify(body), rows) ?? 'null');

describe('the account’s own document', () => {
  it('keeps every field that has no row of its own, documented or not', () => {
    const full = { ...aFullAccount('SUP', 'a'), undocumented: { deep: [1, null] }, task_params: { is_dry_run: false } };
    const { customers, notes, statements, payment_instructions, ...rest } = full;
    const { historical_statement_transactions, current_statement_transactions, task_params, ...kept } = rest;
    expect(documentOf(full, ALL_ROWS)).toEqual(kept);
    expect([customers, notes, statements, payment_instructions].every(({ length }) => length > 0)).toBe(true);
    expect([historical_statement_transactions.length + current_statement_transactions.length, task_params.is_dry_run]).toEqual([5, false]);
  });

  it('keeps every field of a ledger but its transactions, documented or not', () => {
    const account = anAustralianAccount('SUP', 'a');
    const ledgers = account.ledgers.map((ledger) => ({ ...ledger, ledger_type: 'ELECTRICITY', customers: ['not a list of the account'] }));
    const rows = { ...NO_ROWS, customers: 1, paymentInstructions: 1, transactions: 6 };
    const { customers: _, payment_instructions: __, ...kept } = account;
    expect(documentOf({ ...account, ledgers }, rows)).toEqual({
      ...kept,
      ledgers: ledgers.map(({ historical_statement_transactions: _h, current_statement_transactions: _c, ...ledger }) => ledger),
    });
  });

  it('keeps its values as they were written, numbers no double can hold included', () => {
    const body = '{"import_supplier":"S", "metadata":[{"key":"k","value":1e400},{"key":"l","value":12345678901234567890}],"customers":[]}';
    expect(accountDocument(body, NO_ROWS)).toBe(
      '{"import_supplier":"S","metadata":[{"key":"k","value":1e400},{"key":"l","value":12345678901234567890}]}',
    );
  });

  it('keeps what no rule of today would accept: it is cut by names, not by validity', () => {
    const invalid = {
      import_supplier: 7,
      account_type: 'CASTLE',
      billing_address1: 1,
      billing_address: {},
      notes: 'none',
      customers: null,
    };
    expect(documentOf(invalid, NO_ROWS)).toEqual(invalid);
  });

  it('of a body beside its `task_params` keeps both, but those', () => {
    const { customers: _, ...kept } = anAustralianAccount('SUP', 'a');
    const rows = { ...NO_ROWS, customers: 1 };
    const body = { payload: { ...anAustralianAccount('SUP', 'a'), task_params: {} }, task_params: { is_dry_run: false }, other: 1 };
    expect(documentOf(body, rows)).toEqual({ payload: kept, other: 1 });
  });

  it('keeps a list whole where not each of its items has a row', () => {
    const full = aFullAccount('SUP', 'a');
    const { customers, statements, payment_instructions, ...rest } = full;
    expect(documentOf(full, { ...ALL_ROWS, notes: 1, transactions: 4 })).toEqual(rest);
    expect([customers.length, statements.length, payment_instructions.length]).toEqual([2, 1, 2]);
  });

  it('keeps the lists of an account whose rows hold the documented fields only', () => {
    expect(documentOf(aFullAccount('SUP', 'a'), { ...ALL_ROWS, haveAllFields: false })).toEqual(aFullAccount('SUP', 'a'));
  });

  it.each(['', 'not JSON', '[]', '7', '"text"', 'null', '{"payload":[]}', '{"payload":1,"task_params":{}}'])(
    'is none where the body is no account: %j',
    (body) => expect(accountDocument(body, NO_ROWS)).toBeUndefined(),
  );
});
