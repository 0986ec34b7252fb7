/**
 * The programs of `node_modules`, run by the Node that runs this: one way on every system, where shells, `npx` and `.cmd` files differ.
 */
import { type SpawnSyncOptions, type SpawnSyncOptionsWithStringEncoding, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './local.ts';

/** Programs whose package has another name. */
const PACKAGES = new Map([
  ['biome', '@biomejs/biome'],
  ['redocly', '@redocly/cli'],
  ['tsc', 'typescript'],
]);

/** What `spawn` and `execFile` take to run a program of `node_modules`. */
export function commandOf(name: string, args: readonly string[]): [command: string, args: string[]] {
  const folder = join(ROOT, 'node_modules', PACKAGES.get(name) ?? name);
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin[name];
  if (file === undefined) throw new Error(`${folder} has no program ${name}`);
  return [process.execPath, [join(folder, file), ...args]];
}

/** Runs a program of `node_modules` to its end. */
export function runSync(name: string, args: readonly string[], options: SpawnSyncOptionsWithStringEncoding): SpawnSyncReturns<string>;
export function runSync(name: string, args: readonly string[], options?: SpawnSyncOptions): SpawnSyncReturns<string | Buffer>;
export function runSync(name: string, args: readonly string[], options: SpawnSyncOptions = {}): SpawnSyncReturns<string | Buffer> {
  return spawnSync(...commandOf(name, args), options);
}
