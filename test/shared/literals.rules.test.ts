/** §2.4, §4.5: which numbers of JSON text are read, and which a double cannot say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalProblem, parseExactly } from '../../src/shared/literals';

const codeOf = (literal: string): string | undefined => {
  const value = parseExactly(`[${literal}]`);
  const number: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof number === 'number' ? literalProblem(number)?.code : 'no number';
};

describe('a number literal', () => {
  it.each([
    ...['0', '-0', '1', '-1.5', '99.99', '1e22', '1E+2', '5e-324', '123456789012345', '1234567890123456', '9007199254740992'],
    ...['0.30000000000000004', '1.7976931348623157e308', '100000000000000000000000', '1.00000000000000000000', '0.00000000000000000000'],
    ...['0.00000000000000000001', '1e0000000000000000005', '-0e999', '0e-999', '12345.67890123456'],
  ])('%s is read as it is', (literal) => {
    expect(codeOf(literal)).toBeUndefined();
    expect(parseExactly(`{"a":${literal}}`)).toEqual({ a: Number(literal) });
  });

  it.each([
    ...['99.9999999999999999', '1.0000000000000000001', '-1.0000000000000000001', '12345678901234567890', '9007199254740993'],
    ...['0.1000000000000000055511151231257827', '0.10000000000000001', '4.9e-324', '1.23456789012345678e300', '100000000000000000000001'],
  ])('%s has more digits than a double', (literal) => expect(codeOf(literal)).toBe('max_digits'));

  it.each(['1e400', '-1e400', '1E+400', '1e-400', '-1e-400', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`, '1e99999999999999999999'])(
    '%s is out of range',
    (literal) => expect(codeOf(literal)).toBe('invalid'),
  );

  it('is found at any depth, and nowhere in text', () => {
    const long = '12345678901234567890';
    const text = `{"a\\"${long}":"${long}\\\\","b":[1, ${long} ,"1e400",{"c":-${long}}],"d" : 1e400}`;
    expect(parseExactly(text)).toEqual({
      [`a"${long}`]: `${long}\\`,
      b: [1, Number.POSITIVE_INFINITY, '1e400', { c: Number.POSITIVE_INFINITY }],
      d: Number.NEGATIVE_INFINITY,
    });
  });

  it('counts where its key is the last of its name', () => {
    expect(parseExactly('{"a":1e400,"a":5}')).toEqual({ a: 5 });
    expect(parseExactly('{"a":{"b":12345678901234567890},"a":{"b":5}}')).toEqual({ a: { b: 5 } });
  });

  it('is found wherever it begins', () => {
    for (let spaces = 0; spaces < 40; spaces++) expect(codeOf(`${' '.repeat(spaces)}99.9999999999999999`)).toBe('max_digits');
  });

  it('is found behind text with a row of points, which is no number', () => {
    const points = '.'.repeat(40);
    expect(parseExactly(`{"a":" ${points}","b":"${points}1"}`)).toEqual({ a: ` ${points}`, b: `${points}1` });
    expect(parseExactly(`{"a":" ${points}","b":99.9999999999999999}`)).toEqual({ a: ` ${points}`, b: Number.POSITIVE_INFINITY });
  });

  it('of a megabyte is read at once, and so is text like it', { timeout: 10_000 }, () => {
    const digits = '1234567890'.repeat(100_000);
    for (const text of [digits, `"${digits}"`, `"1e${digits}"`, `"${'1e1111'.repeat(160_000)}"`, `"${'\\\\'.repeat(250_000)}"`]) {
      const value = parseExactly(`[${text}, 1e400]`);
      expect(value).toEqual([text.startsWith('"') ? JSON.parse(text) : Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    }
  });

  it('keeps malformed text malformed', () => {
    const malformed = [
      '012345678901234567890',
      '12345678901234567890.',
      '1e400e5',
      '--1e400',
      '1234567890123456..7',
      '1e400 1',
      '"1e400',
      '1e',
    ];
    for (const text of malformed) expect(() => parseExactly(text), text).toThrow(SyntaxError);
  });

  it('is read as JSON.parse reads it, unless what it says differs from what it is', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (literal) => {
        const value = Number(literal);
        const isExact = Number.isFinite(value) && rationalOf(literal) === rationalOf(String(value));
        expect(codeOf(literal) === undefined).toBe(isExact);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read beside any other text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
    const strings = fc.array(fc.oneof(fc.string(), fc.constantFrom('\\', '"', '\\"', '1e400', '12345678901234567890')));
    fc.assert(
      fc.property(strings, (items) => {
        expect(parseExactly(JSON.stringify([...items, 'x12345678901234567890']))).toEqual([...items, 'x12345678901234567890']);
        const text = `${JSON.stringify(items).slice(0, -1)}${items.length > 0 ? ',' : ''}12345678901234567890]`;
        expect(parseExactly(text)).toEqual([...items, Number.POSITIVE_INFINITY]);
      }),
    );
  });
});

/** The value of a literal, exactly: a fraction of 10^1100. */
function rationalOf(literal: string): bigint {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(1_100 + Number(exponent) - fraction.length);
}
