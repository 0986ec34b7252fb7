/** §2.1: what of a value is documented, and what came beside it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { documentedOf, documentedPart, givenPart, shapeOf, undocumentedOf } from '../../src/shared/shape';
import { bodies } from '../support/bodies';

const schema = z.object({
  a: z.string().nullish(),
  list: z.array(z.object({ b: z.number() })).nullish(),
  own: z.looseObject({ c: z.number().nullish() }).nullish(),
  any: z.unknown(),
  choices: z.looseObject({}).pipe(z.object({}).catchall(z.boolean().nullish())).nullish(),
});
const sent = {
  a: 'x',
  more: null,
  list: [{ b: 1 }, { b: 2, more: [] }],
  own: { c: 1, more: '' },
  any: { more: 1 },
  choices: { made: true },
};

describe('the documented part', () => {
  it('has nothing undocumented at any depth, and is the value itself where there is nothing', () => {
    expect(documentedOf(schema, sent)).toEqual({
      a: 'x',
      list: [{ b: 1 }, { b: 2 }],
      own: { c: 1 },
      any: { more: 1 },
      choices: { made: true },
    });
    const whole = { a: 'x', list: [{ b: 1 }], own: { c: 1 }, any: [null] };
    expect(documentedOf(schema, whole)).toBe(whole);
  });

  it.each([5, null, 'x', [], { list: 'x' }, { list: [5, null], own: [] }])('of what has another form (%j) is that', (value) =>
    expect(documentedPart(shapeOf(schema), value)).toBe(value),
  );

  it('and the rest, put together again, are what was sent', () => {
    const extras = fc.dictionary(fc.constantFrom('x', 'y', '__proto__', 'b'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    fc.assert(
      fc.property(extras, fc.array(extras, { minLength: 1, maxLength: 3 }), (top, items) => {
        const value = { ...top, a: 'x', list: items.map((item) => ({ ...item, b: 1 })) };
        const documented = documentedOf(schema, value);
        expect(documented).toEqual({ a: 'x', list: items.map(() => ({ b: 1 })) });
        const more = undocumentedOf(schema, value) ?? {};
        const list: unknown = Reflect.get(more, 'list');
        const together = {
          ...more,
          a: 'x',
          list: items.map((_, i) => ({ ...(Array.isArray(list) ? list[i] : {}), b: 1 })),
        };
        expect(together).toEqual(value);
      }),
    );
  });
});

describe('the undocumented part', () => {
  it('says where it stood, and is undefined where there is none', () => {
    expect(undocumentedOf(schema, sent)).toEqual({ more: null, list: [{}, { more: [] }], own: { more: '' } });
    expect(undocumentedOf(schema, { a: 'x', list: [{ b: 1 }], any: { x: 1 }, choices: { x: true } })).toBeUndefined();
  });
});

describe('the given part', () => {
  it('has no documented field that says nothing, and all else', () => {
    const value = { a: null, list: [], own: { c: null, more: null }, any: null, choices: { made: null, kept: false }, more: '' };
    expect(givenPart(shapeOf(schema), value)).toEqual({ own: { more: null }, any: null, choices: { kept: false }, more: '' });
  });

  it.each(bodies)('of a right body of $name is what is parsed', ({ schema: body }) => {
    expect(givenPart(shapeOf(body), {})).toEqual({});
  });
});
