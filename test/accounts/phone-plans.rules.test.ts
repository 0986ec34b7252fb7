import * as fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { plainE164 } from '../../src/accounts/validation/phone-plans';

/** What the library alone says: the E.164 form of a valid number, else undefined. */
function askedOfTheLibrary(text: string, defaultCountry: CountryCode): string | undefined {
  const number = parsePhoneNumberFromString(text, { extract: false, defaultCountry });
  return number?.isValid() && number.ext === undefined ? number.number : undefined;
}

const countries = getCountries();
const examplesByCountry: Readonly<Record<string, string>> = examples;

/** Digits in the forms people write them, near to numbers that exist. */
const text = (country: CountryCode) => {
  const example = examplesByCountry[country] ?? '123456789';
  const near = fc
    .tuple(fc.integer({ min: 0, max: example.length }), fc.nat({ max: 2 }), fc.stringMatching(/^\d{0,3}$/))
    .map(([from, dropped, digits]) => example.slice(0, from) + digits + example.slice(from + dropped + digits.length));
  const national = fc.oneof(near, fc.constant(example), fc.stringMatching(/^\d{2,14}$/));
  const code = getCountryCallingCode(country);
  const start = fc.constantFrom(
    '',
    '0',
    '1',
    '8',
    '06',
    '9',
    '00',
    '011',
    code,
    `00${code}`,
    `+${code}`,
    `+${code} `,
    `+${code} 0`,
    `+${code}1`,
    '+',
  );
  return fc.tuple(start, national, fc.constantFrom('', ' ', '-')).map(([before, digits, gap]) => {
    const parted = gap === '' ? digits : digits.replace(/(\d{3})(?=\d)/g, `$1${gap}`);
    return before + parted;
  });
};

describe('the short way to an E.164 form', () => {
  it.each(countries.map((country) => [country]))('never says what the library does not: %s', (country) => {
    fc.assert(
      fc.property(text(country), (written) => {
        const short = plainE164(written, country);
        if (short !== undefined) expect(short).toBe(askedOfTheLibrary(written, country));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['07400 123456', 'GB', '+447400123456'],
    ['(0117) 496 0123', 'GB', '+441174960123'],
    ['+44 20 7946 0018', 'GB', '+442079460018'],
    ['0412 345 678', 'AU', '+61412345678'],
    ['202-456-1111', 'US', '+12024561111'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
  ])('is taken by %j in %s', (written, country, expected) => expect(plainE164(written, country)).toBe(expected));

  it.each([
    ['+44 (0)20 7946 0018', 'GB'],
    ['+1 202-456-1111', 'GB'],
    ['0044 20 7946 0018', 'GB'],
    ['07700 900123', 'GB'],
    ['07400 123456 x12', 'GB'],
  ])('leaves %j in %s to the library', (written, country) => expect(plainE164(written, country)).toBe(undefined));
});
