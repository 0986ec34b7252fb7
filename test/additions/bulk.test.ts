/** Ours: notes, transactions and statements in bulk. Each line is answered as its request is alone. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import worker from '../../src/worker';
import { anAccountOfASupplier, type Endpoint, type Given } from '../support/additions';
import { countingDatabase } from '../support/counting';
import { aDocument, anImportedAccount, aSupplier, call } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { readRows } from '../support/tables';
import { textOf } from '../support/text';

const today = () => new Date().toISOString().slice(0, 10);
const payment = (id: string, more: object = {}) => ({ transaction_id: id, transaction_date: today(), amount: 5, type: 'PAYMENT', ...more });
const statement = (id: string, more: object = {}) => ({
  statement_id: id,
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  ...more,
});

interface Kind extends Endpoint {
  readonly bulk: string;
  /** An item by its identity, and one of the same identity that says something else. */
  readonly item: (id: string) => object;
  readonly other: (id: string) => object;
}

const NOTES: Kind = {
  path: '/v1/data-import/notes/create/',
  bulk: '/v1/data-import/notes/bulk/',
  list: 'notes',
  table: 'notes',
  item: (id) => ({ body: `note ${id}` }),
  other: (id) => ({ body: `note ${id}`, created_at: '2026-01-01T00:00:00Z' }),
};
const TRANSACTIONS: Kind = {
  path: '/v1/data-import/transactions/create/',
  bulk: '/v1/data-import/transactions/bulk/',
  list: 'transactions',
  table: 'transactions',
  item: payment,
  other: (id) => payment(id, { amount: 7, transaction_date: '2001-01-01' }),
};
const STATEMENTS: Kind = {
  path: '/v1/data-import/historical-statements/create/',
  bulk: '/v1/data-import/historical-statements/bulk/',
  list: 'statements',
  table: 'statements',
  item: statement,
  other: (id) => statement(id, { number: '2' }),
};
const KINDS = [NOTES, TRANSACTIONS, STATEMENTS];

interface LineAnswer {
  readonly line: number;
  readonly status: number;
  readonly body: unknown;
}

async function send(
  path: string,
  token: string,
  body: BodyInit,
  { headers = {}, db = env.DB }: { headers?: object; db?: D1Database } = {},
) {
  const context = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${token}`, ...headers },
    body,
  });
  const response = await worker.fetch(request, { ...env, DB: db }, context);
  const text = await textOf(response);
  await waitOnExecutionContext(context);
  checkAnswer('POST', path.replace(/\?.*/, ''), { status: response.status, headers: response.headers, text });
  return { status: response.status, text };
}

/** The answers to lines, where the answer is whole. */
async function inBulk(
  kind: Kind,
  given: Pick<Given, 'supplier'>,
  lines: readonly unknown[],
  options: Parameters<typeof send>[3] & { query?: string } = {},
) {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const { status, text } = await send(`${kind.bulk}${options.query ?? ''}`, given.supplier.token, body, options);
  expect(status).toBe(200);
  const answers = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(answers.pop()).toEqual({ done: true, lines: lines.length });
  return answers as LineAnswer[];
}

const bodyOf = (kind: Kind, { supplier }: Pick<Given, 'supplier'>, account: string, items: unknown) => ({
  import_supplier: supplier.code,
  external_account_number: account,
  [kind.list]: items,
});

const STORED: Readonly<Record<string, string>> = {
  notes: "SELECT note_key, body FROM notes WHERE account_id = ? AND note_key NOT LIKE 'moved %' ORDER BY note_key",
  transactions: 'SELECT transaction_id, transaction_date, amount_minor FROM transactions WHERE account_id = ? ORDER BY transaction_id',
  statements: 'SELECT statement_id, content FROM statements WHERE account_id = ? ORDER BY statement_id',
};

/** What was added, without what hangs on the moment. */
const storedOf = (kind: Kind, id: number) => readRows(STORED[kind.table] ?? '', id);

/** What depends on the moment and on chance. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/"created_at":"(?!2026-01-01T00:00:00)[^"]*"/g, '"created_at":"now"')
      .replace(/"request_id":"[^"]*"/g, '"request_id":"…"'),
  );

describe.each(KINDS)('$bulk', (kind) => {
  it('answers each line with status and body of its request alone, in order; a bad one touches no other', async () => {
    const given = await anAccountOfASupplier();
    const number = given.account.externalAccountNumber;
    const right = bodyOf(kind, given, number, [kind.item('a')]);
    const lines = [
      right,
      '{',
      bodyOf(kind, given, 'nobody', [kind.item('a')]),
      {},
      5,
      right,
      bodyOf(kind, given, number, []),
      { ...right, import_supplier: 'nobody' },
      bodyOf(kind, given, number, [kind.item('b'), kind.item('b'), {}]),
      bodyOf(kind, given, number, [kind.item('b')]),
    ];
    const answers = await inBulk(kind, given, lines);
    expect(answers.map(({ line, status }) => [line, status])).toEqual(
      [201, 400, 404, 400, 400, 201, 400, 404, 400, 201].map((status, index) => [index + 1, status]),
    );
    expect(await storedOf(kind, given.account.id)).toHaveLength(2);

    // The same requests one after the other, about another account of the supplier.
    const other = await anImportedAccount(given.supplier);
    for (const [index, line] of lines.entries()) {
      const body = (typeof line === 'string' ? line : JSON.stringify(line)).replaceAll(number, other.externalAccountNumber);
      const alone = await call('POST', kind.path, { token: given.supplier.token, body });
      const received = JSON.parse(JSON.stringify(answers[index]?.body).replaceAll(number, other.externalAccountNumber));
      expect([answers[index]?.status, comparable(received)]).toEqual([alone.status, comparable(alone.body)]);
    }
  });

  it('doubles nothing when the same lines are sent again, or twenty times at once', async () => {
    const given = await anAccountOfASupplier();
    const lines = ['a', 'b', 'a', 'c'].map((id) => bodyOf(kind, given, given.account.externalAccountNumber, [kind.item(id)]));
    await Promise.all(Array.from({ length: 20 }, () => inBulk(kind, given, lines)));
    const again = await inBulk(kind, given, lines);
    expect(again.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await storedOf(kind, given.account.id)).toHaveLength(3);
  });

  it('answers lines about the same items as if they had come one after the other', async () => {
    const supplier = await aSupplier();
    const item = fc.record({ id: fc.constantFrom('a', 'b', 'c'), isOther: fc.boolean() });
    const line = fc.record({ account: fc.nat(1), items: fc.array(item, { minLength: 1, maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const [together, apart] = [await twoAccounts(supplier), await twoAccounts(supplier)];
        const itemsOf = (one: (typeof lines)[number]) => one.items.map(({ id, isOther }) => (isOther ? kind.other(id) : kind.item(id)));
        const names = (of: typeof together) => (one: (typeof lines)[number]) =>
          bodyOf(kind, { supplier }, of[one.account]?.externalAccountNumber ?? '', itemsOf(one));
        const answers = await inBulk(kind, { supplier }, lines.map(names(together)));
        for (const [index, one] of lines.entries()) {
          const alone = await call('POST', kind.path, { token: supplier.token, body: names(apart)(one) });
          const [there, here] = [together[one.account], apart[one.account]].map((of) => of?.externalAccountNumber ?? '');
          const received = JSON.parse(JSON.stringify(answers[index]?.body).replaceAll(there ?? '', here ?? ''));
          expect([answers[index]?.status, comparable(received)]).toEqual([alone.status, comparable(alone.body)]);
        }
        for (const index of [0, 1]) {
          expect(await storedOf(kind, together[index]?.id ?? 0)).toEqual(await storedOf(kind, apart[index]?.id ?? 0));
        }
      }),
      { numRuns: 12 },
    );
  });

  it('takes two trips for a slice of 500 lines, beside one for the request', async () => {
    const given = await anAccountOfASupplier();
    const counts = countingDatabase(env.DB);
    const lines = Array.from({ length: 1_000 }, (_, i) => bodyOf(kind, given, given.account.externalAccountNumber, [kind.item(`n${i}`)]));
    const answers = await inBulk(kind, given, lines, { db: counts.db });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    // What is added, and an event for each line.
    expect([counts.trips, counts.rowsWritten]).toEqual([1 + 2 * 2, 2 * 1_000]);
    expect(await storedOf(kind, given.account.id)).toHaveLength(1_000);
  });

  it('says what each line added by an event of its own, and nothing where nothing new came', async () => {
    const given = await anAccountOfASupplier();
    const other = await anImportedAccount(given.supplier);
    const [own, others] = [given.account, other].map(({ externalAccountNumber }) => externalAccountNumber);
    const lines = [
      bodyOf(kind, given, own ?? '', [kind.item('a'), kind.item('b')]),
      bodyOf(kind, given, others ?? '', [kind.item('a')]),
      bodyOf(kind, given, own ?? '', [kind.item('b'), kind.item('c')]),
      bodyOf(kind, given, others ?? '', [kind.item('a')]),
    ];
    for (const _ of ['first', 'again']) {
      expect((await inBulk(kind, given, lines)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      const results = await readRows<{ type: string; data: string }>(
        'SELECT type, data FROM events WHERE supplier_id = ? ORDER BY id',
        given.supplier.supplierId,
      );
      expect(results.map(({ type, data }) => [type, JSON.parse(data)])).toEqual(
        [
          { ...given.account, count: 2 },
          { ...other, count: 1 },
          { ...given.account, count: 1 },
        ].map(({ externalAccountNumber, accountNumber, count }) => [
          `${kind.list}.added`,
          { external_account_number: externalAccountNumber, platform_account_number: accountNumber, count },
        ]),
      );
    }
  });

  it('validates again the lines whose supplier changed under them, and refuses those that it no longer takes', async () => {
    const given = await anAccountOfASupplier();
    const lines = ['a', 'b'].map((id) => bodyOf(kind, given, given.account.externalAccountNumber, [kind.item(id)]));
    const change = (sql: string, at: number) =>
      countingDatabase(env.DB, async (trip) => {
        if (trip === at)
          await env.DB.prepare(`UPDATE suppliers SET version = version + 1 ${sql} WHERE id = ?`).bind(given.supplier.supplierId).run();
      });
    const changed = change('', 3);
    expect((await inBulk(kind, given, lines, { db: changed.db })).map(({ status }) => status)).toEqual([201, 201]);
    expect(changed.trips).toBe(1 + 2 + 2);
    expect(await storedOf(kind, given.account.id)).toHaveLength(2);
    const more = [bodyOf(kind, given, given.account.externalAccountNumber, [kind.item('c')])];
    const paused = await inBulk(kind, given, more, { db: change(", status = 'Paused'", 3).db });
    expect(paused).toMatchObject([{ status: 400, body: { errors: [{ attr: 'import_supplier', code: 'import_supplier_paused' }] } }]);
    expect(await storedOf(kind, given.account.id)).toHaveLength(2);
  });

  it('is 401 as a whole where the key is revoked before anything was stored, and by line behind what was', async () => {
    const given = await anAccountOfASupplier();
    const revoke = () => env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.supplier.apiKeyId).run();
    const restore = () => env.DB.prepare('UPDATE api_keys SET revoked_at = NULL WHERE id = ?').bind(given.supplier.apiKeyId).run();
    const lines = Array.from({ length: 501 }, (_, i) => bodyOf(kind, given, given.account.externalAccountNumber, [kind.item(`n${i}`)]));
    for (const [at, status] of [
      [2, 401],
      [3, 401],
      [4, 200],
    ] as const) {
      const db = countingDatabase(env.DB, async (trip) => void (trip === at && (await revoke()))).db;
      const { status: answered, text } = await send(kind.bulk, given.supplier.token, lines.map((line) => JSON.stringify(line)).join('\n'), {
        db,
      });
      expect([at, answered]).toEqual([at, status]);
      if (status === 401) {
        expect(JSON.parse(text).code).toBe('authentication_failed');
        expect(await storedOf(kind, given.account.id)).toEqual([]);
      } else {
        const statuses = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).status);
        expect([statuses.slice(0, 500).every((one) => one === 201), ...statuses.slice(500)]).toEqual([true, 401, undefined]);
        expect(await storedOf(kind, given.account.id)).toHaveLength(500);
      }
      await restore();
    }
  });

  it('fails the lines that could not be stored, so that they are sent again, and no others', async () => {
    const given = await anAccountOfASupplier();
    const broken = countingDatabase(env.DB, (trip) =>
      trip >= 3 ? Promise.reject(new Error('D1_ERROR: no such table')) : Promise.resolve(),
    );
    const lines = [bodyOf(kind, given, given.account.externalAccountNumber, [kind.item('a')]), {}];
    const answers = await inBulk(kind, given, lines, { db: broken.db });
    expect(answers.map(({ status }) => status)).toEqual([500, 400]);
    expect(answers[0]?.body).toMatchObject({ code: 'error', request_id: expect.any(String) });
    expect((await inBulk(kind, given, lines)).map(({ status }) => status)).toEqual([201, 400]);
    expect(await storedOf(kind, given.account.id)).toHaveLength(1);
  });

  it('reads gzip, reports a line that is too long by itself, and ends beyond the 10,000th', async () => {
    const given = await anAccountOfASupplier();
    const right = JSON.stringify(bodyOf(kind, given, given.account.externalAccountNumber, [kind.item('a')]));
    const gzip = await send(kind.bulk, given.supplier.token, gzipSync(`${right}\n\n"${'x'.repeat(1_048_577)}"\n`), {
      headers: { 'Content-Encoding': 'gzip' },
    });
    const lines = gzip.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { line: 1, status: 201 },
      { line: 3, status: 413, body: { code: 'payload_too_large' } },
      { done: true, lines: 3 },
    ]);
    const large = await send(kind.bulk, given.supplier.token, '{}', { headers: { 'Content-Length': String(64 * 1_048_576 + 1) } });
    expect(large).toMatchObject({ status: 413, text: expect.stringContaining('payload_too_large') });
    const many = await send(kind.bulk, given.supplier.token, '5\n'.repeat(10_002));
    const last = many.text
      .trim()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line));
    expect(last).toMatchObject([
      { line: 10_000, status: 400, body: { errors: [{ code: 'invalid' }] } },
      { line: 10_001, status: 400, body: { errors: [{ code: 'max_length', attr: '' }] } },
    ]);
  });

  it('refuses what is no NDJSON, what is cut before anything was answered, and who may not', async () => {
    const { supplier } = await anAccountOfASupplier();
    expect((await send(kind.bulk, supplier.token, '{}', { headers: { 'Content-Type': 'application/json' } })).status).toBe(415);
    expect((await send(kind.bulk, 'x.y.z', '{}')).status).toBe(401);
    const broken = await send(kind.bulk, supplier.token, 'no gzip', { headers: { 'Content-Encoding': 'gzip' } });
    expect([broken.status, JSON.parse(broken.text).code]).toEqual([400, 'parse_error']);
    expect(await inBulk(kind, { supplier }, [])).toEqual([]);
  });
});

async function twoAccounts(supplier: Given['supplier']) {
  return [await anImportedAccount(supplier), await anImportedAccount(supplier)];
}

describe('transactions in bulk', () => {
  it('move dates by a pinned note for each line, or refuse the line', async () => {
    const given = await anAccountOfASupplier();
    const old = (id: string) =>
      bodyOf(TRANSACTIONS, given, given.account.externalAccountNumber, [payment(id, { transaction_date: '2001-01-01' })]);
    const notes = () => readRows('SELECT body FROM notes WHERE account_id = ? AND is_pinned = 1', given.account.id);
    const refused = await inBulk(TRANSACTIONS, given, [old('a'), old('b')], { query: '?force_add_to_current_statement=false' });
    expect(refused).toMatchObject([400, 400].map((status) => ({ status, body: { status: 'TRANSACTION_IMPORT_ERROR' } })));
    expect(await notes()).toEqual([]);
    const moved = await inBulk(TRANSACTIONS, given, [old('a'), old('b'), old('a')]);
    expect(moved.map(({ body }) => (body as { results: { status: string }[] }).results[0]?.status)).toEqual([
      'TRANSACTION_ADDED_TO_ACCOUNT',
      'TRANSACTION_ADDED_TO_ACCOUNT',
      'TRANSACTION_ALREADY_EXISTS',
    ]);
    expect(await notes()).toHaveLength(2);
  });

  it('are always looked up, because lines are sent again', async () => {
    const { supplier } = await anAccountOfASupplier();
    const { status, text } = await send(`${TRANSACTIONS.bulk}?check_previously_added=false`, supplier.token, '5');
    expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ code: 'invalid', attr: 'check_previously_added' }]]);
    expect(await inBulk(TRANSACTIONS, { supplier }, ['5'], { query: '?check_previously_added=TRUE' })).toMatchObject([{ status: 400 }]);
  });
});

describe('documents of notes in bulk', () => {
  it('are looked up together, and report by line what is missing', async () => {
    const root = `root-${crypto.randomUUID()}`;
    const given = await anAccountOfASupplier({ configuration: { documents_root: `/${root}/` } });
    await aDocument(`${root}/a.pdf`);
    const note = (path: string) =>
      bodyOf(NOTES, given, given.account.externalAccountNumber, [{ document_paths: [{ document_path: path }] }]);
    const answers = await inBulk(NOTES, given, [note('a.pdf'), note('b.pdf'), note('../a.pdf'), note('a.pdf')]);
    expect(answers).toMatchObject([
      { status: 201, body: [{ status: 'NOTE_CREATION_SUCCESS' }] },
      { status: 400, body: { errors: [{ attr: 'notes.0.document_paths.0.document_path' }] } },
      { status: 400 },
      { status: 201, body: [{ status: 'NOTE_ALREADY_EXISTS' }] },
    ]);
  });
});

describe('lines that have more errors than are held', () => {
  it('are reported whole, each with its own', async () => {
    const given = await anAccountOfASupplier();
    const lines = Array.from({ length: 60 }, (_, i) => bodyOf(NOTES, given, `n${i}`, Array(400).fill({})));
    const answers = await inBulk(NOTES, given, lines);
    for (const { status, body } of answers) expect([status, (body as { errors: unknown[] }).errors.length]).toEqual([400, 400]);
  });
});
