/** Contract 12: who may operate. Closed without a credential, and closed when none is configured. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sign } from 'hono/jwt';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bindings, depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { aSupplier, call } from '../support/given';
import { OPERATOR } from '../support/operator';

const app = appOf(depsFrom);
const TEAM = { ACCESS_TEAM_DOMAIN: 'team.cloudflareaccess.com', ACCESS_AUDIENCE: 'the-audience' };
const ISSUER = 'https://team.cloudflareaccess.com';

async function status(headers: Record<string, string>, settings: Partial<Bindings> = {}, method = 'GET') {
  const request = new Request('https://import.test/operator/v1/organisations/', { method, headers });
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
    expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
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
    }
  });

  it('is closed when no credential is configured', async () => {
    for (const OPERATOR_TOKEN of ['', undefined]) {
      const { OPERATOR_TOKEN: _, ...without } = env;
      const settings = OPERATOR_TOKEN === undefined ? without : { ...env, OPERATOR_TOKEN };
      for (const header of ['Bearer ', 'Bearer undefined', 'Bearer  ', OPERATOR.Authorization]) {
        const request = new Request('https://import.test/operator/v1/organisations/', { headers: { Authorization: header } });
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

describe('Cloudflare Access', () => {
  let keys: CryptoKeyPair;
  let strangers: CryptoKeyPair;
  const generate = () =>
    crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    ) as Promise<CryptoKeyPair>;
  beforeAll(async () => {
    [keys, strangers] = await Promise.all([generate(), generate()]);
  });
  afterEach(() => vi.restoreAllMocks());

  const seconds = () => Math.floor(Date.now() / 1000);
  const claims = (over: Record<string, unknown> = {}) => ({
    iss: ISSUER,
    aud: ['the-audience'],
    email: 'ada@example.com',
    sub: 'user-1',
    iat: seconds(),
    exp: seconds() + 60,
    ...over,
  });
  const assertion = async (payload: Record<string, unknown>, pair = keys, kid = 'key-1') => {
    const jwk = { ...((await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey), kid, alg: 'RS256' };
    return sign(payload, jwk, 'RS256');
  };
  const serveKeys = () =>
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
      expect(address).toBe(`${ISSUER}/cdn-cgi/access/certs`);
      const jwk = (await crypto.subtle.exportKey('jwk', keys.publicKey)) as JsonWebKey;
      return Response.json({ keys: [{ ...jwk, kid: 'key-1', alg: 'RS256', use: 'sig' }] });
    });
  const knock = async (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    status({ 'Cf-Access-Jwt-Assertion': token, ...headers }, TEAM, method);

  it('lets in whom the team let in, and reads the keys once', async () => {
    const read = serveKeys();
    for (let i = 0; i < 3; i++) expect(await knock(await assertion(claims()))).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('refuses another signature, issuer or audience, an expired one, and no JWT at all', async () => {
    serveKeys();
    expect(await knock(await assertion(claims(), strangers))).toBe(401);
    expect(await knock(await assertion(claims(), strangers, 'key-2'))).toBe(401);
    expect(await knock(await assertion(claims({ iss: 'https://other.cloudflareaccess.com' })))).toBe(401);
    expect(await knock(await assertion(claims({ aud: ['another'] })))).toBe(401);
    expect(await knock(await assertion(claims({ exp: seconds() - 1 })))).toBe(401);
    expect(await knock(await assertion(claims({ exp: undefined })))).toBe(401);
    expect(await knock(await sign(claims(), 'a-shared-secret'))).toBe(401);
    expect(await knock('x')).toBe(401);
  });

  it('names the person in the audit trail', async () => {
    serveKeys();
    const request = new Request('https://import.test/operator/v1/organisations/', {
      method: 'POST',
      headers: { 'Cf-Access-Jwt-Assertion': await assertion(claims()), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Made by Ada' }),
    });
    const response = await app.fetch(request, { ...env, ...TEAM }, createExecutionContext());
    const { id } = await response.json<{ id: string }>();
    const row = await env.DB.prepare('SELECT actor FROM audit_entries WHERE subject = ?').bind(`organisation ${id}`).first();
    expect(row).toEqual({ actor: 'ada@example.com' });
  });

  it('refuses a change that a page of another site made the browser send', async () => {
    serveKeys();
    const token = await assertion(claims());
    expect(await knock(token, { 'Sec-Fetch-Site': 'cross-site' }, 'POST')).toBe(401);
    expect(await knock(token, { Origin: 'https://evil.test' }, 'POST')).toBe(401);
    expect(await knock(token, { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://import.test' }, 'POST')).toBe(415);
  });
});
