/** Fields that are not documented: accepted, kept, and listed where that is asked for (§2.1, §4.5). */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../support/payloads';
import { readValue } from '../support/tables';

const VALIDATE = '/v2/data-import/accounts/validate/';
const BULK = '/v2/data-import/accounts/bulk/';

const warning = (attr: string) => ({ detail: expect.stringContaining('not documented'), code: 'undocumented_field', attr });
const listing = (...attrs: string[]) => attrs.map(warning);

const warningsOf = async (given: GivenSupplier, body: object) =>
  Object(await call('POST', `${VALIDATE}?warnings=true`, { token: given.token, body })).body.warnings;

async function bulk(given: GivenSupplier, accounts: readonly unknown[], query = '') {
  const response = await exports.default.fetch(`https://import.test${BULK}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
    body: accounts.map((account) => JSON.stringify(account)).join('\n'),
  });
  const text = new TextDecoder().decode(await response.arrayBuffer());
  checkAnswer('POST', BULK, { status: response.status, headers: response.headers, text });
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line): unknown => JSON.parse(line));
}

/** An account with a field of nobody's at many places, and where fields of the importer's own belong. */
const extended = (code: string) => {
  const account = aSmallAccount(code, 'W');
  return {
    favourite_colour: 'green',
    ...account,
    customers: account.customers.map((customer) => ({
      ...customer,
      psr: { medical: true },
      customer_preferences: { own_name: true },
      metadata: [{ key: 'k', value: { own: { deep: 1 } } }],
    })),
    billing_address: { country: 'GB', structured_street_address: { own: 1 }, planet: 'Earth' },
    billing_address1: null,
    billing_address2: null,
    billing_postcode: null,
    supply_addresses: account.supply_addresses.map((supply) => ({
      ...supply,
      flat: 3,
      meter_points: supply.meter_points.map((point) => ({ ...point, meters: [{ own: 1 }], agreements: [{ tariff: 'x' }] })),
    })),
    payment_instructions: [{ vendor: 'V', type: 'CARD', card: { own: 1 }, bank_account: { branch: 'x' } }],
    task_params: { is_dry_run: true, priority: 5 },
  };
};
const FOUND = [
  'favourite_colour',
  'customers.0.psr',
  'supply_addresses.0.flat',
  'supply_addresses.0.meter_points.0.agreements.0.tariff',
  'task_params.priority',
  'billing_address.planet',
  'payment_instructions.0.bank_account.branch',
];

describe('validate', () => {
  it('answers `{}` unless it is asked for warnings', async () => {
    const given = await aSupplier();
    for (const query of ['', '?warnings=false', '?warnings=0', '?warnings=False']) {
      const { status, body } = await call('POST', `${VALIDATE}${query}`, { token: given.token, body: extended(given.code) });
      expect([status, body]).toEqual([200, {}]);
    }
  });

  it.each(['true', '1', 'TRUE'])('lists each undocumented field on ?warnings=%s, and none that is the importer’s own', async (value) => {
    const given = await aSupplier();
    const { status, body } = await call('POST', `${VALIDATE}?warnings=${value}`, { token: given.token, body: extended(given.code) });
    expect(status).toBe(200);
    const { warnings } = Object(body);
    expect(warnings).toHaveLength(FOUND.length);
    expect(warnings).toEqual(expect.arrayContaining(listing(...FOUND)));
  });

  it('lists them in payload order, and nothing for what was not given', async () => {
    const given = await aSupplier();
    const account = {
      zebra: 1,
      ...aSmallAccount(given.code, 'W'),
      apple: { pear: 1 },
      gone: null,
      empty: '',
      none: [],
      zero: 0,
      no: false,
    };
    expect(await warningsOf(given, account)).toEqual(listing('zebra', 'apple', 'zero', 'no'));
  });

  it('has an empty list for an account all of whose fields are documented', async () => {
    const [given, australian] = [await aSupplier(), await aSupplier({ configuration: { default_country: 'AU' } })];
    await env.DOCUMENTS.put('letters/welcome.pdf', 'x');
    for (const [supplier, account] of [
      [given, aSmallAccount(given.code, 'W')],
      [given, aFullAccount(given.code, 'W')],
      [australian, anAustralianAccount(australian.code, 'W')],
    ] as const) {
      expect(await warningsOf(supplier, account)).toEqual([]);
    }
  });

  it('lists them beside the errors of an account that is not valid', async () => {
    const given = await aSupplier();
    const account = { ...aSmallAccount(given.code, 'W'), account_type: 'CASTLE', nickname: 'x' };
    const { status, body } = await call('POST', `${VALIDATE}?warnings=true`, { token: given.token, body: account });
    expect([status, body]).toMatchObject([
      400,
      { code: 'account_failed_validation', errors: [{ attr: 'account_type' }], warnings: listing('nickname') },
    ]);
    expect(Object(await call('POST', VALIDATE, { token: given.token, body: account })).body.warnings).toBeUndefined();
  });

  it('reads both forms of the body: what comes beside `payload` is not documented, nor is `payload` in an account', async () => {
    const given = await aSupplier();
    const account = { ...aSmallAccount(given.code, 'W'), nickname: 'x' };
    expect(await warningsOf(given, { payload: account, task_params: { when: 1 }, batch: 7 })).toEqual(
      listing('batch', 'nickname', 'task_params.when'),
    );
    expect(await warningsOf(given, { ...account, payload: { a: 1 } })).toEqual(listing('nickname', 'payload'));
  });

  it('lists a hundred, then says that there are more', async () => {
    const given = await aSupplier();
    const many = (count: number) => ({
      ...aSmallAccount(given.code, 'W'),
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1])),
    });
    expect(await warningsOf(given, many(100))).toEqual(listing(...Array.from({ length: 100 }, (_, i) => `f${i}`)));
    const warnings = await warningsOf(given, many(5_000));
    expect(warnings).toHaveLength(101);
    expect(warnings[100]).toEqual({ detail: expect.any(String), code: 'too_many_warnings', attr: '' });
  });

  it('refuses another value of the parameter', async () => {
    const given = await aSupplier();
    for (const value of ['yes', '', '2', 'true&warnings=false']) {
      const { status, body } = await call('POST', `${VALIDATE}?warnings=${value}`, {
        token: given.token,
        body: aSmallAccount(given.code, 'W'),
      });
      expect([status, body]).toMatchObject([400, { errors: [{ attr: 'warnings', code: 'invalid' }] }]);
    }
  });
});

describe('bulk', () => {
  it('lists them on each line, whatever became of it', async () => {
    const given = await aSupplier();
    const account = (external: string, over: object = {}) => ({ ...aSmallAccount(given.code, external), nickname: 'x', ...over });
    const window = { task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } };
    await bulk(given, [account('IMPORTED', window)]);
    await env.DB.prepare(`UPDATE import_processes SET status = 2, account_number = 'A-00000001' WHERE supplier_id = ?`)
      .bind(given.supplierId)
      .run();
    const results = await bulk(given, [
      account('NEW', window),
      account('WRONG', { account_type: 'CASTLE' }),
      account('IMPORTED'),
      aSmallAccount(given.code, 'PLAIN'),
    ]);
    expect(results).toMatchObject([
      { status: 'SCHEDULED', warnings: listing('nickname') },
      { status: 'INVALID', errors: [{ attr: 'account_type' }], warnings: listing('nickname') },
      { status: 'ALREADY_IMPORTED', warnings: listing('nickname') },
      { status: 'SCHEDULED' },
      { done: true },
    ]);
    expect(Object.keys(Object(results[3]))).not.toContain('warnings');
    expect(await bulk(given, [account('V')], '?mode=validate')).toMatchObject([
      { status: 'VALID', warnings: listing('nickname') },
      { done: true },
    ]);
  });
});

it('they are stored with what they came in', async () => {
  const given = await aSupplier();
  const sent = extended(given.code);
  await call('POST', '/v2/data-import/accounts/', { token: given.token, body: { ...sent, payment_instructions: null } });
  const body = await readValue<string>(
    'body',
    'SELECT y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?',
    given.supplierId,
  );
  expect(JSON.parse(body ?? '')).toMatchObject({ favourite_colour: 'green', customers: [{ psr: { medical: true } }] });
});
