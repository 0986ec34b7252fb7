/** Secrets shorter than 32 bytes sign, open and verify nothing, and it is said which one has to be set. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { mintApiKey } from '../../src/tokens';
import { issueToken } from '../../src/tokens/token';
import { anAccessTeam } from '../support/access';
import { aSupplier } from '../support/given';
import { readRow } from '../support/tables';
import { callWith } from '../support/trouble';

const SHORT = 'x'.repeat(31);
/** 32 bytes in fewer characters. */
const WIDE = 'é'.repeat(16);
const NOT_READY = { status: 503, body: { code: 'not_ready', detail: expect.stringContaining('/readyz') } };

async function aKey() {
  const supplier = await aSupplier();
  const { secret, hash } = mintApiKey();
  await env.DB.prepare('UPDATE api_keys SET hash = ? WHERE id = ?').bind(hash, supplier.apiKeyId).run();
  return { ...supplier, secret };
}

const obtain = (settings: object, apiKey: string) =>
  callWith(settings, 'POST', '/v1/graphql/', {
    body: { query: `mutation { obtainPlatformToken(input: { APIKey: "${apiKey}" }) { token } }` },
  });

describe('a signing key of any text', () => {
  it.each(['PUBLIC', 'PRIVATE', 'é\n '])('signs and opens, with %j in it', async (word) => {
    const { secret, code } = await aKey();
    const TOKEN_SIGNING_KEY = `${word} of the operator, of 32 bytes and more`;
    const obtained = await obtain({ TOKEN_SIGNING_KEY }, secret);
    const { token } = (obtained.body as { data: { obtainPlatformToken: { token: string } } }).data.obtainPlatformToken;
    const path = `/v2/data-import/import-suppliers/${code}/`;
    expect(await callWith({ TOKEN_SIGNING_KEY }, 'GET', path, { token })).toMatchObject({ status: 200 });
    expect(await callWith({ TOKEN_SIGNING_KEY: `${TOKEN_SIGNING_KEY}!` }, 'GET', path, { token })).toMatchObject({ status: 401 });
  });
});

describe('a signing key that is too short', () => {
  it.each([SHORT, ''])('%j signs nothing: 503 not_ready, and no refresh token is stored', async (TOKEN_SIGNING_KEY) => {
    const { secret, apiKeyId } = await aKey();
    const answer = await obtain({ TOKEN_SIGNING_KEY }, secret);
    expect(answer).toMatchObject(NOT_READY);
    expect(answer.text).not.toContain(SHORT);
    const stored = await readRow('SELECT count(*) AS n FROM refresh_tokens WHERE api_key_id = ?', apiKeyId);
    expect(stored).toEqual({ n: 0 });
  });

  it('opens nothing, not even a token that it signed', async () => {
    const supplier = await aSupplier();
    const { token } = await issueToken(supplier, { current: SHORT }, Date.now());
    const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
    expect(await callWith({ TOKEN_SIGNING_KEY: SHORT }, 'GET', path, { token })).toMatchObject(NOT_READY);
    expect((await callWith({ TOKEN_SIGNING_KEY: SHORT }, 'GET', path)).status).toBe(401);
  });

  it('as the previous one opens nothing either, while the current one works', async () => {
    const supplier = await aSupplier();
    const { token } = await issueToken(supplier, { current: SHORT }, Date.now());
    const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
    const settings = { TOKEN_SIGNING_KEY_PREVIOUS: SHORT };
    expect((await callWith(settings, 'GET', path, { token })).status).toBe(401);
    expect((await callWith(settings, 'GET', path, { token: supplier.token })).status).toBe(200);
  });

  it('makes no session of the console, and none for Cloudflare Access', async () => {
    const answer = await callWith({ TOKEN_SIGNING_KEY: SHORT }, 'POST', '/operator/sign-in/', {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ token: env.OPERATOR_TOKEN ?? '', next: '/operator/' }),
    });
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([401, null]);
    const team = await anAccessTeam('too-short');
    const fetched = team.serveKeys();
    const page = await callWith({ TOKEN_SIGNING_KEY: SHORT, ...team.settings }, 'GET', '/operator/', {
      headers: { 'Cf-Access-Jwt-Assertion': await team.assertion() },
    });
    fetched.mockRestore();
    expect([page.status, page.text.includes('/readyz')]).toEqual([503, true]);
  });

  it('is measured in bytes', async () => {
    const supplier = await aSupplier();
    const { token } = await issueToken(supplier, { current: WIDE }, Date.now());
    const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
    expect((await callWith({ TOKEN_SIGNING_KEY: WIDE }, 'GET', path, { token })).status).toBe(200);
  });
});

describe('an operator token that is too short', () => {
  it('opens neither the interface nor the console: both are closed, as without any', async () => {
    const settings = { OPERATOR_TOKEN: SHORT };
    const headers = { Authorization: `Bearer ${SHORT}` };
    expect((await callWith(settings, 'GET', '/operator/v1/suppliers/', { headers })).status).toBe(401);
    const page = await callWith(settings, 'GET', '/operator/sign-in/');
    expect(page.text).toContain('The console is closed');
    const answer = await callWith(settings, 'POST', '/operator/sign-in/', {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ token: SHORT, next: '/operator/' }),
    });
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([401, null]);
  });
});
