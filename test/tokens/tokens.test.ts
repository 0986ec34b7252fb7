/** §5: tokens, keys, and the Authorization header. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { getIntrospectionQuery } from 'graphql';
import { Hono } from 'hono';
import { sign } from 'hono/jwt';
import { describe, expect, it } from 'vitest';
import { type Bindings, depsFrom } from '../../src/deps';
import { importer } from '../../src/http/access';
import type { App } from '../../src/http/app';
import { envelope } from '../../src/http/failures';
import { authenticationFailed } from '../../src/http/replies';
import { sha256 } from '../../src/shared/digest';
import { authenticate, isKeyActive, mintApiKey } from '../../src/tokens';
import { issueToken } from '../../src/tokens/token';
import { countingDatabase } from '../support/counting';
import { type Answer, aSupplier, call, type GivenSupplier } from '../support/given';
import { readRow, readRows } from '../support/tables';
import { awayDatabase, callWith, fullDatabase, readOnlyDatabase } from '../support/trouble';

const MUTATION = `mutation ($input: ObtainJSONWebTokenInput!) {
  obtainPlatformToken(input: $input) { token payload refreshToken refreshExpiresIn }
}`;

interface Obtained {
  token: string;
  payload: { iss: string; sub: string; kid: string; iat: number; exp: number };
  refreshToken: string;
  refreshExpiresIn: number;
}

interface Result {
  data?: { obtainPlatformToken: Obtained | null } | null;
  errors?: { message: string; extensions?: { errorType: string; errorCode: string; errorDescription: string } }[];
}

/** A body that the test goes on to assert. */
const resultOf = (answer: Answer): Result => answer.body as Result;

let addresses = 0;
/** Each call comes from an address of its own unless said otherwise: failures are limited per address. */
const obtain = (input: Record<string, unknown>, address = `192.0.2.${addresses++}`) =>
  call('POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input } }, headers: { 'CF-Connecting-IP': address } });

async function obtained(input: Record<string, unknown>): Promise<Obtained> {
  const result = resultOf(await obtain(input)).data?.obtainPlatformToken;
  if (!result) throw new Error('no token was obtained');
  return result;
}

const codesOf = (answer: Answer) => resultOf(answer).errors?.map((error) => error.extensions?.errorCode);

/** A supplier whose organisation has a key that the test knows. */
async function aKey(): Promise<GivenSupplier & { apiKey: string }> {
  const supplier = await aSupplier();
  const { secret, hash } = mintApiKey();
  await env.DB.prepare('UPDATE api_keys SET hash = ? WHERE id = ?').bind(hash, supplier.apiKeyId).run();
  return { ...supplier, apiKey: secret };
}

const revoke = (apiKeyId: string) => env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(apiKeyId).run();

describe('200 obtainPlatformToken', () => {
  it('turns an API key into a token of 60 minutes and a refresh token of 7 days', async () => {
    const { apiKey, apiKeyId, organisationId } = await aKey();
    const before = Math.floor(Date.now() / 1000);
    const answer = await obtain({ APIKey: apiKey });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const { token, payload, refreshToken, refreshExpiresIn } = resultOf(answer).data?.obtainPlatformToken ?? expect.fail();
    expect(payload).toEqual({ iss: 'account-data-import', sub: organisationId, kid: apiKeyId, iat: payload.iat, exp: payload.iat + 3600 });
    expect(payload.iat).toBeGreaterThanOrEqual(before);
    expect(refreshExpiresIn - payload.iat).toBe(7 * 86_400);
    expect(JSON.parse(atob(token.split('.')[1] ?? ''))).toEqual(payload);
    expect(refreshToken).toMatch(/^rt_[\w-]{43}$/);
    const used = await readRow<{ last_used_at: number }>('SELECT last_used_at FROM api_keys WHERE id = ?', apiKeyId);
    expect(used?.last_used_at).toBeGreaterThanOrEqual(before * 1000);
  });

  it('answers under both names of the mutation and both names of the key', async () => {
    const { apiKey } = await aKey();
    const query = `mutation { ObtainPlatformToken(input: {organizationSecretKey: "${apiKey}"}) { token } }`;
    const answer = await call('POST', '/v1/graphql/', { body: { query } });
    expect(answer.body).toEqual({ data: { ObtainPlatformToken: { token: expect.any(String) } } });
  });

  it('counts null and empty credentials as not given', async () => {
    const { apiKey } = await aKey();
    expect((await obtained({ APIKey: apiKey, organizationSecretKey: '', refreshToken: null })).token).toBeTruthy();
  });

  it('stores digests only', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { refreshToken, token } = await obtained({ APIKey: apiKey });
    const dump = JSON.stringify([
      await readRows('SELECT * FROM api_keys WHERE id = ?', apiKeyId),
      await readRows('SELECT * FROM refresh_tokens WHERE api_key_id = ?', apiKeyId),
    ]);
    expect(dump).toContain(sha256(apiKey));
    expect(dump).toContain(sha256(refreshToken));
    for (const secret of [apiKey, refreshToken, token]) expect(dump).not.toContain(secret);
  });

  it('answers introspection', async () => {
    const answer = await call('POST', '/v1/graphql/', { body: { query: getIntrospectionQuery() } });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('errors');
    expect(JSON.stringify(answer.body)).toContain('ObtainPlatformJSONWebToken');
  });

  it('names an API key by its form', () => {
    expect(mintApiKey().secret).toMatch(/^sk_live_[\w-]{43}$/);
    expect(mintApiKey().secret).not.toBe(mintApiKey().secret);
  });
});

describe('200 refresh tokens', () => {
  it('obtains the next pair once: the second use is PT-CT-1135', async () => {
    const { apiKey } = await aKey();
    const first = await obtained({ APIKey: apiKey });
    const second = await obtained({ refreshToken: first.refreshToken });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(codesOf(await obtain({ refreshToken: first.refreshToken }))).toEqual(['PT-CT-1135']);
    expect((await obtained({ refreshToken: second.refreshToken })).token).toBeTruthy();
  });

  it('lets exactly one of many parallel uses succeed', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    const answers = await Promise.all(Array.from({ length: 8 }, () => obtain({ refreshToken })));
    expect(answers.filter((answer) => resultOf(answer).data?.obtainPlatformToken)).toHaveLength(1);
    expect(answers.flatMap((answer) => codesOf(answer) ?? [])).toEqual(Array.from({ length: 7 }, () => 'PT-CT-1135'));
    const unspent = await readRow('SELECT count(*) AS n FROM refresh_tokens WHERE api_key_id = ? AND spent_at IS NULL', apiKeyId);
    expect(unspent).toEqual({ n: 1 });
  });

  it('refuses one that has expired with PT-CT-1134, and does not spend it', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    await env.DB.prepare('UPDATE refresh_tokens SET expires_at = ? WHERE hash = ?').bind(Date.now(), sha256(refreshToken)).run();
    const answer = await obtain({ refreshToken });
    expect(answer.status).toBe(200);
    expect(codesOf(answer)).toEqual(['PT-CT-1134']);
    expect(await readRow('SELECT count(*) AS n FROM refresh_tokens WHERE api_key_id = ?', apiKeyId)).toEqual({ n: 1 });
  });

  it('refuses one of a revoked key with PT-CT-1135', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    await revoke(apiKeyId);
    expect(codesOf(await obtain({ refreshToken }))).toEqual(['PT-CT-1135']);
  });

  it('refuses an unknown one with PT-CT-1135', async () => {
    expect(codesOf(await obtain({ refreshToken: 'rt_unknown' }))).toEqual(['PT-CT-1135']);
  });
});

describe('200 coded errors', () => {
  it.each([
    ['no credential', {}],
    ['two credentials', { APIKey: 'sk_live_a', refreshToken: 'b' }],
    ['two names of one', { APIKey: 'sk_live_a', organizationSecretKey: 'sk_live_a' }],
  ])('answers %s with PT-CT-1137', async (_, input) => {
    const answer = await obtain(input);
    expect(answer.status).toBe(200);
    expect(resultOf(answer).data).toEqual({ obtainPlatformToken: null });
    expect(resultOf(answer).errors?.[0]?.extensions).toEqual({
      errorType: 'VALIDATION',
      errorCode: 'PT-CT-1137',
      errorDescription: expect.any(String),
    });
  });

  it('answers a bad API key with PT-CT-1140, without echoing it', async () => {
    const answer = await obtain({ APIKey: 'sk_live_wrong' });
    expect(codesOf(answer)).toEqual(['PT-CT-1140']);
    expect(JSON.stringify(answer.body)).not.toContain('sk_live_wrong');
  });

  it('answers a revoked API key with PT-CT-1140', async () => {
    const { apiKey, apiKeyId } = await aKey();
    await revoke(apiKeyId);
    expect(codesOf(await obtain({ APIKey: apiKey }))).toEqual(['PT-CT-1140']);
  });
});

describe('200 documents that are refused', () => {
  const many = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i)).join(' ');
  const nested = (depth: number) => `{ __schema { types ${'{ fields { type '.repeat(depth)} { name } ${'} }'.repeat(depth)} } }`;
  it.each([
    ['a syntax error', '{'],
    ['an unknown field', '{ nothing }'],
    ['two operations', 'query a { isAlive } query b { isAlive }'],
    ['two token fields', 'mutation { obtainPlatformToken(input: {}) { token } ObtainPlatformToken(input: {}) { token } }'],
    [
      'two token fields through a fragment',
      'mutation { obtainPlatformToken(input: {}) { token } ...f } fragment f on Mutation { a: obtainPlatformToken(input: {}) { token } }',
    ],
    ['many aliases', `{ ${many(50, (i) => `a${i}: isAlive`)} }`],
    ['many tokens', `{ ${many(1001, () => 'isAlive')} }`],
    ['deep nesting', nested(10)],
    ['a fragment cycle', '{ ...f } fragment f on Query { ...f }'],
  ])('%s', async (_, query) => {
    const answer = await call('POST', '/v1/graphql/', { body: { query } });
    expect(answer.status).toBe(200);
    expect(resultOf(answer).errors?.length).toBeGreaterThan(0);
    expect(resultOf(answer)).not.toHaveProperty('data');
  });
});

describe('400 what is no GraphQL request', () => {
  it('answers malformed JSON with parse_error', async () => {
    const answer = await call('POST', '/v1/graphql/', { body: '{' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'parse_error' } });
  });

  it.each([
    ['a batch', [{ query: '{ isAlive }' }], '', 'invalid'],
    ['no query', {}, 'query', 'required'],
    ['a query of another type', { query: 1 }, 'query', 'invalid'],
    ['variables of another type', { query: '{ isAlive }', variables: 'text' }, 'variables', 'invalid'],
  ])('answers %s with validation_error', async (_, body, attr, code) => {
    const answer = await call('POST', '/v1/graphql/', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error', errors: [{ attr, code }] } });
  });
});

describe('405, 413, 415', () => {
  it('answers other methods with 405 and Allow', async () => {
    const answer = await call('GET', '/v1/graphql/');
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('Allow')).toBe('POST');
  });

  it('answers a body over 1 MiB with 413', async () => {
    const answer = await call('POST', '/v1/graphql/', { body: { query: 'x'.repeat(1_048_577) } });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  it('answers another media type with 415', async () => {
    const answer = await call('POST', '/v1/graphql/', { body: '{ isAlive }', headers: { 'Content-Type': 'application/graphql' } });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('429 too many failures of one client address', () => {
  it('throttles failures, and failures only', async () => {
    const { apiKey } = await aKey();
    const address = '198.51.100.7';
    for (let i = 0; i < 25; i++) expect((await obtain({ APIKey: apiKey }, address)).status).toBe(200);
    const failures: Answer[] = [];
    // The limit counts in fixed windows: twice its size is over it wherever a window ends.
    for (let i = 0; i < 60; i++) failures.push(await obtain({ APIKey: 'sk_live_wrong' }, address));
    const throttled = failures.find(({ status }) => status === 429) ?? expect.fail();
    expect(failures.findIndex(({ status }) => status === 429)).toBeGreaterThanOrEqual(20);
    expect(throttled.body).toEqual({ detail: expect.any(String), code: 'throttled' });
    expect(throttled.headers.get('Retry-After')).toBe('10');
    expect((await obtain({ APIKey: 'sk_live_wrong' }, '198.51.100.8')).status).toBe(200);
    expect((await obtain({ APIKey: apiKey }, address)).status).toBe(200);
  });
});

describe('429 too many token requests of one client address', () => {
  const used: RateLimit = { limit: async () => ({ success: false }) };
  const asking = (settings: Partial<Bindings>, input: Record<string, unknown>) =>
    callWith(settings, 'POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input } } });

  it('are refused before anything is looked up, with Retry-After', async () => {
    const { apiKey } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    const counts = countingDatabase(env.DB);
    for (const input of [{ APIKey: apiKey }, { APIKey: `sk_live_${'u'.repeat(43)}` }, { refreshToken }]) {
      const answer = await asking({ DB: counts.db, TOKEN_RATE: used }, input);
      expect(answer).toMatchObject({ status: 429, body: { code: 'throttled' } });
      expect(answer.headers.get('Retry-After')).toBe('10');
    }
    expect(counts.trips).toBe(0);
    expect((await obtained({ refreshToken })).token).toBeTruthy();
  });

  it('are counted for each address, and what cannot be a credential does not count', async () => {
    const keys: string[] = [];
    const TOKEN_RATE: RateLimit = {
      limit: async ({ key }) => {
        keys.push(key);
        return { success: true };
      },
    };
    const { apiKey } = await aKey();
    const headers = { 'CF-Connecting-IP': '203.0.113.77' };
    for (const APIKey of [apiKey, 'sk_live_wrong', '']) {
      await callWith({ TOKEN_RATE }, 'POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input: { APIKey } } }, headers });
    }
    expect(keys).toEqual(['203.0.113.77']);
  });

  it('leaves honest neighbours alone: 200 importers behind one address obtain their tokens at once, beside one who guesses', async () => {
    const { apiKey } = await aKey();
    const address = '203.0.113.78';
    const guesses = Array.from({ length: 60 }, () => obtain({ APIKey: `sk_live_${'g'.repeat(43)}` }, address));
    const honest = await Promise.all(Array.from({ length: 200 }, () => obtain({ APIKey: apiKey }, address)));
    await Promise.all(guesses);
    expect(new Set(honest.map(({ status }) => status))).toEqual(new Set([200]));
    expect(honest.filter((answer) => !resultOf(answer).data?.obtainPlatformToken?.token)).toEqual([]);
  });
});

describe('what cannot be a credential never reaches the database', () => {
  it.each([
    ['an API key without its prefix', { APIKey: 'x'.repeat(43) }, 'PT-CT-1140'],
    ['an API key that is too short', { APIKey: `sk_live_${'x'.repeat(42)}` }, 'PT-CT-1140'],
    ['an API key that is too long', { organizationSecretKey: `sk_live_${'x'.repeat(44)}` }, 'PT-CT-1140'],
    ['an API key with a sign that no key has', { APIKey: `sk_live_${'x'.repeat(42)}!` }, 'PT-CT-1140'],
    ['a refresh token in place of an API key', { APIKey: `rt_${'x'.repeat(43)}` }, 'PT-CT-1140'],
    ['an API key in place of a refresh token', { refreshToken: `sk_live_${'x'.repeat(43)}` }, 'PT-CT-1135'],
    ['a refresh token of a megabyte', { refreshToken: 'x'.repeat(1_000_000) }, 'PT-CT-1135'],
  ])('%s', async (_, input, code) => {
    const counts = countingDatabase(env.DB);
    const answer = await callWith({ DB: counts.db }, 'POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input } } });
    expect([answer.status, codesOf(answer), counts.trips]).toEqual([200, [code], 0]);
  });
});

describe('good token requests count under the rate of the organisation', () => {
  const limited = { ORGANISATION_RATE: env.SMALL_RATE };
  const asking = (input: Record<string, unknown>) =>
    callWith(limited, 'POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input } } });

  it('429 beyond it, with nothing stored and nothing spent', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    for (let i = 0; i < 5; i++) expect((await asking({ APIKey: apiKey })).status).toBe(200);
    const count = () => readRow('SELECT count(*) AS n FROM refresh_tokens WHERE api_key_id = ?', apiKeyId);
    const before = await count();
    for (const input of [{ APIKey: apiKey }, { refreshToken }]) {
      const answer = await asking(input);
      expect(answer).toMatchObject({ status: 429, body: { code: 'throttled' } });
      expect(answer.headers.get('Retry-After')).toBe('10');
    }
    expect(await count()).toEqual(before);
    expect((await obtained({ refreshToken })).token).toBeTruthy();
  });

  it('refused ones do not', async () => {
    const { apiKey } = await aKey();
    for (let i = 0; i < 10; i++) await asking({ APIKey: `sk_live_${'w'.repeat(43)}` });
    expect((await asking({ APIKey: apiKey })).status).toBe(200);
  });
});

describe('a database that takes no writes', () => {
  const asking = (DB: D1Database, input: Record<string, unknown>) =>
    callWith({ DB }, 'POST', '/v1/graphql/', { body: { query: MUTATION, variables: { input } } });

  it.each([
    ['read-only', readOnlyDatabase],
    ['full', fullDatabase],
  ])('%s: an API key still obtains a token, without a refresh token', async (_, aDatabase) => {
    const { apiKey, code } = await aKey();
    const answer = await asking(aDatabase(), { APIKey: apiKey });
    const { token, refreshToken, refreshExpiresIn } = resultOf(answer).data?.obtainPlatformToken ?? expect.fail();
    expect([answer.status, refreshToken, refreshExpiresIn]).toEqual([200, null, null]);
    expect((await call('GET', `/v1/data-import/pending-account-import-processes/${code}/`, { token })).status).toBe(200);
  });

  it('a wrong or revoked API key obtains none', async () => {
    const { apiKey, apiKeyId } = await aKey();
    await revoke(apiKeyId);
    for (const APIKey of [apiKey, `sk_live_${'u'.repeat(43)}`])
      expect(codesOf(await asking(readOnlyDatabase(), { APIKey }))).toEqual(['PT-CT-1140']);
  });

  it('a refresh token obtains nothing, because it could not be spent: 500 with Retry-After, and it is good afterwards', async () => {
    const { apiKey } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    const answer = await asking(readOnlyDatabase(), { refreshToken });
    expect(answer).toMatchObject({ status: 500, body: { code: 'error' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await obtained({ refreshToken })).token).toBeTruthy();
  });

  it('a database that is away obtains nobody a token: 500 with Retry-After', async () => {
    const { apiKey } = await aKey();
    const answer = await asking(awayDatabase(), { APIKey: apiKey });
    expect(answer.status).toBe(500);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

/** The way every request of an importer begins, without what a single endpoint adds to it. */
const probe = new Hono<App>().use(envelope(depsFrom)).get('/', importer, async (c) => {
  const { caller } = c.var;
  return (await isKeyActive(c.var.deps, caller)) ? c.json(caller) : authenticationFailed(c);
});

async function probed(authorization: string | undefined, settings: Partial<Bindings> = {}) {
  const context = createExecutionContext();
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const response = await probe.fetch(new Request('https://import.test/', { headers }), { ...env, ...settings }, context);
  await waitOnExecutionContext(context);
  return { status: response.status, challenge: response.headers.get('WWW-Authenticate'), body: await response.json() };
}

const FAILED = { status: 401, challenge: 'Token', body: { detail: 'Invalid token.', code: 'authentication_failed' } };

describe('the Authorization header', () => {
  it.each(['Token ', 'token ', 'TOKEN ', 'Bearer ', 'bearer ', 'bEaReR ', '', 'Token   '])('accepts "%s<token>"', async (keyword) => {
    const { token, organisationId, apiKeyId } = await aSupplier();
    expect(await probed(`${keyword}${token}`)).toMatchObject({ status: 200, body: { organisationId, apiKeyId } });
  });

  it.each([undefined, '', '   '])('answers a missing one (%j) with 401 not_authenticated', async (header) => {
    expect(await probed(header)).toEqual({
      status: 401,
      challenge: 'Token',
      body: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    });
  });

  it('answers a malformed one with 401 authentication_failed', async () => {
    const { token } = await aSupplier();
    const [head, body, signature] = token.split('.');
    const malformed = [
      'Token',
      'Bearer',
      'Token a b',
      `Basic ${token}`,
      `Token ${token} x`,
      `Token: ${token}`,
      'x',
      '..',
      `${head}.${body}`,
    ];
    for (const header of [...malformed, `${head}.${body}.`, `${head}.${signature}.${body}`, `${token}x`])
      expect(await probed(header), header).toEqual(FAILED);
  });
});

describe('401 tokens that are not good', () => {
  const caller = { organisationId: 'org_x', apiKeyId: 'key_x' };

  it('expires after 60 minutes, to the second', async () => {
    const supplier = await aSupplier();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const ofAge = async (seconds: number) =>
      `Token ${(await issueToken(supplier, { current: env.TOKEN_SIGNING_KEY }, now - seconds * 1000)).token}`;
    expect(await probed(await ofAge(3600))).toEqual(FAILED);
    expect((await probed(await ofAge(3570))).status).toBe(200);
    const clock = (instant: number) => ({ ...depsFrom(env, createExecutionContext()), now: () => instant });
    const { token } = await issueToken(supplier, { current: env.TOKEN_SIGNING_KEY }, now);
    expect((await authenticate(token, clock(now + 3_599_999))).kind).toBe('authenticated');
    expect((await authenticate(token, clock(now + 3_600_000))).kind).toBe('authentication_failed');
  });

  it('refuses another key, another algorithm, another issuer', async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = { iss: 'account-data-import', sub: caller.organisationId, kid: caller.apiKeyId, iat: exp - 600, exp };
    const unsigned = [{ alg: 'none', typ: 'JWT' }, claims].map((part) => btoa(JSON.stringify(part)).replace(/=+$/, '')).join('.');
    const tokens = [
      await sign(claims, 'another-signing-key-of-at-least-32-bytes'),
      await sign(claims, env.TOKEN_SIGNING_KEY, 'HS512'),
      await sign({ ...claims, iss: 'someone-else' }, env.TOKEN_SIGNING_KEY),
      await sign({ ...claims, iat: exp + 3600, exp: exp + 7200 }, env.TOKEN_SIGNING_KEY),
      await sign({ iss: claims.iss, iat: claims.iat, exp }, env.TOKEN_SIGNING_KEY),
      `${unsigned}.`,
    ];
    for (const token of tokens) expect(await probed(`Token ${token}`)).toEqual(FAILED);
  });

  it('goes on accepting the previous signing key after a rotation, and no older one', async () => {
    const { token } = await aSupplier();
    const rotated = { TOKEN_SIGNING_KEY: 'the-next-signing-key-of-at-least-32-bytes' };
    expect((await probed(token, { ...rotated, TOKEN_SIGNING_KEY_PREVIOUS: env.TOKEN_SIGNING_KEY })).status).toBe(200);
    expect(await probed(token, rotated)).toEqual(FAILED);
  });

  it('refuses a token whose API key was revoked, at the next request', async () => {
    const { apiKey, apiKeyId } = await aKey();
    const { token } = await obtained({ APIKey: apiKey });
    expect((await probed(token)).status).toBe(200);
    await revoke(apiKeyId);
    expect(await probed(token)).toEqual(FAILED);
  });

  it('refuses a refresh token and an API key in its place', async () => {
    const { apiKey } = await aKey();
    const { refreshToken } = await obtained({ APIKey: apiKey });
    for (const secret of [apiKey, refreshToken]) expect(await probed(`Token ${secret}`)).toEqual(FAILED);
  });
});
