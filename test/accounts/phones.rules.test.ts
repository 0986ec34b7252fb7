import { describe, expect, it } from 'vitest';
import { checkAccount, customersOf } from '../../src/accounts';
import { errorsIn, NOON } from '../support/checking';
import { aSupplierWith } from '../support/suppliers';

const account = (customer: object) => ({
  import_supplier: 'SUP',
  external_account_number: 'EXT',
  customers: [{ family_name: 'B', ...customer }],
});

/** The stored form of a number in each field; `refused` where its field is reported. */
function stored(text: string, default_country: string): string | null | undefined {
  const supplier = aSupplierWith({ default_country });
  const forms = (['mobile', 'landline', 'alternative_phone_numbers'] as const).map((field) => {
    const isList = field === 'alternative_phone_numbers';
    const body = account({ [field]: isList ? [{ phone_number: '+44 20 7946 0018' }, { phone_number: text }] : text });
    const errors = errorsIn(body, { supplier });
    if (errors.length > 0) {
      expect(errors).toEqual([`customers.0.${isList ? `${field}.1.phone_number` : field} invalid_phone_number`]);
      return 'refused';
    }
    const { value, phoneNumbers } = checkAccount(body, supplier, NOON);
    const [row] = value && phoneNumbers ? customersOf(value, phoneNumbers) : [];
    if (isList) {
      expect(row?.alternativePhoneNumbers?.[1]?.phone_number).toBe(text);
      return row?.alternativePhoneNumbers?.[1]?.e164;
    }
    expect(row?.[field]).toBe(text);
    return field === 'mobile' ? row?.mobileE164 : row?.landlineE164;
  });
  expect(new Set(forms).size).toBe(1);
  return forms[0];
}

describe('a phone number', () => {
  it.each([
    ['07400 123456', 'GB', '+447400123456'],
    ['020 7946 0018', 'GB', '+442079460018'],
    ['(020) 7946-0018', 'GB', '+442079460018'],
    ['\u202a+44 20 7946 0018\u202c', 'GB', '+442079460018'],
    ['\u200e020 7946 0018\u200f', 'GB', '+442079460018'],
    ['\u2066020\u2069 7946 0018\u061c', 'GB', '+442079460018'],
    ['+44 (0)20 7946 0018', 'GB', '+442079460018'],
    ['0044 20 7946 0018', 'GB', '+442079460018'],
    ['+61 412 345 678', 'GB', '+61412345678'],
    ['0412 345 678', 'AU', '+61412345678'],
    ['(03) 9012 3456', 'AU', '+61390123456'],
    ['0011 44 20 7946 0018', 'AU', '+442079460018'],
    ['+1 202-456-1111', 'GB', '+12024561111'],
    ['0800 123 4567', 'GB', '+448001234567'],
    ['+800 1234 5678', 'GB', '+80012345678'],
    ['+44 20 7946 0018', 'AQ', '+442079460018'],
  ])('%j of a supplier in %s is stored as %s', (text, country, expected) => expect(stored(text, country)).toBe(expected));

  it.each([
    ['07700 900123', 'GB'],
    ['0412 345 678', 'GB'],
    ['07400 123456', 'AU'],
    ['07400 12345', 'GB'],
    ['07400 1234567', 'GB'],
    ['1234567', 'GB'],
    ['999', 'GB'],
    ['0', 'GB'],
    ['+', 'GB'],
    ['+999 12345678', 'GB'],
    ['020 7946 0018 ext 5', 'GB'],
    ['020 7946 0018 x5', 'GB'],
    ['+44 20 7946 0018;ext=5', 'GB'],
    ['020 7946 0018 #5', 'GB'],
    ['call 020 7946 0018', 'GB'],
    ['\u200b020 7946 001', 'GB'],
    ['020 7946 0018 (mum)', 'GB'],
    ['tel:+442079460018', 'GB'],
    ['0800 CALL NOW', 'GB'],
    ['07400 123456 / 07400 123457', 'GB'],
    ['none', 'GB'],
    ['020 7946 0018', 'AQ'],
    // Valid only to those who look no further than its length.
    ['684 316 1958', 'US'],
    ['091 065 5558', 'NZ'],
  ])('%j of a supplier in %s is refused', (text, country) => expect(stored(text, country)).toBe('refused'));

  it('is not validated where the supplier is unknown', () => {
    expect(errorsIn(account({ mobile: '999' }), { supplier: undefined })).toEqual([]);
  });
});
