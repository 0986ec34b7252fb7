/**
 * A run as large as a migration: its accounts are made in SQL, then what reads all of it goes the whole way over HTTP. The platform ends a
 * statement after 30 s, so each is a page; the time of one page is what has to stay below that.
 */
import { loadavg } from 'node:os';
import { loads, round, table } from './figures.ts';
import { newSupplier } from './seeding.ts';
import { request, type Seeding, type Server, type Supplier } from './servers.ts';

const RUN = 'wave';
const CHUNK = 50_000;
const HEAD = ['what', 'statements', 'seconds', 'ms a statement'];

/** Each with a customer and two transactions. Statements by the sizes of their pages. */
export async function runsTable(server: Server, { quick }: { readonly quick?: boolean }): Promise<string> {
  const accounts = quick ? 50_000 : 1_000_000;
  const before = loadavg();
  const supplier = await newSupplier(server);
  const path = `/v2/data-import/runs/${supplier.code}/${RUN}/`;
  const money = (pence: number) => (pence / 100).toFixed(2);
  const expected = {
    accounts,
    customers: accounts,
    transactions: 2 * accounts,
    transactions_amount: money(250 * accounts),
    balance: money(250 * accounts),
  };
  await request(server, 'PUT', path, { body: JSON.stringify({ expected }) });
  for (let made = 0; made < accounts; made += CHUNK) await accountsOfRun(server, supplier, Math.min(CHUNK, accounts - made), made);

  const rows: string[][] = [];
  const measure = async (what: string, statements: number, work: () => Promise<string>, isRight: (answer: string) => boolean) => {
    const started = performance.now();
    const answer = await work();
    const taken = performance.now() - started;
    if (!isRight(answer)) throw new Error(`${what} is not whole: ${answer.slice(-300)}`);
    rows.push([what, statements.toLocaleString('en'), round(taken / 1_000), round(taken / statements)]);
    console.log(rows.at(-1)?.join(' | '));
  };
  const pages = (size: number) => Math.ceil(accounts / size);
  await measure(
    'counts by status',
    pages(50_000),
    () => request(server, 'GET', path),
    (answer) => JSON.parse(answer).counts.PROCESSED === accounts,
  );
  await measure(
    'totals reconciled',
    pages(20_000) + pages(4_000),
    () => request(server, 'GET', `${path}reconciliation/`),
    (answer) => JSON.parse(answer).matches === true,
  );
  await measure(
    'counts in one statement, as the event of its end has them',
    1,
    async () => {
      const counted = server.DB.prepare(
        `SELECT status, count(*) AS count FROM runs JOIN import_processes ON import_processes.supplier_id = runs.supplier_id
           AND import_processes.id BETWEEN first_id AND last_id AND run_id = runs.id
         WHERE runs.supplier_id = ?1 GROUP BY status`,
      );
      return JSON.stringify(await counted.bind(supplier.id).all());
    },
    (answer) => JSON.parse(answer).results[0].count === accounts,
  );
  const list = Array.from({ length: accounts }, (_, i) => `{"external_account_number":"R-${i}","customers":1}`).join('\n');
  await measure(
    'a list of every account compared',
    pages(2_500) + pages(10_000),
    () => request(server, 'POST', `${path}reconciliation/`, { body: list, type: 'application/x-ndjson' }),
    (answer) => JSON.parse(answer.trim().split('\n').at(-1) ?? '{}').matching === accounts,
  );
  await measure(
    'report',
    pages(2_500),
    () => request(server, 'GET', `${path}report/`),
    (answer) => answer.endsWith(`{"done":true,"accounts":${accounts}}\n`),
  );
  const head = `A run of ${accounts.toLocaleString('en')} accounts, each with a customer and two transactions:`;
  return `${head}\n\n${table(HEAD, rows)}\n\nLoad average ${loads(before, loadavg())} after.`;
}

/** Imported accounts of the run, from the number `first` on: all their rows but payloads' bodies. */
async function accountsOfRun(server: Seeding, supplier: Supplier, count: number, first: number): Promise<void> {
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)';
  const id = '(SELECT max(id) FROM payloads) - ?1 + i';
  const now = Date.now();
  await server.DB.batch([
    server.DB.prepare(
      `INSERT INTO payloads (id, body) ${numbers} SELECT (SELECT coalesce(max(id), 0) FROM payloads) + i, '{}' FROM n`,
    ).bind(count),
    server.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, started_at, finished_at, modified_at, attempts, account_number, run_id, totals)
       ${numbers} SELECT ?2, ${id}, printf('R-%d', ?4 + i - 1), 2, 'h', 2, 0, ?3, ?3, ?3, ?3, ?3, ?3, 1, printf('A-%08X', ${id}),
         (SELECT id FROM runs WHERE supplier_id = ?2), '[1,0,2,250,0,0,250]' FROM n`,
    ).bind(count, supplier.id, now, first),
    server.DB.prepare(
      `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day, balance_minor)
       ${numbers} SELECT ${id}, ?2, ?3, '2026-01-01', 1, 1, 1, '250' FROM n`,
    ).bind(count, supplier.id, now),
    server.DB.prepare(`INSERT INTO customers (account_id, position, given_name) ${numbers} SELECT ${id}, 0, 'Ada' FROM n`).bind(count),
    ...[100, 150].map((amount) =>
      server.DB.prepare(
        `INSERT INTO transactions (account_id, transaction_id, addition, source, transaction_date, amount_minor, type, imported, created_at)
         ${numbers} SELECT ${id}, 'T-${amount}', 0, 1, '2026-01-10', ${amount}, 'PAYMENT', '{}', ?2 FROM n`,
      ).bind(count, now),
    ),
    server.DB.prepare(
      `UPDATE runs SET last_id = (SELECT max(id) FROM payloads), first_id = coalesce(first_id, (SELECT max(id) FROM payloads) - ?1 + 1)
       WHERE supplier_id = ?2`,
    ).bind(count, supplier.id),
  ]);
}
