import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapItems, mapMembers } from '../../src/shared/json-text';

/** JSON text of a value with white space wherever it may stand. */
const spaced = (value: unknown): string => JSON.stringify(value, null, 3).replace(/\n/g, '\r\n\t');

describe('the members of an object', () => {
  it.each([
    ['{}', '{}'],
    [' { } ', '{}'],
    ['{"a":1}', '{"a":1}'],
    ['{ "a" : [1, {"b": "}"}] , "c":"\\"," }', '{"a":[1, {"b": "}"}],"c":"\\","}'],
    ['{"n":1e400,"m":12345678901234567890,"k":1.10}', '{"n":1e400,"m":12345678901234567890,"k":1.10}'],
    ['{"\\u0061":1,"a":2}', '{"\\u0061":1,"a":2}'],
  ])('of %s stay as they were written', (text, expected) => expect(mapMembers(text, (_, value) => value)).toBe(expected));

  it('are handed over by name, escapes read, each of two alike', () => {
    const seen: [string, string][] = [];
    mapMembers('{"\\u0061":1,"a": "x","":null,"b:\\"c":{}}', (name, value) => {
      seen.push([name, value]);
      return value;
    });
    expect(seen).toEqual([
      ['a', '1'],
      ['a', '"x"'],
      ['', 'null'],
      ['b:"c', '{}'],
    ]);
  });

  it('can be left out and replaced, whatever the object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.jsonValue(), (object, replacement) => {
        const names = Object.keys(object);
        const [first, second] = names;
        const text = mapMembers(spaced(object), (name, value) =>
          name === first ? undefined : name === second ? JSON.stringify(replacement) : value,
        );
        const entries = Object.entries(object).filter(([name]) => name !== first);
        const expected = Object.fromEntries(entries.map(([name, value]) => [name, name === second ? replacement : value]));
        expect(text.startsWith('{')).toBe(true);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});

it('the items of an array are handed over one by one, as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (array) => {
      const seen: unknown[] = [];
      const text = mapItems(spaced(array), (item) => {
        seen.push(JSON.parse(item));
        return item;
      });
      const same = JSON.parse(JSON.stringify(array));
      expect([seen, JSON.parse(text)]).toEqual([same, same]);
    }),
  );
  expect(mapItems('[1e400 ,[ 2,"]" ]]', (item) => item)).toBe('[1e400,[ 2,"]" ]]');
});
