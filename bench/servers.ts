/**
 * The servers under test, each a harness of wrangler with its own workerd: the product, the floor, and the product with bindings
 * that count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { createTestHarness } from 'wrangler';
import type { Pure } from './bundle.ts';

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';
process.env.WRANGLER_SEND_METRICS = 'false';

export const SIGNING_KEY = 'bench-signing-key-of-at-least-32-bytes';
const TICK_MILLISECONDS = 10;

/** What is filled before anything is measured. */
export interface Seeding {
  readonly DB: D1Database;
  /** How many suppliers {@link newSupplier} has made. */
  suppliers: number;
}

/** What answers requests. */
export interface Origin {
  readonly origin: string;
  readonly token: string;
  readonly pids: readonly number[];
  readonly isFloor: boolean;
  close(): Promise<void>;
}

export interface Server extends Origin, Seeding {
  readonly DOCUMENTS: R2Bucket;
}

export interface Supplier {
  readonly id: number;
  readonly code: string;
}

export async function startServer(configPath: string, issueToken: Pure['issueToken'], isFloor = false): Promise<Server> {
  const before = new Set(workerds());
  const harness = createTestHarness({ workers: [{ configPath, secrets: { TOKEN_SIGNING_KEY: SIGNING_KEY } }] });
  const { url } = await harness.listen();
  await harness.getWorker().applyD1Migrations('DB');
  const pids = workerds().filter((pid) => !before.has(pid));
  const { DB, DOCUMENTS } = await harness.getWorker().getEnv();
  const token = await seedCaller(DB, issueToken);
  return { origin: url.origin, DB, DOCUMENTS, token, pids, isFloor, suppliers: 0, close: () => harness.close() };
}

/** The one organisation and key of the bench; answers a token of theirs. */
export async function seedCaller(DB: D1Database, issueToken: Pure['issueToken']): Promise<string> {
  await DB.batch([
    DB.prepare("INSERT INTO organisations (id, name, created_at) VALUES ('org_bench', 'Bench', 0)"),
    DB.prepare("INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES ('key_bench', 'org_bench', 'bench', 'x', 0)"),
  ]);
  const { token } = await issueToken({ organisationId: 'org_bench', apiKeyId: 'key_bench' }, { current: SIGNING_KEY }, Date.now());
  return token;
}

/** Milliseconds of CPU the server's processes have used so far, of the one that works hardest: the others only pass requests on. */
export function cpuOf(server: Pick<Origin, 'pids'>): Map<number, number> {
  return new Map(server.pids.map((pid) => [pid, ticksOf(pid) * TICK_MILLISECONDS]));
}

/** CPU milliseconds since `before`, in the workerd that runs the Worker, its database, its bucket and its queue. */
export const cpuSince = (server: Pick<Origin, 'pids'>, before: ReadonlyMap<number, number>): number =>
  Math.max(...[...cpuOf(server)].map(([pid, now]) => now - (before.get(pid) ?? 0)));

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Every workerd below this process. */
export function workerds(): number[] {
  const parents = new Map<number, number>();
  const names = new Map<number, string | undefined>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [head = '', tail = ''] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ');
      names.set(Number(entry), head.split('(')[1]);
      parents.set(Number(entry), Number(tail.split(' ')[1]));
    } catch {
      // It ended while it was looked at.
    }
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || (pid > 1 && isBelow(parents.get(pid))));
  return [...names].filter(([pid, name]) => name === 'workerd' && isBelow(pid)).map(([pid]) => pid);
}

/** A supplier of its own for each measurement. */
export async function newSupplier(server: Seeding): Promise<Supplier> {
  server.suppliers += 1;
  const code = `B-${server.suppliers}`;
  const configuration = { default_country: 'GB' };
  const id = await server.DB.prepare(
    `INSERT INTO suppliers (organisation_id, code, name, status, configuration, version, resumed_at, created_at, modified_at)
     VALUES ('org_bench', ?1, ?1, 'Ongoing', ?2, 1, 0, 0, 0) RETURNING id`,
  )
    .bind(code, JSON.stringify(configuration))
    .first<number>('id');
  if (id === null) throw new Error('the supplier was not made');
  return { id, code };
}

/** Imported accounts straight into the tables, ids in a row; answers the first. `number` is SQL of the external number of the i-th. */
export async function importedAccounts(server: Seeding, supplier: Supplier, count: number, number = "'EXT-' || (i - 1)"): Promise<number> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)`;
  const [before] = await server.DB.batch<{ first: number }>([
    server.DB.prepare('SELECT coalesce(max(id), 0) + 1 AS first FROM payloads'),
    server.DB.prepare(
      `INSERT INTO payloads (id, body) ${numbers} SELECT (SELECT coalesce(max(id), 0) FROM payloads) + i, '{}' FROM n`,
    ).bind(count),
    server.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, started_at, finished_at, modified_at, attempts, account_number)
       ${numbers} SELECT ?2, (SELECT max(id) FROM payloads) - ?1 + i, ${number}, 2, 'h', 2, 0, ?3, ?3, ?3, ?3, ?3, ?3, 1,
         printf('A-%08X', (SELECT max(id) FROM payloads) - ?1 + i) FROM n`,
    ).bind(count, supplier.id, Date.now()),
    server.DB.prepare(
      `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day)
       ${numbers} SELECT (SELECT max(id) FROM payloads) - ?1 + i, ?2, ?3, ?4, 1, 1, 1 FROM n`,
    ).bind(count, supplier.id, Date.now(), `${new Date().toISOString().slice(0, 7)}-01`),
  ]);
  const first = before?.results[0]?.first;
  if (first === undefined) throw new Error('the accounts were not made');
  return first;
}

/** Documents `<directory>/<i>.pdf` of a supplier. Answers where they lie in the bucket. */
export async function documentsIn(
  server: Pick<Server, 'DOCUMENTS'>,
  supplier: Supplier,
  directory: string,
  count: number,
): Promise<string> {
  const folder = `${supplier.code}/${directory}`;
  for (let from = 0; from < count; from += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, i) => server.DOCUMENTS.put(`${folder}/${from + i}.pdf`, 'x')));
  }
  return folder;
}

/** Waits until the supplier has no process without an account, and `count` accounts. */
export async function untilProcessed(server: Seeding, supplier: Supplier, count: number): Promise<number> {
  const open = server.DB.prepare('SELECT count(*) AS open FROM import_processes WHERE supplier_id = ?1 AND status <> 2').bind(supplier.id);
  const deadline = Date.now() + 300_000;
  while (((await open.first<number>('open')) ?? 0) > 0) {
    if (Date.now() > deadline) throw new Error('the accounts were not created in time');
    await new Promise((resume) => setTimeout(resume, 15));
  }
  const ended = performance.now();
  const done = await server.DB.prepare('SELECT count(*) AS done FROM accounts WHERE supplier_id = ?1')
    .bind(supplier.id)
    .first<number>('done');
  if (done !== count) throw new Error(`${done} accounts of ${count}`);
  return ended;
}

export async function request(
  server: Pick<Origin, 'origin' | 'token'>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { body, type = 'application/json' }: { readonly body?: string; readonly type?: string } = {},
): Promise<string> {
  const options = {
    method,
    headers: {
      Authorization: `Token ${server.token}`,
      'Accept-Encoding': 'identity',
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body }),
  };
  const url = `${server.origin}${path}`;
  // A connection that idled may be closed just when it is used again; all that is sent here may be sent twice.
  const response = await fetch(url, options).catch(() => fetch(url, options));
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}
