/** §2.4, §4.5: a number literal that a double cannot say is refused at its place, never rounded, as the JSON text has it. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Endpoint, errorsOf } from '../support/additions';
import { bulkResults } from '../support/bulk';
import { anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage, statusOf } from '../support/importing';
import { readRows } from '../support/tables';

const ACCOUNTS = '/v2/data-import/accounts/';
const LONG = ['99.9999999999999999', '1.0000000000000000001', '12345678901234567890', '0.10000000000000000555', '1234567890.1234567'];

/** Places of a decimal in an account, and their paths. */
const PLACES: readonly (readonly [attr: string, fieldOf: (literal: string) => string])[] = [
  ['transfer_balance', (literal) => `"transfer_balance":${literal}`],
  ['ledgers.0.ledger_balance', (literal) => `"ledgers":[{"ledger_balance":${literal}}]`],
  ['payment_schedules.0.amount', (literal) => `"payment_schedules":[{"means":"DD","start_date":"2026-01-01","amount":${literal}}]`],
  ['account_billing_options.period_start_day', (literal) => `"account_billing_options":{"period_start_day":${literal}}`],
  [
    'current_statement_transactions.0.amount',
    (literal) =>
      `"current_statement_transactions":[{"transaction_id":"1","transaction_date":"2026-01-01","type":"PAYMENT","amount":${literal}}]`,
  ],
  [
    'statements.0.gross_amount',
    (literal) =>
      `"statements":[{"statement_id":"1","bill_period_from_date":"2026-01-01","bill_period_to_date":"2026-01-31","gross_amount":${literal}}]`,
  ],
];

const accountOf = (given: GivenSupplier, field: string, number = 'a') =>
  `{"import_supplier":"${given.code}","external_account_number":"${number}",${field}}`;

const processes = (given: GivenSupplier) =>
  readRows('SELECT y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?', given.supplierId);

describe('an account with a number of more digits than a double has', () => {
  it.each(PLACES)('at %s is refused there, in every form of a body', async (attr, fieldOf) => {
    const given = await aSupplier();
    // As a double it is right, and only money has fewer digits.
    const isMoney = !/gross_amount|period_start_day/.test(attr);
    const literals = LONG.filter((literal) => isMoney || literal !== '1234567890.1234567');
    for (const literal of literals) {
      const text = accountOf(given, fieldOf(literal));
      for (const body of [text, `{"payload":${text},"task_params":{"is_dry_run":false}}`]) {
        const answer = await call('POST', `${ACCOUNTS}validate/`, { token: given.token, body });
        expect([literal, answer.status, errorsOf(answer)]).toEqual([literal, 400, [[attr, 'max_digits']]]);
        expect((await call('POST', ACCOUNTS, { token: given.token, body })).status).toBe(400);
      }
      const good = accountOf(given, '"billing_name":"x"', `good ${literal}`);
      for (const mode of ['validate', 'create'] as const) {
        expect(await bulkResults(given, [text, good, text], mode)).toMatchObject([
          { line: 1, status: 'INVALID', errors: [{ attr, code: 'max_digits' }] },
          { line: 2, status: mode === 'create' ? 'SCHEDULED' : 'VALID' },
          { line: 3, status: 'INVALID', errors: [{ attr, code: 'max_digits' }] },
        ]);
      }
    }
    expect(await processes(given)).toHaveLength(literals.length);
  });

  it('is refused wherever the number is in a long text, and not for digits in strings', async () => {
    const given = await aSupplier();
    for (let spaces = 0; spaces < 33; spaces++) {
      const field = `"billing_name":"99.9999999999999999","x":"1e400 12345678901234567890 \\" 1e400",${' '.repeat(spaces)}"transfer_balance":`;
      const right = await call('POST', `${ACCOUNTS}validate/`, { token: given.token, body: accountOf(given, `${field}0`) });
      expect([right.status, right.body]).toEqual([200, {}]);
      const wrong = await call('POST', `${ACCOUNTS}validate/`, {
        token: given.token,
        body: accountOf(given, `${field}99.9999999999999999`),
      });
      expect(errorsOf(wrong)).toEqual([['transfer_balance', 'max_digits']]);
    }
  });

  it('is named beside every other error, in payload order', async () => {
    const given = await aSupplier();
    const text = accountOf(given, '"account_type":"CASTLE","transfer_balance":1e400,"more":12345678901234567890,"billing_email":"x"');
    expect(errorsOf(await call('POST', `${ACCOUNTS}validate/`, { token: given.token, body: text }))).toEqual([
      ['account_type', 'invalid_choice'],
      ['transfer_balance', 'invalid'],
      ['more', 'max_digits'],
      ['billing_email', 'invalid_email'],
    ]);
  });

  it('fails when it is processed, where an earlier release had taken it', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [JSON.parse(accountOf(given, '"transfer_balance":0'))]);
    await env.DB.prepare(
      `UPDATE payloads SET body = replace(body, '"transfer_balance":0', '"transfer_balance":0.00000000000000000001234567890123456789,"more":[1e400]')
       WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?)`,
    )
      .bind(given.supplierId)
      .run();
    await deliver(deps, messages);
    expect(await statusOf(given, 'a')).toMatchObject({
      status: 'ERRORED',
      errors: [
        { attr: 'transfer_balance', code: 'max_digits' },
        { attr: 'more.0', code: 'invalid' },
      ],
    });
  });

  it('with as many digits as a double has is stored to the last of them', async () => {
    const given = await aSupplier();
    const text = accountOf(
      given,
      '"metadata":[{"key":"k","value":[0.30000000000000004,9007199254740992,1e22,-1.5E-10]}],"more":123456789012345.6',
    );
    expect((await call('POST', ACCOUNTS, { token: given.token, body: text })).status).toBe(201);
    expect(await processes(given)).toEqual([{ body: text }]);
  });
});

const ENDPOINTS: readonly (Endpoint & { readonly itemOf: (literal: string) => string; readonly attrs: readonly string[] })[] = [
  {
    path: '/v1/data-import/transactions/create/',
    list: 'transactions',
    table: 'transactions',
    itemOf: (literal) =>
      `{"transaction_id":"T","transaction_date":"2026-01-31","type":"SUPPLY_CHARGE","product_code":"P","amount":${literal},
        "line_items":[{"start_date":"2026-01-01","end_date":"2026-01-31","number_of_units":${literal},"net_amount":${literal},"units":[1,${literal}]}],
        "tax_items":[{"amount":${literal},"tax_type":"VAT","value_taxed":${literal},"rate":${literal},"unit_type":"PROPORTION"}]}`,
    attrs: [
      ...['amount', 'line_items.0.number_of_units', 'line_items.0.net_amount', 'line_items.0.units.1'],
      ...['tax_items.0.amount', 'tax_items.0.value_taxed', 'tax_items.0.rate'],
    ],
  },
  {
    path: '/v1/data-import/historical-statements/create/',
    list: 'statements',
    table: 'statements',
    itemOf: (literal) =>
      `{"statement_id":"S","bill_period_from_date":"2026-01-01","bill_period_to_date":"2026-01-31","gross_amount":${literal}}`,
    attrs: ['gross_amount'],
  },
];

describe.each(ENDPOINTS)('what is posted to $path', ({ path, list, table, itemOf, attrs }) => {
  const posted = async (literal: string) => {
    const supplier = await aSupplier();
    const account = await anImportedAccount(supplier, { periodFrom: '2026-01-01', cycleMonths: 12_000 });
    const body = `{"import_supplier":"${supplier.code}","external_account_number":"${account.externalAccountNumber}","${list}":[${itemOf(literal)}]}`;
    const answer = await call('POST', path, { token: supplier.token, body });
    return { answer, rows: await readRows(`SELECT * FROM ${table} WHERE account_id = ?`, account.id) };
  };

  it('with a number that a double cannot say is refused at each of its places', async () => {
    for (const [literal, code] of [
      ['99.9999999999999999', 'max_digits'],
      ['1.0000000000000000001', 'max_digits'],
      ['1e400', 'invalid'],
      ['1e-400', 'invalid'],
    ] as const) {
      const { answer, rows } = await posted(literal);
      expect([literal, answer.status, errorsOf(answer)]).toEqual([literal, 400, attrs.map((attr) => [`${list}.0.${attr}`, code])]);
      expect(rows).toEqual([]);
    }
  });

  it('with 15 digits is stored and echoed as it was sent', async () => {
    const { answer, rows } = await posted('1234567890.12');
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body)).toContain('1234567890.12');
    expect(rows).toHaveLength(1);
  });
});
