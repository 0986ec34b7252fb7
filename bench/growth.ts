/**
 * The cost of an account as its supplier grows, by external account numbers in order and at random. A supplier is filled up in SQL;
 * what is measured then goes the whole way.
 */
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { importInto, pathsOf } from './cases.ts';
import { type Cost, loads, median, round, table } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { cpuOf, cpuSince, importedAccounts, newSupplier, request, type Server, type Supplier } from './servers.ts';

const SIZES = [1_000, 10_000, 100_000, 300_000];
const POST = 1_000;
const POSTS = 3;
const READS = 100;

const inOrder = (i: number) => `EXT-${String(i).padStart(9, '0')}`;
/** Numbers of accounts: how the i-th is sent, and SQL of those that are there `from` on. */
interface Order {
  number(i: number): string;
  filled(from: number): string;
}

const ORDERS: Readonly<Record<string, Order>> = {
  'in order': { number: inOrder, filled: (from) => `printf('EXT-%09d', ${from} + i - 1)` },
  random: { number: () => `R-${randomBytes(6).toString('hex')}`, filled: () => `'R-' || lower(hex(randomblob(6)))` },
};

const HEAD = ['accounts of the supplier', 'numbers', 'bulk, CPU µs an account', 'status, CPU µs', 'list page of 200, ms'];

export async function growthTable(server: Server, payloads: Payloads, { quick }: { readonly quick?: boolean }): Promise<string> {
  const rows: string[][] = [];
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
      const taken: Cost[] = [];
      let numbers: string[] = [];
      for (let post = 0; post < POSTS; post++) {
        numbers = range(size, POST, number);
        taken.push(await importInto(server, supplier, payloads.small, numbers));
        size += POST;
      }
      const printed = wanted.toLocaleString('en');
      const bulk = median(taken.map(({ cpu, count }) => (1000 * cpu) / count));
      rows.push([printed, name, round(bulk), round(await statusCost(server, supplier, numbers)), round(await pageCost(server, supplier))]);
      console.log(rows.at(-1)?.join(' | '));
    }
  }
  return `${table(HEAD, rows)}\n\nMedians of ${POSTS} posts of ${POST.toLocaleString('en')} accounts; load average ${loads(before, loadavg())} after.`;
}

const range = (from: number, count: number, number: Order['number']): string[] => Array.from({ length: count }, (_, i) => number(from + i));

async function statusCost(server: Server, supplier: Supplier, numbers: readonly string[]): Promise<number> {
  const cpu = cpuOf(server);
  for (let i = 0; i < READS; i++) await request(server, 'GET', pathsOf(server).status(supplier, numbers[7 * i] ?? ''));
  return (1000 * cpuSince(server, cpu)) / READS;
}

async function pageCost(server: Server, supplier: Supplier): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < 20; i++) {
    const started = performance.now();
    await request(server, 'GET', `${pathsOf(server).list(supplier)}?limit=200`);
    taken.push(performance.now() - started);
  }
  return median(taken);
}
