/** What is in the tables before something is measured, and when what was asked for is done. */
import type { D1Database } from '@cloudflare/workers-types';
import type { Pure } from './bundle.ts';
import type { Seeding, Server, Supplier } from './servers.ts';

export const SIGNING_KEY = 'bench-signing-key-of-at-least-32-bytes';
/** Between two looks; a look costs the server a millisecond. */
const LOOK_MILLISECONDS = 40;
const PATIENCE_MILLISECONDS = 300_000;

/** The one organisation and key of the bench; answers a token of theirs. */
export async function seedCaller(DB: D1Database, issueToken: Pure['issueToken']): Promise<string> {
  await DB.batch([
    DB.prepare("INSERT INTO organisations (id, name, created_at) VALUES ('org_bench', 'Bench', 0)"),
    DB.prepare("INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES ('key_bench', 'org_bench', 'bench', 'x', 0)"),
  ]);
  const { token } = await issueToken({ organisationId: 'org_bench', apiKeyId: 'key_bench' }, { current: SIGNING_KEY }, Date.now());
  return token;
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

/** Waits until the account that was sent last is there, then until all `count` of the supplier are. */
export async function untilProcessed(server: Seeding, supplier: Supplier, count: number, last: string): Promise<number> {
  const isDone = server.DB.prepare(
    'SELECT 1 AS done FROM import_processes WHERE supplier_id = ?1 AND external_account_number = ?2 AND status = 2',
  ).bind(supplier.id, last);
  await until(async () => (await isDone.first('done')) === 1);
  const accounts = server.DB.prepare('SELECT count(*) AS done FROM accounts WHERE supplier_id = ?1').bind(supplier.id);
  let ended = performance.now();
  // Batches of the queue may end in another order.
  await until(async () => {
    if ((await accounts.first<number>('done')) === count) return true;
    ended = performance.now();
    return false;
  });
  return ended;
}

/** Looks until `isDone`. */
export async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('what was sent was not done in time');
    await new Promise((resume) => setTimeout(resume, LOOK_MILLISECONDS));
  }
}
