import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aDeps } from '../support/deps';
import { aDocument, aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';

const PATH = '/v2/data-import/accounts/';
const START = '2099-01-01T00:00:00Z';
const later = { schedule_window_start: START };
const create = (given: GivenSupplier, body: unknown, path = PATH) => call('POST', path, { token: given.token, body });

interface Row {
  readonly id: number;
  readonly is_dry_run: number;
  readonly window_start: number | null;
  readonly window_end: number | null;
  readonly body: string;
}

const rowOf = (given: GivenSupplier) =>
  readRow<Row>(
    'SELECT p.id, p.is_dry_run, p.window_start, p.window_end, y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?',
    given.supplierId,
  );

/** Opens the window and has the process consumed. */
async function consumed(given: GivenSupplier): Promise<void> {
  await env.DB.prepare('UPDATE import_processes SET window_start = NULL WHERE supplier_id = ?').bind(given.supplierId).run();
  const row = await rowOf(given);
  await deliver(aDeps(), [{ v: 1, supplier_id: given.supplierId, process_ids: [row?.id] }]);
}

describe('201: the forms of a body', () => {
  it.each([
    ['beside the fields of the account', (account: object, params: object) => ({ ...account, task_params: params })],
    ['beside the payload', (account: object, params: object) => ({ payload: account, task_params: params })],
    ['inside the payload', (account: object, params: object) => ({ payload: { ...account, task_params: params } })],
    [
      'inside the payload, null beside it',
      (account: object, params: object) => ({ payload: { ...account, task_params: params }, task_params: null }),
    ],
    [
      'beside the payload, which has others',
      (account: object, params: object) => ({ payload: { ...account, task_params: { is_dry_run: false } }, task_params: params }),
    ],
  ])('task_params %s', async (_, bodyOf) => {
    const given = await aSupplier();
    const params = { is_dry_run: true, schedule_window_start: START, schedule_window_end: '2099-01-02T01:00:00+01:00' };
    expect(await create(given, bodyOf(aSmallAccount(given.code, 'a'), params))).toMatchObject({ status: 201, body: {} });
    expect(await rowOf(given)).toMatchObject({
      is_dry_run: 1,
      window_start: Date.parse(START),
      window_end: Date.parse('2099-01-02T00:00:00Z'),
    });
    await consumed(given);
    expect(await statusOf(given, 'a')).toMatchObject({ status: 'DRY_RUN_SUCCEEDED' });
  });

  it('without task_params is a real import that may start now', async () => {
    const given = await aSupplier({ status: 'Ongoing' });
    await env.DB.prepare('SELECT 1').run();
    expect(await create(given, { payload: aSmallAccount(given.code, 'a') })).toMatchObject({ status: 201, body: {} });
    expect(await rowOf(given)).toMatchObject({ is_dry_run: 0, window_start: null, window_end: null });
  });

  it('at the path with and without its slash', async () => {
    const given = await aSupplier();
    for (const [number, path] of [
      ['a', PATH],
      ['b', PATH.slice(0, -1)],
    ] as const) {
      expect(await create(given, { ...aSmallAccount(given.code, number), task_params: later }, path)).toMatchObject({
        status: 201,
        body: {},
      });
    }
  });

  it('`payload` beside the fields of an account is an undocumented field', async () => {
    const given = await aSupplier();
    const body = { ...aSmallAccount(given.code, 'a'), payload: { account_type: 'CASTLE' }, task_params: later };
    expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
  });
});

describe('201: what is accepted', () => {
  it('undocumented fields, at any depth: kept with the payload and its objects, without effect', async () => {
    const given = await aSupplier();
    const account = aSmallAccount(given.code, 'a');
    const extra = { zodiac: 'lion', constructor: 1, nested: { deep: [null, 1e300] } };
    const body = { ...account, ...extra, customers: [{ ...account.customers[0], ...extra }], task_params: { ...later, priority: 'high' } };
    expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
    await consumed(given);
    expect(await statusOf(given, 'a')).toMatchObject({ status: 'PROCESSED' });
    const customer = await readRow<{ given_name: string; details: string }>(
      'SELECT given_name, details FROM customers WHERE account_id = (SELECT id FROM accounts WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect([customer?.given_name, JSON.parse(customer?.details ?? '')]).toEqual([
      'Ada',
      { customer_preferences: { opted_in_to_offers: true }, ...extra },
    ]);
  });

  it.each([
    ['null', null],
    ['an empty string', ''],
  ])('%s in every optional field is "not given"', async (_, nothing) => {
    const given = await aSupplier();
    const names = ['account_type', 'company_name', 'billing_name', 'billing_email', 'language_preference', 'communication_preference'];
    const customer = { given_name: 'Ada', family_name: nothing, email: nothing, mobile: nothing, landline: nothing, title: nothing };
    const body = {
      import_supplier: given.code,
      external_account_number: 'a',
      ...Object.fromEntries(names.map((name) => [name, nothing])),
      customers: [customer],
      task_params: later,
    };
    expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
    await consumed(given);
    expect(await statusOf(given, 'a')).toMatchObject({ status: 'PROCESSED' });
    const row = await readRow(
      'SELECT family_name, email, mobile FROM customers WHERE account_id = (SELECT id FROM accounts WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect(row).toEqual({ family_name: null, email: null, mobile: null });
  });

  it('null and empty lists and objects of every optional field, and of task_params', async () => {
    const given = await aSupplier();
    const lists = ['customers', 'notes', 'statements', 'ledgers', 'payment_instructions', 'supply_addresses', 'consents', 'metadata'];
    for (const [number, nothing] of [
      ['a', null],
      ['b', []],
    ] as const) {
      const fields = Object.fromEntries(lists.map((name) => [name, nothing]));
      const body = { import_supplier: given.code, external_account_number: number, ...fields, billing_address: null, task_params: later };
      expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
    }
    const body = {
      import_supplier: given.code,
      external_account_number: 'c',
      task_params: { is_dry_run: null, ...later, schedule_window_end: null },
    };
    expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
  });

  it('an unknown occupier without customers, and the least there can be', async () => {
    const given = await aSupplier();
    for (const [number, over] of [
      ['a', { unknown_occupier: true }],
      ['b', { unknown_occupier: true, customers: [] }],
      ['c', {}],
    ] as const) {
      const body = { import_supplier: given.code, external_account_number: number, task_params: later, ...over };
      expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
    }
  });

  it('a window that is open already, and one that only has an end', async () => {
    const given = await aSupplier();
    for (const [number, task_params] of [
      ['a', { schedule_window_start: '2020-01-01T00:00:00', schedule_window_end: '2099-01-01T00:00' }],
      ['b', { schedule_window_end: '2099-01-01T00:00:00.123456Z' }],
    ] as const) {
      expect(await create(given, { ...aSmallAccount(given.code, number), task_params })).toMatchObject({ status: 201, body: {} });
    }
  });

  it('documents that are there, with and without a leading slash', async () => {
    const given = await aSupplier({ configuration: { documents_root: 'root/' } });
    await aDocument('root/a/b.pdf');
    const paths = ['a/b.pdf', '/a/b.pdf'].map((document_path) => ({ document_path }));
    const body = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: paths }], task_params: later };
    expect(await create(given, body)).toMatchObject({ status: 201, body: {} });
    await consumed(given);
    const note = await readRow<{ documents: string }>(
      'SELECT documents FROM notes WHERE account_id = (SELECT id FROM accounts WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect(JSON.parse(note?.documents ?? '')).toEqual([
      { document_path: 'a/b.pdf', key: 'root/a/b.pdf' },
      { document_path: '/a/b.pdf', key: 'root/a/b.pdf' },
    ]);
  });

  it('bank and card numbers are cut to their last four before anything is stored', async () => {
    const given = await aSupplier();
    const bank_account = { account_holder: 'A Bell', account_number: '12345678', iban: 'GB33 BUKB 2020 1555 5555 55' };
    const instructions = [
      { vendor: 'GOCARDLESS', type: 'DIRECT_DEBIT', bank_account },
      { vendor: 'STRIPE', type: 'CARD', card: { number: '4242 4242 4242 4242', last_digits: '4242' } },
    ];
    await create(given, { ...aSmallAccount(given.code, 'a'), payment_instructions: instructions, task_params: later });
    await consumed(given);
    const everything = await readRow<{ text: string }>(
      `SELECT group_concat(details) || (SELECT body FROM payloads y WHERE y.id = account_id) AS text FROM payment_instructions
       WHERE account_id = (SELECT id FROM accounts WHERE supplier_id = ?)`,
      given.supplierId,
    );
    expect(everything?.text).toContain('5678');
    expect(everything?.text).not.toMatch(/12345678|BUKB|4242 ?4242/);
  });
});

describe('400', () => {
  const refused = async (given: GivenSupplier, body: unknown, detail: unknown = expect.stringContaining('validate')) => {
    const answer = await create(given, body);
    expect([answer.status, answer.body]).toEqual([400, { code: 'import_process_failed_validation', detail, domain: 'import_process' }]);
    expect(await rowOf(given)).toBeNull();
  };

  it.each<[string, object]>([
    ['a field that is wrong', { account_type: 'CASTLE' }],
    ['no account number', { external_account_number: undefined }],
    ['a number no URL could read back', { external_account_number: '..' }],
    ['a number of 129 characters', { external_account_number: 'x'.repeat(129) }],
    [
      'a balance that does not add up',
      {
        transfer_balance: 1,
        current_statement_transactions: [{ transaction_id: '1', transaction_date: '2026-01-01', amount: 2, type: 'PAYMENT' }],
      },
    ],
    ['customers of an unknown occupier', { unknown_occupier: true }],
    ['a phone number', { customers: [{ given_name: 'Ada', mobile: '12' }] }],
    ['a document that is not there', { notes: [{ document_paths: [{ document_path: 'nowhere.pdf' }] }] }],
    [
      'a document outside of the root',
      {
        statements: [
          { statement_id: '1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-02', statement_path: '../x.pdf' },
        ],
      },
    ],
    ['a window that is over', { task_params: { schedule_window_end: '2020-01-01T00:00:00Z' } }],
    [
      'a window that ends before it starts',
      { task_params: { schedule_window_start: '2099-01-02T00:00:00Z', schedule_window_end: '2099-01-01T00:00:00Z' } },
    ],
    ['a window that ends as it starts', { task_params: { schedule_window_start: START, schedule_window_end: START } }],
    ['a window that is no moment', { task_params: { schedule_window_start: 'tomorrow' } }],
    ['a dry run that is no boolean', { task_params: { is_dry_run: 'yes' } }],
    ['task_params that are no object', { task_params: [], x: 1 }],
  ])('for %s; nothing is stored', async (name, over) => {
    const given = await aSupplier();
    const account = { ...aSmallAccount(given.code, 'a'), ...over };
    if (name.startsWith('task_params')) {
      // An empty list is "not given" only where a list belongs.
      await refused(given, { ...account, task_params: 'x' });
      return;
    }
    await refused(given, account);
    const { task_params, ...payload } = { task_params: undefined, ...account };
    await refused(given, { payload, ...(task_params ? { task_params } : {}) });
  });

  it.each([
    ['Paused', 'Migrations of this import supplier are paused.'],
    ['Complete', 'Migrations of this import supplier are complete.'],
  ] as const)('under a %s supplier, which it says; nothing is stored', async (status, detail) => {
    const given = await aSupplier({ status });
    await refused(given, aSmallAccount(given.code, 'a'), detail);
  });

  it("for a supplier that does not exist, and in the same words for another organisation's", async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    await refused(given, aSmallAccount('nobody', 'a'));
    await refused(given, aSmallAccount(other.code, 'a'));
    await refused(given, aSmallAccount(given.code.toLowerCase(), 'a'));
    expect(await rowOf(other)).toBeNull();
  });

  it.each([[[]], ['x'], [1], [null], [{}], [{ payload: null }], [{ payload: [] }], [{ payload: 'x', task_params: {} }]])(
    'for the body %j',
    async (body) => {
      await refused(await aSupplier(), JSON.stringify(body));
    },
  );
});
