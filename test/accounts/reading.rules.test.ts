import { describe, expect, it } from 'vitest';
import {
  type Account,
  type CustomerRow,
  checkAccount,
  customersOf,
  openPeriodOf,
  payloadInstructionsOf,
  redactBankDetails,
} from '../../src/accounts';
import { NOON } from '../support/checking';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { aSupplierWith } from '../support/suppliers';

function checked(body: object): { account: Account; customers: CustomerRow[] } {
  const { value, phoneNumbers, errors } = checkAccount(
    { import_supplier: 'SUP', external_account_number: 'EXT', ...body },
    aSupplierWith(),
    NOON,
  );
  expect(errors).toEqual([]);
  if (!value || !phoneNumbers) throw new Error('not a whole account');
  return { account: value, customers: customersOf(value, phoneNumbers) };
}

const read = (body: object): Account => checked(body).account;

describe('a validation', () => {
  it('finds the pair, how the import is to be run, and where documents are named', () => {
    const checked = checkAccount(
      {
        payload: {
          ...aSmallAccount('SUP', 'EXT'),
          notes: [{ body: 'x' }, { document_paths: [{ document_path: 'a' }, { document_path: '../b' }, { document_path: '/c' }] }],
          statements: [{ statement_path: 'd' }, 5, {}],
        },
        task_params: { is_dry_run: true, schedule_window_start: '2026-12-01T00:00:00+01:00', schedule_window_end: '2026-12-02' },
      },
      undefined,
      NOON,
    );
    expect(checked).toMatchObject({
      supplierCode: 'SUP',
      externalAccountNumber: 'EXT',
      taskParams: { isDryRun: true, windowStart: Date.UTC(2026, 10, 30, 23), windowEnd: undefined },
      documentPaths: [
        { path: ['notes', 1, 'document_paths', 0, 'document_path'], documentPath: 'a' },
        { path: ['notes', 1, 'document_paths', 2, 'document_path'], documentPath: '/c' },
        { path: ['statements', 0, 'statement_path'], documentPath: 'd' },
      ],
    });
    expect(checked.value).toBeUndefined();
  });

  it('finds no pair that is not well-formed', () => {
    const checked = checkAccount({ import_supplier: 'x'.repeat(33), external_account_number: 5 }, undefined, NOON);
    expect([checked.supplierCode, checked.externalAccountNumber]).toEqual([undefined, undefined]);
  });

  it('leaves out what was not given, at every depth, but inside metadata', () => {
    const { value } = checkAccount(
      {
        ...aSmallAccount('SUP', 'EXT'),
        company_name: null,
        account_type: '',
        notes: [],
        metadata: [{ key: 'k', value: { a: null, b: '' } }],
        customers: [{ family_name: 'B', title: '', mobile: null, consents: [] }],
        supply_addresses: null,
      },
      undefined,
      NOON,
    );
    expect(Object.keys(value ?? {})).not.toEqual(expect.arrayContaining(['company_name']));
    expect(value).not.toHaveProperty('account_type');
    expect(value).not.toHaveProperty('notes');
    expect(value).not.toHaveProperty('supply_addresses');
    expect(value?.customers).toEqual([{ family_name: 'B' }]);
    expect(value?.metadata).toEqual([{ key: 'k', value: { a: null, b: '' } }]);
  });
});

describe('the customers of an account', () => {
  it('keep their numbers as sent and in E.164, and all documented fields', () => {
    expect(checked(aFullAccount('SUP', 'EXT')).customers).toEqual([
      {
        position: 0,
        givenName: 'Αθηνά',
        familyName: 'Παπαδοπούλου',
        email: 'athina@bakery.example.com',
        mobile: '07400 123456',
        mobileE164: '+447400123456',
        landline: '(0117) 496 0123',
        landlineE164: '+441174960123',
        alternativePhoneNumbers: [{ phone_number: '+30 21 2345 6789', e164: '+302123456789' }],
        dateOfBirth: '1979-11-02',
        details: {
          title: 'Dr',
          salutation: 'Dear Dr Papadopoulou',
          pronouns: 'she/her',
          customer_preferences: { opted_in_to_offers: false, opted_in_to_third_parties: false },
          consents: [{ type: 'MARKETING_POST', value: 'REJECTED' }],
          metadata: [{ key: 'vip', value: true }],
        },
      },
      {
        position: 1,
        givenName: null,
        familyName: '佐藤',
        email: 'sato@xn--80ak6aa92e.example',
        mobile: null,
        mobileE164: null,
        landline: null,
        landlineE164: null,
        alternativePhoneNumbers: null,
        dateOfBirth: null,
        details: null,
      },
    ]);
    expect(checked({}).customers).toEqual([]);
  });
});

describe('the open period of an account', () => {
  const statements = (...dates: string[]) =>
    dates.map((date, index) => ({ statement_id: String(index), bill_period_from_date: '2000-01-01', bill_period_to_date: date }));

  it.each([
    [{ last_billed_to_date: '2026-10-31', statements: statements('2027-01-01') }, '2026-11-01'],
    [{ last_billed_to_date: '2024-02-28' }, '2024-02-29'],
    [{ last_billed_to_date: '2030-12-31' }, '2031-01-01'],
    [{ statements: statements('2026-03-31', '2026-09-30', '2025-12-31') }, '2026-10-01'],
    [{}, '2026-11-01'],
    [{ account_billing_options: { period_start_day: 20 } }, '2026-11-20'],
    [{ account_billing_options: { period_start_day: 21 } }, '2026-10-21'],
    [{ account_billing_options: { period_length: 'QUARTERLY' } }, '2026-10-01'],
    [{ account_billing_options: { period_length: 'QUARTERLY', period_start_month: 2 } }, '2026-11-01'],
    [{ account_billing_options: { period_length: 'QUARTERLY', period_start_month: 2, period_start_day: 21 } }, '2026-08-21'],
    [{ account_billing_options: { period_length_multiplier: 5 } }, '2026-09-01'],
    [
      { account_billing_options: { period_length: 'QUARTERLY', period_length_multiplier: 4, period_start_month: 4, period_start_day: 6 } },
      '2026-04-06',
    ],
  ])('of %j starts on %s', (fields, expected) => {
    expect(openPeriodOf(read(fields), '2026-11-20').periodFrom).toBe(expected);
  });

  it('knows the cycle it is counted by', () => {
    expect(openPeriodOf(read({}), '2026-11-20')).toMatchObject({ cycleMonths: 1, cycleStartMonth: 1, cycleStartDay: 1 });
    const options = { period_length: 'QUARTERLY', period_length_multiplier: 2, period_start_day: 5, period_start_month: 11 };
    expect(openPeriodOf(read({ account_billing_options: options }), '2026-11-20')).toEqual({
      cycleMonths: 6,
      cycleStartMonth: 11,
      cycleStartDay: 5,
      periodFrom: '2026-11-05',
    });
  });
});

describe('bank and card numbers', () => {
  const redactedInstructions = (...payment_instructions: unknown[]) => redactBankDetails({ payment_instructions }).payment_instructions;

  it('are cut to their last four, wherever in an instruction they stand', () => {
    expect(
      redactedInstructions({
        vendor: 'V',
        reference: '4242424242424242',
        account_number: 55_779_911,
        bank_account: {
          account_holder: 'A',
          account_number: '5577 99-11',
          iban: 'GB33 BUKB 2020 1555 5555 55',
          sort_code: '20-00-00',
          bsb: '063-000',
        },
        card: {
          last_digits: '4242',
          number: '4000 0566 5566 5556',
          holder: 'A',
          nested: [{ pan: 4_000_056_655_665_556 }],
          expiry_year: 2029,
        },
        nested: [{ iban: 'DE89370400440532013000' }],
      }),
    ).toEqual([
      {
        vendor: 'V',
        reference: '4242',
        account_number: '9911',
        bank_account: { account_holder: 'A', account_number: '9911', iban: '5555', sort_code: '20-00-00', bsb: '063-000' },
        card: { last_digits: '4242', number: '5556', holder: 'A', nested: [{ pan: '5556' }], expiry_year: 2029 },
        nested: [{ iban: '3000' }],
      },
    ]);
  });

  it('leaves out the security code of a card', () => {
    expect(
      redactedInstructions({ type: 'CARD', card: { cvc: '123', CVV: 123, nested: { security_code: '1' }, last_digits: '4242' }, pin: 'x' }),
    ).toEqual([{ type: 'CARD', card: { nested: {}, last_digits: '4242' }, pin: 'x' }]);
  });

  it('stay as they are once cut, and what is no number too', () => {
    const sent = [{ bank_account: { account_number: '991', iban: null } }, 'x', null];
    expect(redactedInstructions(...sent)).toEqual(sent);
    const once = redactBankDetails(aFullAccount('SUP', 'EXT'));
    expect(redactBankDetails(once)).toEqual(once);
  });

  it('are cut in a copy', () => {
    const account = aFullAccount('SUP', 'EXT');
    const redacted = redactBankDetails(account);
    expect(account).toEqual(aFullAccount('SUP', 'EXT'));
    expect(JSON.stringify(redacted)).not.toContain('55779911');
    expect({ ...redacted, payment_instructions: account.payment_instructions }).toEqual(account);
    const none = aSmallAccount('SUP', 'EXT');
    expect(redactBankDetails(none)).toEqual(none);
  });

  it('are cut in the rows of payment instructions, which count from 1', () => {
    expect(payloadInstructionsOf(read(aFullAccount('SUP', 'EXT')))).toEqual([
      {
        type: 'CARD',
        position: 1,
        vendor: 'STRIPE',
        reference: 'pm_1',
        details: { valid_from: '2025-12-24', card: { last_digits: '4242', expiry_month: 12, expiry_year: 2029 } },
      },
      {
        type: 'DIRECT_DEBIT',
        position: 2,
        vendor: 'GOCARDLESS',
        reference: 'MD0001',
        details: {
          valid_from: '2025-12-24T10:00:00Z',
          bank_account: { account_holder: 'A PAPADOPOULOU', account_number: '9911', sort_code: '20-00-00', iban: '5555' },
        },
      },
    ]);
    expect(payloadInstructionsOf(read({}))).toEqual([]);
  });
});
