import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountProblem, decimalProblem, digitsOf, formatMinorUnits, minorUnits } from '../../src/shared/money';

describe('an amount', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    [0, 0],
    [-0, 0],
    ['-0.000', 0],
    ['12', 1200],
    ['-7', -700],
    ['12.5', 1250],
    [12.5, 1250],
    ['0012.50000', 1250],
    ['-0.01', -1],
    [0.1, 10],
    [1.1, 110],
    ['9999999999.99', 999_999_999_999],
    [9999999999.99, 999_999_999_999],
    [1e3, 100_000],
    [-51.6, -5160],
  ])('%j is %i minor units', (value, units) => {
    expect(amountProblem(value)).toBeUndefined();
    expect(Object.is(minorUnits(value), units)).toBe(true);
  });

  it.each([
    ['', 'invalid'],
    [' 1', 'invalid'],
    ['1 ', 'invalid'],
    ['+1', 'invalid'],
    ['.5', 'invalid'],
    ['5.', 'invalid'],
    ['1.2.3', 'invalid'],
    ['-', 'invalid'],
    ['-.5', 'invalid'],
    ['1,5', 'invalid'],
    ['1e3', 'invalid'],
    ['0x1', 'invalid'],
    ['١٢', 'invalid'],
    ['--1', 'invalid'],
    ['NaN', 'invalid'],
    ['1\n', 'invalid'],
    [Number.POSITIVE_INFINITY, 'max_digits'],
    [Number.NEGATIVE_INFINITY, 'invalid'],
    [1234567890.1234567, 'max_digits'],
    [1234567890123456, 'max_digits'],
    ['10000000000', 'max_whole_digits'],
    [1e10, 'max_whole_digits'],
    [1e300, 'max_whole_digits'],
    ['0.001', 'max_decimal_places'],
    [0.001, 'max_decimal_places'],
    [1e-7, 'max_decimal_places'],
    [0.1 + 0.2, 'max_digits'],
    ['0.30000000000000004', 'max_decimal_places'],
    ['10000000000.001', 'max_whole_digits'],
  ])('%j is refused as %s', (value, code) => {
    expect(amountProblem(value)?.code).toBe(code);
    expect(() => minorUnits(value)).toThrow('not an amount');
  });

  it('says what is wrong in words', () => {
    expect(amountProblem('x')?.detail).toBe('A valid number is required.');
    expect(amountProblem('10000000000')?.detail).toMatch(/no more than 10 digits/);
    expect(amountProblem('0.001')?.detail).toMatch(/no more than 2 decimal places/);
  });

  it('keeps its value from text to minor units and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), (units) => {
        const text = formatMinorUnits(units);
        expect(text).toMatch(/^-?\d+\.\d\d$/);
        expect(minorUnits(text)).toBe(units);
        expect(minorUnits(Number(text))).toBe(units);
      }),
    );
  });

  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [-10, '-0.10'],
    [100, '1.00'],
    [123_456, '1234.56'],
  ])('%i minor units are shown as %s', (units, text) => {
    expect(formatMinorUnits(units)).toBe(text);
  });

  it('of a megabyte is validated at once, whatever its digits', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(amountProblem(`0.${zeros}1`)?.code).toBe('max_decimal_places');
    expect(amountProblem(`0.${'01'.repeat(500_000)}`)?.code).toBe('max_decimal_places');
    expect(amountProblem(`${zeros}1.${zeros}`)).toBeUndefined();
    expect(decimalProblem(`0.${zeros}1`)?.code).toBe('max_digits');
  });
});

describe('a decimal that keeps its value', () => {
  it.each([
    1,
    -1.5,
    0.1,
    0.00123456789012345,
    123_456_789_012_345,
    1e-10,
    1.5e20,
    1e22,
    '1',
    '-0.000',
    '1'.repeat(64),
    '12345678901234567890.123',
  ])('%j is taken', (value) => {
    expect(decimalProblem(value)).toBeUndefined();
  });

  it.each([
    ['1e3', 'invalid'],
    ['', 'invalid'],
    [Number.NaN, 'invalid'],
    [Number.MAX_VALUE, 'max_digits'],
    [0.1 + 0.2, 'max_digits'],
    [1234567890123456, 'max_digits'],
    ['1'.repeat(65), 'max_digits'],
  ])('%j is refused as %s', (value, code) => {
    expect(decimalProblem(value)?.code).toBe(code);
  });

  it('says what is wrong in words', () => {
    expect(decimalProblem('x')?.detail).toBe('A valid number is required.');
    expect(decimalProblem('1'.repeat(65))?.detail).toMatch(/no more than 64 characters/);
    expect(decimalProblem(0.1 + 0.2)?.detail).toMatch(/15 significant digits/);
  });
});

describe('the digits of a number', () => {
  it.each([
    ['-007.1200', { negative: true, whole: '7', fraction: '12' }],
    [1.5e-7, { negative: false, whole: '', fraction: '00000015' }],
    [-1e21, { negative: true, whole: `1${'0'.repeat(21)}`, fraction: '' }],
    [1.25e21, { negative: false, whole: `125${'0'.repeat(19)}`, fraction: '' }],
    [1.23456789012345e21, { negative: false, whole: '1234567890123450000000', fraction: '' }],
    [5e-324, { negative: false, whole: '', fraction: `${'0'.repeat(323)}5` }],
  ])('%j', (value, digits) => {
    expect(digitsOf(value)).toEqual(digits);
  });

  it('are those of the number, whatever its exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = digitsOf(value);
        const text = `${read?.negative ? '-' : ''}${read?.whole || '0'}.${read?.fraction || '0'}`;
        // `===`: -0 and 0 are one amount.
        expect([value, Number(text) === value]).toEqual([value, true]);
      }),
    );
  });
});
