/** §2.1: undocumented fields are accepted, stored with the object they came in, to the last `null`, and not echoed. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../src/accounts';
import { type Endpoint, errorsOf, type Given, post } from '../support/additions';
import { bulkResults } from '../support/bulk';
import { type Answer, aDocument, anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { rowsOf as countsOf, deliver, stage, statusesOf } from '../support/importing';
import { aFullAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

/** Says nothing where a field is documented; of an undocumented one all of it is stored. */
const MORE = {
  text: 'é\t佐藤',
  nothing: null,
  empty: '',
  none: [],
  deep: { nothing: null, list: [null, '', [], { a: null }] },
  number: 1.5e-7,
};

const rowsOf = async <Row>(given: GivenSupplier, sql: string): Promise<Row[]> =>
  await readRows<Row>(`${sql} WHERE account_id IN (SELECT id FROM accounts WHERE supplier_id = ?)`, given.supplierId);

const column = async (given: GivenSupplier, table: string, name: string): Promise<unknown[]> =>
  (await rowsOf<{ text: string | null }>(given, `SELECT ${name} AS text FROM ${table}`)).map(({ text }) =>
    text === null ? null : JSON.parse(text),
  );

describe('an account that is created', () => {
  it('stores all that was sent with each of its objects, as importers of other platforms send it', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 0 } });
    await aDocument(`${given.code}/letter.pdf`);
    const full = aFullAccount(given.code, 'full');
    const [customer, other] = full.customers;
    const [statement] = full.statements;
    const [historical, ...transactions] = full.historical_statement_transactions;
    const [current, ...others] = full.current_statement_transactions;
    const [instruction] = full.payment_instructions;
    const [supply] = full.supply_addresses;
    const vulnerable = {
      psr: [{ code: 'MEDICALLY_DEPENDENT', expires_at: null, notes: '' }],
      deceased: false,
      address: { line1: '1 Harbour Road', line2: '' },
      unable_to_read_meters: true,
    };
    const totals = { gross_total: 84.2, net_total: 70.17, tax_total: '14.03', opening_balance: 0, closing_balance: -15.9, is_final: null };
    const body = {
      ...full,
      billing_delivery_point_identifier: '1234567890',
      more: MORE,
      customers: [
        { ...customer, ...vulnerable, more: MORE, alternative_phone_numbers: [{ phone_number: '+30 21 2345 6789', label: 'work' }] },
        { ...other, title: null, pronouns: '', consents: [], psr: null },
      ],
      notes: [
        { body: 'with more', author: 'ada', more: MORE, created_at: null, is_pinned: null },
        { document_paths: [{ document_path: 'letter.pdf', more: MORE }, { document_path: '/letter.pdf' }] },
        { body: 'plain' },
      ],
      statements: [{ ...statement, ...totals, more: MORE, issued_date: null, number: '' }],
      historical_statement_transactions: [
        { ...historical, to_prepay_meter_serial_number: 'E12 34567', more: MORE, note: null, reference: '' },
        ...transactions,
      ],
      current_statement_transactions: [
        { ...current, line_items: current?.line_items?.map((item) => ({ ...item, unit: 'kWh', more: null })) },
        ...others,
      ],
      payment_instructions: [{ ...instruction, valid_from: null, more: MORE, card: { last_digits: '4242', more: MORE } }],
      supply_addresses: [{ ...supply, access_notes: '', more: MORE }],
    };
    expect((await call('POST', '/v2/data-import/accounts/validate/', { token: given.token, body })).body).toEqual({});
    const { deps, messages } = await stage(given, [body]);
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ full: 'PROCESSED' });
    expect(await countsOf(given)).toMatchObject({ customers: 2, notes: 3, transactions: 5, statements: 1, payment_instructions: 1 });

    const { title, salutation, pronouns, customer_preferences, consents, metadata } = customer ?? {};
    expect(await column(given, 'customers', 'details')).toEqual([
      {
        ...{ title, salutation, pronouns, customer_preferences, consents, metadata },
        ...vulnerable,
        more: MORE,
        alternative_phone_numbers: [{ label: 'work' }],
      },
      { psr: null },
    ]);
    const notes = await rowsOf<{ body: string | null; details: string | null }>(given, 'SELECT body, details FROM notes');
    expect(Object.fromEntries(notes.map((note) => [note.body, note.details && JSON.parse(note.details)]))).toEqual({
      'with more': { author: 'ada', more: MORE },
      null: { document_paths: [{ more: MORE }, {}] },
      plain: null,
    });
    const { issued_date, number, ...given_statement } = statement ?? {};
    expect([issued_date, number].every(Boolean)).toBe(true);
    expect(await column(given, 'statements', 'content')).toEqual([{ ...given_statement, ...totals, more: MORE }]);
    const imported = await column(given, 'transactions', 'imported');
    expect(imported).toContainEqual({ ...historical, to_prepay_meter_serial_number: 'E12 34567', more: MORE });
    expect(imported).toContainEqual(body.current_statement_transactions[0]);
    expect(await column(given, 'payment_instructions', 'details')).toEqual([{ more: MORE, card: { last_digits: '4242', more: MORE } }]);

    // What has no row stays in the account's own document, also after retention.
    const payload = await readRow<{ id: number; body: string }>(
      'SELECT id, body FROM payloads WHERE id = (SELECT id FROM accounts WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect(JSON.parse(payload?.body ?? '')).toEqual(body);
    if (!payload) throw new Error('the account has no payload');
    const document: unknown = JSON.parse((await documentsOf(deps, env.DB, [payload])).get(payload.id) ?? 'null');
    expect(document).not.toHaveProperty('customers');
    expect(document).toMatchObject({
      billing_delivery_point_identifier: '1234567890',
      more: MORE,
      supply_addresses: [{ access_notes: '', more: MORE, meter_points: supply?.meter_points }],
    });
  });
});

const NOTES: Endpoint = { path: '/v1/data-import/notes/create/', list: 'notes', table: 'notes' };
const TRANSACTIONS: Endpoint = { path: '/v1/data-import/transactions/create/', list: 'transactions', table: 'transactions' };
const STATEMENTS: Endpoint = { path: '/v1/data-import/historical-statements/create/', list: 'statements', table: 'statements' };

async function anAccount(): Promise<Given> {
  const supplier = await aSupplier();
  return { supplier, account: await anImportedAccount(supplier, { periodFrom: '2026-01-01', cycleMonths: 12_000 }) };
}

const isEchoed = ({ body }: Answer) => /"(?:more|unit|author)"/.test(JSON.stringify(body));

describe('what is posted to an account', () => {
  it('stores all that was sent with a note', async () => {
    const given = await anAccount();
    await aDocument(`${given.supplier.code}/letter.pdf`);
    const answer = await post(NOTES, given, [
      { body: 'a', more: MORE, unpin_at: null },
      { document_paths: [{ document_path: 'letter.pdf', more: MORE }] },
      { body: 'b' },
    ]);
    expect([answer.status, isEchoed(answer)]).toEqual([201, false]);
    const details = await column(given.supplier, 'notes', 'details');
    expect(details).toHaveLength(3);
    expect(details).toEqual(expect.arrayContaining([{ more: MORE }, { document_paths: [{ more: MORE }] }, null]));
  });

  it('stores all that was sent with a transaction, and shows the documented fields alone', async () => {
    const given = await anAccount();
    const transaction = {
      transaction_id: 'T',
      transaction_date: '2026-01-31',
      amount: 5,
      type: 'SUPPLY_CHARGE',
      product_code: 'P',
      line_items: [{ start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: 1 }],
      tax_items: [{ amount: 2, tax_type: 'VAT', value_taxed: 10, rate: 0.2, unit_type: 'PROPORTION' }],
    };
    const [line] = transaction.line_items;
    const sent = { ...transaction, note: null, more: MORE, line_items: [{ ...line, unit: 'kWh', rate_band: '' }] };
    const answers = [await post(TRANSACTIONS, given, [sent]), await post(TRANSACTIONS, given, [sent])];
    const shown = { ...transaction, amount: '5.00' };
    expect(answers.map(({ body }) => body)).toEqual([
      { results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: shown }] },
      {
        results: [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: { ...shown, status: 'TRANSACTION_IMPORT_SUCCESS' } }],
      },
    ]);
    expect(await column(given.supplier, 'transactions', 'imported')).toEqual([
      { ...transaction, more: MORE, line_items: [{ ...line, unit: 'kWh' }] },
    ]);
    const refused = await post(TRANSACTIONS, given, [{ ...sent, amount: 'x' }]);
    expect([refused.status, isEchoed(refused)]).toEqual([400, false]);
  });

  it('stores all that was sent with a statement, which is part of its content', async () => {
    const given = await anAccount();
    const statement = { statement_id: 'S', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' };
    const sent = { ...statement, number: '', closing_balance: -15.9, more: MORE };
    const shown = {
      import_supplier: given.supplier.code,
      external_account_number: given.account.externalAccountNumber,
      statements: [statement],
    };
    for (let again = 0; again < 2; again++) {
      const answer = await post(STATEMENTS, given, [sent]);
      expect([answer.status, answer.body]).toEqual([201, shown]);
    }
    expect(await column(given.supplier, 'statements', 'content')).toEqual([{ ...statement, closing_balance: -15.9, more: MORE }]);
    for (const other of [statement, { ...sent, closing_balance: -16 }, { ...sent, more: null }]) {
      const answer = await post(STATEMENTS, given, [other]);
      expect([answer.status, errorsOf(answer)]).toEqual([400, [['statements.0.statement_id', 'statement_already_exists']]]);
    }
  });

  it('stores all that was sent with a payment instruction, apart from what the vendor says', async () => {
    const given = await anAccount();
    const body = {
      import_supplier: given.supplier.code,
      external_account_number: given.account.externalAccountNumber,
      vendor: 'SANDBOX',
      reference: 'sandbox-card',
      type: 'CARD',
      scheme: 'mine',
      more: MORE,
      card: { number: '4242 4242 4242 4242', cvc: '123' },
    };
    const answer = await call('POST', '/v1/data-import/payment-instruction/create/', { token: given.supplier.token, body });
    expect([answer.status, isEchoed(answer)]).toEqual([201, false]);
    expect(await column(given.supplier, 'payment_instructions', 'details')).toEqual([
      {
        ...{ scheme: 'visa', last_four: '4242', expiry: '2099-12', holder: 'Sandbox Customer' },
        sent: { scheme: 'mine', more: MORE, card: { number: '4242' } },
      },
    ]);
  });
});

describe('400: what would not come back as it was sent', () => {
  it.each<[string, (value: string) => string]>([
    ['an undocumented field of an account', (value) => `"more":{"deep":[${value}]}`],
    ['metadata', (value) => `"metadata":[{"key":"k","value":{"a":${value}}}]`],
    ['metadata of a customer', (value) => `"customers":[{"given_name":"A","metadata":[{"key":"k","value":${value}}]}]`],
    [
      'a meter point',
      (value) =>
        `"supply_addresses":[{"customer_at_supply_address_from_date":"2026-01-01","meter_points":[{"mpxn":"1","supply_start_date":"2026-01-01","meters":[${value}]}]}]`,
    ],
    ['an address', (value) => `"billing_address":{"country":"GB","structured_street_address":{"a":${value}}}`],
    ['an undocumented field of a note', (value) => `"notes":[{"body":"x","more":${value}}]`],
    ['a payment instruction', (value) => `"payment_instructions":[{"vendor":"V","type":"CUSTOM","card":{"more":${value}}}]`],
  ])('in %s is refused at its place, by validate, create and bulk', async (_, fieldOf) => {
    const given = await aSupplier();
    const wrong: [string, string][] = [
      ['1e400', 'invalid'],
      ['-1e-400', 'invalid'],
      ['12345678901234567890', 'max_digits'],
      ['0.10000000000000001', 'max_digits'],
      ['"\\ud800"', 'invalid'],
      ['"a\\u0000"', 'invalid'],
      ['{"\\udfff":1}', 'invalid'],
      ['{"\\u0007":1}', 'invalid'],
    ];
    for (const [value, code] of wrong) {
      const text = `{"import_supplier":"${given.code}","external_account_number":"a",${fieldOf(value)}}`;
      const answer = await call('POST', '/v2/data-import/accounts/validate/', { token: given.token, body: text });
      const [[attr, found] = [], ...others] = errorsOf(answer) as [string, string][];
      expect([value, answer.status, found, others]).toEqual([value, 400, code, []]);
      expect(attr).toMatch(/^(?:more\.deep\.0|.*\.(?:a|value|meters\.0|more))/);
      expect(attr?.isWellFormed()).toBe(true);
      const wrapped = await call('POST', '/v2/data-import/accounts/validate/', { token: given.token, body: `{"payload":${text}}` });
      expect(errorsOf(wrapped)).toEqual(errorsOf(answer));
      const created = await call('POST', '/v2/data-import/accounts/', { token: given.token, body: text });
      expect(created.body).toMatchObject({ code: 'import_process_failed_validation' });
      for (const mode of ['validate', 'create'] as const) {
        expect(await bulkResults(given, [text], mode)).toMatchObject([{ line: 1, status: 'INVALID', errors: [{ attr, code }] }]);
      }
    }
    expect(await readRow('SELECT count(*) AS n FROM import_processes WHERE supplier_id = ?', given.supplierId)).toEqual({
      n: 0,
    });
  });

  it.each([NOTES, TRANSACTIONS, STATEMENTS])('in an undocumented field of what is posted to $path', async (endpoint) => {
    const given = await anAccount();
    const item = {
      notes: '{"body":"x","more":[1e400,"\\ud800",1]}',
      transactions: '{"transaction_id":"T","transaction_date":"2026-01-31","amount":5,"type":"PAYMENT","more":[1e400,"\\ud800",1]}',
      statements: '{"statement_id":"S","bill_period_from_date":"2026-01-01","bill_period_to_date":"2026-01-31","more":[1e400,"\\ud800",1]}',
    }[endpoint.list];
    const body = `{"import_supplier":"${given.supplier.code}","external_account_number":"${given.account.externalAccountNumber}","${endpoint.list}":[${item}]}`;
    const answer = await call('POST', endpoint.path, { token: given.supplier.token, body });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [
        [`${endpoint.list}.0.more.0`, 'invalid'],
        [`${endpoint.list}.0.more.1`, 'invalid'],
      ],
    ]);
    expect(await rowsOf(given.supplier, `SELECT 1 FROM ${endpoint.table}`)).toEqual([]);
  });
});
