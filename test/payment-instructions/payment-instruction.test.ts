/** §4.4 and §2.6, against vendors that answer over HTTP (`test/vendor-double`). */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Bindings } from '../../src/deps';
import worker from '../../src/worker';
import { type Answer, anImportedAccount, aSupplier, call, type GivenAccount, type GivenSupplier } from '../support/given';
import { readRows } from '../support/tables';

const PATH = '/v1/data-import/payment-instruction/create/';

interface Given {
  readonly supplier: GivenSupplier;
  readonly account: GivenAccount;
  readonly body: Record<string, unknown>;
}

let minted = 0;
/** A reference of its own for each use, so that the double's calls can be distinguished. */
const reference = (behaviour: string) => `${behaviour}~${++minted}-${crypto.randomUUID().slice(0, 8)}`;

const SENT = {
  STRIPE: { vendor: 'STRIPE', type: 'CARD' },
  GOCARDLESS: { vendor: 'GOCARDLESS', type: 'DIRECT_DEBIT' },
  SANDBOX: { vendor: 'SANDBOX', type: 'CARD' },
} as const;
const GOOD = { STRIPE: 'card', GOCARDLESS: 'active' } as const;
const VENDORS = ['STRIPE', 'GOCARDLESS'] as const;

/** An imported account and a body that is right but for what the test changes. */
async function given(vendor: keyof typeof SENT, changes: Record<string, unknown> = {}, configuration = {}): Promise<Given> {
  const supplier = await aSupplier({ configuration });
  const account = await anImportedAccount(supplier);
  const known = { import_supplier: supplier.code, external_account_number: account.externalAccountNumber };
  return { supplier, account, body: { ...known, ...SENT[vendor], reference: 'sandbox-card', ...changes } };
}

const post = ({ supplier, body }: Given) => call('POST', PATH, { token: supplier.token, body });

/** Posts to a service that is configured otherwise. */
async function postWith(settings: Partial<Record<keyof Bindings, string>>, { supplier, body }: Given): Promise<Answer> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${supplier.token}` },
    body: JSON.stringify(body),
  });
  const response = await worker.fetch(request, { ...env, ...settings }, createExecutionContext());
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function stored({ account }: Given) {
  const results = await readRows<{ type: string; position: number; vendor: string; reference: string; details: string }>(
    'SELECT type, position, vendor, reference, details FROM payment_instructions WHERE account_id = ? ORDER BY type, position',
    account.id,
  );
  return results.map((row) => ({ ...row, details: JSON.parse(row.details) as unknown }));
}

async function vendorCalls(of: unknown): Promise<{ path: string; authorization: string; version: string | null }[]> {
  const response = await fetch(`${env.STRIPE_API_BASE}/double/calls/${encodeURIComponent(String(of))}`);
  return response.json();
}

/** The validation shape, what was sent, and nothing stored. */
async function expectRefused(which: Given, answer: Answer, attr: string, code: string) {
  expect(answer.body).toEqual({
    detail: expect.any(String),
    code: 'validation_error',
    errors: [{ attr, code, detail: expect.any(String) }],
    error_detail: expect.any(String),
    import_supplier: which.body['import_supplier'],
    external_account_number: which.body['external_account_number'],
    reference: which.body['reference'],
  });
  expect(answer.status).toBe(400);
  expect(await stored(which)).toEqual([]);
}

async function expectUnavailable(which: Given, answer: Answer) {
  expect(answer.body).toEqual({
    detail: expect.any(String),
    code: 'vendor_unavailable',
    request_id: answer.headers.get('X-Request-Id'),
    error_detail: expect.any(String),
    import_supplier: which.body['import_supplier'],
    external_account_number: which.body['external_account_number'],
    reference: which.body['reference'],
  });
  expect(answer.status).toBe(500);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await stored(which)).toEqual([]);
}

async function expectCreated(which: Given, answer: Answer, details: object) {
  expect(answer.body).toEqual({ platform_account_number: which.account.accountNumber, reference: which.body['reference'] });
  expect(answer.status).toBe(201);
  const { type, vendor, reference: sent } = which.body;
  expect(await stored(which)).toEqual([{ type, position: 0, vendor, reference: sent, details }]);
}

const CARD_EXPIRY = `${new Date().getUTCFullYear() + 3}-12`;

describe('201', () => {
  it('stores a Stripe card with scheme, last four, expiry and holder, and nothing else', async () => {
    const which = await given('STRIPE', { reference: reference('card') });
    const details = { scheme: 'visa', last_four: '4242', expiry: CARD_EXPIRY, holder: 'Jenny Rosen' };
    await expectCreated(which, await post(which), details);
    expect(await vendorCalls(which.body['reference'])).toEqual([
      {
        path: `/v1/payment_methods/${encodeURIComponent(String(which.body['reference']))}`,
        authorization: 'Bearer sk_test_of_the_vendor_double',
        version: null,
      },
    ]);
  });

  it('takes a card in the last month it is good for', async () => {
    const which = await given('STRIPE', { reference: reference('card-of-this-month') });
    const expiry = new Date().toISOString().slice(0, 7);
    await expectCreated(which, await post(which), { scheme: 'visa', last_four: '4242', expiry, holder: 'Jenny Rosen' });
  });

  it.each(['bacs_debit', 'sepa_debit', 'au_becs_debit', 'acss_debit', 'us_bank_account'])('takes %s as a direct debit', async (kind) => {
    const which = await given('STRIPE', { reference: reference(kind), type: 'DIRECT_DEBIT' });
    await expectCreated(which, await post(which), { scheme: kind, last_four: '6789', holder: 'Jenny Rosen' });
  });

  it.each(['pending_submission', 'submitted', 'active'])('takes a GoCardless mandate that is %s', async (state) => {
    const which = await given('GOCARDLESS', { reference: reference(state) });
    await expectCreated(which, await post(which), { scheme: 'bacs' });
    expect(await vendorCalls(which.body['reference'])).toEqual([
      {
        path: `/mandates/${encodeURIComponent(String(which.body['reference']))}`,
        authorization: 'Bearer sandbox_of_the_vendor_double',
        version: '2015-07-06',
      },
    ]);
  });

  it.each(VENDORS)('tries %s a second time, and a slow answer is an answer', async (vendor) => {
    for (const behaviour of ['flaky', 'slow']) {
      const which = await given(vendor, { reference: reference(behaviour) });
      expect((await post(which)).status).toBe(201);
      expect(await vendorCalls(which.body['reference'])).toHaveLength(behaviour === 'flaky' ? 2 : 1);
      expect(await stored(which)).toHaveLength(1);
    }
  });

  it('carries a reference with reserved characters to the vendor unchanged', async () => {
    const which = await given('STRIPE', { reference: `${reference('card')}/../../v1/charges?expand=a&b#c %2e ü` });
    await expectCreated(which, await post(which), expect.any(Object));
    expect(await vendorCalls(which.body['reference'])).toHaveLength(1);
  });

  it('answers the same instruction again with the same body, without a second row or a second question', async () => {
    const which = await given('STRIPE', { reference: reference('card') });
    const [first, second] = [await post(which), await post(which)];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await vendorCalls(which.body['reference'])).toHaveLength(1);
    expect(await stored(which)).toHaveLength(1);
  });

  it('keeps one active instruction of each type, beside what the account payload brought', async () => {
    const which = await given('SANDBOX', { reference: 'sandbox-card' });
    await env.DB.prepare(`INSERT INTO payment_instructions VALUES (?, 'CARD', 1, 'STRIPE', 'pm_old', '{}', 1, NULL)`)
      .bind(which.account.id)
      .run();
    const debit = { ...which, body: { ...which.body, reference: 'sandbox-direct-debit', type: 'DIRECT_DEBIT' } };
    expect([(await post(which)).status, (await post(debit)).status]).toEqual([201, 201]);
    expect(await stored(which)).toMatchObject([
      { type: 'CARD', position: 0, reference: 'sandbox-card' },
      { type: 'CARD', position: 1, reference: 'pm_old' },
      { type: 'DIRECT_DEBIT', position: 0, reference: 'sandbox-direct-debit' },
    ]);
  });

  it('leaves one row when the same instruction is posted 20 times at once', async () => {
    const which = await given('STRIPE', { reference: reference('card') });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(which)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await stored(which)).toHaveLength(1);
  });

  it.each(['sandbox-card', 'sandbox-slow'])('finds the sandbox reference %s', async (sent) => {
    const which = await given('SANDBOX', { reference: sent });
    const answer = await postWith({ VENDOR_TIMEOUT_MILLISECONDS: '500' }, which);
    await expectCreated(which, answer, { scheme: 'visa', last_four: '4242', expiry: '2099-12', holder: 'Sandbox Customer' });
  });

  it('allows the vendors a supplier is limited to, and ignores undocumented fields', async () => {
    const which = await given('SANDBOX', { extra: { ignored: true } }, { vendors: ['SANDBOX'] });
    expect((await post(which)).status).toBe(201);
  });

  it('needs two trips to the database', async () => {
    const which = await given('SANDBOX');
    let trips = 0;
    const counted = new Proxy(env.DB, {
      get(target, key) {
        if (key === 'batch') trips++;
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Token ${which.supplier.token}` },
      body: JSON.stringify(which.body),
    });
    const response = await worker.fetch(request, { ...env, DB: counted }, createExecutionContext());
    expect([response.status, trips]).toEqual([201, 2]);
  });
});

describe('400', () => {
  it('reports all errors of the fields at once, in payload order', async () => {
    const supplier = await aSupplier({ status: 'Paused' });
    const sent = { type: 'BPAY', vendor: 'PAYPAL', reference: ' ', import_supplier: supplier.code };
    const answer = await call('POST', PATH, { token: supplier.token, body: sent });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'validation_error',
      errors: [
        { attr: 'type', code: 'invalid_choice' },
        { attr: 'vendor', code: 'invalid_choice' },
        { attr: 'reference', code: 'blank' },
        { attr: 'import_supplier', code: 'import_supplier_paused' },
        { attr: 'external_account_number', code: 'required' },
      ],
      import_supplier: supplier.code,
    });
    expect(answer.body).not.toHaveProperty('reference');
  });

  it('limits the reference to 512 characters, whatever its form', async () => {
    const long = await given('SANDBOX', { reference: 'é'.repeat(513) });
    expect((await post(long)).body).toMatchObject({ errors: [{ attr: 'reference', code: 'max_length' }] });
    const fits = await given('SANDBOX', { reference: 'é'.repeat(512) });
    await expectRefused(fits, await post(fits), 'reference', 'payment_instruction_not_found');
  });

  it('refuses a vendor that is not among those of the supplier', async () => {
    const which = await given('SANDBOX', {}, { vendors: ['STRIPE', 'GOCARDLESS'] });
    await expectRefused(which, await post(which), 'vendor', 'invalid_choice');
  });

  it.each(['Paused', 'Complete'] as const)('refuses a supplier that is %s, and asks no vendor', async (status) => {
    const supplier = await aSupplier({ status });
    const account = await anImportedAccount(supplier);
    const known = { import_supplier: supplier.code, external_account_number: account.externalAccountNumber };
    const which = { supplier, account, body: { ...known, ...SENT.STRIPE, reference: reference('card') } };
    await expectRefused(which, await post(which), 'import_supplier', `import_supplier_${status.toLowerCase()}`);
    expect(await vendorCalls(which.body.reference)).toEqual([]);
  });

  it.each(VENDORS)('not found at %s: 404 and every other 4xx', async (vendor) => {
    for (const status of [400, 402, 404, 405, 410, 422]) {
      const which = await given(vendor, { reference: reference(`status-${status}`) });
      await expectRefused(which, await post(which), 'reference', 'payment_instruction_not_found');
      expect(await vendorCalls(which.body['reference'])).toHaveLength(1);
    }
  });

  it.each(VENDORS)('not found at %s: a reference that no address could name is not asked about', async (vendor) => {
    for (const sent of ['.', '..']) {
      const which = await given(vendor, { reference: sent });
      await expectRefused(which, await post(which), 'reference', 'payment_instruction_not_found');
    }
  });

  it('inactive at Stripe: a card past its expiry', async () => {
    const which = await given('STRIPE', { reference: reference('expired-card') });
    await expectRefused(which, await post(which), 'reference', 'payment_instruction_inactive');
  });

  it.each(['pending_customer_approval', 'suspended_by_payer', 'failed', 'cancelled', 'expired', 'consumed', 'blocked', 'a_state_to_come'])(
    'inactive at GoCardless: a mandate that is %s',
    async (state) => {
      const which = await given('GOCARDLESS', { reference: reference(state) });
      await expectRefused(which, await post(which), 'reference', 'payment_instruction_inactive');
    },
  );

  it.each([
    ['STRIPE', 'card', 'DIRECT_DEBIT'],
    ['STRIPE', 'sepa_debit', 'CARD'],
    ['STRIPE', 'us_bank_account', 'CARD'],
    ['STRIPE', 'paypal', 'CARD'],
    ['STRIPE', 'paypal', 'DIRECT_DEBIT'],
    ['GOCARDLESS', 'active', 'CARD'],
  ] as const)('type mismatch at %s: %s sent as %s', async (vendor, behaviour, type) => {
    const which = await given(vendor, { reference: reference(behaviour), type });
    await expectRefused(which, await post(which), 'type', 'payment_instruction_type_mismatch');
  });

  it.each(VENDORS)('credentials refused by %s: 401 and 403, without a second try', async (vendor) => {
    for (const status of [401, 403]) {
      const which = await given(vendor, { reference: reference(`status-${status}`) });
      await expectRefused(which, await post(which), 'vendor', 'vendor_rejected_credentials');
      expect(await vendorCalls(which.body['reference'])).toHaveLength(1);
    }
    const which = await given(vendor, { reference: reference(GOOD[vendor]) });
    const answer = await postWith({ STRIPE_API_KEY: 'sk_revoked', GOCARDLESS_ACCESS_TOKEN: 'revoked' }, which);
    await expectRefused(which, answer, 'vendor', 'vendor_rejected_credentials');
  });

  it.each([...VENDORS, 'SANDBOX'] as const)('%s is not configured', async (vendor) => {
    const which = await given(vendor, { reference: reference('card') });
    const answer = await postWith({ STRIPE_API_KEY: '', GOCARDLESS_ACCESS_TOKEN: '', SANDBOX_VENDOR: '' }, which);
    await expectRefused(which, answer, 'vendor', 'vendor_not_configured');
    expect(await vendorCalls(which.body['reference'])).toEqual([]);
  });

  it.each([
    ['sandbox-not-found', 'reference', 'payment_instruction_not_found'],
    ['anything else', 'reference', 'payment_instruction_not_found'],
    ['sandbox-inactive', 'reference', 'payment_instruction_inactive'],
    ['sandbox-wrong-type', 'type', 'payment_instruction_type_mismatch'],
    ['sandbox-bad-credentials', 'vendor', 'vendor_rejected_credentials'],
  ])('the sandbox reference %s is refused at %s: %s', async (sent, attr, code) => {
    const which = await given('SANDBOX', { reference: sent });
    await expectRefused(which, await post(which), attr, code);
  });

  it('another instruction of the same type is refused, and what is active stays', async () => {
    const which = await given('SANDBOX', { reference: 'sandbox-card' });
    await post(which);
    const before = await stored(which);
    for (const other of [{ reference: 'sandbox-card-2' }, { vendor: 'STRIPE', reference: reference('card') }]) {
      const answer = await post({ ...which, body: { ...which.body, ...other } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        errors: [{ attr: 'non_field_errors', code: 'payment_instruction_already_active' }],
        reference: other.reference,
        active_payment_instruction: { vendor: 'SANDBOX', type: 'CARD' },
      });
      expect(JSON.stringify(answer.body)).not.toContain('"sandbox-card"');
    }
    expect(await stored(which)).toEqual(before);
  });

  it('of two different instructions posted at once, ten times each, one is stored and only that one acknowledged', async () => {
    const which = await given('SANDBOX');
    const sent = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'sandbox-card' : 'sandbox-card-2'));
    const answers = await Promise.all(sent.map((one) => post({ ...which, body: { ...which.body, reference: one } })));
    const rows = await stored(which);
    expect(rows).toHaveLength(1);
    const winner = rows[0]?.reference;
    expect(answers.map(({ status }) => status)).toEqual(sent.map((one) => (one === winner ? 201 : 400)));
  });

  it('stores nothing when the supplier is paused while the vendor answers', async () => {
    const which = await given('STRIPE', { reference: reference('slow') });
    const answer = post(which);
    while ((await vendorCalls(which.body['reference'])).length === 0);
    await env.DB.prepare(`UPDATE suppliers SET status = 'Paused', version = version + 1 WHERE id = ?`)
      .bind(which.supplier.supplierId)
      .run();
    await expectRefused(which, await answer, 'import_supplier', 'import_supplier_paused');
  });

  it('stores it when the supplier changes otherwise meanwhile, without asking twice', async () => {
    const which = await given('STRIPE', { reference: reference('slow') });
    const answer = post(which);
    while ((await vendorCalls(which.body['reference'])).length === 0);
    await env.DB.prepare('UPDATE suppliers SET version = version + 1 WHERE id = ?').bind(which.supplier.supplierId).run();
    await expectCreated(which, await answer, expect.any(Object));
    expect(await vendorCalls(which.body['reference'])).toHaveLength(1);
  });
});

describe('401', () => {
  it('stores nothing when the key is revoked while the vendor answers', async () => {
    const which = await given('STRIPE', { reference: reference('slow') });
    const answer = post(which);
    while ((await vendorCalls(which.body['reference'])).length === 0);
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(which.supplier.apiKeyId).run();
    const { status, body } = await answer;
    expect([status, body]).toEqual([401, { detail: expect.any(String), code: 'authentication_failed' }]);
    expect(await stored(which)).toEqual([]);
  });
});

describe('404', () => {
  it('an account that is unknown or only staged, and a supplier that is unknown or not ours, before any vendor is asked', async () => {
    const [which, other] = [await given('STRIPE'), await given('STRIPE')];
    await env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, modified_at, attempts) VALUES (?, 999999999, 'STAGED', 0, '', 0, 0, 1, 1, 0, 1, 0)`,
    )
      .bind(which.supplier.supplierId)
      .run();
    const wrong = [
      { external_account_number: 'STAGED' },
      { external_account_number: 'UNKNOWN' },
      { external_account_number: which.account.externalAccountNumber.toLowerCase() },
      { import_supplier: 'UNKNOWN' },
      { import_supplier: other.supplier.code, external_account_number: other.account.externalAccountNumber },
    ];
    for (const changes of wrong) {
      const body = { ...which.body, ...changes, reference: reference('card') };
      const answer = await post({ ...which, body });
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }]);
      expect(await vendorCalls(body.reference)).toEqual([]);
    }
    expect([...(await stored(which)), ...(await stored(other))]).toEqual([]);
  });
});

describe('500', () => {
  it.each(VENDORS)('%s answers 429, 5xx, a redirect, or what cannot be read: asked twice, nothing stored', async (vendor) => {
    const behaviours = [
      ...['status-429', 'status-500', 'status-502', 'status-503', 'status-504'],
      ...['status-304', 'no-content', 'not-json', 'other-json', 'oversized'],
    ];
    for (const behaviour of behaviours) {
      const which = await given(vendor, { reference: reference(behaviour) });
      await expectUnavailable(which, await post(which));
      expect(await vendorCalls(which.body['reference'])).toHaveLength(2);
    }
  });

  it.each(VENDORS)('%s redirects: not followed, so our credentials go nowhere else', async (vendor) => {
    const which = await given(vendor, { reference: reference('redirect') });
    await expectUnavailable(which, await post(which));
    const paths = (await vendorCalls(which.body['reference'])).map(({ path }) => path);
    expect(paths).toHaveLength(2);
    expect(paths.filter((path) => path.startsWith('/double/elsewhere'))).toEqual([]);
  });

  // The double answers well in the end: only the time-out keeps these from being 201.
  it.each(VENDORS)('%s answers too late, or stops in the middle of its answer', async (vendor) => {
    for (const behaviour of ['too-late', 'stalled']) {
      const which = await given(vendor, { reference: reference(behaviour) });
      await expectUnavailable(which, await postWith({ VENDOR_TIMEOUT_MILLISECONDS: '400' }, which));
    }
  });

  it.each(VENDORS)('%s cannot be reached', async (vendor) => {
    const which = await given(vendor, { reference: reference(GOOD[vendor]) });
    const nowhere = 'http://127.0.0.1:1';
    await expectUnavailable(which, await postWith({ STRIPE_API_BASE: nowhere, GOCARDLESS_API_BASE: nowhere }, which));
  });

  it('is 201 when the same request is sent again and the vendor is back', async () => {
    const which = await given('STRIPE', { reference: reference('card') });
    await expectUnavailable(which, await postWith({ STRIPE_API_BASE: 'http://127.0.0.1:1' }, which));
    await expectCreated(which, await post(which), expect.any(Object));
  });

  it.each(['sandbox-time-out', 'sandbox-500', 'sandbox-429', 'sandbox-malformed'])(
    'the sandbox reference %s is unavailable',
    async (sent) => {
      const which = await given('SANDBOX', { reference: sent });
      await expectUnavailable(which, await postWith({ VENDOR_TIMEOUT_MILLISECONDS: '50' }, which));
    },
  );
});
