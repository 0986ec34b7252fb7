/** §2.1: which text is accepted, whatever its length. */
import { describe, expect, it } from 'vitest';
import { isBlank, isFreeText, isLine, isLongerThan } from '../../src/shared/unicode';

describe.each([0, 1, 63, 64, 65, 1_000])('text after %i plain characters', (length) => {
  it.each([
    ['~', true, true],
    ['é 佐藤 🐕', true, true],
    ['\t\r\n', false, true],
    ['\u0000', false, false],
    ['\u001f', false, false],
    ['\u007f', false, false],
    ['\u0085', false, false],
    ['\ud800', false, false],
  ])('that ends in %j is a line: %s, free text: %s', (end, isOneLine, isFree) => {
    const text = 'x'.repeat(length) + end;
    expect([isLine(text), isFreeText(text)]).toEqual([isOneLine, isFree]);
  });
});

it.each([
  '',
  ' ',
  '\t\n',
  '\u00a0',
  '\u3000 ',
  '\u200b',
  '\ufeff',
  '\u2028\u2060 \u00ad',
  '\u3164',
  '\u115f',
  '\u034f',
  '\ufe0f',
  '\u{e0001}',
  '\u2800',
])('%j is blank', (text) => expect(isBlank(text)).toBe(true));
it.each(['!', '~', ' x', 'é', '\u007f', '\u00a0x', '\u200bx', '\u202ex', '☀\ufe0f', '\u200d佐'])('%j is not blank', (text) =>
  expect(isBlank(text)).toBe(false),
);

it.each([
  ['', 0, false],
  ['xx', 2, false],
  ['xxx', 2, true],
  ['🐕🐕', 2, false],
  ['🐕🐕🐕', 2, true],
])('%j is longer than %i characters: %s', (text, max, isLonger) => expect(isLongerThan(text, max)).toBe(isLonger));
