/** §10: operators by name. Tokens with roles are made, shown once, stored as digests, and revoked at once. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/routes';
import { sha256 } from '../../src/shared/digest';
import { type Answer, aSupplier, call } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { readRow } from '../support/tables';

let names = 0;
const aName = () => `Ada ${crypto.randomUUID().slice(0, 8)} ${names++}`;

/** A new token of this role. */
async function aToken(role: string, name = aName()) {
  const { id = '', token = '' } = fieldsOf(await operate('POST', 'operator-tokens/', { name, role }));
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(method, `/operator/v1/${path}`, { headers: { Authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { body }) });
  return { id, token, name, ask };
}

/** What an endpoint asks for, by what a token of each role is answered: 403 is all that a role decides. */
async function isAllowed(ask: Awaited<ReturnType<typeof aToken>>['ask'], method: string, path: string): Promise<boolean> {
  return (await ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})).status !== 403;
}

describe('POST operator-tokens/', () => {
  it('201: shows the token once, stores its digest only, audits who made it, and it opens the interface', async () => {
    const name = aName();
    const answer = await operate('POST', 'operator-tokens/', { name, role: 'operate' });
    const { id = '', token = '' } = fieldsOf(answer);
    expect(answer).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^opt_[0-9a-f]{32}$/), name, role: 'operate' } });
    expect(token).toMatch(/^op_[\w-]{43}$/);
    const row = await readRow('SELECT * FROM operator_tokens WHERE id = ?', id);
    expect(row).toMatchObject({ name, role: 'operate', hash: sha256(token), last_four: token.slice(-4), revoked_at: null });
    const audited = await auditOf(`operator token ${id}`);
    expect(audited).toMatchObject([{ actor: 'operator', action: 'operator_token.created', after: { name, role: 'operate' } }]);
    const list = await operate('GET', 'operator-tokens/?limit=1');
    expect(list).toMatchObject({ status: 200, body: [{ id, name, last_four: token.slice(-4) }] });
    expect(JSON.stringify([row, audited, list.body])).not.toContain(token);
    expect((await call('GET', '/operator/v1/queue/', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it.each([
    [{ role: 'read' }, 'name', 'required'],
    [{ name: ' ', role: 'read' }, 'name', 'blank'],
    [{ name: 'x'.repeat(65), role: 'read' }, 'name', 'max_length'],
    [{ name: 'Ada', role: 'owner' }, 'role', 'invalid_choice'],
    [{ name: 'Ada' }, 'role', 'required'],
  ])('400: %j', async (body, attr, code) => {
    expect(await operate('POST', 'operator-tokens/', body)).toMatchObject({ status: 400, body: { errors: [{ attr, code }] } });
  });

  it('400: gives a name once, for ever, also of two at the same moment, so that the audit trail means one', async () => {
    const name = aName();
    const both = await Promise.all([1, 2].map(() => operate('POST', 'operator-tokens/', { name, role: 'read' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const { id } = fieldsOf(both.find(({ status }) => status === 201) ?? expect.fail());
    await operate('DELETE', `operator-tokens/${id}/`);
    expect(await operate('POST', 'operator-tokens/', { name, role: 'read' })).toMatchObject({
      status: 400,
      body: { errors: [{ attr: 'name', code: 'unique' }] },
    });
  });
});

describe('a token', () => {
  it('is who the audit trail names', async () => {
    const { ask, name } = await aToken('administer');
    const { id } = fieldsOf(await ask('POST', 'organisations/', { name: 'North' }));
    expect(await auditOf(`organisation ${id}`)).toMatchObject([{ actor: `token ${name}` }]);
  });

  it('204: is refused at once when it is revoked, audited once; others go on', async () => {
    const [gone, other] = [await aToken('read'), await aToken('read')];
    expect((await gone.ask('GET', 'queue/')).status).toBe(200);
    expect((await operate('DELETE', `operator-tokens/${gone.id}/`)).status).toBe(204);
    expect((await operate('DELETE', `operator-tokens/${gone.id}/`)).status).toBe(204);
    expect(await gone.ask('GET', 'queue/')).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    expect((await other.ask('GET', 'queue/')).status).toBe(200);
    expect((await auditOf(`operator token ${gone.id}`)).map(({ action }) => action)).toEqual([
      'operator_token.created',
      'operator_token.revoked',
    ]);
    expect((await operate('DELETE', 'operator-tokens/opt_nobody/')).status).toBe(404);
  });

  it('opens no data-import endpoint and nothing of the platform', async () => {
    const { token } = await aToken('administer');
    const { code } = await aSupplier();
    expect((await call('GET', `/v1/data-import/all-account-import-processes/${code}/`, { token })).status).toBe(401);
    expect((await call('GET', '/platform/v1/accounts/', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
  });
});

describe('a role', () => {
  const paths = ENDPOINTS.flatMap(([method, path]) =>
    path.startsWith('/operator/v1/') ? [[method, path.slice('/operator/v1/'.length).replace(/:[a-z]+/g, 'nothing')] as const] : [],
  );
  const isReading = (method: string, path: string) =>
    method === 'GET' && !/^(?:operator-tokens|alert-addresses)\//.test(path) && path !== 'accounts/nothing/documents/';

  it('read looks at everything but who has access, and changes and reveals nothing: 403', async () => {
    const { ask } = await aToken('read');
    for (const [method, path] of paths) expect(await isAllowed(ask, method, path), `${method} ${path}`).toBe(isReading(method, path));
    const answer = await ask('POST', 'organisations/', { name: 'North' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied', detail: expect.stringContaining('administer') } });
  });

  it('operate moves migrations on, and decides neither who has access nor what is there', async () => {
    const { ask } = await aToken('operate');
    const { code } = await aSupplier();
    expect((await ask('PATCH', `suppliers/${code}/`, { status: 'Paused' })).status).toBe(200);
    for (const [method, path] of [
      ['POST', 'organisations/'],
      ['POST', 'organisations/nothing/api-keys/'],
      ['DELETE', 'api-keys/nothing/'],
      ['POST', 'suppliers/'],
      ['POST', 'restores/'],
      ['POST', 'operator-tokens/'],
      ['GET', 'operator-tokens/'],
      ['DELETE', 'operator-tokens/nothing/'],
    ] as const)
      expect(await isAllowed(ask, method, path), `${method} ${path}`).toBe(false);
  });

  it('administer does everything', async () => {
    const { ask } = await aToken('administer');
    for (const [method, path] of paths) expect(await isAllowed(ask, method, path), `${method} ${path}`).toBe(true);
  });

  it('that this release does not know opens nothing', async () => {
    const { id, ask } = await aToken('read');
    await env.DB.prepare("UPDATE operator_tokens SET role = 'own' WHERE id = ?").bind(id).run();
    expect((await ask('GET', 'queue/')).status).toBe(401);
  });
});
