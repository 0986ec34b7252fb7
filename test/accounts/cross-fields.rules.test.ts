import { describe, expect, it } from 'vitest';
import { errorsIn, NOON, withValue } from '../support/checking';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { aSupplierWith } from '../support/suppliers';

const full = () => aFullAccount('SUP', 'EXT');
const small = () => aSmallAccount('SUP', 'EXT');
const withFields = (fields: object) => errorsIn({ import_supplier: 'SUP', external_account_number: 'EXT', ...fields });

const transaction = (id: string, date: string, amount: number | string, type = 'CREDIT') => ({
  transaction_id: id,
  transaction_date: date,
  amount,
  type,
  ...(type === 'CHARGE' || type === 'CREDIT' ? { reason: 'DEPOSIT' } : {}),
  ...(type === 'SUPPLY_CHARGE'
    ? {
        product_code: 'P',
        line_items: [{ start_date: '2026-01-01', end_date: '2026-01-01', net_amount: 1, number_of_units: 1 }],
      }
    : {}),
});

describe('an unknown occupier', () => {
  it('excludes customers', () => {
    expect(withFields({ unknown_occupier: true, customers: [{ family_name: 'B' }] })).toEqual(['customers customers_not_allowed']);
    expect(withFields({ unknown_occupier: true })).toEqual([]);
    expect(withFields({ unknown_occupier: true, customers: [] })).toEqual([]);
    expect(withFields({ unknown_occupier: true, customers: null })).toEqual([]);
    expect(withFields({ unknown_occupier: false, customers: [{ family_name: 'B' }] })).toEqual([]);
  });

  it('is reported beside what else is wrong with the customers', () => {
    expect(withFields({ unknown_occupier: true, customers: [{}] })).toEqual([
      'customers customers_not_allowed',
      'customers.0.non_field_errors required',
    ]);
    expect(withFields({ unknown_occupier: true, customers: 'none' })).toEqual(['customers not_a_list']);
    expect(withFields({ unknown_occupier: 'yes', customers: [{ family_name: 'B' }] })).toEqual(['unknown_occupier invalid']);
  });
});

describe('an address', () => {
  const country = { country: 'GB' };
  it.each(['address1', 'address2', 'address3', 'address4', 'address5', 'postcode'])(
    'is an object or lines, not with %s beside it',
    (name) => {
      expect(withFields({ billing_address: country, [`billing_${name}`]: 'x' })).toEqual(['billing_address address_given_twice']);
      const supply = { customer_at_supply_address_from_date: '2026-01-01', supply_address: country, [`supply_${name}`]: 'x' };
      expect(withFields({ supply_addresses: [supply] })).toEqual(['supply_addresses.0.supply_address address_given_twice']);
      expect(withFields({ billing_address: country, [`billing_${name}`]: '' })).toEqual([]);
      expect(withFields({ billing_address: null, [`billing_${name}`]: 'x' })).toEqual([]);
    },
  );

  it('is given twice even where one form is wrong in a part', () => {
    expect(withFields({ billing_address: {}, billing_postcode: 'x' })).toEqual([
      'billing_address address_given_twice',
      'billing_address.country required',
    ]);
  });
});

describe('a customer', () => {
  it.each([
    [{}, false],
    [{ given_name: '', family_name: null }, false],
    [{ given_name: '  ', family_name: '\u00a0' }, false],
    [{ given_name: '\u200b', family_name: '\ufeff\u3164' }, false],
    [{ given_name: '\u200bA' }, true],
    [{ given_name: 'A' }, true],
    [{ family_name: 'B' }, true],
    [{ given_name: ' ', family_name: 'B' }, true],
  ])('has a name: %j', (customer, isRight) => {
    expect(withFields({ customers: [{ family_name: 'B' }, customer] })).toEqual(isRight ? [] : ['customers.1.non_field_errors required']);
  });

  it('is not reported to lack the name that was refused', () => {
    expect(withFields({ customers: [{ given_name: 5 }] })).toEqual(['customers.0.given_name invalid']);
    expect(withFields({ customers: [{ family_name: 'x'.repeat(256) }] })).toEqual(['customers.0.family_name max_length']);
  });

  it('has at most 1,000 preferences', () => {
    const preferring = (count: number, value: unknown) => {
      const customer_preferences = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));
      return withFields({ customers: [{ family_name: 'B', customer_preferences }] });
    };
    expect(preferring(1_000, true)).toEqual([]);
    expect(preferring(1_001, 'x')).toEqual(['customers.0.customer_preferences max_length']);
    expect(preferring(1, 'x')).toEqual(['customers.0.customer_preferences.p0 invalid']);
  });

  it('was not born in the future, by the UTC date', () => {
    const born = (date: string, now: number) => errorsIn(withValue(small(), 'customers.0.date_of_birth', date), { now });
    expect(born('2026-11-20', NOON)).toEqual([]);
    expect(born('2026-11-21', Date.UTC(2026, 10, 20, 23, 59, 59, 999))).toEqual(['customers.0.date_of_birth invalid_date']);
    expect(born('2026-11-21', Date.UTC(2026, 10, 21))).toEqual([]);
  });
});

describe('a meter point', () => {
  const point = (fields: object) =>
    withFields({
      supply_addresses: [
        { customer_at_supply_address_from_date: '2026-01-01', meter_points: [{ supply_start_date: '2026-01-01', ...fields }] },
      ],
    });
  it('has an identifier', () => {
    expect(point({})).toEqual(['supply_addresses.0.meter_points.0.non_field_errors required']);
    for (const mpxn of [' ', '\u2060'])
      expect(point({ identifier: '', mpxn })).toEqual(['supply_addresses.0.meter_points.0.non_field_errors required']);
    expect(point({ identifier: '1' })).toEqual([]);
    expect(point({ mpxn: '1' })).toEqual([]);
    expect(point({ mpxn: 2_000_000_000_001 })).toEqual(['supply_addresses.0.meter_points.0.mpxn invalid']);
  });
});

describe('the balances of an account', () => {
  const history = [transaction('1', '2026-01-01', '10.10'), transaction('2', '2026-01-01', 0.2, 'CHARGE')];
  const current = [transaction('3', '2026-02-01', 5, 'PAYMENT'), transaction('4', '2026-02-01', '1.05', 'REPAYMENT')];
  const lists = { historical_statement_transactions: history, current_statement_transactions: current };

  it('are what the transactions add up to, in minor units', () => {
    expect(withFields({ ...lists, last_statement_balance: 9.9, transfer_balance: '13.85' })).toEqual([]);
    expect(withFields({ ...lists, last_statement_balance: 9.91, transfer_balance: '13.86' })).toEqual([
      'last_statement_balance balance_mismatch',
    ]);
    expect(withFields({ ...lists, last_statement_balance: '9.9', transfer_balance: 13.84 })).toEqual(['transfer_balance balance_mismatch']);
    const tenths = Array.from({ length: 10 }, (_, index) => transaction(String(index), '2026-01-01', 0.1));
    expect(withFields({ historical_statement_transactions: tenths, last_statement_balance: 1 })).toEqual([]);
  });

  it.each([
    ['CREDIT', 7],
    ['PAYMENT', 7],
    ['CHARGE', -7],
    ['SUPPLY_CHARGE', -7],
    ['REPAYMENT', -7],
  ])('count a %s of 7 as %d', (type, units) => {
    const list = { current_statement_transactions: [transaction('1', '2026-01-01', 7, type)] };
    expect(withFields({ ...list, transfer_balance: units })).toEqual([]);
    expect(withFields({ ...list, transfer_balance: -units })).toEqual(['transfer_balance balance_mismatch']);
  });

  it('are validated only where they are given, an absent last statement being zero', () => {
    expect(withFields(lists)).toEqual([]);
    expect(withFields({ ...lists, transfer_balance: 3.95 })).toEqual([]);
    expect(withFields({ ...lists, transfer_balance: 13.85 })).toEqual(['transfer_balance balance_mismatch']);
  });

  it('are validated wherever they are given: a list that was not sent adds up to nothing', () => {
    expect(withFields({ last_statement_balance: 0, transfer_balance: '0.00', historical_statement_transactions: [] })).toEqual([]);
    expect(withFields({ last_statement_balance: 20, transfer_balance: 20 })).toEqual(['last_statement_balance balance_mismatch']);
    expect(withFields({ transfer_balance: 12.5, current_statement_transactions: null })).toEqual(['transfer_balance balance_mismatch']);
    expect(withFields({ current_statement_transactions: current, transfer_balance: 3.95 })).toEqual([]);
  });

  it('are not validated where a part of the sum is wrong already', () => {
    const broken = { ...lists, last_statement_balance: 1, transfer_balance: 1 };
    const at = 'historical_statement_transactions.0';
    expect(errorsIn(withValue({ import_supplier: 'S', external_account_number: 'E', ...broken }, `${at}.amount`, 'x'))).toEqual([
      `${at}.amount invalid`,
      'transfer_balance balance_mismatch',
    ]);
    expect(errorsIn(withValue({ import_supplier: 'S', external_account_number: 'E', ...broken }, `${at}.type`, 'x'))).toEqual([
      `${at}.type invalid_choice`,
      'transfer_balance balance_mismatch',
    ]);
    expect(withFields({ ...broken, historical_statement_transactions: 'x', current_statement_transactions: [5] })).toEqual([
      'historical_statement_transactions not_a_list',
      'current_statement_transactions.0 invalid',
    ]);
    expect(withFields({ ...lists, last_statement_balance: 'x', transfer_balance: 1 })).toEqual(['last_statement_balance invalid']);
    expect(withFields({ ...lists, transfer_balance: 1, ledgers: 'x' })).toEqual(['ledgers not_a_list']);
  });

  it('are validated for each ledger by itself, and their sum against the account', () => {
    const ledgers = [
      { ...lists, last_statement_balance: 9.9, ledger_balance: 13.85 },
      { current_statement_transactions: [transaction('5', '2026-02-01', 1)], ledger_balance: 1 },
    ];
    expect(withFields({ ledgers, transfer_balance: 14.85 })).toEqual([]);
    expect(withFields({ ledgers, transfer_balance: 14.86 })).toEqual(['transfer_balance balance_mismatch']);
    expect(
      withFields({
        ledgers: [
          { ...ledgers[0], ledger_balance: 13 },
          { ...ledgers[1], ledger_balance: 2 },
        ],
        transfer_balance: 15,
      }),
    ).toEqual(['ledgers.0.ledger_balance balance_mismatch', 'ledgers.1.ledger_balance balance_mismatch']);
    expect(withFields({ ledgers: [{ ...ledgers[0], last_statement_balance: 0 }] })).toEqual([
      'ledgers.0.last_statement_balance balance_mismatch',
      'ledgers.0.ledger_balance balance_mismatch',
    ]);
    expect(withFields({ ledgers: [{ ledger_balance: 0 }, {}], transfer_balance: 1 })).toEqual([]);
    expect(withFields({ ledgers: [{ ledger_balance: 0 }, { ledger_balance: 'x' }], transfer_balance: 1 })).toEqual([
      'ledgers.1.ledger_balance invalid',
    ]);
  });
});

describe('the periods of a supply', () => {
  const supply = (fields: object, point: object = {}, agreement: object = {}) =>
    withFields({
      supply_addresses: [
        {
          customer_at_supply_address_from_date: '2026-01-31',
          meter_points: [{ mpxn: '1', supply_start_date: '2026-01-31', agreements: [{ tariff_code: 'T', ...agreement }], ...point }],
          ...fields,
        },
      ],
    });

  it('may be of one day', () => {
    const day = '2026-01-31';
    const agreement = { effective_from: `${day}T12:00:00Z`, effective_to: day };
    expect(supply({ customer_at_supply_address_to_date: day }, { supply_end_date: day }, agreement)).toEqual([]);
  });

  it('do not end before they start', () => {
    const day = '2026-01-30';
    const agreement = { effective_from: '2026-01-31T00:30:00+01:00', effective_to: '2026-01-30T22:30:00Z' };
    expect(supply({ customer_at_supply_address_to_date: day }, { supply_end_date: day }, agreement)).toEqual([
      'supply_addresses.0.meter_points.0.agreements.0.effective_to period_ends_before_it_starts',
      'supply_addresses.0.meter_points.0.supply_end_date period_ends_before_it_starts',
      'supply_addresses.0.customer_at_supply_address_to_date period_ends_before_it_starts',
    ]);
  });

  it('are not validated where an end was refused or not given', () => {
    expect(supply({ customer_at_supply_address_from_date: 5 }, { supply_end_date: null }, { effective_from: '2026-01-31' })).toEqual([
      'supply_addresses.0.customer_at_supply_address_from_date invalid',
    ]);
  });
});

describe('the last statement closing date', () => {
  const lists = (historical: string, current: string) => ({
    historical_statement_transactions: [transaction('1', '2026-01-01', 1), transaction('2', historical, 1)],
    current_statement_transactions: [transaction('3', current, 1)],
  });
  it('separates historical from current transactions', () => {
    const closing = { last_statement_closing_date: '2026-01-31' };
    expect(withFields({ ...lists('2026-01-31', '2026-02-01'), ...closing })).toEqual([]);
    expect(withFields({ ...lists('2026-02-01', '2026-01-31'), ...closing })).toEqual([
      'historical_statement_transactions.1.transaction_date date_after_statement_closing',
      'current_statement_transactions.0.transaction_date date_not_after_statement_closing',
    ]);
    expect(withFields({ ...lists('2026-02-01', '2026-01-31') })).toEqual([]);
    expect(withFields({ ...lists('2026-02-01', '2026-01-31'), last_statement_closing_date: 'x' })).toEqual([
      'last_statement_closing_date invalid_date',
    ]);
  });

  it('is that of the holder of the list', () => {
    const ledgers = [{ ...lists('2026-02-01', '2026-03-01'), last_statement_closing_date: '2026-01-31' }];
    expect(withFields({ ledgers, last_statement_closing_date: '2026-02-28' })).toEqual([
      'ledgers.0.historical_statement_transactions.1.transaction_date date_after_statement_closing',
    ]);
    expect(withFields({ ledgers: [lists('2026-02-01', '2026-01-31')], last_statement_closing_date: '2026-01-31' })).toEqual([]);
  });
});

describe('a transaction id', () => {
  const one = transaction('same', '2026-01-01', 1);
  it('is used once in a payload, wherever the lists stand', () => {
    expect(withFields({ historical_statement_transactions: [one, one] })).toEqual([
      'historical_statement_transactions.1.transaction_id duplicate_transaction_id',
    ]);
    expect(withFields({ historical_statement_transactions: [one], current_statement_transactions: [one] })).toEqual([
      'current_statement_transactions.0.transaction_id duplicate_transaction_id',
    ]);
    expect(withFields({ current_statement_transactions: [one], historical_statement_transactions: [one] })).toEqual([
      'historical_statement_transactions.0.transaction_id duplicate_transaction_id',
    ]);
    expect(
      withFields({
        ledgers: [{ current_statement_transactions: [one] }, { historical_statement_transactions: [one] }],
        historical_statement_transactions: [one],
      }),
    ).toEqual([
      'ledgers.1.historical_statement_transactions.0.transaction_id duplicate_transaction_id',
      'historical_statement_transactions.0.transaction_id duplicate_transaction_id',
    ]);
  });

  it('compares exactly', () => {
    expect(
      withFields({ historical_statement_transactions: [one, { ...one, transaction_id: 'SAME' }, { ...one, transaction_id: 'same ' }] }),
    ).toEqual([]);
  });
});

describe('transactions, notes and statements of a payload', () => {
  it('are validated by the rules of their own endpoints', () => {
    expect(withFields({ current_statement_transactions: [{ ...transaction('1', '2026-01-01', 1), reason: 'NO_SUCH' }] })).toEqual([
      'current_statement_transactions.0.reason invalid_choice',
    ]);
    expect(withFields({ ledgers: [{ historical_statement_transactions: [{ ...transaction('1', '2026-01-01', 0, 'PAYMENT') }] }] })).toEqual(
      ['ledgers.0.historical_statement_transactions.0.amount min_value'],
    );
    expect(withFields({ notes: [{ body: 'x' }, { body: ' ' }] })).toEqual(['notes.1.non_field_errors body_or_document_paths_required']);
    expect(withFields({ notes: [{ body: 'x', created_at: '2026-01-02T00:00:00Z', unpin_at: '2026-01-01T00:00:00Z' }] })).toEqual([
      'notes.0.unpin_at unpin_at_not_after_created_at',
    ]);
    const statement = { statement_id: 'S', bill_period_from_date: '2026-01-02', bill_period_to_date: '2026-01-01' };
    expect(withFields({ statements: [statement] })).toEqual(['statements.0.bill_period_to_date period_ends_before_it_starts']);
    const right = { ...statement, bill_period_to_date: '2026-01-02' };
    expect(withFields({ statements: [right, right] })).toEqual([]);
    expect(withFields({ statements: [right, { ...right, number: '2' }] })).toEqual(['statements.1.statement_id statement_already_exists']);
  });

  it('may be dated outside any statement period', () => {
    expect(withFields({ current_statement_transactions: [transaction('1', '1999-01-01', 1), transaction('2', '2999-01-01', 1)] })).toEqual(
      [],
    );
  });

  it('take the reasons that the supplier adds', () => {
    const payload = {
      import_supplier: 'S',
      external_account_number: 'E',
      current_statement_transactions: [{ ...transaction('1', '2026-01-01', 1), reason: 'OURS' }],
    };
    expect(errorsIn(payload)).toEqual(['current_statement_transactions.0.reason invalid_choice']);
    expect(errorsIn(payload, { supplier: aSupplierWith({ extra_credit_reasons: ['OURS'] }) })).toEqual([]);
    expect(errorsIn(payload, { supplier: undefined })).toEqual([]);
  });
});

describe('the schedule window', () => {
  const window = (start: unknown, end: unknown, now = NOON) =>
    errorsIn({ ...small(), task_params: { schedule_window_start: start, schedule_window_end: end } }, { now });
  const END = 'task_params.schedule_window_end invalid';

  it('ends after its start', () => {
    expect(window('2026-12-01T00:00:00Z', '2026-12-01T00:00:00.001Z')).toEqual([]);
    expect(window('2026-12-01T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual([END]);
    expect(window('2026-12-01T00:00:00Z', '2026-12-01T00:30:00+01:00')).toEqual([END]);
    expect(window('2026-12-01T00:00:00Z', null)).toEqual([]);
  });

  it('is not over already', () => {
    expect(window(null, '2026-11-20T12:00:00.001Z')).toEqual([]);
    expect(window(null, '2026-11-20T12:00:00Z')).toEqual([END]);
    expect(window('2026-11-19T00:00:00Z', '2026-11-20T11:59:59Z')).toEqual([END]);
    expect(window('2000-01-01T00:00:00Z', null)).toEqual([]);
  });

  it('is validated by what was readable of it', () => {
    expect(window('soon', '2026-12-01T00:00:00Z')).toEqual(['task_params.schedule_window_start invalid_datetime']);
    expect(window('2026-12-01T00:00:00Z', 'later')).toEqual(['task_params.schedule_window_end invalid_datetime']);
  });
});

describe('the two forms of the body', () => {
  it('say the same', () => {
    expect(errorsIn(full())).toEqual([]);
    expect(errorsIn({ payload: full() })).toEqual([]);
    expect(errorsIn({ payload: full(), task_params: { is_dry_run: true } })).toEqual([]);
    expect(errorsIn({ ...full(), task_params: { is_dry_run: true } })).toEqual([]);
  });

  it('never begin the path of an error with payload', () => {
    const wrong = withValue(full(), 'customers.0.email', 'x');
    expect(errorsIn({ task_params: { is_dry_run: 5 }, payload: wrong })).toEqual([
      'customers.0.email invalid_email',
      'task_params.is_dry_run invalid',
    ]);
    expect(errorsIn({ ...wrong, task_params: 'x' })).toEqual(['customers.0.email invalid_email', 'task_params invalid']);
    expect(errorsIn({ payload: {} })).toEqual(['import_supplier required', 'external_account_number required']);
  });

  it('are distinguished by the account’s own fields', () => {
    expect(errorsIn({ ...small(), payload: 'undocumented' })).toEqual([]);
  });

  it('let task_params stand inside the payload too, the outer ones counting first', () => {
    const bad = { is_dry_run: 5 };
    expect(errorsIn({ payload: { ...small(), task_params: bad } })).toEqual(['task_params.is_dry_run invalid']);
    expect(errorsIn({ payload: { ...small(), task_params: bad }, task_params: {} })).toEqual([]);
  });
});

describe('the order of errors', () => {
  it('is that of the payload, absent fields after their siblings', () => {
    expect(
      errorsIn({
        customers: [{ email: 'x', given_name: 5 }, {}],
        billing_postcode: 'x',
        billing_address: { country: 'XX' },
        notes: [{}],
        import_supplier: '',
      }),
    ).toEqual([
      'customers.0.email invalid_email',
      'customers.0.given_name invalid',
      'customers.1.non_field_errors required',
      'billing_address address_given_twice',
      'billing_address.country invalid_country',
      'notes.0.non_field_errors body_or_document_paths_required',
      'import_supplier blank',
      'external_account_number required',
    ]);
  });
});
