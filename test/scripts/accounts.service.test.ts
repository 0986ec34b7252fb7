/** The scripts that make accounts to try the kit with. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fix, generated } from '../kit/accounts';
import { aFile, linesIn } from '../kit/cli';

const SCRIPT = join(import.meta.dirname, '../../scripts/generate-accounts.ts');

describe('generate-accounts', () => {
  it('makes the same accounts from the same seed, exactly the share of them wrong that it is asked for', () => {
    const [one, again, other] = [generated('S', 1_000, '2.5%', 7), generated('S', 1_000, '2.5%', 7), generated('S', 1_000, '2.5%', 8)];
    expect(one).toEqual(again);
    expect(one.lines).not.toEqual(other.lines);
    expect(one.wrong).toHaveLength(25);
    const numbers = one.lines.map((line) => JSON.parse(line).external_account_number);
    expect(new Set(numbers).size).toBe(1_000);
    expect(numbers).toEqual(expect.arrayContaining([...one.wrong]));
  });

  it('prints one array when it is asked to', () => {
    const { stdout } = spawnSync(process.execPath, [SCRIPT, '--accounts', '5', '--array'], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toHaveLength(5);
  });

  it.each([
    ['--wrong', '200%'],
    ['--wrong', 'some'],
    ['--accounts', 'many'],
    ['--nonsense', ''],
  ])('refuses %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('fix-accounts', () => {
  it('leaves what it does not know for a person', () => {
    const known = '{"billing_email":"no","_errors":[{"code":"invalid_email","attr":"billing_email","detail":""}]}';
    const unknown = '{"notes":1,"_errors":[{"code":"not_a_list","attr":"notes","detail":""}]}';
    const file = aFile([known, unknown]);
    expect(fix(file)).toBe(1);
    expect(linesIn(file)).toEqual(['{"billing_email":"customer@example.com"}', unknown]);
  });
});
