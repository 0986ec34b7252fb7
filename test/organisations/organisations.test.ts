/** §10: organisations, API keys and the audit trail. */
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/shared/digest';
import { call } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

const anOrganisation = async (name = 'North Energy') => fieldsOf(await operate('POST', 'organisations/', { name }))['id'] ?? expect.fail();
const aKey = async (organisation: string) => fieldsOf(await operate('POST', `organisations/${organisation}/api-keys/`, { label: 'team' }));

const MUTATION = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
const canObtain = async (key: string | undefined) => {
  const { body } = await call('POST', '/v1/graphql/', { body: { query: MUTATION, variables: { key } } });
  return !Object.hasOwn(Object(body), 'errors');
};

describe('POST organisations/', () => {
  it('201: makes an organisation, audited', async () => {
    const answer = await operate('POST', 'organisations/', { name: 'North Energy' });
    expect(answer).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^org_[0-9a-f]{32}$/), name: 'North Energy' } });
    const { id } = fieldsOf(answer);
    expect(await auditOf(`organisation ${id}`)).toEqual([
      { actor: 'operator', action: 'organisation.created', subject: `organisation ${id}`, after: { name: 'North Energy' } },
    ]);
    const list = await operate('GET', 'organisations/');
    expect(list).toMatchObject({ status: 200, body: expect.arrayContaining([answer.body]) });
  });

  it.each([
    [{}, 'name', 'required'],
    [{ name: null }, 'name', 'null'],
    [{ name: ' ' }, 'name', 'blank'],
    [{ name: 'x'.repeat(256) }, 'name', 'max_length'],
    [{ name: 1 }, 'name', 'invalid'],
  ])('400: %j', async (body, attr, code) => {
    expect(await operate('POST', 'organisations/', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: [{ attr, code }] },
    });
  });

  it('400, 415: a body that is no JSON', async () => {
    expect(await operate('POST', 'organisations/', '{')).toMatchObject({ status: 400, body: { code: 'parse_error' } });
    expect(await operate('POST', 'organisations/')).toMatchObject({ status: 415 });
    expect(await operate('PATCH', 'organisations/', {})).toMatchObject({ status: 405 });
  });
});

describe('API keys', () => {
  it('201: shows the key once, stores its digest only, and it obtains tokens', async () => {
    const organisation = await anOrganisation();
    const answer = await operate('POST', `organisations/${organisation}/api-keys/`, { label: 'migration team' });
    expect(answer.status).toBe(201);
    const { id, api_key: key = '' } = fieldsOf(answer);
    expect(key).toMatch(/^sk_live_[\w-]{43}$/);
    const row = await readRow('SELECT * FROM api_keys WHERE id = ?', id ?? '');
    expect(row).toMatchObject({ organisation_id: organisation, label: 'migration team', hash: sha256(key), revoked_at: null });
    expect(JSON.stringify([row, await auditOf(`api key ${id}`)])).not.toContain(key);
    expect(await auditOf(`api key ${id}`)).toMatchObject([
      { action: 'api_key.created', after: { organisation_id: organisation, label: 'migration team' } },
    ]);
    expect(await canObtain(key)).toBe(true);
    const list = await operate('GET', `organisations/${organisation}/api-keys/`);
    expect(list).toMatchObject({ status: 200, body: [{ id, label: 'migration team', last_used_at: expect.any(String) }] });
    expect(JSON.stringify(list.body)).not.toContain(key);
  });

  it('204: revokes a key at once, audited once', async () => {
    const { id, api_key: key } = await aKey(await anOrganisation());
    expect(await operate('DELETE', `api-keys/${id}/`)).toMatchObject({ status: 204, body: undefined });
    expect(await canObtain(key)).toBe(false);
    expect((await operate('DELETE', `api-keys/${id}/`)).status).toBe(204);
    expect((await auditOf(`api key ${id}`)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  it('400: a key without a label', async () => {
    const answer = await operate('POST', `organisations/${await anOrganisation()}/api-keys/`, {});
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ attr: 'label', code: 'required' }] } });
  });

  it('404: unknown organisation, unknown key; nothing is stored or audited', async () => {
    expect(await operate('POST', 'organisations/org_none/api-keys/', { label: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await operate('GET', 'organisations/org_none/api-keys/')).status).toBe(404);
    expect((await operate('DELETE', 'api-keys/key_none/')).status).toBe(404);
    expect(await auditOf('api key key_none')).toEqual([]);
    expect(await readRow(`SELECT count(*) AS n FROM api_keys WHERE organisation_id = 'org_none'`)).toEqual({ n: 0 });
  });
});

describe('GET audit/', () => {
  it('200: newest first, page by page', async () => {
    const ids = [];
    for (const name of ['one', 'two', 'three']) ids.unshift(await anOrganisation(name));
    const subjects: string[] = [];
    let path: string | undefined = 'audit/?limit=2';
    for (let pages = 0; path !== undefined && pages < 2; pages++) {
      const answer = await operate('GET', path);
      expect(answer.status).toBe(200);
      const entries = answer.body as { id: string; subject: string; occurred_at: string; after: unknown }[];
      expect(entries).toHaveLength(2);
      expect(entries[0]?.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      subjects.push(...entries.map(({ subject }) => subject));
      path = /<\/operator\/v1\/([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(subjects.slice(0, 3)).toEqual(ids.map((id) => `organisation ${id}`));
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'cursor=x'])('400: %s', async (query) => {
    const attr = query.split('=')[0];
    expect(await operate('GET', `audit/?${query}`)).toMatchObject({ status: 400, body: { errors: [{ attr, code: 'invalid' }] } });
  });
});
