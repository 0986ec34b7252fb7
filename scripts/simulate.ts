/**
 * `npm run simulate`: random histories of the service under failure, each decided by its seed.
 *
 *   npm run simulate                       for a minute
 *   npm run simulate -- --seeds 5000       the seeds 1 to 5000, however long it takes
 *   npm run simulate -- --seed 42          one seed, with everything that happened
 */
import { statfsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROOT } from './local.ts';
import { runSync } from './programs.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string' } } });
const files = values.seed === undefined ? [] : ['test/system/simulation/seeds-1'];
const { status } = runSync('vitest', ['run', '--project', 'simulation', '--disable-console-intercept', '--maxWorkers=2', ...files], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    // The databases of a simulation need not outlive it: in memory, where there is room, it runs three times as fast.
    ...(hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}),
    SIMULATION_EXHAUSTIVE: 'on',
    SIMULATION_SECONDS: '60',
    ...(values.seed === undefined ? {} : { SIMULATION_SEED: values.seed }),
    ...(values.seeds === undefined ? {} : { SIMULATION_SEEDS: values.seeds, SIMULATION_SECONDS: '36000' }),
  },
});
process.exit(status ?? 1);

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}
