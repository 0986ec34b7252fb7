/**
 * Phone numbers, by the numbering plan of the supplier's country or in international form. Pure.
 *
 * The full metadata: with the small one, numbers that no line can have count as valid in several countries.
 */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type FieldError, fieldError, type Path } from '../shared/errors';
import type { AccountDraft } from './schema';

/** The number in E.164; undefined unless the whole text is one valid number without an extension. Any kind of line counts. */
export function e164Of(text: string, defaultCountry: string): string | undefined {
  // A country without a numbering plan of its own leaves the international form.
  const options: { extract: false; defaultCountry?: CountryCode } = { extract: false };
  if (isSupportedCountry(defaultCountry)) options.defaultCountry = defaultCountry;
  const number = parsePhoneNumberFromString(text, options);
  return number?.isValid() && number.ext === undefined ? number.number : undefined;
}

/** Judges every phone number of the customers. Code: `invalid_phone_number`. */
export function phoneErrors(customers: AccountDraft['customers'] = [], defaultCountry: string): FieldError[] {
  const errors: FieldError[] = [];
  const judge = (path: Path, text: string | undefined) => {
    if (text === undefined || e164Of(text, defaultCountry) !== undefined) return;
    errors.push(fieldError(path, 'invalid_phone_number', 'Enter a valid phone number, without an extension.'));
  };
  customers.forEach((customer, index) => {
    judge(['customers', index, 'mobile'], customer?.mobile);
    judge(['customers', index, 'landline'], customer?.landline);
    customer?.alternative_phone_numbers?.forEach((alternative, position) => {
      judge(['customers', index, 'alternative_phone_numbers', position, 'phone_number'], alternative?.phone_number);
    });
  });
  return errors;
}
