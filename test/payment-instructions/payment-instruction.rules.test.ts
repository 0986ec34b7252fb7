import { describe, expect, it } from 'vitest';
import { alreadyActive, vendorErrors, verdictOn } from '../../src/payment-instructions/rules';
import type { VendorAnswer } from '../../src/payment-instructions/vendors/answer';
import { readMandate } from '../../src/payment-instructions/vendors/gocardless';
import { readPaymentMethod } from '../../src/payment-instructions/vendors/stripe';
import { aSupplierWith } from '../support/suppliers';
import { worded } from '../support/worded';
import { mandate, paymentMethod } from '../vendor-double/bodies';

const found = (changes: Partial<Extract<VendorAnswer, { kind: 'found' }>>): VendorAnswer => ({
  kind: 'found',
  method: 'CARD',
  isActive: true,
  details: { last_four: '4242' },
  ...changes,
});

describe('the vendor of an instruction', () => {
  it.each([
    ['is any where the supplier names none', 'STRIPE', [], []],
    ['is one of those that the supplier names', 'STRIPE', ['GOCARDLESS', 'STRIPE'], []],
    ['is no other', 'STRIPE', ['GOCARDLESS'], ['vendor invalid_choice']],
    ['is not validated where it was refused', undefined, ['GOCARDLESS'], []],
  ] as const)('%s', (_, vendor, vendors, expected) => {
    const errors = vendorErrors(vendor, aSupplierWith({ vendors: [...vendors] }));
    expect(worded(errors).map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual(expected);
  });

  it('is not validated without the supplier', () => expect(vendorErrors('STRIPE', undefined)).toEqual([]));
});

it('a second active instruction is an error of the whole request', () => {
  expect(worded([alreadyActive('STRIPE', 'CARD')])).toMatchObject([
    { path: ['non_field_errors'], code: 'payment_instruction_already_active', detail: expect.stringMatching(/CARD.*STRIPE/) },
  ]);
});

describe('what a vendor answered decides', () => {
  it.each<[VendorAnswer, string, string]>([
    [found({ isActive: false }), 'reference', 'payment_instruction_inactive'],
    [found({ isActive: false, method: 'DIRECT_DEBIT' }), 'reference', 'payment_instruction_inactive'],
    [found({ method: 'DIRECT_DEBIT' }), 'type', 'payment_instruction_type_mismatch'],
    [found({ method: 'OTHER' }), 'type', 'payment_instruction_type_mismatch'],
    [{ kind: 'not_found' }, 'reference', 'payment_instruction_not_found'],
    [{ kind: 'not_configured' }, 'vendor', 'vendor_not_configured'],
    [{ kind: 'rejected_credentials' }, 'vendor', 'vendor_rejected_credentials'],
  ])('%o is refused at %s: %s', (answer, attr, code) => {
    const verdict = verdictOn(answer, 'CARD');
    expect(verdict).toMatchObject({ kind: 'refused', error: { path: [attr], code } });
    if (verdict.kind === 'refused') worded([verdict.error]);
  });

  it('an active instruction of the same kind is verified, with its details', () => {
    expect(verdictOn(found({}), 'CARD')).toEqual({ kind: 'verified', details: { last_four: '4242' } });
    expect(verdictOn(found({ method: 'DIRECT_DEBIT' }), 'DIRECT_DEBIT').kind).toBe('verified');
  });

  it('a vendor that is unavailable refuses nothing', () => {
    expect(verdictOn({ kind: 'unavailable', reason: 'status_503' }, 'CARD')).toEqual({ kind: 'unavailable', reason: 'status_503' });
  });
});

describe('a Stripe payment method', () => {
  const card = (month: number, year: number) => paymentMethod('pm_1', 'card', { month, year });

  it.each([
    [card(11, 2026), true],
    [card(12, 2026), true],
    [card(1, 2027), true],
    [card(10, 2026), false],
    [card(12, 2025), false],
  ])('is good to the end of its last month (%#)', (method, isActive) => {
    expect(readPaymentMethod(method, '2026-11')).toMatchObject({ kind: 'found', method: 'CARD', isActive });
  });

  it.each([
    ['us_bank_account', 'DIRECT_DEBIT'],
    ['bacs_debit', 'DIRECT_DEBIT'],
    ['nz_bank_account', 'OTHER'],
    ['card_present', 'OTHER'],
    ['link', 'OTHER'],
  ])('of type %s is %s', (type, method) => {
    expect(readPaymentMethod(paymentMethod('pm_1', type), '2026-11')).toMatchObject({ method });
  });

  it.each([
    undefined,
    null,
    'pm_1',
    [],
    {},
    { object: 'list', type: 'card' },
    { object: 'payment_method' },
    { object: 'payment_method', type: 'card' },
    { object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242424242424242', exp_month: 1, exp_year: 2030 } },
    { object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 13, exp_year: 2030 } },
  ])('is not read from %o', (json) => {
    expect(readPaymentMethod(json, '2026-11')).toBeUndefined();
  });

  it('never yields more than four digits of a number', () => {
    const method = { object: 'payment_method', type: 'bacs_debit', bacs_debit: { last4: '12345678' } };
    expect(readPaymentMethod(method, '2026-11')).toMatchObject({ details: { last_four: undefined } });
  });
});

describe('a GoCardless mandate', () => {
  it('is active in three states only', () => {
    const states = ['pending_customer_approval', 'pending_submission', 'submitted', 'active', 'suspended_by_payer', 'failed', 'cancelled'];
    const active = states.filter((state) => {
      const answer = readMandate(mandate('MD1', state));
      return answer?.kind === 'found' && answer.isActive;
    });
    expect(active).toEqual(['pending_submission', 'submitted', 'active']);
  });

  it.each([undefined, null, {}, { mandates: [] }, { mandates: { id: 'MD1' } }, { error: {} }])('is not read from %o', (json) => {
    expect(readMandate(json)).toBeUndefined();
  });
});
