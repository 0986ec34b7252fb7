import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { unsayableErrors } from '../../src/shared/as-sent';
import { parse } from '../../src/shared/parse';
import { checked, REFUSED, readerOf } from '../../src/shared/reader';
import { shapeOf } from '../../src/shared/shape';
import { bodies } from '../support/bodies';

/** What leaves are right in some field, and what may make trouble in any. */
const LEAVES = [
  ...['', ' ', 'x', 'GB', 'en-GB', 'CHARGE', 'DOMESTIC', 'MONTHLY', '2026-01-31', '2026-02-30', '2026-01-31T10:00:00Z', 'ada@example.com'],
  ...['a/b.pdf', '../b', '1.20', '1e3', '12345678901', '\u0000', '\ud800', 'é', '😀'.repeat(3), 'x'.repeat(300), 'ONLINE', 'stripe'],
  ...['https://alerts.example.com/import'],
  ...['DD_BACS', 0, -0, 1, 3, 2_030, 12.34, 1e21, Number.POSITIVE_INFINITY, 2 ** 60, true, false, null],
];
const leaf = fc.oneof(fc.constantFrom(...LEAVES), fc.string({ maxLength: 6 }));
const anything = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom({}, [], [null], JSON.parse('{"__proto__":{"a":null},"b":""}')) },
  { weight: 1, arbitrary: fc.constantFrom({ 'a\u0000': 1 }, [{ '\udfff': '' }], { a: [Number.NEGATIVE_INFINITY] }, ['\u0085', 'a\tb']) },
);
const KEYS = ['metadata', 'made_up', '__proto__', 'constructor', 'a\nb', '\ud800'];
const further = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), anything), { maxLength: 2 })
  .map((fields): object => Object.fromEntries(fields));

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
    { weight: 30, arbitrary: fields },
    { weight: 10, arbitrary: fc.tuple(fields, further).map(([own, more]) => ({ ...more, ...own })) },
    { weight: 1, arbitrary: anything },
  );
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return inner(schema.unwrap());
  return schema instanceof z.ZodPipe ? inner(schema.out) : schema;
};

/** The type of a field, as far as its schema says anything of it. */
const typeOf = (schema: z.ZodObject, key: string): z.core.$ZodType | undefined => {
  const type = Object.hasOwn(schema.shape, key) ? schema.shape[key] : key === '__proto__' ? undefined : schema.def.catchall;
  return type instanceof z.ZodUnknown && !Object.hasOwn(schema.shape, key) ? undefined : type;
};

/** Whatever of a value its schema says nothing of: names and values. */
function asSent(given: z.core.$ZodType, value: unknown): unknown[] {
  const schema = inner(given);
  if (schema instanceof z.ZodUnknown) return [value];
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.flatMap((item: unknown) => asSent(schema.element, item));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const type = typeOf(schema, key);
    return type ? [...(Object.hasOwn(schema.shape, key) ? [] : [key]), ...asSent(type, child)] : [key, child];
  });
}

const isText = (text: string): boolean =>
  text.isWellFormed() && [...text].every((c) => '\t\n\r'.includes(c) || (c >= ' ' && !(c >= '\u007f' && c <= '\u009f')));

function isSayable(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.entries(value).flat().every(isSayable);
  return typeof value === 'string' ? isText(value) : value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY;
}

/** The value without what its optional fields do not say. */
function given(type: z.core.$ZodType, value: unknown): unknown {
  const schema = inner(type);
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item: unknown) => given(schema.element, item));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return z.safeParse(schema, value).data;
  const fields = Object.entries(value).map(([key, child]) => {
    const field = typeOf(schema, key);
    return { key, child: field ? given(field, child) : child, isVerbatim: !field || field instanceof z.ZodUnknown };
  });
  const isEmpty = (child: unknown) => child === null || child === '' || (Array.isArray(child) && child.length === 0);
  return Object.fromEntries(fields.filter(({ child, isVerbatim }) => isVerbatim || !isEmpty(child)).map(({ key, child }) => [key, child]));
}

const byZod = (schema: z.ZodType, value: unknown): unknown =>
  schema.safeParse(value).success && asSent(schema, value).every(isSayable) ? given(schema, value) : REFUSED;

describe('a reader', () => {
  it.each(bodies)('accepts what zod accepts of $name, refuses what it refuses, and reads it alike', ({ schema }) => {
    let accepted = 0;
    const examples = fc.sample(shaped(schema), { numRuns: 400, seed: 7 });
    for (const example of examples) {
      const value = structuredClone(example);
      const read = readerOf(schema)(value);
      expect(read).toEqual(byZod(schema, value));
      expect(JSON.stringify(value)).toBe(JSON.stringify(example));
      const { value: parsed, errors } = parse(schema, value);
      expect([errors.length > 0, parsed ?? REFUSED]).toEqual([read === REFUSED, read]);
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
      const unsayable = unsayableErrors(shapeOf(schema), value).map(({ path }) => path.join('.'));
      expect(new Set(errors)).toEqual(new Set([...places, ...unsayable]));
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
      rest: { a: null, b: 2 },
    });
    expect(readerOf(schema)({ when: '2026-02-30', id: 1, rest: {} })).toBe(REFUSED);
    expect(readerOf(schema)({ when: '2026-01-31', id: 2, rest: {} })).toBe(REFUSED);
  });

  it('minds every validation of a type and every check of zod', () => {
    const short = checked(z.string(), (text) => (text.length > 3 ? { code: 'max_length', detail: 'long' } : undefined));
    const both = checked(short, (text) => (text === 'no' ? { code: 'invalid', detail: 'no' } : undefined)).meta({ maxLength: 3 });
    const read = readerOf(z.array(both).max(2));
    expect(read(['a', 'b'])).toStrictEqual(['a', 'b']);
    for (const wrong of [['long'], ['no'], ['a', 'b', 'c'], 'a']) expect(read(wrong)).toBe(REFUSED);
  });
});
