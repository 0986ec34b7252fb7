/** §4.5: no full card number and no full IBAN is left of a text, however it is spelled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutFullNumbers, holdsFullNumber, lastFour } from '../../src/shared/full-numbers';
import { cardNumber, digitsOf, iban, spelled } from '../support/full-numbers';

const spelledCard = cardNumber.chain((digits) => fc.tuple(fc.constant(digits), spelled(digits)));

describe('a card number', () => {
  it('is cut to its last four digits in any spelling, and the words around it stay', () => {
    fc.assert(
      fc.property(spelledCard, ([digits, text]) => {
        const rest = cutFullNumbers(text);
        expect(digitsOf(rest)).not.toContain(digits);
        expect(holdsFullNumber(text)).toBe(true);
        expect(text.startsWith(rest.slice(0, 1)) || digitsOf(rest.slice(0, 2)) !== '').toBe(true);
        expect(cutFullNumbers(rest)).toBe(rest);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['4242424242424242', '4242'],
    ['4000 0566-5566.5556', '5556'],
    ['Visa 4000056655665556 12/29', 'Visa 5556 12/29'],
    ['status-404~4000056655665556', 'status-404~5556'],
    ['4000056655665556, 5555555555554444', '5556, 4444'],
    ['40000566556655565555555555554444', '40000566556655565555555555554444'],
    ['378282246310005', '0005'],
    ['+378282246310005', '+378282246310005'],
    ['+4242424242424242', '+4242'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '٤٢٤٢'],
  ])('%s becomes %s', (text, rest) => expect(cutFullNumbers(text)).toBe(rest));

  it.each([
    ...['', 'pm_1', 'MD0001', '4242', '4242424242424241', '424242424242', '2025-12-24T10:00:00.123456789+10:30', '+49 1512 3456788'],
    ...[
      '63f1e9a2-4242-4242-8242-424242424242',
      '2003456789',
      '4242 4242 , 4242 4242',
      '4242....4242....4242....4242',
      'A-1',
      '2026-01-31 10:00',
    ],
  ])('is not %j', (text) => {
    expect(cutFullNumbers(text)).toBe(text);
    expect(holdsFullNumber(text)).toBe(false);
  });

  it('is looked for in a megabyte of digits at once', { timeout: 10_000 }, () => {
    for (const text of ['4242424242424242 '.repeat(60_000), '4 2 '.repeat(250_000), '4'.repeat(1_000_000), '4242 '.repeat(200_000)]) {
      const rest = cutFullNumbers(text);
      expect(cutFullNumbers(rest)).toBe(rest);
    }
  });
});

describe('an IBAN', () => {
  it('is cut to its last four characters, with separators or without, in any case', () => {
    fc.assert(
      fc.property(iban, fc.constantFrom('', ' ', '-', '\u00a0'), fc.boolean(), (text, separator, isLower) => {
        const written = (text.match(/.{1,4}/g) ?? []).join(separator);
        const sent = isLower ? written.toLowerCase() : written;
        expect(cutFullNumbers(sent).toUpperCase()).toBe(text.slice(-4));
      }),
    );
  });

  it.each(['GB33BUKB20201555555556', 'ZZ33BUKB20201555555555', 'RF18539007547034', 'GB33', 'X'.repeat(500)])('is not %s', (text) =>
    expect(cutFullNumbers(text)).toBe(text),
  );
});

it.each([
  ['5577 99-11', '9911'],
  ['911', '911'],
  ['a\u00a0b', 'ab'],
  ['𝟙𝟚𝟛𝟜𝟝', '𝟚𝟛𝟜𝟝'],
])('the last four of %s are %s', (text, rest) => expect(lastFour(text)).toBe(rest));
