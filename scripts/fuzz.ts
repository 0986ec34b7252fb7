/**
 * `npm run fuzz`: bad input at every endpoint, each input decided by its number.
 *
 *   npm run fuzz                           a few thousand, as in CI
 *   npm run fuzz -- --inputs 100000        the inputs 1 to 100,000
 *   npm run fuzz -- --seed 42              one input, shown
 *   npm run fuzz -- --worst 60             for 60 seconds the search for the worst body: bytes out and CPU for a byte in; --seed begins it elsewhere
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './local.ts';
import { runSync } from './programs.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, inputs: { type: 'string' }, worst: { type: 'string' } } });
if (values.worst !== undefined) {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, 'fuzz-search.mjs');
  const entry = join(ROOT, 'test/system/fuzz/search.ts');
  await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'warning' });
  const { search }: { search(options: { seconds: number; seed: number }): void } = await import(pathToFileURL(outfile).href);
  search({ seconds: Number(values.worst), seed: Number(values.seed ?? 1) });
  process.exit(0);
}
const { status } = runSync('vitest', ['run', '--project', 'fuzz', '--disable-console-intercept'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SEED: values.seed ?? '', FUZZ_INPUTS: values.inputs ?? '' },
});
process.exit(status ?? 1);
