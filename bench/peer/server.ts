/**
 * A peer that does the product's work without its platform: Fastify and PostgreSQL, one process. Bulk in, checked and stored by slices,
 * created by a queue of its own. Started by `bench/peer.ts`; prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Row = readonly unknown[];
type Table = keyof typeof TABLES;

/** An account that is to be staged. */
interface Staged {
  readonly externalAccountNumber: string;
  readonly payloadHash: string;
  readonly bodyBytes: number;
  readonly body: string;
}

/** What `work.ts` makes of the product. */
interface Work {
  checked(number: number, bytes: Uint8Array, code: string, now: number): { readonly answer: object; readonly account?: Staged };
  rowsOf(
    id: number,
    body: string,
    code: string,
    now: number,
  ): (Readonly<Record<Table, readonly Row[]>> & { readonly accountNumber: string }) | undefined;
}

type Statement = { readonly name?: string; readonly text: string; readonly values?: Row };
interface Found {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly rowCount: number;
}
interface Client {
  query(statement: string | Statement, values?: Row): Promise<Found>;
}
interface Pool extends Client {
  connect(): Promise<Client & { release(): void }>;
}

interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
}
interface Reply {
  code(status: number): Reply;
  type(type: string): Reply;
  send(body?: string): unknown;
}
interface App {
  addContentTypeParser(type: string, parse: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void): void;
  get(path: string, handle: (request: Asked, reply: Reply) => Promise<unknown>): void;
  post(path: string, handle: (request: Asked, reply: Reply) => Promise<unknown>): void;
  listen(where: { readonly host: string; readonly port: number }): Promise<string>;
}

interface Supplier {
  readonly id: number;
  readonly code: string;
  readonly version: string | undefined;
}

const [, , workFile = '', socket = '', key = ''] = process.argv;
const { checked, rowsOf }: Work = await import(pathToFileURL(workFile).href);
// Packages of this folder alone: whoever does not run the peer does not install them.
const require = createRequire(import.meta.url);
const fastify: () => App = require('fastify');
const pg: { readonly Pool: new (options: object) => Pool } = require('pg');
const pool = new pg.Pool({ host: socket, user: 'postgres', database: 'postgres', max: 4 });

const TABLES = {
  accounts:
    'id bigint, created_at bigint, period_from text, cycle_months int, cycle_start_month int, cycle_start_day int, balance_minor text',
  customers:
    'account_id bigint, position int, given_name text, family_name text, email text, mobile text, mobile_e164 text, landline text, landline_e164 text, phones text, date_of_birth text, details text',
  notes:
    'account_id bigint, note_key text, created_at bigint, body text, documents text, is_pinned bool, unpin_at bigint, source int, details text',
  transactions:
    'account_id bigint, transaction_id text, addition bigint, source int, ledger int, transaction_date text, amount_minor bigint, type text, note text, imported text, created_at bigint',
  statements: 'account_id bigint, statement_id text, content_hash text, content text, document_key text, created_at bigint',
  instructions: 'account_id bigint, type text, position int, vendor text, reference text, details text, created_at bigint',
};
const KEYS: Readonly<Record<Table, string>> = {
  accounts: 'id',
  customers: 'account_id, position',
  notes: 'account_id, note_key, created_at',
  transactions: 'account_id, transaction_id, addition',
  statements: 'account_id, statement_id',
  instructions: 'account_id, type, position',
};

const NAMES: readonly Table[] = ['accounts', 'customers', 'notes', 'transactions', 'statements', 'instructions'];

await pool.query(`
  CREATE TABLE suppliers (id bigint PRIMARY KEY, code text UNIQUE, status text, version int);
  CREATE TABLE api_keys (id text PRIMARY KEY, revoked_at bigint);
  INSERT INTO api_keys VALUES ('key_bench', NULL);
  CREATE TABLE payloads (id bigint PRIMARY KEY, body text NOT NULL);
  CREATE TABLE import_processes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, supplier_id bigint NOT NULL, external_account_number text NOT NULL,
    status smallint NOT NULL, payload_hash text NOT NULL, payload_bytes int NOT NULL, is_dry_run bool NOT NULL, created_at bigint, scheduled_at bigint,
    started_at bigint, finished_at bigint, modified_at bigint, claim bigint, lease_until bigint, attempts int, account_number text,
    UNIQUE (supplier_id, external_account_number));
  CREATE INDEX import_processes_open ON import_processes (supplier_id, id) WHERE status IN (0, 1, 3);
  CREATE TABLE imports_per_minute (supplier_id bigint, minute bigint, processed int, PRIMARY KEY (supplier_id, minute));
  CREATE TABLE events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, supplier_id bigint, occurred_at bigint, type text, data text);
  ${NAMES.map((name) => `CREATE TABLE ${name} (${TABLES[name]}, PRIMARY KEY (${KEYS[name]}));`).join('\n')}`);

/** A statement for rows as arrays of their columns. */
function insertOf(name: Table, rows: readonly Row[]): Statement {
  const types = TABLES[name].split(', ').map((column) => column.split(' ')[1]);
  const given = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
  const values = types.map((_, column) => rows.map((row) => row[column]));
  return { name, text: `INSERT INTO ${name} SELECT * FROM unnest(${given}) ON CONFLICT DO NOTHING`, values };
}

const STAGE = `WITH given AS (SELECT * FROM unnest($3::text[], $4::text[], $5::int[], $6::text[]) AS g (number, hash, bytes, body)),
  staged AS (INSERT INTO import_processes (supplier_id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
      modified_at, attempts)
    SELECT s.id, number, 0, hash, bytes, false, $7, $7, $7, 0 FROM given CROSS JOIN suppliers s
    WHERE s.id = $1 AND s.version = $2 AND s.status = 'Ongoing' AND EXISTS (SELECT 1 FROM api_keys WHERE id = 'key_bench' AND revoked_at IS NULL)
    ON CONFLICT (supplier_id, external_account_number) DO NOTHING RETURNING id, external_account_number),
  stored AS (INSERT INTO payloads SELECT staged.id, body FROM staged JOIN given ON number = external_account_number)
  SELECT id FROM staged`;
const CLAIM = `UPDATE import_processes p SET status = 1, claim = $3, lease_until = $4, started_at = $5, modified_at = $5, attempts = attempts + 1
  FROM payloads y WHERE p.supplier_id = $1 AND p.id = ANY ($2::bigint[]) AND p.status = 0 AND y.id = p.id RETURNING p.id, p.external_account_number, y.body`;
const FINISH = `UPDATE import_processes p SET status = 2, account_number = g.number, finished_at = $4, modified_at = $4, lease_until = NULL
  FROM unnest($1::bigint[], $2::text[]) AS g (id, number) WHERE p.id = g.id AND p.claim = $3 AND p.status = 1`;

/** Processes of one slice that are to be created. */
interface Slice {
  readonly supplier: Supplier;
  readonly ids: readonly unknown[];
}

const queue: Slice[] = [];
let isConsuming = false;
let claims = 0;

async function consume() {
  if (isConsuming) return;
  isConsuming = true;
  for (let slice = queue.shift(); slice; slice = queue.shift()) await create(slice);
  isConsuming = false;
}

async function create({ supplier, ids }: Slice): Promise<void> {
  const now = Date.now();
  const claim = ++claims;
  const { rows } = await pool.query({ name: 'claim', text: CLAIM, values: [supplier.id, ids, claim, now + 300_000, now] });
  const made = rows.map(({ id, external_account_number, body = '' }) => {
    const account = rowsOf(Number(id), body, supplier.code, now);
    if (!account) throw new Error('a staged account is wrong');
    return { id, external_account_number, rows: account };
  });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (const name of NAMES) {
      const all = made.flatMap((one) => one.rows[name]);
      if (all.length > 0) await client.query(insertOf(name, all));
    }
    const data = made.map(({ external_account_number, rows: { accountNumber } }) => ({
      external_account_number,
      status: 'PROCESSED',
      platform_account_number: accountNumber,
    }));
    await client.query({
      name: 'count',
      text: 'INSERT INTO imports_per_minute VALUES ($1, $2, $3) ON CONFLICT (supplier_id, minute) DO UPDATE SET processed = imports_per_minute.processed + excluded.processed',
      values: [supplier.id, Math.floor(now / 60_000), made.length],
    });
    await client.query({
      name: 'event',
      text: "INSERT INTO events (supplier_id, occurred_at, type, data) VALUES ($1, $2, 'account_imports.finished', $3)",
      values: [supplier.id, now, JSON.stringify({ imports: data })],
    });
    const values = [made.map(({ id }) => id), made.map((one) => one.rows.accountNumber), claim, now];
    const { rowCount } = await client.query({ name: 'finish', text: FINISH, values });
    if (rowCount !== made.length) throw new Error('the claim is lost');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

function authenticated(header = ''): boolean {
  const [head, payload, signature = ''] = header.replace(/^Token /, '').split('.');
  const expected = createHmac('sha256', key).update(`${head}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
}

async function stage(supplier: Supplier, lines: readonly Line[]): Promise<string> {
  const now = Date.now();
  const checks = lines.map(({ number, bytes }) => checked(number, bytes, supplier.code, now));
  const right = checks.flatMap(({ account }) => account ?? []);
  if (right.length > 0) {
    const columns = [
      right.map((one) => one.externalAccountNumber),
      right.map((one) => one.payloadHash),
      right.map((one) => one.bodyBytes),
      right.map((one) => one.body),
    ];
    const { rows } = await pool.query({ name: 'stage', text: STAGE, values: [supplier.id, supplier.version, ...columns, now] });
    queue.push({ supplier, ids: rows.map(({ id }) => id) });
    void consume();
  }
  return checks.map(({ answer }) => `${JSON.stringify(answer)}\n`).join('');
}

const SLICE = 500;
const app = fastify();
app.addContentTypeParser('application/x-ndjson', (_, body, done) => done(null, body));
app.post('/bulk', async (request, reply) => {
  if (!authenticated(request.headers['authorization'])) return reply.code(401).send();
  const found = await pool.query('SELECT id, code, status, version FROM suppliers WHERE id = $1', [request.query['supplier']]);
  const [row] = found.rows;
  const supplier: Supplier = { id: Number(row?.['id']), code: row?.['code'] ?? '', version: row?.['version'] };
  let rest: Buffer = Buffer.alloc(0);
  let slice: Line[] = [];
  let lines = 0;
  let answers = '';
  for await (const chunk of request.body) {
    const part = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      slice.push({ number: ++lines, bytes: new Uint8Array(part.subarray(from, end)) });
      from = end + 1;
      if (slice.length < SLICE) continue;
      answers += await stage(supplier, slice);
      slice = [];
    }
    rest = part.subarray(from);
  }
  if (slice.length > 0) answers += await stage(supplier, slice);
  return reply.type('application/x-ndjson').send(`${answers}{"done":true,"lines":${lines}}\n`);
});
app.post('/suppliers', async ({ query: { id, code } }) => {
  await pool.query("INSERT INTO suppliers VALUES ($1, $2, 'Ongoing', 1)", [id, code]);
  return {};
});
app.get('/done', async ({ query: { supplier, number } }) => {
  const { rows } = await pool.query('SELECT status FROM import_processes WHERE supplier_id = $1 AND external_account_number = $2', [
    supplier,
    number,
  ]);
  return { isDone: Number(rows[0]?.['status']) === 2 };
});
app.get('/counts', async ({ query: { supplier } }) => {
  const { rows } = await pool.query('SELECT count(*)::int AS done FROM import_processes WHERE supplier_id = $1 AND status = 2', [supplier]);
  return rows[0];
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
