/** The Worker's memory, by `npm run bench -- --memory`: the command fails if more is alive than a bound that no list depends on. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BENCH = join(import.meta.dirname, '../../bench/run.ts');

it('holds a page of a list of 300,000 accounts at a time, however slow the reader', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, '--memory', '--quick', '--only', 'list of 300,000'], {
    timeout: 280_000,
  });
  expect(stdout).toMatch(/^\| list of 300,000 \| 38\.\d MB \|/m);
  expect(stdout).toMatch(/^\| list of 300,000, reader stops at once, then leaves \|/m);
});
