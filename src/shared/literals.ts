/**
 * Numbers as JSON text writes them. `JSON.parse` rounds in silence what a double cannot say: `99.9999999999999999` becomes 100,
 * `1e400` becomes Infinity. Here such a literal becomes one of two values that no field takes. Pure.
 */
import type { Problem } from './errors';

/** In the place of a literal with more digits than a double can give back. */
const TOO_MANY_DIGITS = Number.POSITIVE_INFINITY;
/** In the place of a literal that is further from zero, or nearer to it, than any double but zero. */
const OUT_OF_RANGE = Number.NEGATIVE_INFINITY;

export const MAX_DIGITS: Problem = {
  code: 'max_digits',
  detail: 'Ensure that there are no more than 15 significant digits, or send the number as a string.',
};
const BEYOND_RANGE: Problem = { code: 'invalid', detail: 'Send a number this large or this small as a string.' };

/** What is wrong with a number out of {@link parseExactly}, whatever field it is in; undefined for one that a double can say. */
export function literalProblem(value: number): Problem | undefined {
  if (value === TOO_MANY_DIGITS) return MAX_DIGITS;
  return value === OUT_OF_RANGE ? BEYOND_RANGE : undefined;
}

/** As `JSON.parse`, but a number that a double cannot say becomes Infinity or -Infinity: see {@link literalProblem}. */
export function parseExactly(text: string): unknown {
  return JSON.parse(mayRound(text) ? withStandIns(text) : text);
}

/** Fewer digits, point included, and an exponent of two digits are within what every double can say. */
const LONG_RUN = 16;
const LONG_EXPONENT = /\d[eE][+-]?\d{3}/g;
/** The shortest literal that is out of range: `1e400`. */
const SHORTEST = 5;

/** False for nearly every text, and soon: of a run of 16, one place is found in steps of 16. */
function mayRound(text: string): boolean {
  for (let i = LONG_RUN - 1; i < text.length; i += LONG_RUN) {
    if (!isDigitOrPoint(text.charCodeAt(i))) continue;
    const from = startOfRun(text, i);
    let to = i + 1;
    while (isDigitOrPoint(text.charCodeAt(to))) to++;
    if (to - from >= LONG_RUN && mayBeginNumber(text, from)) return true;
    i = to - 1;
  }
  LONG_EXPONENT.lastIndex = 0;
  for (let found = LONG_EXPONENT.exec(text); found; found = LONG_EXPONENT.exec(text)) {
    if (mayBeginNumber(text, startOfRun(text, found.index))) return true;
  }
  return false;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isDigitOrPoint = (unit: number): boolean => isDigit(unit) || unit === 46;

function startOfRun(text: string, at: number): number {
  let from = at;
  while (isDigitOrPoint(text.charCodeAt(from - 1))) from--;
  return from;
}

/** False inside most strings: a number begins with a digit, and follows white space, a sign, or what is between values. */
const mayBeginNumber = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at)) && (at === 0 || ' \t\n\r:,[-'.includes(text.charAt(at - 1)));

const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The text with `1e999` or `-1e999` for each number outside of strings that a double cannot say. */
function withStandIns(text: string): string {
  let copy = '';
  let done = 0;
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from);
    const end = quote < 0 ? text.length : quote;
    if (end - from > SHORTEST) {
      const between = text.slice(from, end);
      const exact = between.replace(LITERAL, standInOf);
      if (exact !== between) {
        copy += text.slice(done, from) + exact;
        done = end;
      }
    }
    from = quote < 0 ? end : endOfString(text, quote);
  }
  return copy + text.slice(done);
}

function endOfString(text: string, quote: number): number {
  let end = quote;
  do end = text.indexOf('"', end + 1);
  while (end >= 0 && isEscaped(text, end));
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

function standInOf(literal: string): string {
  if (literal.length < SHORTEST) return literal;
  const value = Number(literal);
  if (Number.isFinite(value) && isSame(scientific(literal), scientific(String(value)))) return literal;
  return value === 0 || !Number.isFinite(value) ? '-1e999' : '1e999';
}

/** The digits of a number from its first to its last that is not 0, and the power of ten of the last. Nothing of the sign. */
interface Scientific {
  readonly digits: string;
  readonly power: number;
}

const isSame = (a: Scientific, b: Scientific): boolean => a.digits === b.digits && (a.digits === '' || a.power === b.power);

function scientific(literal: string): Scientific {
  const [mantissa = '', exponent = '0'] = literal.split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let [from, to] = [all.startsWith('-') ? 1 : 0, all.length];
  while (all[from] === '0') from++;
  // By hand: a regular expression takes quadratic time over zeros that do not trail.
  while (to > from && all[to - 1] === '0') to--;
  return { digits: all.slice(from, to), power: Number(exponent) - fraction.length + all.length - to };
}
