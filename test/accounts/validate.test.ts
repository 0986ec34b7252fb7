/** §4.5. What each field may be is reported by `test/accounts/*.rules.test.ts`. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Bindings } from '../../src/deps';
import worker from '../../src/worker';
import { countingBucket, countingDatabase } from '../support/counting';
import { type Answer, aDocument, anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../support/payloads';

const PATH = '/v2/data-import/accounts/validate/';

const validate = (supplier: GivenSupplier, body: unknown) => call('POST', PATH, { token: supplier.token, body });

const refused = (...errors: (readonly [attr: string, code: string])[]) => ({
  detail: expect.any(String),
  code: 'account_failed_validation',
  errors: errors.map(([attr, code]) => ({ attr, code, detail: expect.any(String) })),
});

/** Validates with a service whose bindings are otherwise. */
async function validateWith(bindings: Partial<Bindings>, supplier: GivenSupplier, body: unknown): Promise<Answer> {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${supplier.token}` },
    body: JSON.stringify(body),
  });
  const response = await worker.fetch(request, { ...env, ...bindings }, createExecutionContext());
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** How many rows there are in all tables that an import could write to. */
async function rows(): Promise<number> {
  const tables = ['payloads', 'import_processes', 'import_process_events', 'accounts', 'customers', 'notes', 'transactions', 'statements'];
  const counts = await env.DB.batch<{ count: number }>(tables.map((table) => env.DB.prepare(`SELECT count(*) AS count FROM ${table}`)));
  return counts.reduce((sum, { results }) => sum + (results[0]?.count ?? 0), 0);
}

describe('200', () => {
  it('answers an empty object to a good account and stores nothing', async () => {
    const supplier = await aSupplier();
    const before = await rows();
    for (const body of [aSmallAccount(supplier.code, 'E-1'), aFullAccount(supplier.code, 'E-2')]) {
      for (const form of [body, { payload: body }, { payload: body, task_params: { is_dry_run: true } }]) {
        const { status, body: answer } = await validate(supplier, form);
        expect([status, answer]).toEqual([200, {}]);
      }
    }
    expect(await rows()).toBe(before);
  });

  it('validates phone numbers by the country of the supplier', async () => {
    const supplier = await aSupplier({ configuration: { default_country: 'AU' } });
    expect((await validate(supplier, anAustralianAccount(supplier.code, 'E'))).status).toBe(200);
    expect((await validate(supplier, aSmallAccount(supplier.code, 'E'))).body).toEqual(
      refused(['customers.0.mobile', 'invalid_phone_number']),
    );
  });

  it('plays no part in what already exists for the pair', async () => {
    const supplier = await aSupplier();
    const { externalAccountNumber } = await anImportedAccount(supplier);
    expect((await validate(supplier, aSmallAccount(supplier.code, externalAccountNumber))).status).toBe(200);
  });

  it('answers at the path without its slash', async () => {
    const supplier = await aSupplier();
    const body = aSmallAccount(supplier.code, 'E');
    expect((await call('POST', PATH.slice(0, -1), { token: supplier.token, body })).status).toBe(200);
  });

  it('finds documents under the root of the supplier', async () => {
    const root = `validate/${crypto.randomUUID()}/`;
    const supplier = await aSupplier({ configuration: { documents_root: root } });
    await aDocument(`${root}notes/ü.pdf`);
    await aDocument(`${root}bill.pdf`);
    expect(await validate(supplier, withDocuments(supplier, 'notes/u\u0308.pdf', '/bill.pdf'))).toMatchObject({ status: 200 });
  });

  it('looks up 500 documents of one directory in a handful of calls', async () => {
    const root = `validate/${crypto.randomUUID()}`;
    const supplier = await aSupplier({ configuration: { documents_root: root } });
    const names = Array.from({ length: 500 }, (_, index) => `bills/${index % 50 === 0 ? '\u{1f415}' : 'é'}${index}.pdf`);
    await Promise.all([...names, 'bills/another.pdf', 'bills/older/1.pdf'].map((name) => aDocument(`${root}/${name}`)));
    const counted = countingBucket(env.DOCUMENTS);
    const paths = names.map((document_path) => ({ document_path }));
    const body = { ...aSmallAccount(supplier.code, 'E'), notes: [{ document_paths: paths }] };
    expect((await validateWith({ DOCUMENTS: counted.bucket }, supplier, body)).status).toBe(200);
    expect(counted.calls).toBeLessThanOrEqual(5);
  });

  it('reads the database once', async () => {
    const supplier = await aSupplier();
    const counts = countingDatabase(env.DB);
    expect((await validateWith({ DB: counts.db }, supplier, aFullAccount(supplier.code, 'E'))).status).toBe(200);
    expect([counts.trips, counts.rowsWritten]).toEqual([1, 0]);
  });
});

describe('400', () => {
  it('reports all errors at once, in payload order, with the shape of §2.9', async () => {
    const supplier = await aSupplier();
    const body = {
      payload: {
        ...aSmallAccount(supplier.code, 'E'),
        billing_address: { country: 'XX' },
        customers: [{ given_name: 'A', landline: 'not a number', email: 'x' }, {}],
        statements: [{ statement_path: 'missing.pdf' }],
      },
      task_params: { is_dry_run: 'yes' },
    };
    expect(await validate(supplier, body)).toMatchObject({
      status: 400,
      body: refused(
        ['customers.0.landline', 'invalid_phone_number'],
        ['customers.0.email', 'invalid_email'],
        ['customers.1.non_field_errors', 'required'],
        ['billing_address', 'address_given_twice'],
        ['billing_address.country', 'invalid_country'],
        ['statements.0.statement_path', 'document_not_found'],
        ['statements.0.bill_period_from_date', 'required'],
        ['statements.0.bill_period_to_date', 'required'],
        ['statements.0.statement_id', 'required'],
        ['task_params.is_dry_run', 'invalid'],
      ),
    });
  });

  it.each([[null], [5], ['x'], [[]], [[{}]]])('refuses %j as a body', async (body) => {
    expect(await validate(await aSupplier(), JSON.stringify(body))).toMatchObject({ status: 400, body: refused(['', 'invalid']) });
  });

  it('reports an unknown supplier as one of the errors, and what needs none of it', async () => {
    const supplier = await aSupplier();
    const unknown = { import_supplier: 'NO-SUCH', external_account_number: 'E', billing_email: 'x', customers: [{ mobile: '999' }] };
    expect(await validate(supplier, unknown)).toMatchObject({
      status: 400,
      body: refused(
        ['import_supplier', 'does_not_exist'],
        ['billing_email', 'invalid_email'],
        ['customers.0.non_field_errors', 'required'],
      ),
    });
    expect((await validate(supplier, {})).body).toEqual(refused(['import_supplier', 'required'], ['external_account_number', 'required']));
  });

  it("answers another organisation's supplier as none at all", async () => {
    const [mine, other] = [await aSupplier(), await aSupplier()];
    const answered = await validate(mine, aSmallAccount(other.code, 'E'));
    const none = await validate(mine, aSmallAccount('NO-SUCH', 'E'));
    expect(answered).toMatchObject({ status: 400, body: none.body });
  });

  it.each([
    ['Paused', 'import_supplier_paused'],
    ['Complete', 'import_supplier_complete'],
  ] as const)('refuses a supplier that is %s, beside the other errors', async (status, code) => {
    const supplier = await aSupplier({ status });
    expect((await validate(supplier, aSmallAccount(supplier.code, 'E'))).body).toEqual(refused(['import_supplier', code]));
    expect((await validate(supplier, { ...aSmallAccount(supplier.code, 'E'), billing_name: 5 })).body).toEqual(
      refused(['import_supplier', code], ['billing_name', 'invalid']),
    );
  });

  it('reports documents that are refused or missing where they are named', async () => {
    const root = `validate/${crypto.randomUUID()}`;
    const supplier = await aSupplier({ configuration: { documents_root: root } });
    await aDocument(`${root}/in.pdf`);
    await aDocument('outside.pdf');
    expect((await validate(supplier, withDocuments(supplier, 'in.pdf', '../../outside.pdf'))).body).toEqual(
      refused(['statements.0.statement_path', 'invalid_document_path']),
    );
    const many = Array.from({ length: 20 }, (_, index) => ({ document_path: index === 13 ? 'in.pdf' : `${index}.pdf` }));
    expect((await validate(supplier, { ...aSmallAccount(supplier.code, 'E'), notes: [{ document_paths: many }] })).body).toEqual(
      refused(
        ...many.flatMap((_, index) =>
          index === 13 ? [] : [[`notes.0.document_paths.${index}.document_path`, 'document_not_found'] as const],
        ),
      ),
    );
    expect((await validate(supplier, withDocuments(supplier, 'outside.pdf', 'in.pdf'))).body).toEqual(
      refused(['notes.0.document_paths.0.document_path', 'document_not_found']),
    );
  });

  it.each(['{', '', '{"import_supplier": "x",}', 'import_supplier=x', "{'a': 1}"])('is parse_error for %j', async (body) => {
    const answer = await validate(await aSupplier(), body);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.any(String), code: 'parse_error' } });
    expect(Object.keys(Object(answer.body)).sort()).toEqual(['code', 'detail']);
  });
});

describe('401', () => {
  const unauthenticated = { detail: expect.any(String), code: 'not_authenticated' };
  it('wants a token, before it looks at anything else', async () => {
    const answer = await call('POST', PATH, { body: '{' });
    expect(answer).toMatchObject({ status: 401, body: unauthenticated });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
  });

  it.each(['x', 'a.b.c'])('refuses the token %j', async (token) => {
    expect(await call('POST', PATH, { token, body: {} })).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
  });

  it('refuses a key that was revoked, whatever the body', async () => {
    const supplier = await aSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(supplier.apiKeyId).run();
    for (const body of [aSmallAccount(supplier.code, 'E'), {}, '{']) {
      expect(await validate(supplier, body)).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    }
  });
});

describe('404', () => {
  it('is for paths that are not there', async () => {
    const supplier = await aSupplier();
    expect(await call('POST', '/v1/data-import/accounts/validate/', { token: supplier.token, body: {} })).toMatchObject({
      status: 404,
      body: { detail: expect.any(String), code: 'not_found' },
    });
  });
});

describe('405', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('is for %s, and names what is allowed', async (method) => {
    const answer = await call(method, PATH);
    expect(answer).toMatchObject({ status: 405, body: { detail: expect.any(String), code: 'method_not_allowed' } });
    expect(answer.headers.get('Allow')).toBe('POST');
  });
});

describe('413', () => {
  it('is for bodies above 1 MiB, not for one of exactly that', async () => {
    const supplier = await aSupplier();
    const body = (bytes: number) => {
      const text = JSON.stringify({ ...aSmallAccount(supplier.code, 'E'), undocumented: '' });
      return text.replace('"undocumented":""', `"undocumented":"${'x'.repeat(bytes - text.length)}"`);
    };
    expect((await validate(supplier, body(1_048_576))).status).toBe(200);
    expect(await validate(supplier, body(1_048_577))).toMatchObject({
      status: 413,
      body: { detail: expect.any(String), code: 'payload_too_large' },
    });
  });
});

describe('415', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])('is for %s', async (type) => {
    const supplier = await aSupplier();
    const body = JSON.stringify(aSmallAccount(supplier.code, 'E'));
    expect(await call('POST', PATH, { token: supplier.token, body, headers: { 'Content-Type': type } })).toMatchObject({
      status: 415,
      body: { detail: expect.any(String), code: 'unsupported_media_type' },
    });
  });
});

describe('500', () => {
  it('is for a document store that fails, and reports nothing of its cause', async () => {
    const supplier = await aSupplier();
    const failing = new Proxy(env.DOCUMENTS, {
      get: () => () => Promise.reject(new Error('secret cause')),
    });
    const answer = await validateWith({ DOCUMENTS: failing }, supplier, withDocuments(supplier, 'a.pdf', 'b.pdf'));
    expect(answer).toMatchObject({ status: 500, body: { detail: expect.any(String), code: 'error', request_id: expect.any(String) } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });
});

const withDocuments = (supplier: GivenSupplier, note: string, bill: string) => ({
  ...aSmallAccount(supplier.code, 'E'),
  notes: [{ document_paths: [{ document_path: note }] }],
  statements: [{ statement_id: 'S', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', statement_path: bill }],
});
