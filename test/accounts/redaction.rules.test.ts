/** §4.5: what is left of payment data before anything is stored, whatever its fields are called. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactBankDetails } from '../../src/accounts';
import { mayHoldBankDetails } from '../../src/accounts/payload/bank-details';
import { cardNumber, digitsOf, iban, spelled } from '../support/full-numbers';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../support/payloads';

/** A name as programs of all kinds write it. */
const written = (name: string): fc.Arbitrary<string> => {
  const words = name.split('_');
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return fc.constantFrom(
    name,
    name.toUpperCase(),
    words.join('-'),
    words.join(' '),
    words.map(capital).join(''),
    words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
    words.map(capital).join('.'),
    words.join(''),
  );
};
const oneOf = (...names: string[]): fc.Arbitrary<string> => fc.constantFrom(...names).chain(written);

const HOLDERS = [
  ...['payment_instructions', 'payment_instruction', 'bank_account', 'bank_accounts', 'bank_details', 'card', 'cards'],
  ...['credit_card', 'debit_card', 'payment_card', 'card_details', 'payment_method', 'payment_details', 'direct_debit', 'bank'],
];
const SECRETS = [
  ...['cvv', 'cvv2', 'cvc', 'cvc2', 'card_cvv', 'cvc_code', 'security_code', 'card_security_code', 'verification_value', 'csc', 'cid'],
  ...['card_verification_value', 'pin', 'pin_block', 'track_2', 'track_data', 'magnetic_stripe', 'validation_code'],
];
const ACCOUNT_NUMBERS = [
  'account_number',
  'account_no',
  'acct_number',
  'bank_account_number',
  'debtor_account_number',
  'acc_nr',
  'iban',
  'bban',
];

/** Anywhere below: in lists, in objects of any name, at any depth. */
const buried = (leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.oneof(
        fc.constant('list'),
        fc.string({ unit: fc.constantFrom('a', 'z', '_', ' ', ':', '"', '\\', 'é', '0', '佐'), maxLength: 6 }),
        oneOf('reference', 'number', 'details', 'value'),
      ),
      { maxLength: 4 },
    )
    .chain((steps) =>
      leaf.map((value) =>
        steps.reduce<unknown>(
          (inner, step) =>
            step === 'list'
              ? [null, inner]
              : Object.fromEntries([
                  [step, inner],
                  ['beside_it', 1],
                ]),
          value,
        ),
      ),
    );

const account = aSmallAccount('SUP', 'EXT');
/** An account that holds the value under a name of payment data, at its top or further down. */
const held = (value: fc.Arbitrary<unknown>, ...names: string[]): fc.Arbitrary<object> =>
  fc.tuple(oneOf(...names), value, fc.constantFrom('top', 'deep')).map(([name, data, place]) => {
    const field = Object.fromEntries([[name, data]]);
    return place === 'top' ? { ...account, ...field } : { ...account, customers: [{ ...account.customers[0], legacy: [field] }] };
  });

const texts = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.entries(value).flat().flatMap(texts) : [String(value)];
const holds = (value: unknown, digits: string) => texts(value).some((text) => digitsOf(text).includes(digits));

const escapedName = (name: string) => JSON.stringify(name).replace(/[a-z]/gi, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

/** JSON text in which every letter of a name is escaped. */
function withEscapedNames(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item: unknown) => withEscapedNames(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, child]) => `${/[\\"]/.test(name) ? JSON.stringify(name) : escapedName(name)}:${withEscapedNames(child)}`,
  );
  return `{${fields.join(',')}}`;
}

/** No name and no spelling of it in the text goes unseen, and cutting again changes nothing. */
function redacted(sent: object): object {
  const text = JSON.stringify(sent);
  const escaped = withEscapedNames(sent);
  expect(JSON.parse(escaped)).toEqual(JSON.parse(text));
  expect([mayHoldBankDetails(text), mayHoldBankDetails(escaped)]).toEqual([true, true]);
  const before = structuredClone(sent);
  const once = redactBankDetails(sent);
  expect(sent).toEqual(before);
  expect(redactBankDetails(once)).toEqual(once);
  return once;
}

const RUNS = { numRuns: 500 };

describe('of payment data', () => {
  it('no full card number is left, under any name and at any depth, as text or number', () => {
    const leaf = cardNumber.chain((digits) =>
      fc
        .oneof(spelled(digits), fc.constant(Number.isSafeInteger(Number(digits)) ? Number(digits) : digits))
        .map((value) => ({ digits, value })),
    );
    fc.assert(
      fc.property(
        leaf.chain(({ digits, value }) => held(buried(fc.constant(value)), ...HOLDERS).map((sent) => ({ digits, sent }))),
        ({ digits, sent }) => {
          expect(holds(sent, digits)).toBe(true);
          expect(holds(redacted(sent), digits)).toBe(false);
        },
      ),
      RUNS,
    );
  });

  it('no name is a full card number', () => {
    fc.assert(
      fc.property(
        cardNumber.chain((digits) =>
          held(buried(fc.constant({ [digits]: { a: 1 }, 4242: 2 })), ...HOLDERS).map((sent) => ({ digits, sent })),
        ),
        ({ digits, sent }) => {
          const rest = redacted(sent);
          expect(holds(rest, digits)).toBe(false);
          expect(texts(rest)).toHaveLength(texts(sent).length);
        },
      ),
      RUNS,
    );
  });

  it('no security code is left, but what only says that there is one', () => {
    const code = fc.constantFrom<unknown>('7351', 7351, '٧٣٥١', { value: '7351' }, ['7351'], { a: { b: 7351 } });
    const named = fc.tuple(oneOf(...SECRETS), code).map(([name, value]) => Object.fromEntries([[name, value]]));
    const paired = fc.tuple(oneOf(...SECRETS), fc.constantFrom('key', 'name')).map(([name, key]) => ({ [key]: name, value: '7351' }));
    fc.assert(
      fc.property(held(buried(fc.oneof(named, paired)), ...HOLDERS), (sent) => {
        expect(holds(sent, '7351')).toBe(true);
        expect(holds(redacted(sent), '7351')).toBe(false);
      }),
      RUNS,
    );
    const checks = { payment_instructions: [{ card: { cvc_check: 'pass', cvv: null, pin: true, security_code: '' } }] };
    expect(redactBankDetails(checks)).toEqual(checks);
  });

  it('account numbers and IBANs are cut to their last four, under every name they have', () => {
    const value = fc.constantFrom<unknown>('55779911', 55_779_911, '5577-99 11', '5577.9911', { value: '55779911' });
    const named = fc.tuple(oneOf(...ACCOUNT_NUMBERS), value).map(([name, number]) => Object.fromEntries([[name, number]]));
    fc.assert(
      fc.property(held(buried(named), ...HOLDERS), (sent) => {
        const rest = redacted(sent);
        expect([holds(rest, '5577'), holds(rest, '9911')]).toEqual([false, true]);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(
        iban.chain((number) => held(buried(fc.constant(number)), ...HOLDERS).map((sent) => ({ number, sent }))),
        ({ number, sent }) => {
          expect(texts(redacted(sent))).not.toContain(number);
        },
      ),
      RUNS,
    );
  });

  it('a bank account is cut where it is a number itself, and where its number has no longer name', () => {
    for (const bank_account of ['55779911', 55_779_911, { number: '55779911' }, [{ No: 55_779_911 }], { account: '55779911' }]) {
      expect(JSON.stringify(redactBankDetails({ bank_account }))).toMatch(/"9911"/);
      expect(JSON.stringify(redactBankDetails({ bank_account }))).not.toContain('5577');
    }
  });

  it('all else stays as it was sent', () => {
    const whole = {
      bank_account: {
        account_holder: 'A',
        sort_code: '20-00-00',
        bsb: '063-000',
        bank: '20041010',
        opened_at: '2020-01-31T10:00:00.123456Z',
      },
      payment_instructions: [
        {
          vendor: 'V',
          type: 'BPAY',
          reference: '2003456789',
          external_account_number: 'EXT-1234567',
          valid_from: '2025-12-24T10:00:00+01:00',
          phone: '+49 1512 3456789',
          card: { last_digits: '4242', expiry_month: 12, expiry_year: 2029, brand: 'visa' },
          id: '63f1e9a2-4242-4242-8242-424242424242',
          more: [null, true, 5, -1.5, { nothing: null, '': '' }],
        },
      ],
      payment_method: 'DIRECT_DEBIT',
      bank_account_verified_on: '2020-01-31',
      bank_name: 'Bank 24 of 1234567',
      number: '4242424242424242',
      account_number: '55779911',
      notes: [{ body: 'Card 4242424242424242' }],
    };
    const rest = redactBankDetails(whole);
    expect(rest).toEqual(whole);
    expect(redactBankDetails({ ...whole, bank_account: { account_number: '991', iban: null } })).toMatchObject({
      bank_account: { account_number: '991', iban: null },
    });
  });
});

it('of the deepest body is found at once', { timeout: 10_000 }, () => {
  for (const name of ['a', 'cvv', 'card', 'bank_account']) {
    let deep: unknown = 'x'.repeat(100_000);
    for (let level = 0; level < 60; level++) deep = { [name]: deep, '4242424242424242': level, [`${name}s`]: [1] };
    expect(texts(redactBankDetails({ payment_instructions: deep }))).not.toContain('4242424242424242');
  }
});

describe('a text that cannot hold payment data', () => {
  it.each([
    ['a small account', JSON.stringify(aSmallAccount('SUP', 'EXT'))],
    [
      'payments by card and bank',
      '{"payment_type":"DEBIT_CARD","reason":"BANK_TRANSFER","means":"CARD" , "note":"by card","type":"DIRECT_DEBIT"}',
    ],
    ['names in other scripts, escaped', '{"billing_name":"\\u0391\\u03b8\\u03b7","phone":"\\u002b44"}'],
  ])('is known by its look: %s', (_, text) => expect(mayHoldBankDetails(text)).toBe(false));

  it.each(['British', 'Australian'])('is no full account: %s', (country) => {
    const full = country === 'British' ? aFullAccount('SUP', 'EXT') : anAustralianAccount('SUP', 'EXT');
    expect(mayHoldBankDetails(JSON.stringify(full))).toBe(true);
  });

  it.each([
    '{"a":{"bank_account":{"account_number":"55779911"}},"a":1}',
    '{"payment_instructions":[{"reference":"4242424242424242"}],"payment_instructions":[]}',
    '{"\\u0070ayment_instructions":[]}',
    '{"payment\\u005finstructions" :[]}',
    '{"card\\"s":1}',
    `{"bank${'x'.repeat(200)}":1}`,
    '{"pan":1}',
  ])('is no such: %s', (text) => expect(mayHoldBankDetails(text)).toBe(true));

  it('is looked at once, whatever it holds', { timeout: 10_000 }, () => {
    for (const text of ['card'.repeat(250_000), 'card" '.repeat(150_000), `card"${' '.repeat(900_000)}`, 'payment '.repeat(120_000)]) {
      expect(typeof mayHoldBankDetails(text)).toBe('boolean');
    }
  });
});
