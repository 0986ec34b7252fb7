import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { optionalList, requiredLine } from '../../src/shared/fields';
import { undocumentedPaths, undocumentedWarnings } from '../../src/shared/undocumented';

const body = z.object({
  name: requiredLine(5),
  items: optionalList(z.object({ id: requiredLine(3), tags: z.array(z.string()) }), 2),
  own: z.looseObject({ known: z.object({ a: z.string() }) }).nullish(),
  any: z.unknown(),
  plain: z.array(z.string()).nullish(),
});
const found = (value: unknown): string[] => undocumentedPaths(body, value).map((path) => path.join('.'));

describe('an undocumented field', () => {
  it('is one that no schema names, at any depth, in payload order', () => {
    expect(found({ z: 1, name: 'x', items: [{ id: 'a', extra: 0, tags: [] }, { more: false }], a: {} })).toEqual([
      'z',
      'items.0.extra',
      'items.1.more',
      'a',
    ]);
  });

  it('is not looked into, and counts once', () => {
    expect(found({ extra: { deep: { deeper: [{}, {}] } } })).toEqual(['extra']);
  });

  it('is none where fields of the sender’s own belong, but is one again in what is documented there', () => {
    expect(found({ own: { anything: { b: 1 }, known: { a: 'x', b: 1 } }, any: { thing: { b: 1 } }, plain: ['x'] })).toEqual([
      'own.known.b',
    ]);
  });

  it.each([null, '', [[]].slice(1)])('is none where nothing was given: %j', (nothing) => {
    expect(found({ extra: nothing, items: nothing, own: nothing })).toEqual([]);
  });

  it.each([0, false, {}, ' ', [null]])('is one where something was: %j', (something) => {
    expect(found({ extra: something })).toEqual(['extra']);
  });

  it('is not looked for in values of another type, or in a list that is longer than it may be', () => {
    for (const value of [null, 'x', 5, [{ extra: 1 }], { items: {}, own: [], name: { extra: 1 } }]) expect(found(value)).toEqual([]);
    expect(found({ items: [{ extra: 1 }, { extra: 1 }] })).toHaveLength(2);
    expect(found({ items: [{ extra: 1 }, { extra: 1 }, { extra: 1 }] })).toEqual([]);
  });

  it('is looked for until there is one more than is listed', () => {
    const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1]));
    expect(found(of(5_000))).toHaveLength(101);
    const warnings = (count: number) => undocumentedWarnings(undocumentedPaths(body, of(count)));
    expect(warnings(100).map(({ code }) => code)).toEqual(Array(100).fill('undocumented_field'));
    expect(warnings(101).map(({ code }) => code)).toEqual([...Array(100).fill('undocumented_field'), 'too_many_warnings']);
    expect(warnings(101).at(-1)?.path).toEqual([]);
    expect(warnings(0)).toEqual([]);
  });
});
