/** Records out of files and back into failed files, byte by byte. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { withErrors, withoutErrors } from '../../src/kit/cli/files/errors-beside';
import { openFile } from '../../src/kit/cli/files/open';
import { recordsIn as readRecords } from '../../src/kit/cli/files/records';
import { barOf, lineOf } from '../../src/kit/cli/progress';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function recordsIn(text: string, bytesAtOnce = 7): Promise<string[]> {
  const file = join(folder, 'records');
  writeFileSync(file, text);
  const records: string[] = [];
  for await (const { text: record } of readRecords(file, (await openFile(file)).text(bytesAtOnce))) records.push(record);
  return records;
}

const errors = [{ code: 'invalid', attr: 'a', detail: 'With "quotes", {braces} and ,"_errors":[ in it.' }];
// As JSON holds it: no minus zero.
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const anObject = fc.dictionary(fc.string(), json, { maxKeys: 5 }).map((value) => Object.fromEntries(Object.entries(value)));

describe('records of a file', () => {
  it('are the items of an array, however it is laid out and wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json), fc.constantFrom(0, 2), fc.integer({ min: 1, max: 20 }), async (items, indent, bytesAtOnce) => {
        const records = await recordsIn(`\uFEFF \n${JSON.stringify(items, null, indent)}\n`, bytesAtOnce);
        expect(records.map((record) => JSON.parse(record))).toEqual(items);
      }),
      { numRuns: 200 },
    );
  });

  it('are lines, the last one with or without its line feed, blank ones left out', async () => {
    for (const text of ['{"a":1}\n\n {"b":"ü"}\r\n[2]', '{"a":1}\r\n{"b":"ü"}\n   \n[2]\n']) {
      expect(await recordsIn(text)).toEqual(['{"a":1}', '{"b":"ü"}', '[2]']);
    }
    expect(await recordsIn('')).toEqual([]);
    expect(await recordsIn(' \n\n')).toEqual([]);
    expect(await recordsIn('[ ]')).toEqual([]);
  });

  it.each(['[', '[{"a":1}', '[{"a":"]"}', '[1,'])('are not those of an array that is cut: %s', async (text) => {
    await expect(recordsIn(text)).rejects.toThrow(/ends in the middle/);
  });

  it('are not those of an array that something follows', async () => {
    await expect(recordsIn('[1] 2')).rejects.toThrow(/goes on after the end/);
  });
});

describe('a failed record', () => {
  it('is the record as it was sent and its errors, and becomes the record again', () => {
    fc.assert(
      fc.property(anObject, fc.constantFrom(0, 1), (value, indent) => {
        const { _errors: _, _line: __, ...own } = value as Record<string, unknown>;
        const record = JSON.stringify(own, null, indent);
        const failed = withErrors(record, errors);
        expect(failed).not.toContain('\n');
        expect(JSON.parse(failed)).toEqual({ ...own, _errors: errors });
        expect(withoutErrors(failed)).toBe(record.replace(/\n/g, ' '));
        expect(withErrors(withoutErrors(failed), errors)).toBe(failed);
      }),
    );
  });

  it('keeps every byte of what was sent', () => {
    const record = '{ "b": 1.50, "a":"\\u0041" , "b2":1e2 }';
    expect(withErrors(record, errors)).toBe(`{ "b": 1.50, "a":"\\u0041" , "b2":1e2 ,"_errors":${JSON.stringify(errors)}}`);
  });

  it('that is no object is kept as text', () => {
    for (const text of ['no JSON', '[1]', '"x"', '{"a":1,}']) {
      const failed = withErrors(text, errors);
      expect(JSON.parse(failed)).toEqual({ _line: text, _errors: errors });
      expect(withoutErrors(failed)).toBe(text);
    }
  });

  it('loses its errors wherever an editor has put them', () => {
    expect(withoutErrors('{"_errors":[{"code":"x"}],"a":1}')).toBe('{"a":1}');
    expect(withoutErrors('{ "a": 1, "_errors" : [] }')).toBe('{"a":1}');
    const long = '{"_errors":[],"a":99.9999999999999999}';
    expect(withoutErrors(long)).toBe(long);
  });

  it('keeps what only looks like them', () => {
    for (const text of ['{"a":{"b":1,"_errors":[1]}}', '{"a":",\\"_errors\\":[]"}', 'no ,"_errors":[] JSON'])
      expect(withoutErrors(text)).toBe(text);
  });
});

describe('a line of progress', () => {
  const shown = { finished: 2_500, total: 10_000, done: 50, failed: 12, counts: { validated: 5_000 } };

  it('says what is done, what failed, the speed and the time left; in a log also counts', () => {
    expect(barOf(shown, 250, 80)).toBe(`${'█'.repeat(5)}${'░'.repeat(15)}   25 %  50/10,000  12 failed  250/s  0:30 left`);
    expect(lineOf(shown, 250)).toBe(' 25 %  50/10,000  12 failed  250/s  0:30 left  validated 5,000');
    expect(lineOf({ ...shown, finished: 10_000 }, 1_000)).toBe('100 %  50/10,000  12 failed  validated 5,000');
    expect(lineOf({ finished: 0, total: 0, failed: 0 }, 0)).toBe('100 %  0/0  0 failed');
  });

  it('promises no time while nothing moves, and says instead what is waited for', () => {
    expect(lineOf(shown, 0)).toMatch(/ 0\/s {2}--:-- left /);
    expect(barOf({ ...shown, notice: 'no answer since 0:42, trying again' }, 0, 80)).toMatch(
      /12 failed {2}no answer since 0:42, trying again$/,
    );
  });

  it('never is wider than the terminal', () => {
    const long = { finished: 123_456_789, total: 987_654_321, failed: 12_345_678, notice: 'no answer since 10:00:42, trying again' };
    for (const columns of [20, 40, 60, 80, 120]) expect(barOf(long, 1_000_000, columns).length).toBeLessThan(columns);
  });
});
