/**
 * Money in integer minor units and other decimals verbatim; never a float in between (§2.4). Pure.
 */
import type { Problem } from './errors';
import { literalProblem, MAX_DIGITS } from './literals';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const MINUS = 45;
const POINT = 46;
const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;

/** Digits of a decimal: sign, whole part without leading zeros, fraction without trailing zeros. */
interface Digits {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** Reads a JSON number or a decimal string; undefined if it is no decimal. The exponents JSON allows in numbers are written out. */
export function digitsOf(value: number | string): Digits | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const plain = DECIMAL.exec(text);
  if (plain) return digits(plain[1] === '-', plain[2] ?? '', plain[3] ?? '');
  const parts = typeof value === 'number' ? EXPONENT.exec(text) : null;
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = parts;
  const shift = Number(power);
  const all = whole + fraction;
  const point = whole.length + shift;
  return point <= 0
    ? digits(sign === '-', '0', '0'.repeat(-point) + all)
    : digits(sign === '-', all.slice(0, point).padEnd(point, '0'), all.slice(point));
}

const digits = (negative: boolean, whole: string, fraction: string): Digits => ({
  negative,
  whole: whole.replace(/^0+/, ''),
  fraction: withoutTrailingZeros(fraction),
});

/** By hand: a regular expression takes quadratic time over zeros that do not trail. */
function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/**
 * Minor units of an amount in plain digits, up to ten before the point and two after it; undefined for anything else, which may
 * still be an amount. By hand: every amount passes here.
 */
function plainUnits(value: number | string): number | undefined {
  if (typeof value === 'number') {
    const units = Math.round(value * 100);
    // A double has room for twelve digits: the nearest one to a decimal reads back as that decimal.
    return Math.abs(value) < 1e10 && units / 100 === value ? units + 0 : undefined;
  }
  const start = value.charCodeAt(0) === MINUS ? 1 : 0;
  let units = 0;
  let point = value.length;
  for (let i = start; i < value.length; i++) {
    const digit = value.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) units = units * 10 + digit;
    else if (digit === POINT - 48 && point === value.length) point = i;
    else return undefined;
  }
  const [whole, decimals] = [point - start, value.length - point - 1];
  if (whole < 1 || whole > 10 || decimals === 0 || decimals > 2) return undefined;
  const scaled = decimals === 2 ? units : decimals === 1 ? units * 10 : units * 100;
  return start === 1 && scaled !== 0 ? -scaled : scaled;
}

/** What is wrong with a number as such, and the digits of one that is right. */
function readNumber(
  value: number | string,
): { readonly problem: Problem; readonly read?: never } | { readonly problem?: never; readonly read: Digits } {
  const read = digitsOf(value);
  if (!read) {
    const literal = typeof value === 'number' ? literalProblem(value) : undefined;
    return { problem: literal ?? { code: 'invalid', detail: 'A valid number is required.' } };
  }
  const all = read.whole + read.fraction;
  const hasTooMany = typeof value === 'number' && all.length > 15 && all.replace(/^0+|0+$/g, '').length > 15;
  return hasTooMany ? { problem: MAX_DIGITS } : { read };
}

/**
 * Validates an amount of money: at most 10 whole digits and 2 decimals, as a number at most 15 significant digits. Codes: `invalid`,
 * `max_digits`, `max_whole_digits`, `max_decimal_places`.
 */
export function amountProblem(value: number | string): Problem | undefined {
  if (plainUnits(value) !== undefined) return undefined;
  const { problem, read } = readNumber(value);
  if (problem) return problem;
  if (read.whole.length > 10)
    return { code: 'max_whole_digits', detail: 'Ensure that there are no more than 10 digits before the decimal point.' };
  if (read.fraction.length > 2) return { code: 'max_decimal_places', detail: 'Ensure that there are no more than 2 decimal places.' };
  return undefined;
}

/** An amount that {@link amountProblem} accepts, in minor units. Throws on any other: a bug of the caller. */
export function minorUnits(value: number | string): number {
  const plain = plainUnits(value);
  if (plain !== undefined) return plain;
  const read = digitsOf(value);
  if (!read || amountProblem(value)) throw new Error('not an amount');
  const units = Number(read.whole + read.fraction.padEnd(2, '0'));
  return read.negative && units !== 0 ? -units : units;
}

const MAX_TOTAL_DIGITS = 16;

/** What is wrong with a sum of many amounts: at most 16 whole digits and 2 decimals, as a number at most 15 significant digits. */
export function totalProblem(value: number | string): Problem | undefined {
  const { problem, read } = readNumber(value);
  if (problem) return problem;
  if (read.whole.length > MAX_TOTAL_DIGITS)
    return { code: 'max_whole_digits', detail: `Ensure that there are no more than ${MAX_TOTAL_DIGITS} digits before the decimal point.` };
  if (read.fraction.length > 2) return { code: 'max_decimal_places', detail: 'Ensure that there are no more than 2 decimal places.' };
  return undefined;
}

/** A sum that {@link totalProblem} accepts, in minor units, exactly. Throws on any other: a bug of the caller. */
export function totalUnits(value: number | string): bigint {
  const read = digitsOf(value);
  if (!read || totalProblem(value)) throw new Error('not a total');
  const units = BigInt(read.whole + read.fraction.padEnd(2, '0'));
  return read.negative ? -units : units;
}

/** Minor units as the wire shows them: a string with two decimals. */
export function formatMinorUnits(units: number | bigint): string {
  const text = String(units < 0 ? -units : units).padStart(3, '0');
  return `${units < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Validates a decimal that keeps its value: a string verbatim, a number only up to 15 significant digits (`max_digits`). */
export function decimalProblem(value: number | string): Problem | undefined {
  if (plainUnits(value) !== undefined) return undefined;
  const { problem } = readNumber(value);
  if (problem || typeof value === 'number' || value.length <= 64) return problem;
  return { code: 'max_digits', detail: 'Ensure that there are no more than 64 characters in the number.' };
}
