/**
 * `npm run simulate`: random histories of the service under failure, each decided by its seed.
 *
 *   npm run simulate                       for a minute
 *   npm run simulate -- --seeds 5000       the seeds 1 to 5000, however long it takes
 *   npm run simulate -- --seed 42          one seed, with everything that happened
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ROOT } from './local.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string' } } });
const { status } = spawnSync('vitest', ['run', '--project', 'simulation', '--disable-console-intercept', 'test/simulation/seeds-'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(values.seed === undefined ? {} : { SIMULATION_SEED: values.seed }),
    ...(values.seeds === undefined ? {} : { SIMULATION_SEEDS: values.seeds, SIMULATION_SECONDS: '36000' }),
  },
});
process.exit(status ?? 1);
