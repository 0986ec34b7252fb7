/** §10: erasure of an account, and of what was never imported. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountBody } from '../../src/accounts/schema';
import { eraseAccount } from '../../src/erasure';
import { shapeOf } from '../../src/shared/shape';
import { databaseAround } from '../support/around';
import { signedIn, visit } from '../support/console';
import { aDeps } from '../support/deps';
import { faultyDatabase } from '../support/faults';
import { aDocument, aSupplier, call, type GivenSupplier, linesOf, send } from '../support/given';
import { deliver, stage } from '../support/importing';
import { aMarkedAccount, documentedPaths, givenPaths, type Marks, marks } from '../support/marked';
import { auditOf, OPERATOR, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';
import { callWith } from '../support/trouble';
import { importAll, numbersOf } from '../support/whole-accounts';

const REASON = { reason: 'Ticket 4711.' };

/** Every row of every table, as one text. */
async function everything(): Promise<string> {
  const tables = await readRows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  );
  const dumps = await Promise.all(tables.map(({ name }) => readRows(`SELECT * FROM ${name}`)));
  return JSON.stringify(dumps);
}

const found = (text: string, markers: readonly string[]) => markers.filter((marker) => text.includes(marker));

interface Whole {
  readonly erased_at?: string;
  readonly account: Record<string, unknown>;
  readonly customers: readonly object[];
  readonly notes: readonly Record<string, unknown>[];
  readonly transactions: readonly { readonly imported: Record<string, unknown>; readonly posted: Record<string, unknown> }[];
  readonly statements: readonly { readonly statement: Record<string, unknown> }[];
  readonly payment_instructions: readonly Record<string, unknown>[];
}

interface Marked {
  readonly supplier: GivenSupplier;
  readonly of: Marks;
  readonly external: string;
  readonly number: string;
  readonly keys: readonly string[];
  readonly body: ReturnType<typeof aMarkedAccount>;
}

const post = ({ supplier, external }: Pick<Marked, 'supplier' | 'external'>, path: string, more: object) =>
  call('POST', `/v1/data-import/${path}/create/`, {
    token: supplier.token,
    body: { import_supplier: supplier.code, external_account_number: external, ...more },
  });

/** An account of markers only, with additions of markers only. */
async function aMarked(form: 'address' | 'lines'): Promise<Marked> {
  const [supplier, of] = [await aSupplier(), marks()];
  const paths = [of.mark(), of.mark(), of.mark(), of.mark()] as const;
  const keys = paths.map((path) => `${supplier.code}/${path}`);
  await Promise.all(keys.map(aDocument));
  const body = aMarkedAccount(of, supplier.code, form, [paths[0], paths[1]]);
  await importAll(supplier, [body]);
  const external = body.external_account_number;
  const pair = { supplier, external };
  const answers = [
    await post(pair, 'notes', { notes: [{ body: of.mark(), document_paths: [{ document_path: paths[2] }], [of.mark()]: of.mark() }] }),
    await post(pair, 'transactions', {
      transactions: [
        {
          transaction_id: of.mark('stays'),
          transaction_date: '2020-01-01',
          amount: '9.99',
          type: 'REPAYMENT',
          note: of.mark(),
          reference: of.mark(),
        },
      ],
    }),
    await post(pair, 'historical-statements', {
      statements: [
        {
          statement_id: of.mark('stays'),
          bill_period_from_date: '2026-02-01',
          bill_period_to_date: '2026-02-28',
          number: of.mark(),
          statement_path: paths[3],
        },
      ],
    }),
    await post(pair, 'payment-instruction', { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  return { supplier, of, external, keys, body, number: (await numbersOf(supplier, external)).number };
}

const wholeOf = async (one: Marked) => (await operate('POST', `accounts/${one.number}/reveal/`)).body as Whole;

it('the marked accounts say every field that is documented', () => {
  const [of, docs] = [marks(), ['a', 'b'] as const];
  const given = new Set((['address', 'lines'] as const).flatMap((form) => givenPaths(aMarkedAccount(of, 'S', form, docs))));
  const scheduling = /^\.(?:task_params|schedule_window|is_dry_run)/;
  expect(documentedPaths(shapeOf(accountBody)).filter((path) => !given.has(path) && !scheduling.test(path))).toEqual([]);
});

describe.each(['address', 'lines'] as const)('an account that is erased (%s)', (form) => {
  let one: Marked;
  let before: Whole;
  let answer: Awaited<ReturnType<typeof operate>>;

  beforeAll(async () => {
    one = await aMarked(form);
    before = await wholeOf(one);
    const stored = await everything();
    expect(found(stored, one.of.personal).length).toBe(one.of.personal.length);
    answer = await operate('POST', `accounts/${one.number}/erase/`, REASON);
  });

  it('nothing that an importer can write freely is left in any table; what it is known by is', async () => {
    expect(answer).toMatchObject({ status: 200, body: { platform_account_number: one.number, documents_deleted: false } });
    const stored = await everything();
    expect(found(stored, one.of.personal)).toEqual([]);
    expect(found(stored, one.of.staying)).toEqual(one.of.staying);
    const personal = ['1931-07-19', '8137', '9911', '20-41-17', '062-193', '5555', 'sandbox-card', 'BRAILLE', '"cy"'];
    expect(found(JSON.stringify(await wholeOf(one)), personal)).toEqual([]);
  });

  it('no digest is left that would confirm a text that can be guessed', async () => {
    const results = await readRows<{ hash: string }>(
      `SELECT p.payload_hash AS hash FROM import_processes p WHERE p.supplier_id = ?1
       UNION ALL SELECT s.content_hash FROM statements s JOIN accounts a ON a.id = s.account_id WHERE a.supplier_id = ?1`,
      one.supplier.supplierId,
    );
    expect(results.map(({ hash }) => hash)).toEqual(['', '', '']);
    const keys = await readRows<{ hash: string }>(
      'SELECT note_key AS hash FROM notes n JOIN accounts a ON a.id = n.account_id WHERE a.supplier_id = ?',
      one.supplier.supplierId,
    );
    expect(keys.length).toBeGreaterThan(1);
    for (const { hash } of keys) expect(hash).toMatch(/^erased [0-9A-F]{32}$/);
  });

  it('its numbers, dates and amounts are what they were, so that books still add up', async () => {
    const after = await wholeOf(one);
    const money = ({ transactions }: Whole) =>
      transactions.map(({ imported, posted: { note: _, ...posted } }) => ({
        posted,
        id: imported['transaction_id'],
        date: imported['transaction_date'],
        amount: imported['amount'],
        type: imported['type'],
      }));
    expect(money(after)).toEqual(money(before));
    const payment = after.transactions.find(({ imported }) => imported['reason'] !== undefined);
    expect(payment?.imported).toMatchObject({ type: 'PAYMENT', reason: 'DEPOSIT', payment_type: 'CASH' });
    expect(payment?.imported['line_items']).toEqual([
      {
        rate_band: 'STANDARD',
        start_date: '2026-01-01',
        end_date: '2026-01-02',
        number_of_units: 171.5,
        net_amount: '40.48',
        price_per_unit: '0.23603',
        units: ['85.75', 85.75],
      },
    ]);
    const bills = ({ statements }: Whole) =>
      statements.map(({ statement: { number: _, statement_path: __, ...rest } }) =>
        Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('mk'))),
      );
    expect(bills(after)).toEqual(bills(before));
    expect(after.account).toMatchObject({
      import_supplier: one.supplier.code,
      external_account_number: one.external,
      last_billed_to_date: '2026-01-31',
      transfer_balance: 0,
      payment_schedules: [{ means: 'DD', start_date: '2026-03-01', amount: '17.17', frequency: 'MONTHLY', day_of_month: 11 }],
    });
    expect(after.customers).toEqual([{}]);
    expect(after.notes).toHaveLength(before.notes.length);
    expect(after.payment_instructions.map(({ type, status }) => ({ type, status }))).toEqual(
      before.payment_instructions.map(({ type, status }) => ({ type, status })),
    );
  });

  it('reads as erased, for operators and for platform systems; its status stays', async () => {
    expect(before.erased_at).toBeUndefined();
    const { erased_at: erasedAt } = answer.body as { erased_at: string };
    expect(await operate('GET', `accounts/${one.number}/`)).toMatchObject({ status: 200, body: { erased_at: erasedAt } });
    const headers = { Authorization: `Bearer ${env.PLATFORM_TOKEN}` };
    expect(await call('GET', `/platform/v1/accounts/${one.number}/`, { headers })).toMatchObject({
      status: 200,
      body: { erased_at: erasedAt },
    });
    const status = await call('GET', `/v2/data-import/accounts/${one.supplier.code}/${one.external}/`, { token: one.supplier.token });
    expect(status).toMatchObject({ status: 200, body: { status: 'PROCESSED' } });
    const again = await call('POST', '/v2/data-import/accounts/', { token: one.supplier.token, body: one.body });
    expect(again).toMatchObject({ status: 400, body: { account_id: one.number } });
    expect(found(await everything(), one.of.personal)).toEqual([]);
  });

  it('takes no additions any more: a late retry brings nothing back', async () => {
    const answers = [
      await post(one, 'notes', { notes: [{ body: 'Back again.' }] }),
      await post(one, 'transactions', {
        transactions: [{ transaction_id: 'N', transaction_date: '2026-02-01', amount: 1, type: 'PAYMENT' }],
      }),
      await post(one, 'historical-statements', {
        statements: [{ statement_id: 'N', bill_period_from_date: '2026-02-01', bill_period_to_date: '2026-02-28' }],
      }),
      await post(one, 'payment-instruction', { vendor: 'SANDBOX', reference: 'sandbox-debit', type: 'DIRECT_DEBIT' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await everything()).not.toContain('Back again.');
  });

  it('is audited with the reason and without the data, once; a repeat changes nothing', async () => {
    const erasures = async () => (await auditOf(`account ${one.number}`)).filter(({ action }) => action === 'account.erased');
    expect(await erasures()).toEqual([
      {
        actor: 'operator',
        action: 'account.erased',
        subject: `account ${one.number}`,
        before: undefined,
        after: { reason: REASON.reason, documents: 4, documents_deleted: false },
      },
    ]);
    const stored = await wholeOf(one);
    const repeat = await operate('POST', `accounts/${one.number}/erase/`, { ...REASON, delete_documents: true });
    const { erased_at } = answer.body as { erased_at: string };
    expect(repeat).toMatchObject({ status: 200, body: { erased_at, documents: [], documents_deleted: false } });
    expect(await erasures()).toHaveLength(1);
    expect({ ...(await wholeOf(one)), history: [] }).toEqual({ ...stored, history: [] });
  });

  it('names its documents once, and leaves them unless it is asked to delete them', async () => {
    const { documents } = answer.body as { documents: string[] };
    expect(documents.toSorted()).toEqual(one.keys.toSorted());
    for (const key of one.keys) expect(await env.DOCUMENTS.head(key)).not.toBeNull();
  });
});

describe('platform systems that follow the accounts', () => {
  it('read an erased account once more, in commit order', async () => {
    const one = await aMarked('address');
    const headers = { Authorization: `Bearer ${env.PLATFORM_TOKEN}` };
    const read = async (cursor?: string) => {
      const query = `import_supplier=${one.supplier.code}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const parsed = linesOf(await send('GET', `/platform/v1/accounts/?${query}`, { headers }));
      return { accounts: parsed.slice(0, -1), cursor: String(parsed.at(-1)?.['cursor']) };
    };
    const first = await read();
    expect(first.accounts.map(({ platform_account_number }) => platform_account_number)).toEqual([one.number]);
    expect((await read(first.cursor)).accounts).toEqual([]);
    await operate('POST', `accounts/${one.number}/erase/`, REASON);
    const next = await read(first.cursor);
    expect(next.accounts).toMatchObject([{ platform_account_number: one.number, erased_at: expect.any(String), customers: [{}] }]);
    expect(found(JSON.stringify(next.accounts), one.of.personal)).toEqual([]);
    await operate('POST', `accounts/${one.number}/erase/`, REASON);
    expect((await read(next.cursor)).accounts).toEqual([]);
  });
});

describe('delete_documents', () => {
  it('deletes the documents that the account names, and no other', async () => {
    const one = await aMarked('lines');
    const other = `${one.supplier.code}/other.pdf`;
    await aDocument(other);
    const answer = await operate('POST', `accounts/${one.number}/erase/`, { ...REASON, delete_documents: true });
    expect(answer).toMatchObject({ status: 200, body: { documents_deleted: true } });
    for (const key of one.keys) expect(await env.DOCUMENTS.head(key)).toBeNull();
    expect(await env.DOCUMENTS.head(other)).not.toBeNull();
  });

  it('where the bucket fails, nothing is erased, so that it can be asked for again', async () => {
    const one = await aMarked('lines');
    const { eraseAccount } = await import('../../src/erasure');
    const deps = aDeps();
    const broken = { ...deps, documents: new Proxy(deps.documents, { get: () => () => Promise.reject(new Error('R2 is down')) }) };
    await expect(eraseAccount(broken, 'operator', one.number, { ...REASON, delete_documents: true })).rejects.toThrow('R2 is down');
    expect(found(await everything(), one.of.personal)).toHaveLength(one.of.personal.length);
    expect((await wholeOf(one)).erased_at).toBeUndefined();
  });
});

describe('what is refused', () => {
  it('a reason is needed, and an account', async () => {
    const one = await aMarked('lines');
    expect(await operate('POST', `accounts/${one.number}/erase/`, { reason: ' ' })).toMatchObject({ status: 400 });
    expect(await operate('POST', `accounts/${one.number}/erase/`, { ...REASON, delete_documents: 'yes' })).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'delete_documents' }] },
    });
    for (const number of ['A-0BADCAFE', 'toString', '4294967296'])
      expect(await operate('POST', `accounts/${number}/erase/`, REASON)).toMatchObject({ status: 404 });
    expect((await wholeOf(one)).erased_at).toBeUndefined();
  });
});

const processPath = (supplier: GivenSupplier, external: string) => `suppliers/${supplier.code}/import-processes/${external}/`;
const erase = (supplier: GivenSupplier, external: string, more: object = {}) =>
  operate('POST', `${processPath(supplier, external)}erase/`, { ...REASON, ...more });
const statusOf = async (supplier: GivenSupplier, external: string) =>
  (await call('GET', `/v2/data-import/accounts/${supplier.code}/${external}/`, { token: supplier.token })).body;

describe('what was never imported', () => {
  it('PENDING is cancelled and emptied in one; nothing of it can be retried or is imported any more', async () => {
    const [supplier, of] = [await aSupplier(), marks()];
    const paths = [of.mark(), of.mark()] as const;
    await Promise.all(paths.map((path) => aDocument(`${supplier.code}/${path}`)));
    const body = aMarkedAccount(of, supplier.code, 'address', paths);
    const external = body.external_account_number;
    const { deps, messages } = await stage(supplier, [body]);
    const answer = await erase(supplier, external, { delete_documents: true });
    expect(answer).toMatchObject({
      status: 200,
      body: { platform_account_number: null, documents: paths.map((path) => `${supplier.code}/${path}`), documents_deleted: true },
    });
    for (const path of paths) expect(await env.DOCUMENTS.head(`${supplier.code}/${path}`)).toBeNull();
    await deliver(deps, messages);
    expect(await statusOf(supplier, external)).toMatchObject({ status: 'CANCELLED' });
    expect(found(await everything(), of.personal)).toEqual([]);
    expect(await operate('GET', processPath(supplier, external))).toMatchObject({
      body: { status: 'CANCELLED', erased_at: expect.any(String), payload: null },
    });
    expect(await auditOf(`import process ${supplier.code} ${external}`)).toMatchObject([
      { action: 'import_process.erased', before: { status: 'PENDING' }, after: { reason: REASON.reason, documents: 2 } },
    ]);
  });

  it('ERRORED keeps the code of its error, but no place that its importer named; a retry is refused', async () => {
    const [supplier, of] = [await aSupplier(), marks()];
    const key = `${supplier.code}/${of.mark()}`;
    await aDocument(key);
    const body = {
      ...aSmallAccount(supplier.code, of.mark('stays')),
      billing_name: of.mark(),
      statements: [] as object[],
      notes: [] as object[],
    };
    body.notes = [{ body: of.mark(), document_paths: [{ document_path: key.slice(supplier.code.length + 1) }] }];
    const { deps, messages } = await stage(supplier, [body]);
    await env.DOCUMENTS.delete(key);
    await deliver(deps, messages);
    expect(await statusOf(supplier, body.external_account_number)).toMatchObject({
      status: 'ERRORED',
      errors: [{ code: 'document_not_found' }],
    });
    expect(await erase(supplier, body.external_account_number)).toMatchObject({ status: 200, body: { documents: [key] } });
    const after = await statusOf(supplier, body.external_account_number);
    expect(after).toMatchObject({ status: 'ERRORED', latest_error: { code: 'import_process_failed_validation' } });
    expect(after).not.toHaveProperty('errors');
    expect(found(await everything(), of.personal)).toEqual([]);
    expect(await operate('POST', `${processPath(supplier, body.external_account_number)}retry/`)).toMatchObject({
      status: 409,
      body: { detail: 'The payload was erased: create the account again.' },
    });
    const repeat = await erase(supplier, body.external_account_number);
    expect(repeat).toMatchObject({ status: 200, body: { documents: [] } });
    expect((await auditOf(`import process ${supplier.code} ${body.external_account_number}`)).map(({ action }) => action)).toEqual([
      'import_process.erased',
    ]);
  });

  it('created again it is what is sent then, and no longer erased; not even the same bytes are taken for what was there', async () => {
    const supplier = await aSupplier();
    const body = aSmallAccount(supplier.code, 'AGAIN');
    const { deps } = await stage(supplier, [body]);
    await erase(supplier, 'AGAIN');
    const { messages } = await stage(supplier, [body], deps);
    const process = await operate('GET', processPath(supplier, 'AGAIN'));
    expect(process).toMatchObject({ body: { status: 'PENDING' } });
    expect(process.body).not.toHaveProperty('erased_at');
    await deliver(deps, messages);
    const { number } = await numbersOf(supplier, 'AGAIN');
    expect(number).not.toBe('');
    expect(await post({ supplier, external: 'AGAIN' }, 'notes', { notes: [{ body: 'Welcome.' }] })).toMatchObject({ status: 201 });
  });

  it('IN_PROGRESS is refused, and so is what was imported, or is not there', async () => {
    const supplier = await aSupplier();
    await stage(supplier, [aSmallAccount(supplier.code, 'BUSY')]);
    await env.DB.prepare('UPDATE import_processes SET status = 1, claim = 7, lease_until = ? WHERE supplier_id = ?')
      .bind(Date.now() + 60_000, supplier.supplierId)
      .run();
    expect(await erase(supplier, 'BUSY')).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await everything()).toContain('BUSY');
    expect(await operate('GET', processPath(supplier, 'BUSY'))).toMatchObject({
      body: { status: 'IN_PROGRESS', payload: { billing_name: 'A•••' } },
    });
    await importAll(supplier, [aSmallAccount(supplier.code, 'DONE')]);
    expect(await erase(supplier, 'DONE')).toMatchObject({ status: 409, body: { detail: 'It was imported: erase its account.' } });
    expect(await erase(supplier, 'NONE')).toMatchObject({ status: 404 });
    expect(await operate('POST', 'suppliers/NONE/import-processes/DONE/erase/', REASON)).toMatchObject({ status: 404 });
  });
});

describe('what is added while it is erased', () => {
  it('is read, too; where it never ends, 409, and nothing is erased', async () => {
    const one = await aMarked('lines');
    const adding = (times: number) => {
      let left = times;
      return databaseAround(env.DB, async ({ what }, run) => {
        if (what.includes('audit_entries') && left-- > 0)
          await call('POST', '/v1/data-import/notes/create/', {
            token: one.supplier.token,
            body: { import_supplier: one.supplier.code, external_account_number: one.external, notes: [{ body: `meanwhile ${left}` }] },
          });
        return run();
      });
    };
    const path = `/operator/v1/accounts/${one.number}/erase/`;
    const busy = await callWith({ DB: adding(100) }, 'POST', path, { headers: OPERATOR, body: REASON });
    expect(busy).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(found(await everything(), one.of.personal)).toHaveLength(one.of.personal.length);
    expect(await auditOf(`account ${one.number}`)).toEqual([]);
    expect(await callWith({ DB: adding(2) }, 'POST', path, { headers: OPERATOR, body: REASON })).toMatchObject({ status: 200 });
    expect(await everything()).not.toContain('meanwhile');
  });
});

describe('a failure of the database', () => {
  it.each(['before', 'after'] as const)(
    '%s any trip took effect leaves all or nothing, and asked for again it is done, once',
    async (fault) => {
      for (let trip = 1; ; trip++) {
        const supplier = await aSupplier();
        await importAll(supplier, [aSmallAccount(supplier.code, 'a')]);
        const { number } = await numbersOf(supplier, 'a');
        const faulty = faultyDatabase(env.DB, (call) => (call === trip ? fault : undefined));
        await eraseAccount(aDeps({ DB: faulty.db }), 'operator', number, REASON).catch(() => undefined);
        if (faulty.calls < trip) {
          expect(trip).toBeGreaterThan(2);
          break;
        }
        const row = env.DB.prepare(
          `SELECT erased_at IS NOT NULL AS erased, (SELECT count(*) FROM customers WHERE account_id = p.id AND given_name IS NOT NULL) AS named,
           (SELECT body LIKE '%Harbour%' FROM payloads WHERE id = p.id) AS addressed,
           (SELECT count(*) FROM events WHERE supplier_id = p.supplier_id AND type = 'account.erased') AS announced FROM import_processes AS p WHERE supplier_id = ?`,
        ).bind(supplier.supplierId);
        expect([
          { erased: 0, named: 1, addressed: 1, announced: 0 },
          { erased: 1, named: 0, addressed: 0, announced: 1 },
        ]).toContainEqual(await row.first());
        expect(await eraseAccount(aDeps(), 'operator', number, REASON)).toMatchObject({ kind: 'erased' });
        expect(await row.first()).toEqual({ erased: 1, named: 0, addressed: 0, announced: 1 });
        expect(await auditOf(`account ${number}`)).toHaveLength(1);
      }
    },
  );
});

describe('the console', () => {
  it('asks first and for a reason, then erases an account and says so', async () => {
    const { Cookie, form_token } = await signedIn();
    const supplier = await aSupplier();
    await importAll(supplier, [aSmallAccount(supplier.code, 'a')]);
    const { number } = await numbersOf(supplier, 'a');
    const home = `/operator/accounts/${number}/`;
    expect((await visit(home, Cookie)).text).toContain(`${home}erase/`);
    expect((await visit(`${home}erase/`, Cookie)).text).toContain('Erase for good');
    expect((await visit(`${home}erase/`, Cookie, { form_token, reason: ' ' })).status).toBe(400);
    expect((await visit(`${home}erase/`, Cookie, { form_token: 'x', reason: 'Ticket 1' })).status).toBe(403);
    expect((await visit(home, Cookie)).text).not.toContain('id="erased"');
    const answer = await visit(`${home}erase/`, Cookie, { form_token, reason: 'Ticket 1' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${home}?told=erased&n=0`]);
    expect((await visit(home, Cookie)).text).toContain('id="erased"');
    expect(await auditOf(`account ${number}`)).toMatchObject([{ action: 'account.erased' }]);
  });

  it('erases what was never imported from the page of its import, and refuses what was', async () => {
    const { Cookie, form_token } = await signedIn();
    const supplier = await aSupplier();
    await importAll(supplier, [aSmallAccount(supplier.code, 'a')]);
    await stage(supplier, [aSmallAccount(supplier.code, 'b')]);
    const home = (external: string) => `/operator/suppliers/${supplier.code}/processes/${external}/`;
    const erase = (external: string) => visit(`${home(external)}erase/`, Cookie, { form_token, reason: 'Ticket 1' });
    expect((await erase('b')).status).toBe(303);
    expect((await visit(home('b'), Cookie)).text).toContain('id="erased"');
    expect(await erase('a')).toMatchObject({ status: 409, text: expect.stringContaining('erase its account') });
    expect((await erase('none')).status).toBe(404);
  });
});
