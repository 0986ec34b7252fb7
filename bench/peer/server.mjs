/**
 * A peer that does the product's work without its platform: Fastify and PostgreSQL, one process. Bulk in, checked and stored by slices,
 * created by a queue of its own. Started by `bench/peer.ts`; prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const { checked, rowsOf } = await import(process.env.PEER_WORK);
const pool = new pg.Pool({ host: process.env.PEER_SOCKET, user: 'postgres', database: 'postgres', max: 4 });

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
const KEYS = {
  accounts: 'id',
  customers: 'account_id, position',
  notes: 'account_id, note_key, created_at',
  transactions: 'account_id, transaction_id, addition',
  statements: 'account_id, statement_id',
  instructions: 'account_id, type, position',
};

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
  ${Object.entries(TABLES)
    .map(([name, columns]) => `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${KEYS[name]}));`)
    .join('\n')}`);

/** A statement for rows as arrays of their columns. */
const insertOf = (name) => {
  const types = TABLES[name].split(', ').map((column) => column.split(' ')[1]);
  return `INSERT INTO ${name} SELECT * FROM unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) ON CONFLICT DO NOTHING`;
};
const INSERTS = Object.fromEntries(Object.keys(TABLES).map((name) => [name, insertOf(name)]));
const columnsOf = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));

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

const queue = [];
let isConsuming = false;
let claims = 0;

async function consume() {
  if (isConsuming) return;
  isConsuming = true;
  for (let slice = queue.shift(); slice; slice = queue.shift()) await create(slice);
  isConsuming = false;
}

async function create({ supplier, ids }) {
  const now = Date.now();
  const claim = ++claims;
  const { rows } = await pool.query({
    name: 'claim',
    text: CLAIM,
    values: [supplier.id, ids, claim, now + 300_000, now],
  });
  const made = rows.map(({ id, external_account_number, body }) => ({
    id,
    external_account_number,
    rows: rowsOf(Number(id), body, supplier.code, now),
  }));
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (const name of Object.keys(TABLES)) {
      const all = made.flatMap((one) => one.rows[name]);
      if (all.length > 0) await client.query({ name, text: INSERTS[name], values: columnsOf(all) });
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

function authenticated(header = '') {
  const [head, payload, signature = ''] = header.replace(/^Token /, '').split('.');
  const expected = createHmac('sha256', process.env.PEER_KEY).update(`${head}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function stage(supplier, lines) {
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
const app = Fastify();
app.addContentTypeParser('application/x-ndjson', (_, body, done) => done(null, body));
app.post('/bulk', async (request, reply) => {
  if (!authenticated(request.headers.authorization)) return reply.code(401).send();
  const found = await pool.query('SELECT id, code, status, version FROM suppliers WHERE id = $1', [request.query.supplier]);
  const supplier = { ...found.rows[0], id: Number(found.rows[0].id) };
  let rest = Buffer.alloc(0);
  let slice = [];
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
  return { isDone: rows[0]?.status === 2 };
});
app.get('/counts', async ({ query: { supplier } }) => {
  const { rows } = await pool.query('SELECT count(*)::int AS done FROM import_processes WHERE supplier_id = $1 AND status = 2', [supplier]);
  return rows[0];
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
