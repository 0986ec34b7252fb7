/** The cost of an account as its supplier grows, by external account numbers in order and at random. */
import { importInto, pathsOf } from './cases.mjs';
import { median, round, table } from './figures.mjs';
import { cpuOf, cpuSince, newSupplier, request } from './servers.mjs';

const SIZES = [1_000, 10_000, 100_000, 300_000];
const POST = 10_000;
const READS = 200;

const ORDERS = {
  'in order': (i) => `EXT-${String(i).padStart(9, '0')}`,
  random: (i) => `EXT-${(Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0')}`,
};

const HEAD = [
  'accounts of the supplier',
  'numbers',
  'bulk, CPU µs an account',
  'bulk, accounts a second',
  'status, CPU µs',
  'list page of 200, ms',
];

export async function growthTable(server, payloads, { quick }) {
  const rows = [];
  for (const [name, numberOf] of Object.entries(ORDERS)) {
    const supplier = await newSupplier(server);
    // The first posts compile and fill caches.
    await importInto(server, await newSupplier(server), payloads.small, range(0, POST, ORDERS['in order']));
    let size = 0;
    for (const wanted of quick ? SIZES.slice(0, 2) : SIZES) {
      let taken = [];
      while (size < wanted) {
        const count = Math.min(POST, wanted - size);
        taken.push(await importInto(server, supplier, payloads.small, range(size, count, numberOf)));
        size += count;
        if (taken.length > 5) taken = taken.slice(-5);
      }
      rows.push([
        wanted.toLocaleString('en'),
        name,
        round(median(taken.map(({ cpu, count }) => (1000 * cpu) / count))),
        round(median(taken.map(({ milliseconds, count }) => (1000 * count) / milliseconds))),
        round(await statusCost(server, supplier, size, numberOf)),
        round(await pageCost(server, supplier, numberOf(size >> 1))),
      ]);
      console.log(rows.at(-1).join(' | '));
    }
  }
  return table(HEAD, rows);
}

const range = (from, count, numberOf) => Array.from({ length: count }, (_, i) => numberOf(from + i));

async function statusCost(server, supplier, size, numberOf) {
  const cpu = cpuOf(server);
  for (let i = 0; i < READS; i++) {
    await request(server, 'GET', pathsOf(server).status(supplier, numberOf(Math.imul(i, 7_919) % size)));
  }
  return (1000 * cpuSince(server, cpu)) / READS;
}

async function pageCost(server, supplier, cursor) {
  const taken = [];
  for (let i = 0; i < 20; i++) {
    const started = performance.now();
    await request(server, 'GET', `${pathsOf(server).list(supplier)}?limit=200&cursor=${cursor}`);
    taken.push(performance.now() - started);
  }
  return median(taken);
}
