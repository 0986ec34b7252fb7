import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/shared/json';

const kindOf = (text: string) => parseJson(text).kind;
const listOf = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join(',')}]`;

describe('a body', () => {
  it('is nested at most 64 levels deep', () => {
    expect(kindOf(`${'['.repeat(64)}${']'.repeat(64)}`)).toBe('json');
    expect(kindOf(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe('malformed');
    expect(kindOf(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).toBe('json');
    expect(kindOf(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toBe('malformed');
  });

  it('holds at most 15,000 items in all its lists', () => {
    expect(kindOf(`{"a":${listOf('5', 15_000)}}`)).toBe('json');
    expect(kindOf(`{"a":${listOf('5', 15_001)}}`)).toBe('malformed');
    expect(kindOf(`{"a":${listOf('{}', 7_500)},"b":{"c":${listOf('null', 7_500)}}}`)).toBe('json');
    expect(kindOf(`{"a":${listOf('{}', 7_500)},"b":{"c":${listOf('null', 7_501)}}}`)).toBe('malformed');
    expect(kindOf(listOf('[1]', 7_501))).toBe('malformed');
  });

  it('holds any number of decimals in `units`, but not of anything else', () => {
    expect(kindOf(`{"units":${listOf('1.5', 100_000)}}`)).toBe('json');
    expect(kindOf(`{"units":${listOf('"1.5"', 100_000)}}`)).toBe('json');
    for (const decimal of ['"15"', '"-1"', '"1.25"'])
      expect([decimal, kindOf(`{"units":${listOf(decimal, 15_001)}}`)]).toEqual([decimal, 'json']);
    for (const other of ['"x1.5"', '"1.5x"', '"1."', '["1"]'])
      expect([other, kindOf(`{"units":${listOf(other, 15_001)}}`)]).toEqual([other, 'malformed']);
    expect(kindOf(`{"units":${listOf('"x"', 15_001)}}`)).toBe('malformed');
    expect(kindOf(`{"units":${listOf('{}', 15_001)}}`)).toBe('malformed');
    expect(kindOf(`{"units":${listOf('["1"]', 7_501)}}`)).toBe('malformed');
    expect(kindOf(`{"units":[${listOf('1', 15_001)}]}`)).toBe('malformed');
  });

  it('says what it has too much of', () => {
    expect(parseJson('['.repeat(65) + ']'.repeat(65))).toEqual({
      kind: 'malformed',
      detail: 'JSON parse error: nested deeper than 64 levels.',
    });
    expect(parseJson(listOf('1', 15_001))).toEqual({ kind: 'malformed', detail: 'JSON parse error: more than 15000 items in lists.' });
  });
});
