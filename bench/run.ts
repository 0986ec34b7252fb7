/**
 * `npm run bench`: the real bundle beside the floor, by turns in one run; medians, ratios, and what each operation asks of the
 * platform. Writes its tables into docs/performance.md between their marks. `-- --quick` is a short form that writes nothing without `--write`,
 * `-- --growth` measures the cost of an account as a supplier grows, `-- --memory` what the Worker holds
 * while long lists and bodies go through it, `-- --only <text>` runs what is named so.
 */
import { parseArgs } from 'node:util';
import { pureParts } from './bundle.ts';
import { countsTable } from './counts.ts';
import { writeSection } from './document.ts';
import { growthTable } from './growth.ts';
import { memoryTable } from './memory.ts';
import { payloadsFrom } from './payloads.ts';
import { ratioTable } from './ratios.ts';
import { type Server, startServer } from './servers.ts';
import { validationTable } from './validation.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
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
  if (options.growth) print('growth', await growthTable(await start('wrangler.toml'), payloads, options));
  else if (options.memory) print('memory', await memoryTable(pure, payloads, options));
  else {
    const product = await start('wrangler.toml');
    const floor = await start('bench/floor/wrangler.toml', true);
    print('ratios', await ratioTable([product, floor], payloads, options));
    if (!options.only) {
      print('validation', validationTable(pure, payloads, options));
      print('counts', await countsTable(await start('bench/counted/wrangler.toml'), payloads));
    }
  }
} finally {
  for (const server of open) await server.close();
}
process.exit(0);

function print(name: string, text: string): void {
  console.log(`\n${text}\n`);
  if (options.write || !(options.quick || options.only)) writeSection(name, text);
}
