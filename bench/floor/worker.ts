/**
 * The floor of the bench: the same durable effect on the product's own schema with the fewest statements. No token, no validation,
 * no errors, no races, but the same rate limiter: what is left is what the platform costs, so the ratio to it is what the product adds.
 */
/** The items of the array in ?1. */
const ITEMS = '(SELECT key, value FROM json_each(?1) LIMIT -1)';

import { accountNumberOf } from '../../src/import-processes/number';

interface Env {
  readonly DB: D1Database;
  readonly DOCUMENTS: R2Bucket;
  readonly ACCOUNT_IMPORTS: Queue<FloorMessage>;
  readonly ORGANISATION_RATE: RateLimit;
}

interface FloorMessage {
  readonly supplier: number;
  readonly first: number;
  readonly count: number;
}

type Item = Readonly<Record<string, unknown>>;

interface Account {
  readonly external_account_number: string;
  readonly customers?: readonly Item[];
  readonly historical_statement_transactions?: readonly Item[];
  readonly current_statement_transactions?: readonly Item[];
  readonly notes?: readonly Item[];
  readonly statements?: readonly Item[];
  readonly payment_instructions?: readonly Item[];
}

const SLICE = 500;
const SLICE_BYTES = 1_400_000;

const PAYLOADS = 'INSERT INTO payloads (id, body) SELECT (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, value FROM json_each(?1)';
const PROCESSES = `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run,
    created_at, scheduled_at, sent_at, modified_at, attempts)
  SELECT ?2, (SELECT max(id) FROM payloads) - json_array_length(?1) + 1 + key, value, 0, '', 0, 0, ?3, ?3, ?3, ?3, 0 FROM json_each(?1)`;
const LAST = 'SELECT max(id) AS last FROM payloads';

async function stage(env: Env, context: ExecutionContext, supplier: number, lines: readonly string[]): Promise<void> {
  const numbers = lines.map((line): string => (JSON.parse(line) as Account).external_account_number);
  const [, , last] = await env.DB.batch<{ last: number }>([
    env.DB.prepare(PAYLOADS).bind(`[${lines.join(',')}]`),
    env.DB.prepare(PROCESSES).bind(JSON.stringify(numbers), supplier, Date.now()),
    env.DB.prepare(LAST),
  ]);
  const first = (last?.results[0]?.last ?? 0) - lines.length + 1;
  context.waitUntil(env.ACCOUNT_IMPORTS.send({ supplier, first, count: lines.length }));
}

async function bulk(env: Env, context: ExecutionContext, supplier: number, body: string): Promise<Response> {
  let slice: string[] = [];
  let bytes = 0;
  for (const line of body.split('\n')) {
    if (line === '') continue;
    if (slice.length === SLICE || bytes + line.length > SLICE_BYTES) {
      await stage(env, context, supplier, slice);
      [slice, bytes] = [[], 0];
    }
    slice.push(line);
    bytes += line.length;
  }
  if (slice.length > 0) await stage(env, context, supplier, slice);
  return new Response('done\n');
}

const READ = `SELECT p.id, y.body FROM import_processes p CROSS JOIN payloads y ON y.id = p.id
  WHERE p.supplier_id = ?1 AND p.id >= ?2 AND p.id < ?2 + ?3`;
const ACCOUNTS = `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day)
  SELECT id, supplier_id, ?4, '2026-01-01', 1, 1, 1 FROM import_processes WHERE supplier_id = ?1 AND id >= ?2 AND id < ?2 + ?3`;
const CUSTOMERS = `INSERT INTO customers (account_id, position, given_name, family_name, email, mobile, landline, date_of_birth)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7 FROM ${ITEMS} WHERE true`;
const FINISH = `UPDATE import_processes SET status = 2, account_number = j.value ->> 2, started_at = ?2, finished_at = ?2, modified_at = ?2
  FROM json_each(?1) j WHERE import_processes.supplier_id = j.value ->> 0 AND import_processes.id = j.value ->> 1`;
const KEY = '00112233445566778899aabbccddeeff';

const TRANSACTIONS_OF_MANY = `INSERT INTO transactions (account_id, transaction_id, addition, source, transaction_date, amount_minor, type, note,
    imported, created_at)
  SELECT value ->> 0, value ->> '$[1].transaction_id', 0, 0, value ->> '$[1].transaction_date',
    CAST(round(100 * (value ->> '$[1].amount')) AS INTEGER), value ->> '$[1].type', value ->> '$[1].note', value -> 1, ?2
  FROM ${ITEMS} WHERE true`;
const NOTES_OF_MANY = `INSERT INTO notes (account_id, note_key, created_at, body, is_pinned, source)
  SELECT value ->> 0, key, ?2, value ->> '$[1].body', 0, 0 FROM ${ITEMS} WHERE true`;
const STATEMENTS_OF_MANY = `INSERT INTO statements (account_id, statement_id, content_hash, content, created_at)
  SELECT value ->> 0, value ->> '$[1].statement_id', '', value -> 1, ?2 FROM ${ITEMS} WHERE true`;
const INSTRUCTIONS_OF_MANY = `INSERT INTO payment_instructions (account_id, type, position, vendor, reference, details, created_at)
  SELECT value ->> 0, value ->> '$[1].type', key, value ->> '$[1].vendor', value ->> '$[1].reference', value -> 1, ?2 FROM ${ITEMS} WHERE true`;

async function create(env: Env, supplier: number, first: number, count: number): Promise<void> {
  const { results } = await env.DB.prepare(READ).bind(supplier, first, count).all<{ id: number; body: string }>();
  const now = Date.now();
  const accounts = results.map(({ id, body }) => ({ id, account: JSON.parse(body) as Account }));
  const customers = accounts.flatMap(({ id, account }) =>
    (account.customers ?? []).map((c, position) => [
      id,
      position,
      c['given_name'],
      c['family_name'],
      c['email'],
      c['mobile'],
      c['landline'],
      c['date_of_birth'],
    ]),
  );
  const insert = (sql: string, itemsOf: (account: Account) => readonly Item[]): D1PreparedStatement[] => {
    const rows = accounts.flatMap(({ id, account }) => itemsOf(account).map((item) => [id, item]));
    return rows.length > 0 ? [env.DB.prepare(sql).bind(JSON.stringify(rows), now)] : [];
  };
  await env.DB.batch([
    env.DB.prepare(ACCOUNTS).bind(supplier, first, count, now),
    env.DB.prepare(CUSTOMERS).bind(JSON.stringify(customers)),
    ...insert(TRANSACTIONS_OF_MANY, (account) => [
      ...(account.historical_statement_transactions ?? []),
      ...(account.current_statement_transactions ?? []),
    ]),
    ...insert(NOTES_OF_MANY, ({ notes = [] }) => notes),
    ...insert(STATEMENTS_OF_MANY, ({ statements = [] }) => statements),
    ...insert(INSTRUCTIONS_OF_MANY, ({ payment_instructions = [] }) => payment_instructions),
    env.DB.prepare(FINISH).bind(JSON.stringify(results.map(({ id }) => [supplier, id, accountNumberOf(id, KEY)])), now),
  ]);
}

/** Neighbouring ranges of one supplier are created together, up to a slice. */
function joined(messages: readonly FloorMessage[]): FloorMessage[] {
  const ranges: { supplier: number; first: number; count: number }[] = [];
  for (const { supplier, first, count } of messages.toSorted((a, b) => a.first - b.first)) {
    const last = ranges.at(-1);
    if (last?.supplier === supplier && last.first + last.count === first && last.count + count <= SLICE) last.count += count;
    else ranges.push({ supplier, first, count });
  }
  return ranges;
}

const STATUS = `SELECT status, account_number, created_at, started_at, finished_at, modified_at FROM import_processes
  WHERE supplier_id = ?1 AND external_account_number = ?2`;
const SUPPLIER = 'SELECT id, configuration FROM suppliers WHERE id = ?1';
const PAGE = `SELECT json_group_array(json_object('external_account_number', external_account_number, 'platform_account_number',
    account_number, 'account_created_at', finished_at)) AS items, max(id) AS last
  FROM (SELECT id, external_account_number, account_number, finished_at FROM import_processes WHERE supplier_id = ?1 AND id > ?2
    ORDER BY id LIMIT ?3)`;

function list(env: Env, supplier: number): Response {
  const encoder = new TextEncoder();
  let after = 0;
  let size = 200;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = await env.DB.prepare(PAGE).bind(supplier, after, size).first<{ items: string; last: number | null }>();
      if (!page || page.last === null) {
        controller.enqueue(encoder.encode(']'));
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode((after === 0 ? '[' : ',') + page.items.slice(1, -1)));
      [after, size] = [page.last, 2_000];
    },
  });
  return new Response(stream, { headers: { 'Content-Type': 'application/json' } });
}

const TRANSACTIONS = `INSERT INTO transactions (account_id, transaction_id, addition, source, transaction_date, amount_minor, type, note,
    imported, created_at)
  SELECT ?2, value ->> 'transaction_id', 0, 2, value ->> 'transaction_date', CAST(round(100 * (value ->> 'amount')) AS INTEGER),
    value ->> 'type', value ->> 'note', value, ?3
  FROM (SELECT value FROM json_each(?1, '$.transactions') LIMIT -1) WHERE true`;
const NOTES = `INSERT INTO notes (account_id, note_key, created_at, body, is_pinned, source)
  SELECT ?2, key, ?3, value ->> 'body', 0, 1 FROM json_each(?1, '$.notes')`;
const STATEMENTS = `INSERT INTO statements (account_id, statement_id, content_hash, content, document_key, created_at)
  SELECT ?2, value ->> 'statement_id', '', value, value ->> 'statement_path', ?3 FROM (SELECT value FROM json_each(?1, '$.statements') LIMIT -1) WHERE true`;

/** Adds the items of a body as SQLite reads them, and answers the body's own. */
async function add(env: Env, sql: string, account: number, body: string): Promise<Response> {
  await env.DB.prepare(sql).bind(body, account, Date.now()).run();
  return new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } });
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    await env.ORGANISATION_RATE.limit({ key: 'org_bench' });
    const [supplier, account] = [Number(searchParams.get('supplier')), Number(searchParams.get('account'))];
    switch (pathname) {
      case '/validate':
        JSON.parse(await request.text());
        await env.DB.prepare(SUPPLIER).bind(supplier).all();
        return Response.json({});
      case '/create':
        await stage(env, context, supplier, [await request.text()]);
        return Response.json({}, { status: 201 });
      case '/bulk':
        return bulk(env, context, supplier, await request.text());
      case '/status':
        return Response.json(await env.DB.prepare(STATUS).bind(supplier, searchParams.get('number')).first());
      case '/transactions':
        return add(env, TRANSACTIONS, account, await request.text());
      case '/notes':
        return add(env, NOTES, account, await request.text());
      case '/statements': {
        const prefix = searchParams.get('directory');
        if (prefix) await env.DOCUMENTS.list({ prefix, limit: 1_000 });
        return add(env, STATEMENTS, account, await request.text());
      }
      case '/list':
        return list(env, supplier);
      default:
        return new Response(null, { status: 404 });
    }
  },
  async queue(batch: MessageBatch<FloorMessage>, env: Env): Promise<void> {
    for (const { supplier, first, count } of joined(batch.messages.map(({ body }) => body))) await create(env, supplier, first, count);
  },
} satisfies ExportedHandler<Env, FloorMessage>;
