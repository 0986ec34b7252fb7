/**
 * The cost of an account as its supplier grows, by external account numbers in order and at random. A supplier is filled up in SQL;
 * what is measured then goes the whole way.
 */
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { importInto, pathsOf } from './cases.mjs';
import { median, round, table } from './figures.mjs';
import { cpuOf, cpuSince, importedAccounts, newSupplier, request } from './servers.mjs';

const SIZES = [1_000, 10_000, 100_000, 300_000];
const POST = 1_000;
const POSTS = 3;
const READS = 100;

const inOrder = (i) => `EXT-${String(i).padStart(9, '0')}`;
const ORDERS = {
  'in order': { number: inOrder, filled: (from) => `printf('EXT-%09d', ${from} + i - 1)` },
  random: { number: () => `R-${randomBytes(6).toString('hex')}`, filled: () => `'R-' || lower(hex(randomblob(6)))` },
};

const HEAD = ['accounts of the supplier', 'numbers', 'bulk, CPU µs an account', 'status, CPU µs', 'list page of 200, ms'];

export async function growthTable(server, payloads, { quick }) {
  const rows = [];
  const before = loadavg();
  // The first posts compile and fill caches.
  await importInto(server, await newSupplier(server), payloads.small, range(0, POST, inOrder));
  for (const [name, { number, filled }] of Object.entries(ORDERS)) {
    const supplier = await newSupplier(server);
    let size = 0;
    for (const wanted of quick ? SIZES.slice(0, 2) : SIZES) {
      if (wanted > size) {
        await importedAccounts(server, supplier, wanted - size, filled(size));
        size = wanted;
      }
      const taken = [];
      let numbers = [];
      for (let post = 0; post < POSTS; post++) {
        numbers = range(size, POST, number);
        taken.push(await importInto(server, supplier, payloads.small, numbers));
        size += POST;
      }
      const told = wanted.toLocaleString('en');
      const bulk = median(taken.map(({ cpu, count }) => (1000 * cpu) / count));
      rows.push([told, name, round(bulk), round(await statusCost(server, supplier, numbers)), round(await pageCost(server, supplier))]);
      console.log(rows.at(-1).join(' | '));
    }
  }
  const load = [before, loadavg()].map(([minute]) => minute.toFixed(1)).join(' before, ');
  return `${table(HEAD, rows)}\n\nMedians of ${POSTS} posts of ${POST.toLocaleString('en')} accounts; load average ${load} after.`;
}

const range = (from, count, number) => Array.from({ length: count }, (_, i) => number(from + i));

async function statusCost(server, supplier, numbers) {
  const cpu = cpuOf(server);
  for (let i = 0; i < READS; i++) await request(server, 'GET', pathsOf(server).status(supplier, numbers[7 * i]));
  return (1000 * cpuSince(server, cpu)) / READS;
}

async function pageCost(server, supplier) {
  const taken = [];
  for (let i = 0; i < 20; i++) {
    const started = performance.now();
    await request(server, 'GET', `${pathsOf(server).list(supplier)}?limit=200`);
    taken.push(performance.now() - started);
  }
  return median(taken);
}
