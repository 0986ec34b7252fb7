/** Generated accounts, as the scripts print them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPTS = join(import.meta.dirname, '../../scripts');

export interface Generated {
  readonly lines: readonly string[];
  /** External account numbers of those that are wrong on purpose. */
  readonly wrong: readonly string[];
}

export function generated(supplier: string, accounts: number, wrong: string, seed = 1): Generated {
  const args = ['--accounts', `${accounts}`, '--wrong', wrong, '--seed', `${seed}`, '--supplier', supplier, '--without-documents'];
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(SCRIPTS, 'generate-accounts.ts'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(stderr);
  return { lines: stdout.trimEnd().split('\n'), wrong: [...stderr.matchAll(/^wrong: (\S+)/gm)].map(([, number = '']) => number) };
}

/** Puts a failed file right; answers the exit code. */
export const fix = (file: string): number | null => spawnSync(process.execPath, [join(SCRIPTS, 'fix-accounts.ts'), file]).status;
