/**
 * `npm run bench`: the real bundle beside the floor, by turns in one run; medians, ratios, and what each operation asks of the
 * platform. Writes its tables into docs/performance.md between their marks. `-- --quick` is a short form that writes nothing without `--write`,
 * `-- --growth` measures the cost of an account as a supplier grows, `-- --runs` what reads all of a run of a million accounts, `-- --memory` what the Worker holds
 * while long lists and bodies go through it, `-- --beside <folder>` the product beside that of another checkout, `-- --peer` also beside a peer on
 * PostgreSQL, `-- --command-line` how fast the command line adds to accounts, `-- --only <text>` runs what is named so.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { besidesTable } from './besides.ts';
import { pureParts } from './bundle.ts';
import { commandLineTable } from './command-line.ts';
import { countsTable } from './counts.ts';
import { writeSection } from './document.ts';
import { growthTable } from './growth.ts';
import { memoryTable } from './memory.ts';
import { payloadsFrom } from './payloads.ts';
import { peerTable } from './peer.ts';
import { promiseTable } from './promises.ts';
import { ratioTable } from './ratios.ts';
import { runsTable } from './runs.ts';
import { type Server, type Source, startServer } from './servers.ts';
import { validationTable } from './validation.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    runs: { type: 'boolean' },
    memory: { type: 'boolean' },
    'command-line': { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    beside: { type: 'string' },
    peer: { type: 'boolean' },
  },
});

const pure = await pureParts();
const payloads = payloadsFrom(pure);
const open: Server[] = [];
const start = async (source: Source) => {
  const server = await startServer(source, pure.issueToken);
  open.push(server);
  return server;
};
const PRODUCT: Source = { configPath: 'wrangler.toml' };

try {
  if (options.growth) report('growth', await growthTable(await start(PRODUCT), payloads, options));
  else if (options['command-line']) report('command-line', await commandLineTable(await start(PRODUCT), payloads, options));
  else if (options.runs) report('runs', await runsTable(await start(PRODUCT), options));
  else if (options.memory) report('memory', await memoryTable(pure, payloads, options));
  else if (options.beside) {
    const sides = [await start(PRODUCT), await start({ ...PRODUCT, folder: resolve(options.beside) })] as const;
    console.log(`\n${(await ratioTable(sides, payloads, options, 'other')).text}\n`);
  } else await all();
} finally {
  for (const server of open) await server.close();
}
process.exit(0);

async function all(): Promise<void> {
  const product = await start(PRODUCT);
  const floor = await start({ configPath: 'bench/floor/wrangler.toml', isFloor: true });
  const peer = options.peer ? await peerTable(product, payloads, options) : undefined;
  if (peer) report('peer', peer.text);
  const { text, ratios } = await ratioTable([product, floor], payloads, options);
  report('ratios', text);
  report('besides', await besidesTable(await start(PRODUCT), payloads, options));
  if (options.only) return;
  report('validation', validationTable(pure, payloads, options));
  const counted = await countsTable(await start({ configPath: 'bench/counted/wrangler.toml' }), payloads);
  report('counts', counted.text);
  report('promises', promiseTable(ratios, counted, peer));
}

function report(name: string, text: string): void {
  console.log(`\n${text}\n`);
  if (options.write || !(options.quick || options.only)) writeSection(name, text);
}
