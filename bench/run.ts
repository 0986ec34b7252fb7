/**
 * `npm run bench`: the real bundle beside the floor, by turns in one run; medians, ratios, and what each operation asks of the
 * platform. Writes its tables into docs/performance.md between their marks. `-- --quick` is a short form that writes nothing unless told by `--write`,
 * `-- --growth` measures the cost of an account as a supplier grows, `-- --runs` what reads all of a run of a million accounts, `-- --memory` what the Worker holds
 * while long lists and bodies go through it, `-- --only <text>` runs what is named so.
 */
import { parseArgs } from 'node:util';
import { pureParts } from './bundle.ts';
import { countsTable } from './counts.ts';
import { writeSection } from './document.ts';
import { growthTable } from './growth.ts';
import { judgementTable } from './judgement.ts';
import { memoryTable } from './memory.ts';
import { payloadsFrom } from './payloads.ts';
import { ratioTable } from './ratios.ts';
import { runsTable } from './runs.ts';
import { type Server, startServer } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    runs: { type: 'boolean' },
    memory: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
});

const pure = await pureParts();
const payloads = payloadsFrom(pure);
const open: Server[] = [];
const start = async (configPath: string, isFloor = false) => {
  const server = await startServer(configPath, pure.issueToken, isFloor);
  open.push(server);
  return server;
};

try {
  if (options.growth) tell('growth', await growthTable(await start('wrangler.toml'), payloads, options));
  else if (options.runs) tell('runs', await runsTable(await start('wrangler.toml'), options));
  else if (options.memory) tell('memory', await memoryTable(pure, payloads, options));
  else {
    const product = await start('wrangler.toml');
    const floor = await start('bench/floor/wrangler.toml', true);
    tell('ratios', await ratioTable([product, floor], payloads, options));
    if (!options.only) {
      tell('judgement', judgementTable(pure, payloads, options));
      tell('counts', await countsTable(await start('bench/counted/wrangler.toml'), payloads));
    }
  }
} finally {
  for (const server of open) await server.close();
}
process.exit(0);

function tell(name: string, text: string): void {
  console.log(`\n${text}\n`);
  if (options.write || !(options.quick || options.only)) writeSection(name, text);
}
