/**
 * What bad input is made of: values that have broken software before, as JSON text and as bytes.
 */
import type { Random } from '../simulation/random';

/** JSON text that no JavaScript value says: numbers beyond reach, keys sent twice, `__proto__` as a key. */
export class Raw {
  constructor(readonly text: string) {}
}

const TEXTS = [
  '',
  ' ',
  '\t',
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '\ufffe',
  '\u202eright to left\u202c',
  'עברית العربية',
  'zero\u200bwidth\u200djoined',
  'e\u0301 \u00e9 ﬀ Å \u212b',
  'Z\u0351\u036b\u0343\u036a',
  '🐕‍🦺👩🏽‍🚀',
  '𝒳'.repeat(130),
  'İıß',
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '..',
  '.',
  '/',
  'a//b',
  'a\\b',
  '%2e%2e%2f',
  '%00',
  '%zz',
  "' OR 1=1 --",
  "'; DROP TABLE accounts; --",
  '"}],"x":[{"',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '{jndi:ldap://x}',
  '=1+1',
  'a\r\nX-Injected: 1',
  '2026-02-30',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '9999-12-31T23:59:59.999999999-23:59',
  '0001-01-01T00:00:00+23:59',
  '2026-01-01T24:00:00Z',
  '2026-06-30T23:59:60Z',
  '1e5',
  '0x10',
  '-0',
  '-0.00',
  '00012.50',
  '١٢٣',
  '9999999999.99',
  '99999999999',
  '+44 20 7946 0018',
  '020 7946 0018;ext=1',
  '+999999999999999',
  '++1',
  'a@b',
  'a@b.c@d',
  `${'a'.repeat(250)}@b.c`,
  'en-x-private',
  'i-klingon',
  'GB',
  'gb',
  'ONLINE',
  'x'.repeat(129),
  'x'.repeat(513),
];

const RAWS = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '123456789012345678901234567890',
  '0.1000000000000000055511151231257827',
  '1E+2',
  '9007199254740993',
  '99.9999999999999999',
  '1.0000000000000000001',
  '[1, {"a": 12345678901234567890}]',
  '{"card": {"number": "4242 4242 4242 4242", "cvc": 123}}',
  '{"__proto__": {"is_dry_run": true, "length": 9}}',
  '{"constructor": {"prototype": {"x": 1}}}',
  '{"a": 1, "a": 2}',
  '[[[[[[[[[[]]]]]]]]]]',
  '"\\ud83d"',
  '"\\u0000"',
  '"\\u002e\\u002e"',
  '[null]',
  '{"": ""}',
  '{"\\ud800": 1}',
];

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.1,
  1.005,
  1e21,
  5e-324,
  2 ** 53,
  [],
  {},
  [[]],
  [{}],
  [null],
  { length: 1 },
];

const INTERESTING = [
  0x20, 0x41, 0x7a, 0xe9, 0x301, 0x5d0, 0x628, 0x200b, 0x200d, 0x202e, 0x2028, 0x1f415, 0x1d4b3, 0xfeff, 0xfffd, 0x10ffff,
];

/** Text of a few characters, now and then of many. */
export function anyText(random: Random): string {
  if (random.chance(0.5)) return random.pick(TEXTS);
  const length = random.chance(0.02) ? random.below(3_000) : random.below(12);
  return Array.from({ length }, () =>
    String.fromCodePoint(random.chance(0.5) ? random.pick(INTERESTING) : 0x20 + random.below(0x2fff)),
  ).join('');
}

export function anyValue(random: Random): unknown {
  switch (random.below(5)) {
    case 0:
      return new Raw(random.pick(RAWS));
    case 1:
      // A value of its own: what is in it is changed in place.
      return structuredClone(random.pick(VALUES));
    case 2: {
      const levels = random.pick([1, 5, 63, 64, 65, 300]);
      return new Raw(random.chance(0.5) ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    }
    default:
      return anyText(random);
  }
}

/** JSON text of a value that may hold {@link Raw}. */
export function jsonOf(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map((item: unknown) => jsonOf(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, child]) => child !== undefined);
    return `{${fields.map(([key, child]) => `${JSON.stringify(key)}:${jsonOf(child)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
