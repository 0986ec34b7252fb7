/**
 * The vocabulary of the wire (§2.1): one zod type per kind of field, each validated by one function that names the code itself.
 *
 * No type transforms its value and no object carries a refinement: a body that fails in one field is still validated in all
 * others (`parse.ts`). `format` names the kind for the reference, which says it in JSON Schema. `''` means "not given" in optional text and choices; `null` in every optional field.
 */
import * as z from 'zod';
import { isCountry } from './countries';
import { instantOf, isDate } from './dates';
import { INVALID_DOCUMENT_PATH, relativeDocumentPath } from './document-paths';
import type { Problem } from './errors';
import { amountProblem, decimalProblem } from './money';
import { checked } from './reader';
import { hasOuterByteOrderMark, holdsInvisible, INVALID_TEXT, isBlank, isFreeText, isLine, isLongerThan } from './unicode';

// Each type is made once: making them is much of what a Worker does when it starts.
const anyText = z.string();
const anyNumber = z.number();
const numberOrText = z.union([anyNumber, anyText]);

const BLANK: Problem = { code: 'blank', detail: 'This field may not be blank.' };
const tooLong = (max: number): Problem => ({ code: 'max_length', detail: `Ensure this field has no more than ${max} characters.` });

function lineProblem(text: string, max: number): Problem | undefined {
  if (!isLine(text)) return INVALID_TEXT;
  return isLongerThan(text, max) ? tooLong(max) : undefined;
}

/** Makes a type for each argument once. */
function once<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, T>();
  return (key) => {
    let type = made.get(key);
    if (type === undefined) {
      type = make(key);
      made.set(key, type);
    }
    return type;
  };
}

/** A required line of text, 1 to `max` characters, not blank. */
export const requiredLine = once((max: number) =>
  checked(anyText, (text) => (isBlank(text) ? BLANK : lineProblem(text, max)), { format: 'required-line', minLength: 1, maxLength: max }),
);

/** A line of text of at most `max` characters; `''` is "not given". Wrap in {@link optional}. */
export const line = once((max: number) => checked(anyText, (text) => lineProblem(text, max), { format: 'line', maxLength: max }));

/** Free text (tab, CR and LF allowed) of at most `max` characters; `''` is "not given". */
export const freeText = once((max: number) =>
  checked(anyText, (text) => (!isFreeText(text) ? INVALID_TEXT : isLongerThan(text, max) ? tooLong(max) : undefined), {
    format: 'text',
    maxLength: max,
  }),
);

/**
 * An account number or supplier code (§2.2): a required line that a URL can carry back, so not `.` or `..`, and that nobody's
 * editor has marked. Else it counts as it is sent: invisible characters and Unicode forms make another one.
 */
export const identifier = once((max: number) =>
  checked(
    anyText,
    (text) => {
      if (isBlank(text)) return BLANK;
      if (text === '.' || text === '..') return { code: 'invalid', detail: 'Choose another value: no address can name this one.' };
      if (hasOuterByteOrderMark(text)) return { code: 'invalid', detail: 'Take the byte order mark off its start or end.' };
      return lineProblem(text, max);
    },
    { format: 'identifier', minLength: 1, maxLength: max },
  ),
);

/** The code of a supplier as the operator gives it: an identifier that reads as it looks. */
export const supplierCode = checked(
  identifier(32),
  (text) => {
    if (text.includes('/')) return { code: 'invalid', detail: 'Take "/" out of the supplier code.' };
    if (holdsInvisible(text)) return { code: 'invalid', detail: 'Take invisible characters out of the supplier code.' };
    // `/documents/check/` is an address of its own, so it cannot be that of a list.
    if (text === 'check') return { code: 'invalid', detail: 'Choose another code: no address can name the documents of this one.' };
    return text === text.trim()
      ? undefined
      : { code: 'invalid', detail: 'Take the white space off the start and end of the supplier code.' };
  },
  { minLength: 1, maxLength: 32 },
);

/** A required choice of a closed set. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);

/** An optional choice of a closed set; `''` is "not given". */
export const optionalChoice = <const T extends readonly [string, ...string[]]>(values: T) => z.enum([...values, '']).nullish();

const OPTIONALS = new WeakMap<z.ZodType, z.ZodType>();

/** An optional field: absent or `null` is "not given". */
export function optional<T extends z.ZodType>(type: T): z.ZodOptional<z.ZodNullable<T>> {
  const known = OPTIONALS.get(type);
  // What is remembered for a type was made from it right here.
  if (known) return known as z.ZodOptional<z.ZodNullable<T>>;
  const made = type.nullish();
  OPTIONALS.set(type, made);
  return made;
}

export const boolean = z.boolean();

/** A calendar date, `YYYY-MM-DD`. */
export const date = checked(
  anyText,
  (text) => (isDate(text) ? undefined : { code: 'invalid_date', detail: 'Enter a date that exists, in the form YYYY-MM-DD.' }),
  { format: 'date' },
);

/** An ISO 8601 datetime; without an offset it is UTC. */
export const datetime = checked(
  anyText,
  (text) =>
    instantOf(text) === undefined
      ? { code: 'invalid_datetime', detail: 'Enter a moment that exists, in ISO 8601, for example 2026-01-31T09:30:00Z.' }
      : undefined,
  { format: 'date-time' },
);

/** A calendar date or an ISO 8601 datetime. */
export const dateOrDatetime = checked(
  anyText,
  (text) =>
    isDate(text) || instantOf(text) !== undefined
      ? undefined
      : { code: 'invalid_datetime', detail: 'Enter a date or a moment that exists, in ISO 8601, for example 2026-01-31.' },
  { format: 'date-or-date-time' },
);

/** HTML's own rule for e-mail addresses (https://html.spec.whatwg.org/#valid-e-mail-address); domains may be punycode. */
export const EMAIL =
  /^[A-Za-z0-9_.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** An e-mail address of at most `max` characters; `''` is "not given". */
export const email = (max: number) =>
  checked(
    anyText,
    (text) => {
      if (isLongerThan(text, max)) return tooLong(max);
      return text === '' || EMAIL.test(text) ? undefined : { code: 'invalid_email', detail: 'Enter a valid email address.' };
    },
    { format: 'email', maxLength: max },
  );

/** A required country, ISO 3166-1 alpha-2. */
export const country = checked(
  anyText,
  (text) => {
    if (isBlank(text)) return BLANK;
    return isCountry(text)
      ? undefined
      : { code: 'invalid_country', detail: 'Enter a country as two capital letters of ISO 3166-1, for example GB.' };
  },
  { format: 'country' },
);

const MAX_LANGUAGE_CHARACTERS = 64;

/** A language tag of BCP 47; `''` is "not given". */
export const language = checked(
  anyText,
  (text) => {
    if (text === '' || isLanguage(text)) return undefined;
    return { code: 'invalid', detail: 'Enter a language tag of BCP 47, for example en-GB.' };
  },
  { format: 'language', maxLength: MAX_LANGUAGE_CHARACTERS },
);

/** Language, script and region, as nearly all tags are: right without asking further. */
const PLAIN_LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

function isLanguage(text: string): boolean {
  if (PLAIN_LANGUAGE.test(text)) return true;
  if (text.length > MAX_LANGUAGE_CHARACTERS) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** A document path (§2.1), validated as far as that goes without the supplier's root; it has no empty form. */
export const documentPath = checked(anyText, (text) => (relativeDocumentPath(text) === undefined ? INVALID_DOCUMENT_PATH : undefined), {
  format: 'document-path',
});

/** Money: number or decimal string, at most 10 whole digits and 2 decimals. */
export const amount = checked(numberOrText, amountProblem, { format: 'amount' });

/** A decimal that keeps its value: number of at most 15 significant digits, or decimal string. */
export const decimal = checked(numberOrText, decimalProblem, { format: 'decimal' });

/** A whole number within bounds. Codes: `invalid`, `min_value`, `max_value`. */
export const integer = (min: number, max: number) =>
  checked(
    anyNumber,
    (value) => {
      if (!Number.isInteger(value)) return { code: 'invalid', detail: 'A valid integer is required.' };
      if (value < min) return { code: 'min_value', detail: `Ensure this value is greater than or equal to ${min}.` };
      return value > max ? { code: 'max_value', detail: `Ensure this value is less than or equal to ${max}.` } : undefined;
    },
    { type: 'integer', minimum: min, maximum: max },
  );

/** A required list of 1 to `max` items. */
export const list = <T extends z.ZodType>(item: T, max: number) => z.array(item).min(1).max(max);

/** An optional list of at most `max` items; empty is "not given". */
export const optionalList = <T extends z.ZodType>(item: T, max: number) => z.array(item).max(max).nullish();
