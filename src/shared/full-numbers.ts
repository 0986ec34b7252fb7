/**
 * Full card numbers and IBANs, in whatever field: known by their check digits (ISO/IEC 7812, ISO 13616). Pure.
 */
import { isCountry } from './countries';

/** Digits of a card number. */
const [SHORTEST_CARD, LONGEST_CARD] = [13, 19];
/** Digits of a phone number in international form, which begins with `+` (E.164). */
const LONGEST_PHONE = 15;
/** Characters of an IBAN, with room for separators. */
const LONGEST_IBAN = 100;

const DIGITS = /\p{Nd}+/gu;
/** What may separate the digits of one number: spaces, dashes, points, slashes, and what nobody sees. */
const SEPARATORS = /[\s\p{Z}\p{Pd}\p{Cf}\u2212._/]+/gu;
const MAX_SEPARATORS = 3;

const LETTER = /\p{L}/u;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** Some of its digits in a row would be taken for a card's number now and then. */
const withoutDigits = (uuid: string): string => (/[a-f]/i.test(uuid) ? uuid.replace(/\d/g, 'x') : uuid);

/** The last four characters of a text, separators apart. */
export const lastFour = (text: string): string => [...withoutSeparators(text)].slice(-4).join('');

export const withoutSeparators = (text: string): string => text.replace(SEPARATORS, '');

/** The text with each card number in it cut to its last four digits, and an IBAN to its last four characters. */
export function cutFullNumbers(text: string): string {
  if (text.length < SHORTEST_CARD || !mayHoldOne(text)) return text;
  if (isIban(text)) return lastFour(text);
  const runs: Run[] = [];
  let end = 0;
  for (const { 0: found, index } of text.replace(UUID, withoutDigits).matchAll(DIGITS)) {
    runs.push({ before: text.slice(end, index), text: found, digits: plainDigits(found) });
    end = index + found.length;
    while (cutLast(runs, LETTER.test(text.charAt(end))));
  }
  return runs.map(({ before, text: run }) => before + run).join('') + text.slice(end);
}

/** Two letters and two digits, as an IBAN begins. */
const BEGINS_AS_IBAN = /^[\W_]*[a-z][\W_]*[a-z][\W_]*\d[\W_]*\d/i;

/** False for nearly every text, and soon: plain characters with too few digits for a card, and no beginning of an IBAN. */
function mayHoldOne(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7e) return true;
    if (unit >= 48 && unit <= 57) digits++;
  }
  return digits >= SHORTEST_CARD || (text.length <= LONGEST_IBAN && BEGINS_AS_IBAN.test(text));
}

export const holdsFullNumber = (text: string): boolean => cutFullNumbers(text) !== text;

/** Digits in a row, and what separates them from the run before. */
interface Run {
  readonly before: string;
  readonly text: string;
  /** The same as plain digits, whatever script they are written in. */
  readonly digits: string;
}

/** Where the last runs make a card number, one run of its last four digits takes their place. False if they make none. */
function cutLast(runs: Run[], isBeforeLetter: boolean): boolean {
  let [written, digits] = ['', ''];
  for (let first = runs.length - 1; first >= 0; first--) {
    const run = runs[first];
    if (!run || digits.length + run.digits.length > LONGEST_CARD) return false;
    [written, digits] = [run.text + written, run.digits + digits];
    if (digits.length >= SHORTEST_CARD && passesLuhn(digits) && mayBeCard(digits, run.before, isBeforeLetter)) {
      runs.splice(first, runs.length - first, { before: run.before, text: [...written].slice(-4).join(''), digits: digits.slice(-4) });
      return true;
    }
    if (run.before.length > MAX_SEPARATORS || withoutSeparators(run.before) !== '') return false;
  }
  return false;
}

/** In the middle of a word, as in `MD0002012345678901`, only what begins as cards do is one; by chance each tenth number has the check digit. */
function mayBeCard(digits: string, before: string, isBeforeLetter: boolean): boolean {
  if (before.endsWith('+')) return digits.length > LONGEST_PHONE;
  return /^(?:[3-6]|2[2-7])/.test(digits) || !(isBeforeLetter || LETTER.test(before.slice(-1)));
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

const plainDigits = (run: string): string => (/^\d+$/.test(run) ? run : [...run].map(plainDigit).join(''));

/** A decimal digit of any script as one of `0` to `9`: each script has its ten in a row. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;
/** Has IBANs, and no code of ISO 3166-1. */
const KOSOVO = 'XK';

function isIban(text: string): boolean {
  if (text.length > LONGEST_IBAN) return false;
  const compact = withoutSeparators(text.normalize('NFKC')).toUpperCase();
  const country = compact.slice(0, 2);
  if (!IBAN.test(compact) || !(isCountry(country) || country === KOSOVO)) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
