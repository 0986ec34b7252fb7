import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parse } from '../../src/shared/parse';
import { judged, pruned, REFUSED, readerOf } from '../../src/shared/reader';
import { bodies } from '../support/bodies';

/** What leaves are right in some field, and what may make trouble in any. */
const LEAVES = [
  ...['', ' ', 'x', 'GB', 'en-GB', 'CHARGE', 'DOMESTIC', 'MONTHLY', '2026-01-31', '2026-02-30', '2026-01-31T10:00:00Z', 'ada@example.com'],
  ...['a/b.pdf', '../b', '1.20', '1e3', '12345678901', '\u0000', '\ud800', 'é', '😀'.repeat(3), 'x'.repeat(300), 'ONLINE', 'stripe'],
  ...['DD_BACS', 0, -0, 1, 3, 2_030, 12.34, 1e21, Number.POSITIVE_INFINITY, 2 ** 60, true, false, null],
];
const leaf = fc.oneof(fc.constantFrom(...LEAVES), fc.string({ maxLength: 6 }));
const anything = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom({}, [], [null], JSON.parse('{"__proto__":{"a":null},"b":""}')) },
);
const further = fc.dictionary(fc.constantFrom('metadata', 'made_up', '__proto__', 'constructor'), anything, { maxKeys: 2 });

const isFit = (schema: z.core.$ZodType) => (value: unknown) => z.safeParse(schema, value).success;

/** Values in the shape of a schema: most of their leaves right, some not, some of them missing. */
function shaped(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fc.oneof(
      { weight: 3, arbitrary: shaped(schema.unwrap()) },
      { weight: 1, arbitrary: fc.constantFrom(...[null, '', []].filter(isFit(schema))) },
    );
  }
  if (schema instanceof z.ZodArray) return fc.array(shaped(schema.element), { maxLength: 3 });
  if (!(schema instanceof z.ZodObject)) {
    const right = [{ a: 1 }, ...LEAVES, ...(schema instanceof z.ZodEnum ? schema.options : [])].filter(isFit(schema));
    return fc.oneof(
      { weight: 400, arbitrary: right.length > 0 ? fc.constantFrom(...right) : anything },
      { weight: 1, arbitrary: anything },
    );
  }
  const entries = Object.entries(schema.shape);
  const required = entries.filter(([, type]) => type._zod.optin === undefined).map(([key]) => key);
  const fields = fc.record(Object.fromEntries(entries.map(([key, type]) => [key, shaped(type)])), { requiredKeys: required });
  return fc.oneof(
    { weight: 40, arbitrary: fc.tuple(fields, further).map(([own, more]) => ({ ...more, ...own })) },
    { weight: 1, arbitrary: anything },
  );
}

const byZod = (schema: z.ZodType, value: unknown): unknown => {
  const result = schema.safeParse(value);
  return result.success ? pruned(result.data) : REFUSED;
};

describe('a reader', () => {
  it.each(bodies)('accepts what zod accepts of $name, refuses what it refuses, and reads it alike', ({ schema }) => {
    let accepted = 0;
    const examples = fc.sample(shaped(schema), { numRuns: 400, seed: 7 });
    for (const example of examples) {
      const value = structuredClone(example);
      const read = readerOf(schema)(value);
      expect(read).toEqual(byZod(schema, value));
      expect(JSON.stringify(value)).toBe(JSON.stringify(example));
      if (read !== REFUSED) accepted += 1;
    }
    expect(accepted, 'right examples').toBeGreaterThan(20);
    expect(accepted, 'wrong examples').toBeLessThan(examples.length);
  });

  it.each(bodies)('leads to what zod finds wrong with $name, but for the items of a list that is too long', ({ schema }) => {
    let found = 0;
    for (const value of fc.sample(shaped(schema), { numRuns: 400, seed: 11 })) {
      const issues = schema.safeParse(value).error?.issues ?? [];
      const tooLong = issues.filter(({ code }) => code === 'too_big').map(({ path }) => path.join('.'));
      const places = issues.map(({ path }) => path.join('.')).filter((place) => !tooLong.some((list) => place.startsWith(`${list}.`)));
      const errors = parse(schema, value).errors.map(({ path }) => path.join('.'));
      expect(new Set(errors)).toEqual(new Set(places));
      found += errors.length;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('copies nothing where nothing is left out', () => {
    const schema = z.object({ list: z.array(z.object({ text: z.string().nullish() })) });
    const value = { list: [{ text: 'x' }, {}] };
    expect(readerOf(schema)(value)).toBe(value);
  });

  it('asks zod about the kinds of schema it does not know', () => {
    const schema = z.object({ when: z.iso.date(), id: z.literal(1), rest: z.record(z.string(), z.unknown()) });
    expect(readerOf(schema)({ when: '2026-01-31', id: 1, rest: { a: null, b: 2 } })).toStrictEqual({
      when: '2026-01-31',
      id: 1,
      rest: { b: 2 },
    });
    expect(readerOf(schema)({ when: '2026-02-30', id: 1, rest: {} })).toBe(REFUSED);
    expect(readerOf(schema)({ when: '2026-01-31', id: 2, rest: {} })).toBe(REFUSED);
  });

  it('minds every judgement of a type and every check of zod', () => {
    const short = judged(z.string(), (text) => (text.length > 3 ? { code: 'long', detail: 'long' } : undefined));
    const both = judged(short, (text) => (text === 'no' ? { code: 'no', detail: 'no' } : undefined)).meta({ maxLength: 3 });
    const read = readerOf(z.array(both).max(2));
    expect(read(['a', 'b'])).toStrictEqual(['a', 'b']);
    for (const wrong of [['long'], ['no'], ['a', 'b', 'c'], 'a']) expect(read(wrong)).toBe(REFUSED);
  });
});
