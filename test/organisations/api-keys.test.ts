/** §10: what an API key is for, and until when. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/routes';
import { call, send } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readValue } from '../support/tables';

const MUTATION = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token refreshToken } }';

/** The token that a key obtains, or undefined. */
async function tokenOf(key: string | undefined): Promise<string | undefined> {
  const { body } = await call('POST', '/v1/graphql/', { body: { query: MUTATION, variables: { key } } });
  return /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
}

async function aKey(fields: Record<string, unknown> = {}, organisation: Record<string, unknown> = {}) {
  const { id: organisationId = '' } = fieldsOf(await operate('POST', 'organisations/', { name: 'North', ...organisation }));
  const answer = await operate('POST', `organisations/${organisationId}/api-keys/`, { label: 'team', ...fields });
  const code = `SUP-${crypto.randomUUID().slice(0, 12)}`;
  await operate('POST', 'suppliers/', { organisation_id: organisationId, code, name: code, configuration: { default_country: 'GB' } });
  const { id = '', api_key: key = '' } = fieldsOf(answer);
  return { organisationId, code, answer, id, key };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const expire = (id: string) =>
  env.DB.prepare('UPDATE api_keys SET expires_at = ?2 WHERE id = ?1')
    .bind(id, Date.now() - 1)
    .run();

describe('a key', () => {
  it('shows its last four characters, and nothing else of it, ever again', async () => {
    const { organisationId, answer, key } = await aKey();
    expect(answer).toMatchObject({ status: 201, body: { last_four: key.slice(-4), is_read_only: false } });
    const list = await operate('GET', `organisations/${organisationId}/api-keys/`);
    expect(list.body).toMatchObject([{ last_four: key.slice(-4), is_read_only: false }]);
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('of an organisation for tests is sk_test_…, of any other sk_live_…, and both obtain tokens', async () => {
    const [test, live] = [await aKey({}, { is_test: true }), await aKey()];
    expect([test.key, live.key]).toEqual([expect.stringMatching(/^sk_test_[\w-]{43}$/), expect.stringMatching(/^sk_live_[\w-]{43}$/)]);
    expect(await tokenOf(test.key)).toBeDefined();
    expect(await tokenOf(live.key)).toBeDefined();
    const { body } = await operate('GET', 'organisations/?limit=500');
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: test.organisationId, is_test: true }),
        expect.objectContaining({ id: live.organisationId, is_test: false }),
      ]),
    );
    expect(await tokenOf(live.key.replace('sk_live_', 'sk_test_'))).toBeUndefined();
  });
});

describe('a key that expires', () => {
  it('says until when, audited, and obtains tokens until then', async () => {
    const until = inAnHour();
    const { answer, id, key } = await aKey({ expires_at: until });
    expect(answer).toMatchObject({ status: 201, body: { expires_at: until } });
    expect(await auditOf(`api key ${id}`)).toMatchObject([{ after: { label: 'team', expires_at: until } }]);
    expect(await tokenOf(key)).toBeDefined();
  });

  it('is as good as revoked from then on: it obtains nothing, and its tokens are 401 for reads, writes and bulk', async () => {
    const { id, key, code } = await aKey({ expires_at: inAnHour() });
    const token = (await tokenOf(key)) ?? expect.fail();
    const read = () => call('GET', `/v1/data-import/all-account-import-processes/${code}/`, { token });
    const write = () => call('POST', '/v2/data-import/accounts/', { token, body: aSmallAccount(code, 'E-1') });
    expect((await read()).status).toBe(200);
    await expire(id);
    expect(await tokenOf(key)).toBeUndefined();
    for (const answer of [await read(), await write()])
      expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    const stored = await readValue<number>(
      'n',
      'SELECT count(*) AS n FROM import_processes JOIN suppliers ON suppliers.id = supplier_id WHERE code = ?',
      code,
    );
    expect(stored).toBe(0);
  });

  it.each([
    ['yesterday', 'invalid_datetime'],
    ['2020-01-01T00:00:00Z', 'invalid'],
  ])('400: %s', async (expires_at, code) => {
    expect((await aKey({ expires_at })).answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'expires_at', code }] } });
  });
});

describe('a read-only key', () => {
  it('validates and reads; everything that changes something is 403, and nothing is stored', async () => {
    const { key, code, answer } = await aKey({ is_read_only: true });
    expect(answer).toMatchObject({ status: 201, body: { is_read_only: true } });
    const token = (await tokenOf(key)) ?? expect.fail();
    const account = aSmallAccount(code, 'R-1');
    expect((await call('POST', '/v2/data-import/accounts/validate/', { token, body: account })).status).toBe(200);
    expect((await call('GET', `/v1/data-import/all-account-import-processes/${code}/`, { token })).status).toBe(200);
    expect(
      (await call('POST', '/v2/data-import/documents/check/', { token, body: { import_supplier: code, document_paths: ['a'] } })).status,
    ).toBe(200);
    const created = await call('POST', '/v2/data-import/accounts/', { token, body: account });
    expect(created).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const stored = await readValue('n', 'SELECT count(*) AS n FROM import_processes WHERE external_account_number = ?', 'R-1');
    expect(stored).toBe(0);
  });

  it('is 403 at every endpoint of the importer that changes something', async () => {
    const { key, code } = await aKey({ is_read_only: true });
    const token = (await tokenOf(key)) ?? expect.fail();
    const harmless = [
      '/v2/data-import/accounts/validate/',
      '/v2/data-import/accounts/bulk/',
      '/v2/data-import/documents/check/',
      '/v2/data-import/runs/:import_supplier_code/:run/reconciliation/',
      '/v1/graphql/',
    ];
    const changing = ENDPOINTS.filter(([method, path]) => method !== 'GET' && /^\/v\d\//.test(path) && !harmless.includes(path));
    expect(changing.length).toBeGreaterThan(5);
    for (const [method, path] of changing) {
      const address = path.replace(':import_supplier_code', code).replace(/:\w+(\{.*\})?/g, 'x');
      const answer = await call(method, address, { token, ...(method === 'POST' ? { body: {} } : {}) });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    }
  });

  it('compares a run with a list of its own, and does not release what that run holds', async () => {
    const { organisationId, key, code } = await aKey({ is_read_only: true });
    const other = fieldsOf(await operate('POST', `organisations/${organisationId}/api-keys/`, { label: 'writes' }));
    const [reads, writes] = [(await tokenOf(key)) ?? expect.fail(), (await tokenOf(other['api_key'])) ?? expect.fail()];
    const run = `/v2/data-import/runs/${code}/wave-1/`;
    expect((await call('PUT', run, { token: writes, body: { is_held: true } })).status).toBe(201);
    const compared = await send('POST', `${run}reconciliation/`, {
      token: reads,
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `${JSON.stringify({ external_account_number: 'C-1' })}\n`,
    });
    expect(compared).toMatchObject({ status: 200, text: expect.stringContaining('C-1') });
    expect(await call('POST', `${run}release/`, { token: reads, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect(await call('GET', run, { token: reads })).toMatchObject({ status: 200, body: { is_held: true } });
  });

  it('validates in bulk, and creates nothing there', async () => {
    const { key, code } = await aKey({ is_read_only: true });
    const token = (await tokenOf(key)) ?? expect.fail();
    const inBulk = (mode: string) =>
      send('POST', `/v2/data-import/accounts/bulk/?mode=${mode}`, {
        token,
        headers: { 'Content-Type': 'application/x-ndjson' },
        body: `${JSON.stringify(aSmallAccount(code, 'B-1'))}\n`,
      });
    expect(await inBulk('create')).toMatchObject({ status: 403, text: expect.stringContaining('permission_denied') });
    expect(await inBulk('validate')).toMatchObject({ status: 200, text: expect.stringContaining('"VALID"') });
  });

  it('401, not 403, once it is revoked', async () => {
    const { id, key, code } = await aKey({ is_read_only: true });
    const token = (await tokenOf(key)) ?? expect.fail();
    await operate('DELETE', `api-keys/${id}/`);
    expect((await call('POST', '/v2/data-import/accounts/', { token, body: aSmallAccount(code, 'R-2') })).status).toBe(401);
  });
});
