/** §10: every list of the operator interface is read page by page, newest first. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Answer, aSupplier } from '../support/given';
import { operate } from '../support/operator';

const random = () => crypto.randomUUID().slice(0, 8);
// Later than anything that other tests of this file make.
let now = Date.now() + 1_000_000;

interface List {
  readonly path: string;
  /** What names an item in the list. */
  readonly key: string;
  /** Makes one more item, a millisecond later than the one before. */
  readonly add: () => Promise<string>;
  /** A cursor of another list of the same kind. */
  readonly foreign?: string;
}

const run = async (sql: string, ...values: (string | number)[]) =>
  void (await env.DB.prepare(sql)
    .bind(...values)
    .run());

const insertKey = async (organisation: string): Promise<string> => {
  const id = `key_${random()}`;
  await run('INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES (?, ?, ?, ?, ?)', id, organisation, 'l', id, now++);
  return id;
};

const insertProcess = async (supplierId: number): Promise<string> => {
  const id = now++;
  await run(
    `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at, scheduled_at,
       sent_at, modified_at, attempts) VALUES (?1, ?2, ?3, 0, '', 2, 0, 1, 1, 1, 1, 0)`,
    supplierId,
    id,
    `P-${id}`,
  );
  return `P-${id}`;
};

const LISTS: Readonly<Record<string, () => Promise<List>>> = {
  organisations: async () => ({
    path: 'organisations/',
    key: 'id',
    add: async () => {
      const id = `org_${random()}`;
      await run('INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)', id, id, now++);
      return id;
    },
  }),
  'API keys': async () => {
    const [organisation, other] = [`org_${random()}`, `org_${random()}`];
    for (const id of [organisation, other]) await run('INSERT INTO organisations (id, name, created_at) VALUES (?, ?, 1)', id, id);
    return {
      path: `organisations/${organisation}/api-keys/`,
      key: 'id',
      add: () => insertKey(organisation),
      foreign: await insertKey(other),
    };
  },
  suppliers: async () => ({ path: 'suppliers/', key: 'code', add: async () => (await aSupplier()).code }),
  'import processes': async () => {
    const [supplier, other] = [await aSupplier(), await aSupplier()];
    return {
      path: `suppliers/${supplier.code}/import-processes/`,
      key: 'external_account_number',
      add: () => insertProcess(supplier.supplierId),
      foreign: await insertProcess(other.supplierId),
    };
  },
  'dead letters': async () => ({
    path: 'dead-letters/',
    key: 'message_id',
    add: async () => {
      const id = crypto.randomUUID();
      await run(`INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?, 'q', '{}', ?)`, id, now++);
      return id;
    },
  }),
  'audit entries': async () => ({
    path: 'audit/',
    key: 'id',
    add: async () => {
      const id = now++ * 4_096;
      await run(`INSERT INTO audit_entries (id, occurred_at, actor, action, subject) VALUES (?, 1, 'a', 'supplier.changed', 's')`, id);
      return String(id);
    },
  }),
};

const keysIn = (answer: Answer, key: string) => (answer.body as Record<string, string>[]).map((item) => item[key]);
const nextOf = ({ headers }: Answer) => /^<\/operator\/v1\/([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];

describe.each(Object.entries(LISTS))('the list of %s', (_, make) => {
  it('shows the newest 50 by default, newest first, and leads to all others', async () => {
    const { path, key, add } = await make();
    const made: string[] = [];
    for (let i = 0; i < 52; i++) made.unshift(await add());
    const first = await operate('GET', path);
    expect([first.status, keysIn(first, key)]).toEqual([200, made.slice(0, 50)]);
    const next = nextOf(first) ?? expect.fail('no next page');
    expect(keysIn(await operate('GET', next), key).slice(0, 2)).toEqual(made.slice(50));
    const whole = await operate('GET', `${path}?limit=500`);
    expect(keysIn(whole, key).slice(0, 52)).toEqual(made);
  });

  it('is whole and without repeats page by page, and its last page leads nowhere', async () => {
    const { path, key, add } = await make();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift(await add());
    const seen: (string | undefined)[] = [];
    for (let at: string | undefined = `${path}?limit=2`; at !== undefined; ) {
      const page = await operate('GET', at);
      expect(page.status).toBe(200);
      seen.push(...keysIn(page, key));
      at = nextOf(page);
    }
    expect(seen.slice(0, 5)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('400: a limit or a cursor that is none, or a cursor of another list', async () => {
    const { path, add, foreign } = await make();
    await add();
    for (const limit of ['0', '501', '1e2', '-1', 'x', ''])
      expect(await operate('GET', `${path}?limit=${limit}`), limit).toMatchObject({ status: 400, body: { errors: [{ attr: 'limit' }] } });
    for (const cursor of ['nobody', '', '0', '9999999999999999', 'toString', '%00', ...(foreign === undefined ? [] : [foreign])])
      expect(await operate('GET', `${path}?cursor=${cursor}`), cursor).toMatchObject({
        status: 400,
        body: { code: 'validation_error', errors: [{ attr: 'cursor', code: 'invalid' }] },
      });
  });
});

it('a bad cursor is reported beside other filters, too', async () => {
  const supplier = await aSupplier();
  await insertProcess(supplier.supplierId);
  for (const filter of ['prefix=P', 'status=PENDING', 'error_code=x', 'number=A-00000000'])
    expect(await operate('GET', `suppliers/${supplier.code}/import-processes/?${filter}&cursor=nobody`), filter).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'cursor', code: 'invalid' }] },
    });
});
