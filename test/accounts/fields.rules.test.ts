import { describe, expect, it } from 'vitest';
import { errorsIn, withValue } from '../support/checking';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../support/payloads';
import { aSupplierWith } from '../support/suppliers';

/** Values a field takes, and values it refuses with their code; `undefined` is an absent field. */
interface Kind {
  readonly right: readonly unknown[];
  readonly wrong: readonly (readonly [value: unknown, code: string])[];
}

const NOT_GIVEN = [undefined, null];
const x = (length: number) => 'x'.repeat(length);
const NO_LINE = [
  ['a\u0000', 'invalid'],
  ['a\nb', 'invalid'],
  ['a\u0085', 'invalid'],
  ['\ud800', 'invalid'],
] as const;
const NO_TEXT = [
  ['a\u0000', 'invalid'],
  ['\u0085', 'invalid'],
  ['\udc00', 'invalid'],
] as const;
const NO_STRING = [
  [5, 'invalid'],
  [true, 'invalid'],
  [{}, 'invalid'],
  [[], 'invalid'],
] as const;
const REQUIRED = [
  [undefined, 'required'],
  [null, 'null'],
] as const;
const BLANK = [
  ['', 'blank'],
  [' \t', 'blank'],
] as const;

const line = (max: number): Kind => ({
  right: [...NOT_GIVEN, '', ' ', x(max), '𝒜'.repeat(max), 'Ζαχαρο 佐藤 🐕'.slice(0, max)],
  wrong: [[x(max + 1), 'max_length'], ['𝒜'.repeat(max + 1), 'max_length'], ...NO_LINE, [5, 'invalid'], [true, 'invalid'], [{}, 'invalid']],
});
const text = (max: number): Kind => ({
  right: [...NOT_GIVEN, '', 'a\tb\r\nc', x(max)],
  wrong: [
    [x(max + 1), 'max_length'],
    ['a\u0000', 'invalid'],
    ['\udc00', 'invalid'],
    [5, 'invalid'],
  ],
});
const requiredLine = (max: number): Kind => ({
  right: ['x', x(max), '𝒜'.repeat(max)],
  wrong: [[x(max + 1), 'max_length'], ...NO_LINE, ...NO_STRING, ...REQUIRED, ...BLANK],
});
const identifier = (max: number): Kind => ({
  right: ['x', 'a b/c', '...', x(max), 'e\u0301', '\u200bx', 'a\ufeffb', ' x'],
  wrong: [
    ['.', 'invalid'],
    ['..', 'invalid'],
    ['\ufeffx', 'invalid'],
    ['x\ufeff', 'invalid'],
    ['\u200b', 'blank'],
    [x(max + 1), 'max_length'],
    ...NO_LINE,
    ...NO_STRING,
    ...REQUIRED,
    ...BLANK,
  ],
});
const choice = (...values: string[]): Kind => ({
  right: [...NOT_GIVEN, '', ...values],
  wrong: [
    [values[0]?.toLowerCase(), 'invalid_choice'],
    ['OTHER', 'invalid_choice'],
    [' ', 'invalid_choice'],
    [1, 'invalid_choice'],
    [{}, 'invalid_choice'],
  ],
});
const requiredChoice = (...values: string[]): Kind => ({
  right: values,
  wrong: [['OTHER', 'invalid_choice'], [values[0]?.toLowerCase(), 'invalid_choice'], [1, 'invalid_choice'], ...REQUIRED, ...BLANK],
});
const bool: Kind = {
  right: [...NOT_GIVEN, false],
  wrong: [
    ['true', 'invalid'],
    [1, 'invalid'],
    ['', 'invalid'],
    [{}, 'invalid'],
  ],
};
const NO_DATE = [
  ['2026-02-29', 'invalid_date'],
  ['2026-13-01', 'invalid_date'],
  ['2026-1-01', 'invalid_date'],
  ['01/02/2026', 'invalid_date'],
  ['2026-01-01T00:00:00Z', 'invalid_date'],
  ['', 'invalid_date'],
  [20260101, 'invalid'],
] as const;
const date: Kind = { right: [...NOT_GIVEN, '2024-02-29', '1900-01-01'], wrong: NO_DATE };
const requiredDate: Kind = { right: ['2024-02-29', '2999-12-31'], wrong: [...NO_DATE, ...REQUIRED] };
/** Dates of a period: what is right for one end depends on the other. */
const firstDate: Kind = { ...requiredDate, right: ['2024-02-29', '1900-01-01'] };
const lastDate: Kind = { ...date, right: [...NOT_GIVEN, '2028-02-29', '2999-12-31'] };
const moment: Kind = {
  right: [...NOT_GIVEN, '2026-01-31', '2026-01-31T09:30:00Z', '2026-01-31T09:30', '2026-01-31T09:30:00.123456+10:30'],
  wrong: [
    ['2026-01-32', 'invalid_datetime'],
    ['2026-01-31T24:00:00Z', 'invalid_datetime'],
    ['', 'invalid_datetime'],
    [1, 'invalid'],
  ],
};
const balance: Kind = {
  right: [...NOT_GIVEN],
  wrong: [
    ['', 'invalid'],
    ['1,5', 'invalid'],
    ['1e3', 'invalid'],
    [true, 'invalid'],
    [1.005, 'max_decimal_places'],
    ['12345678901', 'max_whole_digits'],
  ],
};
const amount: Kind = {
  right: [...NOT_GIVEN, 0, -1.5, '1.50', '9999999999.99', '1.500'],
  wrong: [
    ['', 'invalid'],
    ['x', 'invalid'],
    [{}, 'invalid'],
    ['0.001', 'max_decimal_places'],
    [10_000_000_000, 'max_whole_digits'],
  ],
};
const integer = (min: number, max: number): Kind => ({
  right: [...NOT_GIVEN, min, max],
  wrong: [
    [min - 1, 'min_value'],
    [max + 1, 'max_value'],
    [min + 0.5, 'invalid'],
    [String(min), 'invalid'],
    ['', 'invalid'],
  ],
});
const email: Kind = {
  right: [...NOT_GIVEN, '', "o'neil+x@ex-ample.co", 'a@b', 'a@xn--80ak6aa92e.com', `${x(64)}@${`${x(61)}.`.repeat(3)}abc`],
  wrong: [
    ['a', 'invalid_email'],
    ['@b', 'invalid_email'],
    ['a@', 'invalid_email'],
    ['a@-b.c', 'invalid_email'],
    ['a@b-.c', 'invalid_email'],
    ['a@b..c', 'invalid_email'],
    ['a@bücher.de', 'invalid_email'],
    ['ä@b.de', 'invalid_email'],
    ['a b@c.de', 'invalid_email'],
    ['Ada <a@b.de>', 'invalid_email'],
    ['a@b.de\n', 'invalid_email'],
    [' a@b.de', 'invalid_email'],
    [`a@${x(64)}.de`, 'invalid_email'],
    [`${x(250)}@b.de`, 'max_length'],
    [5, 'invalid'],
  ],
};
const country: Kind = {
  right: ['GB', 'AU', 'AQ'],
  wrong: [
    ['gb', 'invalid_country'],
    ['UK', 'invalid_country'],
    ['GBR', 'invalid_country'],
    ['XX', 'invalid_country'],
    [44, 'invalid'],
    ...REQUIRED,
    ...BLANK,
  ],
};
const language: Kind = {
  right: [...NOT_GIVEN, '', 'en', 'en-GB', 'zh-Hant-TW', 'es-419', 'de-CH-1996', 'en-u-ca-gregory', 'sl-rozaj'],
  wrong: [
    ['en_GB', 'invalid'],
    ['english language', 'invalid'],
    ['e', 'invalid'],
    ['en-', 'invalid'],
    [' ', 'invalid'],
    [`en-${'abcdefgh-'.repeat(8)}`, 'invalid'],
    [1, 'invalid'],
  ],
};
const phone: Kind = {
  right: [...NOT_GIVEN, ''],
  wrong: [
    [x(33), 'max_length'],
    ['\u0000', 'invalid'],
    [2079460018, 'invalid'],
    [{}, 'invalid'],
  ],
};
const object: Kind = {
  right: NOT_GIVEN,
  wrong: [
    ['x', 'invalid'],
    [[1], 'invalid'],
    [5, 'invalid'],
  ],
};
const list: Kind = {
  right: [...NOT_GIVEN, []],
  wrong: [
    ['x', 'not_a_list'],
    [{}, 'not_a_list'],
    [5, 'not_a_list'],
  ],
};
const item: Kind = {
  right: [],
  wrong: [
    [null, 'null'],
    ['x', 'invalid'],
    [[], 'invalid'],
  ],
};
const documentPath: Kind = {
  right: ['/a/b.pdf', 'a b.pdf'],
  wrong: [
    ['', 'invalid_document_path'],
    ['../a', 'invalid_document_path'],
    ['a//b', 'invalid_document_path'],
    ['a\\b', 'invalid_document_path'],
    [5, 'invalid'],
  ],
};

const full = () => aFullAccount('SUP', 'EXT');
const lines = () => ({ ...aSmallAccount('SUP', 'EXT') });
const australian = () => anAustralianAccount('SUP', 'EXT');
const noted = () => ({
  ...lines(),
  notes: [{ document_paths: [{ document_path: 'a.pdf' }] }],
  statements: [{ ...full().statements[0], statement_path: 'b.pdf' }],
});

const FIELDS: readonly (readonly [base: () => object, attr: string, kind: Kind])[] = [
  [full, 'import_supplier', identifier(32)],
  [full, 'external_account_number', identifier(128)],
  [full, 'unknown_occupier', bool],
  [
    full,
    'account_type',
    choice(
      'DOMESTIC',
      'BUSINESS',
      'MANAGED',
      'PORTFOLIO_LEAD',
      'DOMESTIC_VACANT',
      'BUSINESS_VACANT',
      'DOMESTIC_OCCUPIER',
      'BUSINESS_OCCUPIER',
      'SYSTEM',
      'DOMESTIC_THIRD_PARTY_BILLED',
      'BUSINESS_THIRD_PARTY_BILLED',
    ),
  ],
  [full, 'company_name', line(255)],
  [full, 'company_number', line(100)],
  [full, 'business_type', line(64)],
  [full, 'communication_preference', choice('ONLINE', 'PRINT')],
  [full, 'document_accessibility', choice('LARGE_PRINT', 'BRAILLE', 'SPOKEN')],
  [full, 'language_preference', language],
  [full, 'date_of_sale', date],
  [full, 'sales_channel', line(64)],
  [full, 'sales_subchannel', line(255)],
  [full, 'billing_name', line(510)],
  [full, 'billing_sub_name', line(256)],
  [full, 'billing_attention_of', line(256)],
  [full, 'billing_customer_reference', line(256)],
  [full, 'billing_email', email],
  [full, 'billing_address', object],
  [full, 'billing_address.country', country],
  [full, 'billing_address.name', line(512)],
  [full, 'billing_address.organization', line(512)],
  [full, 'billing_address.street_address', text(512)],
  [full, 'billing_address.structured_street_address', object],
  [full, 'billing_address.dependent_locality', line(512)],
  [full, 'billing_address.locality', line(512)],
  [full, 'billing_address.administrative_area', line(512)],
  [full, 'billing_address.postal_code', line(512)],
  [full, 'billing_address.sorting_code', line(512)],
  [full, 'billing_address.delivery_point_identifier', line(512)],
  ...[1, 2, 3, 4, 5].map((n) => [lines, `billing_address${n}`, line(512)] as const),
  [lines, 'billing_postcode', line(512)],
  [full, 'account_billing_options', object],
  [full, 'account_billing_options.period_length', choice('MONTHLY', 'QUARTERLY')],
  [full, 'account_billing_options.period_length_multiplier', integer(1, 1_200)],
  [full, 'account_billing_options.period_start_day', integer(1, 28)],
  [full, 'account_billing_options.period_start_month', integer(1, 12)],
  [full, 'last_billed_to_date', date],
  [lines, 'last_statement_closing_date', date],
  [full, 'last_statement_issue_date', date],
  [full, 'next_bill_due_date', date],
  [lines, 'last_statement_balance', { right: [...NOT_GIVEN, 0, '0.00', '-0'], wrong: amount.wrong }],
  [lines, 'transfer_balance', { right: [...NOT_GIVEN, 0, '0.00', '-0'], wrong: amount.wrong }],
  [full, 'transfer_balance', balance],
  [lines, 'historical_statement_transactions', list],
  [full, 'historical_statement_transactions.0', item],
  [full, 'historical_statement_transactions.0.transaction_id', requiredLine(128)],
  [lines, 'current_statement_transactions', list],
  [full, 'current_statement_transactions.0.line_items.0.start_date', { right: ['2026-02-02'], wrong: [...NO_DATE, ...REQUIRED] }],
  [full, 'ledgers', list],
  [australian, 'ledgers.0', item],
  [australian, 'ledgers.0.last_statement_issue_date', date],
  [australian, 'ledgers.1.last_statement_closing_date', { right: [...NOT_GIVEN, '2026-02-10'], wrong: NO_DATE }],
  [australian, 'ledgers.0.last_statement_balance', { right: ['15.90'], wrong: balance.wrong }],
  [australian, 'ledgers.0.ledger_balance', { right: [...NOT_GIVEN, '-51.60'], wrong: balance.wrong }],
  [australian, 'ledgers.0.historical_statement_transactions', { right: [], wrong: list.wrong }],
  [australian, 'ledgers.0.current_statement_transactions.0.amount', { right: ['42.50'], wrong: [...REQUIRED, ['x', 'invalid']] }],
  [full, 'notes', list],
  [full, 'notes.0', item],
  [full, 'notes.0.is_pinned', bool],
  [
    full,
    'notes.0.created_at',
    {
      right: [...NOT_GIVEN, '2025-06-01T17:30'],
      wrong: [
        ['x', 'invalid_datetime'],
        ['2025-06-01', 'invalid_datetime'],
      ],
    },
  ],
  [noted, 'notes.0.document_paths.0.document_path', { ...documentPath, wrong: [...documentPath.wrong, ...REQUIRED] }],
  [full, 'statements', list],
  [full, 'statements.0', item],
  [full, 'statements.0.statement_id', requiredLine(128)],
  [noted, 'statements.0.statement_path', { ...documentPath, right: [...documentPath.right, ...NOT_GIVEN] }],
  [full, 'payment_instructions', list],
  [full, 'payment_instructions.0', item],
  [full, 'payment_instructions.0.vendor', requiredLine(64)],
  [full, 'payment_instructions.0.type', requiredChoice('CARD', 'DIRECT_DEBIT', 'BPAY', 'CUSTOM', 'PAYMENT_SLIP')],
  [full, 'payment_instructions.0.reference', line(512)],
  [full, 'payment_instructions.0.valid_from', moment],
  [full, 'payment_instructions.0.card', object],
  [
    full,
    'payment_instructions.0.card.last_digits',
    {
      right: [...NOT_GIVEN, '', '0042', '1'],
      wrong: [
        ['42424', 'invalid'],
        ['4242424242424242', 'invalid'],
        ['42x2', 'invalid'],
        [4242, 'invalid'],
      ],
    },
  ],
  [full, 'payment_instructions.0.card.expiry_month', integer(1, 12)],
  [full, 'payment_instructions.0.card.expiry_year', integer(2_000, 9_999)],
  [full, 'payment_instructions.1.bank_account', object],
  ...['account_holder', 'account_number', 'sort_code', 'bsb', 'iban'].map(
    (name) => [full, `payment_instructions.1.bank_account.${name}`, line(255)] as const,
  ),
  [full, 'payment_schedules', list],
  [full, 'payment_schedules.0', item],
  [full, 'payment_schedules.0.means', requiredChoice('DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP')],
  [full, 'payment_schedules.0.start_date', requiredDate],
  [full, 'payment_schedules.0.amount', amount],
  [
    full,
    'payment_schedules.0.frequency',
    choice('WEEKLY', 'FORTNIGHTLY', 'FOUR_WEEKLY', 'MONTHLY', 'QUARTERLY', 'SIX_MONTHLY', 'ANNUALLY'),
  ],
  [full, 'payment_schedules.0.day_of_month', integer(1, 31)],
  [full, 'references', list],
  [full, 'references.0', item],
  [full, 'references.0.namespace', requiredLine(50)],
  [full, 'references.0.value', requiredLine(100)],
  [full, 'metadata', list],
  [full, 'metadata.0', item],
  [full, 'metadata.0.key', requiredLine(1_024)],
  [full, 'metadata.0.value', { right: [null, '', 5, 'a\tb', [null], { a: null }], wrong: [[undefined, 'required'], ...NO_TEXT] }],
  [full, 'consents', list],
  [full, 'consents.0.type', requiredLine(255)],
  [full, 'consents.0.value', requiredChoice('ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING')],
  [full, 'consents.0.signed_at', moment],
  [full, 'supply_addresses', list],
  [full, 'supply_addresses.0', item],
  [full, 'supply_addresses.0.supply_address', object],
  [full, 'supply_addresses.0.supply_address.country', country],
  [full, 'supply_addresses.0.supply_address.locality', line(512)],
  ...[1, 2, 3, 4, 5].map((n) => [lines, `supply_addresses.0.supply_address${n}`, line(512)] as const),
  [lines, 'supply_addresses.0.supply_postcode', line(512)],
  [full, 'supply_addresses.0.customer_at_supply_address_from_date', firstDate],
  [full, 'supply_addresses.0.customer_at_supply_address_to_date', lastDate],
  [full, 'supply_addresses.0.is_landlord', bool],
  [full, 'supply_addresses.0.meter_points', list],
  [full, 'supply_addresses.0.meter_points.0', item],
  [full, 'supply_addresses.0.meter_points.1.mpxn', line(255)],
  [full, 'supply_addresses.0.meter_points.0.identifier', line(255)],
  [full, 'supply_addresses.0.meter_points.0.supply_start_date', firstDate],
  [full, 'supply_addresses.0.meter_points.0.supply_end_date', lastDate],
  [full, 'supply_addresses.0.meter_points.0.supply_type', line(255)],
  [full, 'supply_addresses.0.meter_points.0.agreements', list],
  [full, 'supply_addresses.0.meter_points.0.agreements.0', item],
  [full, 'supply_addresses.0.meter_points.0.agreements.0.tariff_code', line(255)],
  [full, 'supply_addresses.0.meter_points.0.agreements.0.effective_from', moment],
  [full, 'supply_addresses.0.meter_points.0.agreements.0.effective_to', moment],
  [full, 'customers', list],
  [full, 'customers.0', item],
  [full, 'customers.0.given_name', line(255)],
  [full, 'customers.0.family_name', line(255)],
  [full, 'customers.0.email', email],
  [full, 'customers.0.mobile', phone],
  [full, 'customers.0.landline', phone],
  [full, 'customers.0.alternative_phone_numbers', list],
  [full, 'customers.0.alternative_phone_numbers.0', item],
  [full, 'customers.0.alternative_phone_numbers.0.phone_number', { right: [], wrong: [...phone.wrong, ...REQUIRED, ...BLANK] }],
  [
    full,
    'customers.0.date_of_birth',
    { right: [...NOT_GIVEN, '1900-01-01', '2026-11-20'], wrong: [...NO_DATE, ['2026-11-21', 'invalid_date']] },
  ],
  [full, 'customers.0.title', line(20)],
  [full, 'customers.0.salutation', line(128)],
  [full, 'customers.0.pronouns', line(255)],
  [full, 'customers.0.customer_preferences', object],
  [full, 'customers.0.customer_preferences.opted_in_to_offers', bool],
  [full, 'customers.0.consents', list],
  [full, 'customers.0.consents.0.value', requiredChoice('ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING')],
  [full, 'customers.0.metadata', list],
  [full, 'customers.0.metadata.0.key', requiredLine(1_024)],
  [full, 'task_params', object],
  [full, 'task_params.is_dry_run', bool],
  [
    full,
    'task_params.schedule_window_start',
    {
      right: [...NOT_GIVEN, '2026-01-31T09:30', '2000-01-01T00:00:00+01'],
      wrong: [
        ['2026-01-31', 'invalid_datetime'],
        ['', 'invalid_datetime'],
        [1, 'invalid'],
      ],
    },
  ],
  [
    full,
    'task_params.schedule_window_end',
    {
      right: [...NOT_GIVEN, '2026-11-20T12:00:00.001Z'],
      wrong: [
        ['x', 'invalid_datetime'],
        [1, 'invalid'],
      ],
    },
  ],
];

const shown = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value)).slice(0, 40);
const validatedBy = (base: () => object) => ({ supplier: aSupplierWith({ default_country: base === australian ? 'AU' : 'GB' }) });

describe.each(FIELDS.map(([base, attr, kind]) => ({ base, attr, kind })))('$attr', ({ base, attr, kind }) => {
  it('takes what it may be', () => {
    for (const value of kind.right)
      expect([shown(value), errorsIn(withValue(base(), attr, value), validatedBy(base))]).toEqual([shown(value), []]);
  });

  it('refuses what it may not be, alone and by its code', () => {
    for (const [value, code] of kind.wrong) {
      expect([shown(value), errorsIn(withValue(base(), attr, value), validatedBy(base))]).toEqual([shown(value), [`${attr} ${code}`]]);
    }
  });
});

describe('an account', () => {
  it('needs a supplier code and its own number, nothing more', () => {
    expect(errorsIn({})).toEqual(['import_supplier required', 'external_account_number required']);
    expect(errorsIn({ import_supplier: 'S', external_account_number: '1' })).toEqual([]);
  });

  it.each([null, 'x', 5, true, [], [{}]])('is an object, not %j', (body) => {
    expect(errorsIn(body)).toEqual([' invalid']);
    expect(errorsIn({ payload: body })).toEqual([' invalid']);
  });

  it('may carry fields that are not documented, of any shape and at any depth', () => {
    const strange = {
      undocumented: { deep: ['\n', null] },
      ...full(),
      customers: [{ family_name: 'B', nickname: 5 }],
      payload_version: 2,
    };
    expect(errorsIn(strange)).toEqual([]);
  });
});
