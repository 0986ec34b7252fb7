/**
 * `npm run fuzz`: bad input at every endpoint, each input decided by its number.
 *
 *   npm run fuzz                           a few thousand, as in CI
 *   npm run fuzz -- --inputs 100000        the inputs 1 to 100,000
 *   npm run fuzz -- --seed 42              one input, shown
 */
import { parseArgs } from 'node:util';
import { ROOT } from './local.mjs';
import { runSync } from './programs.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' }, inputs: { type: 'string' } } });
const { status } = runSync('vitest', ['run', '--project', 'fuzz', '--disable-console-intercept'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SEED: values.seed ?? '', FUZZ_INPUTS: values.inputs ?? '' },
});
process.exit(status ?? 1);
