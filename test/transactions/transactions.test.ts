/** §4.2 `POST /v1/data-import/transactions/create/` */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  anAccountOfASupplier,
  describeRefusals,
  type Endpoint,
  errorsOf,
  type Given,
  post,
  postCounted,
  stored,
} from '../support/additions';
import { anImportedAccount } from '../support/given';
import { readRows } from '../support/tables';

const TRANSACTIONS: Endpoint = { path: '/v1/data-import/transactions/create/', list: 'transactions', table: 'transactions' };
const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

const today = () => new Date().toISOString().slice(0, 10);
// A cycle of a thousand years from 2000 keeps "today" inside, whenever the tests run.
const WIDE = { periodFrom: '2026-01-01', cycleMonths: 12_000 };
const LAST_OF_WIDE = '2999-12-31';
const anAccount = (configuration = {}) => anAccountOfASupplier({ configuration }, WIDE);

const payment = (id: string, more: Record<string, unknown> = {}) => ({
  transaction_id: id,
  transaction_date: today(),
  amount: 12,
  type: 'PAYMENT',
  ...more,
});

const ofEachType = () => [
  {
    transaction_id: 'T-1',
    transaction_date: today(),
    amount: 12,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    display_note: 'Shown to the customer',
    note: 'Internal',
  },
  {
    transaction_id: 'T-2',
    transaction_date: today(),
    amount: 3.5,
    type: 'CREDIT',
    reason: 'IMPORTED_CREDIT',
    display_note: 'é',
    note: 'b',
  },
  {
    transaction_id: 'T-3',
    transaction_date: today(),
    amount: '20.10',
    type: 'PAYMENT',
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    payment_type: 'DD_REGULAR_COLLECTION',
    reference: 'ref',
    note: 'c',
  },
  {
    transaction_id: 'T-4',
    transaction_date: today(),
    amount: 0.01,
    type: 'REPAYMENT',
    reason: 'FULL_CREDIT_REFUND',
    payment_type: 'DIRECT_CREDIT',
    reference: 'ref',
    note: 'd',
  },
  {
    transaction_id: 'T-5',
    transaction_date: today(),
    amount: 1234567890.12,
    type: 'SUPPLY_CHARGE',
    product_code: 'P-1',
    display_note: 'Electricity',
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2026-01-01',
        end_date: '2026-01-31',
        number_of_units: 10,
        net_amount: '1.230000000000000000001',
        price_per_unit: 0.123,
        units: [1, '2.50', 0.1],
      },
    ],
    tax_items: [{ amount: 2, tax_type: 'VAT', value_taxed: 10, rate: 0.2, unit_type: 'PROPORTION' }],
  },
];
const AMOUNTS = ['12.00', '3.50', '20.10', '0.01', '1234567890.12'];

const notesOf = ({ account }: Given) =>
  readRows('SELECT body, is_pinned, unpin_at, source FROM notes WHERE account_id = ? ORDER BY created_at, body', account.id);

const datesOf = async (given: Given) =>
  (await readRows('SELECT transaction_date FROM transactions WHERE account_id = ? ORDER BY transaction_id', given.account.id)).map(
    ({ transaction_date }) => transaction_date,
  );

const resultsOf = (body: unknown): { status: string; transaction_data: Record<string, unknown> }[] =>
  typeof body === 'object' && body !== null && 'results' in body && Array.isArray(body.results) ? body.results : [];
const statuses = (body: unknown) => resultsOf(body).map(({ status }) => status);

describe('201', () => {
  it('adds one of each of the five types in one request, as imported and as posted', async () => {
    const given = await anAccount();
    const items = ofEachType();
    const { status, body } = await post(TRANSACTIONS, given, items);
    expect(status).toBe(201);
    expect(body).toEqual({
      results: items.map((item, i) => ({ status: ADDED, transaction_data: { ...item, amount: AMOUNTS[i] } })),
    });
    const rows = await stored(TRANSACTIONS, given);
    expect(rows).toMatchObject(
      items.map((item, i) => ({
        transaction_id: item.transaction_id,
        addition: 0,
        source: 2,
        ledger: null,
        transaction_date: today(),
        amount_minor: Number(AMOUNTS[i]?.replace('.', '')),
        type: item.type,
        note: item.note ?? null,
      })),
    );
    expect(rows.map(({ imported }) => JSON.parse(String(imported)))).toEqual(items);
  });

  it('skips on the second post what was added, and shows what is stored', async () => {
    const given = await anAccount();
    await post(TRANSACTIONS, given, ofEachType());
    const changed = ofEachType().map((item) => ({ ...item, amount: 99 }));
    const { status, body } = await post(TRANSACTIONS, given, [...changed, payment('T-6')]);
    expect(status).toBe(201);
    expect(statuses(body)).toEqual([EXISTS, EXISTS, EXISTS, EXISTS, EXISTS, ADDED]);
    expect(resultsOf(body)[0]?.transaction_data).toEqual({ ...ofEachType()[0], amount: '12.00', status: 'TRANSACTION_IMPORT_SUCCESS' });
    expect(await stored(TRANSACTIONS, given)).toHaveLength(6);
  });

  it('says of each known id whether it came with other content, by what was imported and not by what became of it', async () => {
    const given = await anAccount();
    const [first, ...others] = ofEachType();
    if (!first) throw new Error('no transaction');
    const moved = { ...first, transaction_id: 'moved', transaction_date: '2025-12-31', amount: '12.5' };
    await post(TRANSACTIONS, given, [first, ...others, moved]);
    const again = await post(TRANSACTIONS, given, [
      { ...first, amount: '12.00', reason: 'IMPORTED_CHARGE' },
      ...others,
      { ...moved, amount: 12.5 },
    ]);
    expect(statuses(again.body)).toEqual(Array.from({ length: 6 }, () => EXISTS));
    for (const result of resultsOf(again.body)) expect(result).not.toHaveProperty('differs');
    const changed = await post(TRANSACTIONS, given, [
      { ...first, amount: 12.01 },
      { ...others[0], display_note: 'e\u0301' },
      { ...moved, transaction_date: '2026-01-01' },
      { ...others[1], undocumented: 1 },
      others[2] ?? {},
      payment('new'),
    ]);
    expect(resultsOf(changed.body).map((result) => [result.status, 'differs' in result && result.differs])).toEqual([
      [EXISTS, true],
      [EXISTS, true],
      [EXISTS, true],
      [EXISTS, true],
      [EXISTS, false],
      [ADDED, false],
    ]);
    expect(resultsOf(changed.body)[0]?.transaction_data['amount']).toBe('12.00');
  });

  it('counts the transactions of the account payload as added', async () => {
    const given = await anAccount();
    const imported = JSON.stringify({ transaction_id: 'H-1', transaction_date: '2020-02-29', amount: 5, type: 'PAYMENT', note: 'old' });
    await env.DB.prepare(
      `INSERT INTO transactions (account_id, transaction_id, addition, source, transaction_date, amount_minor, type, note, imported, created_at)
       VALUES (?, 'H-1', 0, 0, '2020-02-29', 500, 'PAYMENT', 'old', ?, 0)`,
    )
      .bind(given.account.id, imported)
      .run();
    for (const query of ['', '?force_add_to_current_statement=false']) {
      const { status, body } = await post(TRANSACTIONS, given, [payment('H-1', { transaction_date: '2020-02-29' })], query);
      expect([status, body]).toEqual([
        201,
        {
          results: [
            {
              status: EXISTS,
              transaction_data: { ...JSON.parse(imported), amount: '5.00', status: 'TRANSACTION_IMPORT_SUCCESS' },
              differs: true,
            },
          ],
        },
      ]);
    }
    expect(await notesOf(given)).toEqual([]);
  });

  it('moves dates outside the open period to its nearest day, says so in each note and in one pinned note', async () => {
    const given = await anAccount();
    const { status, body } = await post(TRANSACTIONS, given, [
      payment('early', { transaction_date: '2025-12-31', note: 'Cash desk' }),
      payment('inside', { transaction_date: '2026-01-01' }),
      payment('late', { transaction_date: '3000-01-01' }),
    ]);
    expect(status).toBe(201);
    expect(resultsOf(body).map(({ transaction_data }) => transaction_data)).toEqual([
      expect.objectContaining({ transaction_date: '2026-01-01', note: expect.stringMatching(/^Cash desk\n.*2025-12-31/) }),
      payment('inside', { transaction_date: '2026-01-01', amount: '12.00' }),
      expect.objectContaining({ transaction_date: LAST_OF_WIDE, note: expect.stringContaining('3000-01-01') }),
    ]);
    expect(await datesOf(given)).toEqual(['2026-01-01', '2026-01-01', LAST_OF_WIDE]);
    const [first] = await stored(TRANSACTIONS, given);
    expect(JSON.parse(String(first?.['imported']))).toMatchObject({ transaction_date: '2025-12-31', note: 'Cash desk' });
    const [note, ...others] = await notesOf(given);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ is_pinned: 1, unpin_at: null, source: 2 });
    expect(String(note?.['body']).split('\n').slice(1)).toEqual([
      'early: from 2025-12-31 to 2026-01-01',
      `late: from 3000-01-01 to ${LAST_OF_WIDE}`,
    ]);
    // What exists already does not move again, and no second note is pinned.
    const again = await post(TRANSACTIONS, given, [payment('early', { transaction_date: '2025-12-31' })]);
    expect(resultsOf(again.body)).toMatchObject([{ status: EXISTS, transaction_data: { transaction_date: '2026-01-01' } }]);
    await post(TRANSACTIONS, given, [
      payment('early', { transaction_date: '2025-12-31' }),
      payment('new', { transaction_date: '2025-01-01' }),
    ]);
    const bodies = (await notesOf(given)).map(({ body: text }) => String(text).split('\n').slice(1));
    expect(bodies).toHaveLength(2);
    expect(bodies).toContainEqual(['new: from 2025-01-01 to 2026-01-01']);
  });

  it('reads query parameters in any case, as words and digits', async () => {
    const given = await anAccount();
    const outside = (id: string) => [payment(id, { transaction_date: '2025-12-31' })];
    expect((await post(TRANSACTIONS, given, outside('a'), '?force_add_to_current_statement=TRUE&check_previously_added=1')).status).toBe(
      201,
    );
    expect((await post(TRANSACTIONS, given, outside('b'), '?force_add_to_current_statement=False')).status).toBe(400);
    expect((await post(TRANSACTIONS, given, outside('b'), '?force_add_to_current_statement=0')).status).toBe(400);
    expect(await datesOf(given)).toEqual(['2026-01-01']);
  });

  it('adds again what it was asked not to check', async () => {
    const given = await anAccount();
    for (const query of ['', '?check_previously_added=false', '?check_previously_added=0']) {
      const { status, body } = await post(TRANSACTIONS, given, [payment('again', { transaction_date: '2025-12-31' })], query);
      expect([status, statuses(body)]).toEqual([201, [ADDED]]);
    }
    expect(await stored(TRANSACTIONS, given)).toHaveLength(3);
    expect(await notesOf(given)).toHaveLength(3);
    const { body } = await post(TRANSACTIONS, given, [payment('again')]);
    expect(statuses(body)).toEqual([EXISTS]);
    // An id that was only ever added unchecked is known, too.
    await post(TRANSACTIONS, given, [payment('unchecked')], '?check_previously_added=false');
    expect(statuses((await post(TRANSACTIONS, given, [payment('unchecked')])).body)).toEqual([EXISTS]);
  });

  it.each(['', '?check_previously_added=false'])('stores more than one value of a query holds, under one event (%s)', async (query) => {
    const given = await anAccount();
    const many = Array.from({ length: 18 }, (_, i) => payment(`t-${i}`, { note: 'n'.repeat(55_000) }));
    expect((await post(TRANSACTIONS, given, many, query)).status).toBe(201);
    expect(await stored(TRANSACTIONS, given)).toHaveLength(18);
    const events = await readRows<{ data: string }>('SELECT data FROM events WHERE supplier_id = ?', given.supplier.supplierId);
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([{ count: 18 }]);
  });

  it('takes the same id on another account of the supplier', async () => {
    const given = await anAccount();
    const other = { supplier: given.supplier, account: await anImportedAccount(given.supplier, WIDE) };
    await post(TRANSACTIONS, given, [payment('x')]);
    expect(statuses((await post(TRANSACTIONS, other, [payment('x')])).body)).toEqual([ADDED]);
  });

  it('takes the extra reasons of the supplier and omits what was not given', async () => {
    const given = await anAccount({ extra_charge_reasons: ['MY_CHARGE'], extra_credit_reasons: ['MY_CREDIT'] });
    const charge = { ...payment('c', { type: 'CHARGE', reason: 'MY_CHARGE' }), note: null, display_note: '', tax_items: [], colour: 'red' };
    const credit = payment('d', { type: 'CREDIT', reason: 'MY_CREDIT', amount: '-1.5' });
    const { status, body } = await post(TRANSACTIONS, given, [charge, credit]);
    expect([status, body]).toEqual([
      201,
      {
        results: [
          { status: ADDED, transaction_data: payment('c', { type: 'CHARGE', reason: 'MY_CHARGE', amount: '12.00' }) },
          { status: ADDED, transaction_data: { ...credit, amount: '-1.50' } },
        ],
      },
    ]);
  });

  it('leaves exactly one of each, and one pinned note, after 20 parallel identical posts', async () => {
    const given = await anAccount();
    const items = [...ofEachType(), payment('moved', { transaction_date: '2020-01-01' })];
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(TRANSACTIONS, given, items)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(answers.flatMap(({ body }) => statuses(body)).filter((status) => status === ADDED)).toHaveLength(6);
    expect(await stored(TRANSACTIONS, given)).toHaveLength(6);
    expect(await notesOf(given)).toHaveLength(1);
  });

  it('takes 1,000 transactions, all of them moved, in two trips to D1', async () => {
    const given = await anAccount();
    const items = Array.from({ length: 1_000 }, (_, i) => payment(`n-${i}`, { transaction_date: '2025-06-30' }));
    const first = await postCounted(TRANSACTIONS, given, items);
    expect([first.status, new Set(statuses(first.body))]).toEqual([201, new Set([ADDED])]);
    // With the note and the event.
    expect([first.counts.trips, first.counts.rowsWritten]).toEqual([2, 1_002]);
    expect(first.counts.rowsRead).toBeLessThan(1_000 * 12);
    const again = await postCounted(TRANSACTIONS, given, items);
    expect([again.status, new Set(statuses(again.body))]).toEqual([201, new Set([EXISTS])]);
    expect([again.counts.trips, again.counts.rowsWritten]).toEqual([2, 0]);
    expect(again.counts.rowsRead).toBeLessThan(1_000 * 12);
    expect(await notesOf(given)).toHaveLength(1);
  });
});

describe('400', () => {
  it('refuses with the first failing transaction and with all errors, in one body', async () => {
    const given = await anAccount();
    const bad = { ...payment('b', { amount: '7', type: 'CHARGE', colour: 'red' }), line_items: [{ start_date: 'x', shade: 1 }] };
    const answer = await post(TRANSACTIONS, given, [payment('a'), bad, payment('c', { amount: 0 }), payment('a'), 5]);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'Enter a date that exists, in the form YYYY-MM-DD.',
      transaction_data: {
        transaction_id: 'b',
        transaction_date: today(),
        amount: '7.00',
        type: 'CHARGE',
        line_items: [{ start_date: 'x' }],
      },
      detail: expect.any(String),
      code: 'validation_error',
      errors: expect.any(Array),
    });
    expect(errorsOf(answer)).toEqual([
      ['transactions.1.line_items.0.start_date', 'invalid_date'],
      ['transactions.1.line_items.0.end_date', 'required'],
      ['transactions.1.line_items.0.number_of_units', 'required'],
      ['transactions.1.line_items.0.net_amount', 'required'],
      ['transactions.1.reason', 'required'],
      ['transactions.2.amount', 'min_value'],
      ['transactions.3.transaction_id', 'duplicate_transaction_id'],
      ['transactions.4', 'invalid'],
    ]);
    expect(await stored(TRANSACTIONS, given)).toEqual([]);
  });

  it('refuses a date outside the open period when it may not move, and stores nothing of the request', async () => {
    const given = await anAccount();
    for (const query of ['?force_add_to_current_statement=false', '?force_add_to_current_statement=false&check_previously_added=false']) {
      const answer = await post(
        TRANSACTIONS,
        given,
        [payment('in'), payment('out', { transaction_date: '2025-12-31', amount: 1.5 })],
        query,
      );
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        status: 'TRANSACTION_IMPORT_ERROR',
        error_detail: expect.stringContaining('open statement period'),
        transaction_data: payment('out', { transaction_date: '2025-12-31', amount: '1.50' }),
        code: 'validation_error',
      });
      expect(errorsOf(answer)).toEqual([['transactions.1.transaction_date', 'transaction_outside_statement_period']]);
      expect(await stored(TRANSACTIONS, given)).toEqual([]);
      expect(await notesOf(given)).toEqual([]);
    }
  });

  it('reports a date outside the open period once the body has no other errors', async () => {
    const given = await anAccount();
    const query = '?force_add_to_current_statement=false';
    const out = payment('out', { transaction_date: '2025-12-31' });
    const both = await post(TRANSACTIONS, given, [out, payment('b', { amount: 'x' })], query);
    expect(errorsOf(both)).toEqual([['transactions.1.amount', 'invalid']]);
    expect(errorsOf(await post(TRANSACTIONS, given, [out, payment('b')], query))).toEqual([
      ['transactions.0.transaction_date', 'transaction_outside_statement_period'],
    ]);
  });

  it('keeps the shape of validation where no transaction is at fault', async () => {
    const given = await anAccount();
    const answer = await post(TRANSACTIONS, given, [payment('a')], '?check_previously_added=maybe&force_add_to_current_statement=');
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        ['check_previously_added', 'invalid'],
        ['force_add_to_current_statement', 'invalid'],
      ],
    ]);
    expect(answer.body).not.toHaveProperty('status');
    const many = await post(
      TRANSACTIONS,
      given,
      Array.from({ length: 1_001 }, (_, i) => payment(`${i}`)),
    );
    expect([many.status, errorsOf(many)]).toEqual([400, [['transactions', 'max_length']]]);
    expect(many.body).not.toHaveProperty('status');
    expect(await stored(TRANSACTIONS, given)).toEqual([]);
  });

  it('validates what was added already like any other', async () => {
    const given = await anAccount();
    await post(TRANSACTIONS, given, [payment('a')]);
    const answer = await post(TRANSACTIONS, given, [payment('a', { amount: 'much' })]);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['transactions.0.amount', 'invalid']]]);
    expect(answer.body).toMatchObject({ transaction_data: { amount: 'much' } });
  });

  it('stores nothing, not even the note, when the key is revoked between the validation and the write', async () => {
    const given = await anAccount();
    const answer = await postCounted(TRANSACTIONS, given, [payment('a', { transaction_date: '2020-01-01' })], async (trip) => {
      if (trip === 2) await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.supplier.apiKeyId).run();
    });
    expect(answer.status).toBe(401);
    expect([await stored(TRANSACTIONS, given), await notesOf(given)]).toEqual([[], []]);
  });

  it('validates again when the configuration changes between the validation and the write', async () => {
    const given = await anAccount({ extra_charge_reasons: ['GONE'] });
    const answer = await postCounted(TRANSACTIONS, given, [payment('a', { type: 'CHARGE', reason: 'GONE' })], async (trip) => {
      if (trip !== 2) return;
      await env.DB.prepare(
        "UPDATE suppliers SET configuration = json_set(configuration, '$.extra_charge_reasons', json('[]')), version = version + 1 WHERE id = ?",
      )
        .bind(given.supplier.supplierId)
        .run();
    });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['transactions.0.reason', 'invalid_choice']]]);
    expect(await stored(TRANSACTIONS, given)).toEqual([]);
  });
});

describeRefusals(TRANSACTIONS, payment('refused'));
