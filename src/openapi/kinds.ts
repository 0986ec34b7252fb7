/**
 * What JSON Schema can say of each kind of field. The fields name their kind as `format` (`shared/fields.ts`); the reference says it
 * in words that every validator knows. Patterns do without look-around, which not all of them have.
 */
import { COUNTRIES } from '../shared/countries';
import { EMAIL } from '../shared/fields';

const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F';
const LINE = `^[^${CONTROLS}]*$`;
const REQUIRED_LINE = `^[^${CONTROLS}]*[^\\s${CONTROLS}][^${CONTROLS}]*$`;
/** A supplier's code as the operator chooses it. */
export const CODE_PATTERN = `^[^\\s/${CONTROLS}](?:[^/${CONTROLS}]*[^\\s/${CONTROLS}])?$`;
const SEGMENT = `[^/\\\\${CONTROLS}]+`;
const DOTS = '(?:^|/)\\.{1,2}(?:/|$)';
/** A folder of the bucket; slashes at its ends are dropped, and `''` is the default. */
export const FOLDER = { pattern: `^(?:/*${SEGMENT}(?:/${SEGMENT})*/*)?$`, not: { type: 'string', pattern: DOTS } };
const DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const HOUR = '(?:[01][0-9]|2[0-3])';
const DATETIME = `${DATE}T${HOUR}:[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?(?:Z|[+-]${HOUR}(?::?[0-5][0-9])?)?`;
/** `date` and `date-time` of JSON Schema have a year 0000, which is in no calendar. */
const NO_YEAR_0 = { not: { type: 'string', pattern: '^0000-' } };

export const KINDS: Readonly<Record<string, object>> = {
  line: { pattern: LINE },
  'required-line': { pattern: REQUIRED_LINE },
  // Tab, LF and CR are allowed.
  text: { pattern: '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F]*$' },
  // No address could name `.` and `..`; a byte order mark at an end is a slip that nobody sees.
  identifier: { pattern: REQUIRED_LINE, not: { type: 'string', pattern: '^\\.{1,2}$|^\\uFEFF|\\uFEFF$' } },
  date: { format: 'date', ...NO_YEAR_0 },
  'date-time': { format: 'date-time', pattern: `^${DATETIME}$`, ...NO_YEAR_0 },
  'date-or-date-time': { pattern: `^(?:${DATE}|${DATETIME})$`, ...NO_YEAR_0 },
  email: { format: 'email', pattern: `^(?:${EMAIL.source.slice(1, -1)})?$` },
  country: { pattern: countryPattern() },
  // Language, script, region and one variant. Whatever else BCP 47 knows is taken too.
  language: {
    pattern: '^(?:[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?)?$',
  },
  'document-path': {
    maxLength: 1_024,
    pattern: `^/?${SEGMENT}(?:/${SEGMENT})*$`,
    not: { type: 'string', pattern: DOTS },
  },
  amount: { minimum: -9_999_999_999.99, maximum: 9_999_999_999.99, pattern: '^-?0*[0-9]{1,10}(?:\\.[0-9]{1,2}0*)?$' },
  decimal: { maxLength: 64, pattern: '^-?[0-9]+(?:\\.[0-9]+)?$' },
  name: { pattern: '^(?:[A-Z][A-Z0-9_]*)?$' },
  'required-name': { pattern: '^[A-Z][A-Z0-9_]*$' },
  digits: { pattern: '^[0-9]*$' },
};

/** `^(?:A[DE…]|B[AB…]|…)$` */
function countryPattern(): string {
  const byLetter = Map.groupBy(COUNTRIES, (code) => code.slice(0, 1));
  return `^(?:${[...byLetter].map(([letter, codes]) => `${letter}[${codes.map((code) => code.slice(1)).join('')}]`).join('|')})$`;
}
