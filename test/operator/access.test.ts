/** §10: who may operate. Closed without a credential, and closed when none is configured. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sign } from 'hono/jwt';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Bindings, depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { anAccessTeam } from '../support/access';
import { anAddress, aSupplier, call } from '../support/given';
import { OPERATOR } from '../support/operator';
import { readRow } from '../support/tables';

const app = appOf(depsFrom);

async function status(headers: Record<string, string>, settings: Partial<Bindings> = {}, method = 'GET') {
  const request = new Request('https://import.test/operator/v1/organisations/', {
    method,
    headers: { 'CF-Connecting-IP': anAddress(), ...headers },
  });
  return (await app.fetch(request, { ...env, ...settings }, createExecutionContext())).status;
}

describe('401', () => {
  it.each([
    ['GET', 'organisations/'],
    ['POST', 'organisations/'],
    ['GET', 'organisations/x/api-keys/'],
    ['POST', 'organisations/x/api-keys/'],
    ['DELETE', 'api-keys/x/'],
    ['GET', 'suppliers/'],
    ['POST', 'suppliers/'],
    ['GET', 'suppliers/x/'],
    ['PATCH', 'suppliers/x/'],
    ['GET', 'audit/'],
  ])('answers %s %s without a credential with not_authenticated', async (method, path) => {
    const answer = await call(method, `/operator/v1/${path}`);
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('answers a wrong token, and an importer’s good one, with authentication_failed', async () => {
    const { token } = await aSupplier();
    for (const header of [
      'Bearer wrong',
      'Bearer',
      `Token ${env.OPERATOR_TOKEN}`,
      `${env.OPERATOR_TOKEN}`,
      `Bearer ${token}`,
      `Token ${token}`,
    ]) {
      const answer = await call('GET', '/operator/v1/suppliers/', { headers: { Authorization: header } });
      expect(answer, header).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  });

  it('is closed when no credential is configured', async () => {
    for (const OPERATOR_TOKEN of ['', undefined]) {
      const { OPERATOR_TOKEN: _, ...without } = env;
      const settings = OPERATOR_TOKEN === undefined ? without : { ...env, OPERATOR_TOKEN };
      for (const header of ['Bearer ', 'Bearer undefined', 'Bearer  ', OPERATOR.Authorization]) {
        const request = new Request('https://import.test/operator/v1/organisations/', {
          headers: { Authorization: header, 'CF-Connecting-IP': anAddress() },
        });
        expect((await app.fetch(request, settings, createExecutionContext())).status).toBe(401);
      }
    }
    expect(await status({ 'Cf-Access-Jwt-Assertion': 'a.b.c' })).toBe(401);
  });

  it('lets the operator token in, keyword in any case', async () => {
    expect(await status(OPERATOR)).toBe(200);
    expect(await status({ Authorization: `bearer ${env.OPERATOR_TOKEN}` })).toBe(200);
  });
});

describe('429 too many wrong credentials of one client address', () => {
  it('throttles wrong ones, and wrong ones only', async () => {
    const [address, another] = [anAddress(), anAddress()];
    const knock = (Authorization: string, from: string) =>
      call('GET', '/operator/v1/suppliers/', { headers: { Authorization, 'CF-Connecting-IP': from } });
    for (let i = 0; i < 25; i++) expect((await knock(OPERATOR.Authorization, address)).status).toBe(200);
    const failures: Awaited<ReturnType<typeof call>>[] = [];
    // The limit counts in fixed windows: twice its size is over it wherever a window ends.
    for (let i = 0; i < 60; i++) failures.push(await knock(`Bearer wrong-${i}`, address));
    const throttled = failures.find(({ status }) => status === 429) ?? expect.fail();
    expect(failures.findIndex(({ status }) => status === 429)).toBeGreaterThanOrEqual(20);
    expect(throttled.body).toEqual({ detail: expect.any(String), code: 'throttled' });
    expect(throttled.headers.get('Retry-After')).toBe('10');
    expect((await knock('Bearer wrong', another)).status).toBe(401);
    expect((await knock(OPERATOR.Authorization, address)).status).toBe(200);
    expect((await knock(OPERATOR.Authorization, another)).status).toBe(200);
  });

  it('counts assertions that are not good, too', async () => {
    const headers = { 'CF-Connecting-IP': anAddress(), 'Cf-Access-Jwt-Assertion': 'a.b.c' };
    const answers = new Set<number>();
    for (let i = 0; i < 60; i++) answers.add(await status(headers));
    expect([...answers]).toEqual([401, 429]);
  });
});

describe('Cloudflare Access', async () => {
  const [team, strangers] = [await anAccessTeam('team'), await anAccessTeam('strangers')];
  afterEach(() => vi.restoreAllMocks());

  const seconds = () => Math.floor(Date.now() / 1000);
  const knock = async (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    status({ 'Cf-Access-Jwt-Assertion': token, ...headers }, team.settings, method);

  it('lets in whom the team let in, and reads the keys once', async () => {
    const read = team.serveKeys();
    for (let i = 0; i < 3; i++) expect(await knock(await team.assertion())).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('refuses another signature, issuer or audience, an expired one, and no JWT at all', async () => {
    team.serveKeys();
    expect(await knock(await strangers.assertion())).toBe(401);
    expect(await knock(await strangers.assertion({ iss: team.issuer }))).toBe(401);
    expect(await knock(await strangers.assertion({ iss: team.issuer }, 'key-2'))).toBe(401);
    expect(await knock(await team.assertion({ iss: 'https://other.cloudflareaccess.com' }))).toBe(401);
    expect(await knock(await team.assertion({ aud: ['another'] }))).toBe(401);
    expect(await knock(await team.assertion({ exp: seconds() - 1 }))).toBe(401);
    expect(await knock(await team.assertion({ exp: undefined }))).toBe(401);
    expect(await knock(await sign({ iss: team.issuer, aud: 'the-audience', exp: seconds() + 60 }, 'a-shared-secret'))).toBe(401);
    expect(await knock('x')).toBe(401);
  });

  it('names the person in the audit trail', async () => {
    team.serveKeys();
    const request = new Request('https://import.test/operator/v1/organisations/', {
      method: 'POST',
      headers: { 'Cf-Access-Jwt-Assertion': await team.assertion(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Made by Ada' }),
    });
    const response = await app.fetch(request, { ...env, ...team.settings }, createExecutionContext());
    const { id } = await response.json<{ id: string }>();
    const row = await readRow('SELECT actor FROM audit_entries WHERE subject = ?', `organisation ${id}`);
    expect(row).toEqual({ actor: 'ada@example.com' });
  });

  it('refuses a change that a page of another site made the browser send', async () => {
    team.serveKeys();
    const token = await team.assertion();
    expect(await knock(token, { 'Sec-Fetch-Site': 'cross-site' }, 'POST')).toBe(401);
    // What only reads changes nothing.
    for (const method of ['GET', 'HEAD']) expect(await knock(token, { 'Sec-Fetch-Site': 'cross-site' }, method)).toBe(200);
    expect(await knock(token, { Origin: 'https://evil.test' }, 'POST')).toBe(401);
    expect(await knock(token, { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 'POST')).toBe(415);
    expect(await knock(token, { Origin: 'https://import.test' }, 'POST')).toBe(415);
  });
});
