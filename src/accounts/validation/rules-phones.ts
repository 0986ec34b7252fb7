/**
 * Phone numbers, by the numbering plan of the supplier's country or in international form. Pure.
 *
 * The full metadata: with the small one, numbers that no line can have count as valid in several countries.
 */
import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import { type FieldError, fieldError, MAX_ERRORS, type Path } from '../../shared/errors';
import type { AccountDraft } from '../schema';
import { phoneMetadata, plainE164 } from './phone-plans';

/** Marks of the direction of writing, which Windows copies along with a number. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The number in E.164; undefined unless the whole text, direction marks apart, is one valid number without an extension. Any kind
 * of line counts.
 */
function e164Of(sent: string, defaultCountry: string): string | undefined {
  const text = sent.replace(DIRECTION_MARKS, '');
  const plain = plainE164(text, defaultCountry);
  if (plain !== undefined) return plain;
  // A country without a numbering plan of its own leaves the international form.
  const options: { extract: false; defaultCountry?: CountryCode } = { extract: false };
  const metadata = phoneMetadata();
  if (hasPlan(defaultCountry, metadata)) options.defaultCountry = defaultCountry;
  const number = parsePhoneNumberFromString(text, options, metadata);
  return number?.isValid() && number.ext === undefined ? number.number : undefined;
}

const hasPlan = (country: string, { countries }: MetadataJson): country is CountryCode => Object.hasOwn(countries, country);

/** Phone numbers as sent, each with its E.164 form; undefined where it is no valid number. */
export type PhoneNumbers = ReadonlyMap<string, string | undefined>;

/**
 * Reads every phone number of the customers, once: it is by far the dearest part of validating a small account. After the last error
 * that is listed the rest are not read.
 */
export function phoneNumbersOf(customers: AccountDraft['customers'], defaultCountry: string): PhoneNumbers {
  const numbers = new Map<string, string | undefined>();
  let invalid = 0;
  for (const { text } of phonesOf(customers)) {
    if (numbers.has(text)) continue;
    const e164 = e164Of(text, defaultCountry);
    numbers.set(text, e164);
    if (e164 === undefined && ++invalid > MAX_ERRORS) break;
  }
  return numbers;
}

/** Code: `invalid_phone_number`. */
export const phoneErrors = (customers: AccountDraft['customers'], numbers: PhoneNumbers): FieldError[] =>
  phonesOf(customers)
    .filter(({ text }) => numbers.has(text) && numbers.get(text) === undefined)
    .map(({ path }) => fieldError(path, 'invalid_phone_number', 'Enter a valid phone number, without an extension.'));

function phonesOf(customers: AccountDraft['customers'] = []): { path: Path; text: string }[] {
  const phones: { path: Path; text: string }[] = [];
  customers.forEach((customer, index) => {
    const path = ['customers', index];
    if (customer?.mobile !== undefined) phones.push({ path: [...path, 'mobile'], text: customer.mobile });
    if (customer?.landline !== undefined) phones.push({ path: [...path, 'landline'], text: customer.landline });
    customer?.alternative_phone_numbers?.forEach((alternative, position) => {
      const text = alternative?.phone_number;
      if (text !== undefined) phones.push({ path: [...path, 'alternative_phone_numbers', position, 'phone_number'], text });
    });
  });
  return phones;
}
