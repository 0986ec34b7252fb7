/**
 * The cost of an account as its supplier grows, by external account numbers in order and at random. A supplier is filled up in SQL, all
 * of it in one run and with an event for each slice; what is measured then goes the whole way, in the same run.
 */
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { addRun, importInto, pathsOf } from './cases.ts';
import { cpuOf, cpuSince } from './cpu.ts';
import { type Cost, loads, median, round, table } from './figures.ts';
import type { Payloads } from './payloads.ts';
import { importedAccounts, newSupplier } from './seeding.ts';
import { request, type Server, type Supplier } from './servers.ts';

const SIZES = [1_000, 10_000, 100_000, 300_000, 1_000_000];
/** Accounts that are filled in at once. */
const FILL = 100_000;
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
    await addRun(server, supplier);
    let size = 0;
    for (const wanted of quick ? SIZES.slice(0, 2) : SIZES) {
      for (; size < wanted; size = Math.min(wanted, size + FILL)) {
        const count = Math.min(FILL, wanted - size);
        await joinRun(server, supplier, await importedAccounts(server, supplier, count, filled(size)), count);
      }
      const taken: Cost[] = [];
      let numbers: string[] = [];
      for (let post = 0; post < POSTS; post++) {
        numbers = range(size, POST, number);
        taken.push(await importInto(server, supplier, payloads.small, numbers, { isInRun: true }));
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

/** Puts accounts that were filled in into the supplier's run, and makes their events. */
async function joinRun({ DB }: Server, { id }: Supplier, first: number, count: number): Promise<void> {
  await DB.batch([
    DB.prepare(
      'UPDATE import_processes SET run_id = (SELECT id FROM runs WHERE supplier_id = ?1) WHERE supplier_id = ?1 AND id >= ?2 AND id < ?2 + ?3',
    ).bind(id, first, count),
    DB.prepare(
      `UPDATE runs SET first_id = min(coalesce(first_id, ?2), ?2), last_id = max(coalesce(last_id, 0), ?2 + ?3 - 1) WHERE supplier_id = ?1`,
    ).bind(id, first, count),
    DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 / 500)
       INSERT INTO events (id, supplier_id, occurred_at, type, data)
       SELECT max(?3, (SELECT coalesce(max(id), 0) FROM events) + 1) + i - 1, ?1, ?3, 'account_imports.finished', '{"imports":[]}' FROM n`,
    ).bind(id, count, Date.now()),
  ]);
}

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
