import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountNumberOf,
  accountNumberOfIdentifier,
  isAccountNumber,
  platformIdentifierOf,
  processIdOf,
} from '../../src/import-processes/number';

const KEY = '00112233445566778899aabbccddeeff';
const key = fc.array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: 32, maxLength: 32 }).map((digits) => digits.join(''));
const id = fc.integer({ min: 0, max: 0xffff_ffff });

describe('a platform account number', () => {
  it('is A- and eight capital hex digits', () => {
    fc.assert(fc.property(id, key, (value, secret) => /^A-[0-9A-F]{8}$/.test(accountNumberOf(value, secret))));
  });

  it('is never that of another id under the same key', () => {
    fc.assert(
      fc.property(id, id, key, (a, b, secret) => {
        expect(accountNumberOf(a, secret) === accountNumberOf(b, secret)).toBe(a === b);
      }),
    );
    const numbers = new Set(Array.from({ length: 200_000 }, (_, i) => accountNumberOf(i + 1, KEY)));
    expect(numbers.size).toBe(200_000);
  });

  it('is always the same for one id and key', () => {
    // Numbers are given away: a change of this permutation would give some of them twice.
    expect([0, 1, 2, 65_536, 0xffff_ffff].map((value) => accountNumberOf(value, KEY))).toEqual([
      'A-60BF1893',
      'A-9ABB44FE',
      'A-C736149A',
      'A-67412C90',
      'A-46FAE3FF',
    ]);
  });

  it('depends on every part of the key', () => {
    const numbers = [0, 8, 16, 24].map((from) => accountNumberOf(7, `${KEY.slice(0, from)}deadbeef${KEY.slice(from + 8)}`));
    expect(new Set([...numbers, accountNumberOf(7, KEY)]).size).toBe(5);
  });

  it('does not say how many accounts there are: neighbours differ in half of their bits, in every half', () => {
    let [bits, high, low] = [0, 0, 0];
    const pairs = 5_000;
    for (let i = 1; i <= pairs; i++) {
      const difference = Number(platformIdentifierOf(accountNumberOf(i, KEY))) ^ Number(platformIdentifierOf(accountNumberOf(i + 1, KEY)));
      const ones = (part: number) => (part >>> 0).toString(2).replaceAll('0', '').length;
      bits += ones(difference);
      high += difference >>> 16 === 0 ? 1 : 0;
      low += (difference & 0xffff) === 0 ? 1 : 0;
    }
    expect(bits / pairs).toBeGreaterThan(15);
    expect(bits / pairs).toBeLessThan(17);
    expect(high + low).toBeLessThan(10);
  });

  it.each([-1, 1.5, 0x1_0000_0000, Number.NaN])('of %d does not exist', (value) => {
    expect(() => accountNumberOf(value, KEY)).toThrow('the id has no account number');
  });

  it('and the platform identifier are the same 32 bits', () => {
    expect(platformIdentifierOf('A-00000000')).toBe('0');
    expect(platformIdentifierOf('A-0000000A')).toBe('10');
    expect(platformIdentifierOf('A-FFFFFFFF')).toBe('4294967295');
  });

  it.each([
    ['A-60BF1893', 0],
    ['A-9ABB44FE', 1],
    ['A-C736149A', 2],
    ['A-67412C90', 65_536],
    ['A-46FAE3FF', 0xffff_ffff],
  ])('%s leads back to %d', (number, value) => {
    expect(processIdOf(number, KEY)).toBe(value);
  });

  it('leads back to the id it was made of, and every number to one id', () => {
    fc.assert(fc.property(id, key, (value, secret) => processIdOf(accountNumberOf(value, secret), secret) === value));
    fc.assert(
      fc.property(id, key, (value, secret) => {
        const number = accountNumberOfIdentifier(String(value)) ?? '';
        return accountNumberOf(processIdOf(number, secret), secret) === number;
      }),
    );
  });

  it('is found by its identifier, as it is written and no other way', () => {
    fc.assert(
      fc.property(id, key, (value, secret) => {
        const number = accountNumberOf(value, secret);
        return accountNumberOfIdentifier(platformIdentifierOf(number)) === number && isAccountNumber(number);
      }),
    );
    for (const text of ['', '-1', '01', '1.0', '1e3', '4294967296', '99999999999', '0x1', ' 1', '1 ', '١', 'constructor'])
      expect(accountNumberOfIdentifier(text), text).toBeUndefined();
    for (const text of [
      '',
      'A-',
      'A-0000000',
      'A-000000000',
      'a-00000000',
      'A-0000000a',
      'A-0000000G',
      'B-00000000',
      ' A-00000000',
      'A-00000000\n',
    ])
      expect(isAccountNumber(text), text).toBe(false);
  });
});
