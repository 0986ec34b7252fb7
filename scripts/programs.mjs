/**
 * The programs of `node_modules`, run by the Node that runs this: one way on every system, where shells, `npx` and `.cmd` files differ.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './local.mjs';

/** Programs whose package has another name. */
const PACKAGES = new Map([
  ['biome', '@biomejs/biome'],
  ['redocly', '@redocly/cli'],
  ['tsc', 'typescript'],
]);

/**
 * What `spawn` and `execFile` take to run a program of `node_modules`.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function commandOf(name, args) {
  const folder = join(ROOT, 'node_modules', PACKAGES.get(name) ?? name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [process.execPath, [join(folder, typeof bin === 'string' ? bin : bin[name]), ...args]];
}

/**
 * Runs a program of `node_modules` to its end.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function runSync(name, args, options = {}) {
  return spawnSync(...commandOf(name, args), options);
}
