/**
 * What every endpoint answers alike (§7): tokens, media types, sizes, rates and our own failures. The endpoints
 * come from the published document, which the architecture test holds equal to `routes.ts`.
 */

import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, it, vi } from 'vitest';
import published from '../../public/openapi.json';
import { depsFrom, type Log } from '../../src/deps';
import type { App } from '../../src/http/app';
import { envelope } from '../../src/http/failures';
import { appOf } from '../../src/routes';
import { issueToken } from '../../src/tokens/token';
import { type Answer, anImportedAccount, aSupplier, call, send } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { textOf } from '../support/text';

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: object;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }> };
}

/** What the query must hold, by the document's own examples. */
const requiredQuery = ({ operationId, parameters = [] }: Described): string => {
  // One of two is required, which no document can say.
  if (operationId === 'findAccounts') return '?search=A';
  const given = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return given.length === 0 ? '' : `?${given.map(({ name, example }) => `${name}=${example}`).join('&')}`;
};

const operations = Object.entries(published.paths as Record<string, Record<string, Described>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, one]) => ({
    name: one.operationId,
    method: method.toUpperCase(),
    // A number of the form of one: what is none is 404 before anything is asked.
    path: path.replace('{number}', 'A-0BADCAFE').replace(/\{\w+\}/g, 'unknown') + requiredQuery(one),
    security: JSON.stringify(one.security),
    /** The document's own example. */
    body: Object.values(one.requestBody?.content['application/json']?.examples ?? {})[0]?.value,
    query: (one.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    statuses: Object.keys(one.responses),
  })),
);
type Operation = (typeof operations)[number];
const that = (status: number) => operations.filter(({ statuses }) => statuses.includes(String(status)));
/** Those that take a JSON body. */
const withBody = (status: number) => that(status).filter(({ body }) => body !== undefined);
const OPERATOR_TOKEN = 'test-operator-token-of-at-least-32-bytes';
const PLATFORM_TOKEN = 'test-platform-token-of-at-least-32-bytes';

/** A token that opens the operation. */
async function tokenFor({ security }: Operation): Promise<string | undefined> {
  if (security.includes('operatorToken')) return OPERATOR_TOKEN;
  if (security.includes('platformToken')) return PLATFORM_TOKEN;
  return security.includes('token') ? (await aSupplier()).token : undefined;
}

const headersOf = ({ security }: Operation, token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `${/operatorToken|platformToken/.test(security) ? 'Bearer' : 'Token'} ${token}` };

async function ask(operation: Operation, headers: Record<string, string> = {}, body: unknown = operation.body): Promise<Answer> {
  const token = await tokenFor(operation);
  return call(operation.method, operation.path, {
    headers: { ...headersOf(operation, token), ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const silent: Log = { info: () => undefined, error: () => undefined };
const refusing: RateLimit = { limit: async () => ({ success: false }) };
const noDatabase: Pick<D1Database, 'prepare'> = {
  prepare: () => {
    throw new Error('D1 is away');
  },
};

const tokenRequest = { query: `mutation { obtainPlatformToken(input: { APIKey: "sk_live_${'x'.repeat(43)}" }) { token } }` };

/** Asks a service whose rates are used up, whose database is away, or whose signing key is too short. */
async function askBroken(operation: Operation, fault: 'rate' | 'database' | 'secret'): Promise<Answer> {
  const app = appOf((bindings, context) => {
    const deps = depsFrom(
      {
        ...bindings,
        ...(fault === 'secret' ? { TOKEN_SIGNING_KEY: 'too short', WEBHOOK_SIGNING_KEY: 'too short' } : {}),
        ...(fault === 'rate' ? { ORGANISATION_RATE: refusing, TOKEN_RATE: refusing, TOKEN_FAILURE_RATE: refusing } : {}),
      },
      context,
    );
    const away = Object.assign(Object.create(deps.db), noDatabase) as D1Database;
    return { ...deps, log: silent, ...(fault === 'database' ? { db: away, databaseOf: () => away } : {}) };
  });
  // The document's own example of an API key is none, so it would not be looked up.
  const body = operation.name === 'obtainToken' ? tokenRequest : operation.body;
  const request = new Request(`https://import.test${operation.path}`, {
    method: operation.method,
    headers: {
      ...headersOf(operation, await tokenFor(operation)),
      // Of the operator only wrong tokens have a rate.
      ...(fault === 'rate' && /operatorToken|platformToken/.test(operation.security) ? { Authorization: 'Bearer wrong' } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, env, createExecutionContext());
  const text = await textOf(response);
  checkAnswer(operation.method, operation.path, { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

describe('401', () => {
  it.each(that(401))('$name without a token: not_authenticated', async (operation) => {
    const { status, body, headers } = await call(operation.method, operation.path);
    expect([status, body]).toMatchObject([401, { code: 'not_authenticated' }]);
    expect(headers.get('WWW-Authenticate')).toBeTruthy();
  });

  it.each(that(401))('$name with a token that is not good: authentication_failed', async (operation) => {
    for (const Authorization of ['Token nonsense', 'Token a b c', 'Bearer eyJhbGciOiJub25lIn0.e30.']) {
      const { status, body } = await call(operation.method, operation.path, { headers: { Authorization } });
      expect([status, body]).toMatchObject([401, { code: 'authentication_failed' }]);
    }
  });

  it.each(that(401).filter(({ security }) => security.includes('"token"')))(
    '$name with the token of a revoked key: at once',
    async (operation) => {
      const supplier = await aSupplier();
      await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(supplier.apiKeyId).run();
      const { body } = operation;
      const answer = await call(operation.method, operation.path, { token: supplier.token, ...(body === undefined ? {} : { body }) });
      expect([answer.status, answer.body]).toMatchObject([401, { code: 'authentication_failed' }]);
    },
  );

  it('an expired token', async () => {
    const { organisationId, apiKeyId } = await aSupplier();
    const { token } = await issueToken({ organisationId, apiKeyId }, { current: env.TOKEN_SIGNING_KEY }, Date.now() - 3_601_000);
    expect((await call('GET', '/v2/data-import/accounts/any/one/', { token })).body).toMatchObject({ code: 'authentication_failed' });
  });

  it('takes Token, Bearer and the bare token, in any case', async () => {
    const { token } = await aSupplier();
    for (const Authorization of [`Token ${token}`, `token ${token}`, `BEARER ${token}`, token]) {
      expect((await call('GET', '/v2/data-import/accounts/any/one/', { headers: { Authorization } })).status).toBe(404);
    }
  });
});

/** A method that no endpoint at this path has. */
const methodNotAt = (path: string): string => {
  const taken = new Set(operations.filter((one) => one.path === path).map(({ method }) => method));
  return ['PUT', 'PATCH', 'DELETE'].find((method) => !taken.has(method)) ?? expect.fail();
};

describe('404 and 405', () => {
  it.each(operations)('$name answers without its last slash too, and other methods with Allow', async (operation) => {
    const other = methodNotAt(operation.path);
    const { status, body, headers } = await call(other, operation.path.replace(/\/$/, ''));
    expect([status, body]).toMatchObject([405, { code: 'method_not_allowed' }]);
    expect(headers.get('Allow')?.split(', ')).toContain(operation.method);
  });

  it.each(['/', '/v1/', '/v1/data-import/notes/', '/v2/data-import/accounts/%zz/', '/v3/data-import/accounts/'])(
    '%s is not found',
    async (path) => {
      const { status, body } = await call('GET', path);
      expect([status, body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }]);
    },
  );
});

describe('404', () => {
  // The body of the two is none of JSON.
  const others = ['uploadDocument', 'compareRun'];
  it.each(that(404).filter(({ name }) => !others.includes(name)))('$name of what is not there', async (operation) => {
    expect(await ask(operation)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('400 parse_error', () => {
  it.each(withBody(415))('$name with a body that is not JSON', async (operation) => {
    for (const body of ['', '{', '{"a":1,}', 'NaN', '{"a":"\u0001"}']) {
      expect(await ask(operation, {}, body)).toMatchObject({ status: 400, body: { code: 'parse_error' } });
    }
  });
});

describe('400 of a query', () => {
  it.each(operations.filter(({ query }) => query.includes('limit')))('$name with a limit that is none', async (operation) => {
    const token = await tokenFor(operation);
    for (const limit of ['0', '-1', '1.5', 'ten', '100001']) {
      const { status, body } = await call(operation.method, `${operation.path}${operation.path.includes('?') ? '&' : '?'}limit=${limit}`, {
        headers: headersOf(operation, token),
      });
      expect([status, body]).toMatchObject([400, { code: 'validation_error', errors: [{ attr: 'limit', code: 'invalid' }] }]);
    }
  });
});

describe('413', () => {
  it.each(withBody(413))('$name with a body of more than 1 MiB', async (operation) => {
    expect(await ask(operation, {}, `"${'x'.repeat(1_048_576)}"`)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

describe('415', () => {
  const refusals: readonly (readonly [string, Record<string, string>, string])[] = [
    ['another type', { 'Content-Type': 'text/plain' }, 'Unsupported media type: send application/json.'],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }, 'Unsupported charset: send UTF-8.'],
    [
      'an encoding',
      { 'Content-Type': 'application/json', 'Content-Encoding': 'deflate' },
      'Unsupported content encoding: send the body without Content-Encoding.',
    ],
    [
      'all three',
      { 'Content-Type': 'text/plain; charset=latin1', 'Content-Encoding': 'br' },
      'Unsupported media type: send application/json.',
    ],
  ];

  it.each(withBody(415))('$name says whether it was the type, the charset or the encoding', async (operation) => {
    for (const [how, headers, detail] of refusals) {
      const { status, body } = await ask(operation, headers, '{}');
      expect([how, status, body]).toEqual([how, 415, { detail, code: 'unsupported_media_type' }]);
    }
  });
});

describe('HEAD', () => {
  const readable = operations.filter(({ method }) => method === 'GET');
  /** True for the path of a check, which is also that of the documents of a supplier of that name. */
  const isOneOf = ({ name }: Operation, path: string) => name === 'listDocuments' && path.endsWith('/documents/check/');
  const head = async (path: string, headers: Record<string, string>) => {
    const [got, headed] = await Promise.all(
      ['GET', 'HEAD'].map(async (method) => {
        const response = await exports.default.fetch(`https://import.test${path}`, { method, headers });
        const answered = Object.fromEntries([...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));
        return { status: response.status, headers: answered, bytes: (await response.arrayBuffer()).byteLength };
      }),
    );
    return { got, headed };
  };

  it.each(readable)('$name answers it as GET, without the body', async (operation) => {
    const headers = headersOf(operation, await tokenFor(operation));
    for (const given of [headers, {}]) {
      const { got, headed } = await head(operation.path, given);
      expect(headed).toEqual({ ...got, bytes: 0 });
    }
  });

  it('answers it for lists that are streamed, in pages and whole', async () => {
    const supplier = await aSupplier();
    await anImportedAccount(supplier);
    await anImportedAccount(supplier);
    for (const kind of ['all', 'pending', 'imported']) {
      for (const query of ['', '?limit=1']) {
        const path = `/v1/data-import/${kind}-account-import-processes/${supplier.code}/${query}`;
        const { got, headed } = await head(path, { Authorization: `Token ${supplier.token}` });
        expect([got?.status, headed]).toEqual([200, { ...got, bytes: 0 }]);
      }
    }
  });

  it('lets go of the body that nobody reads', async () => {
    const released = vi.fn();
    const stream = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)), cancel: released });
    const streaming = new Hono<App>().use(envelope(depsFrom)).get('/', () => new Response(stream()));
    const response = await streaming.fetch(new Request('https://import.test/', { method: 'HEAD' }), env, createExecutionContext());
    expect([response.status, response.body]).toEqual([200, null]);
    expect(released).toHaveBeenCalledOnce();
  });

  it.each(
    operations.filter(({ method, path }) => method !== 'GET' && !readable.some((other) => other.path === path || isOneOf(other, path))),
  )('$name is no GET, so it is 405', async ({ path, method }) => {
    const response = await exports.default.fetch(`https://import.test${path}`, { method: 'HEAD' });
    expect([response.status, await textOf(response)]).toEqual([405, '']);
    expect(response.headers.get('Allow')?.split(', ')).toContain(method);
    expect(response.headers.get('Allow')).not.toContain('HEAD');
  });

  it('is named beside GET in every Allow', async () => {
    for (const { path } of readable) {
      const { headers } = await call(methodNotAt(path), path);
      expect([path, headers.get('Allow')]).toEqual([path, expect.stringMatching(/^GET, HEAD(?:, |$)|, GET, HEAD(?:, |$)/)]);
    }
  });
});

describe('429', () => {
  it.each(that(429))('$name beyond the rate: throttled, with Retry-After', async (operation) => {
    const { status, body, headers } = await askBroken(operation, 'rate');
    expect([status, body]).toMatchObject([429, { code: 'throttled' }]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    const isImporters = operation.path.startsWith('/v1/data-import/') || operation.path.startsWith('/v2/');
    expect(headers.get('RateLimit-Policy')).toBe(isImporters ? '"organisation";q=20000;w=10' : null);
  });

  it('comes as no surprise: answers of every kind say what an organisation may send', async () => {
    const { token, code } = await aSupplier();
    const paths = [
      `/v2/data-import/import-suppliers/${code}/`,
      '/v2/data-import/import-suppliers/none/',
      '/v2/data-import/documents/check/',
    ];
    const statuses = [];
    for (const path of paths) {
      const { status, headers } = await call(path.includes('check') ? 'POST' : 'GET', path, {
        token,
        ...(path.includes('check') ? { body: '{' } : {}),
      });
      expect([path, headers.get('RateLimit-Policy')]).toEqual([path, '"organisation";q=20000;w=10']);
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 404, 400]);
    expect((await call('GET', '/healthz')).headers.get('RateLimit-Policy')).toBeNull();
  });
});

describe('500', () => {
  it.each(that(500))('$name while the database is away: nothing of the cause, but an id', async (operation) => {
    const { status, body, headers } = await askBroken(operation, 'database');
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect([status, body]).toEqual([500, { detail: expect.any(String), code: 'error', request_id: headers.get('X-Request-Id') }]);
    expect(JSON.stringify(body)).not.toContain('D1');
  });
});

describe('503', () => {
  it.each(that(503))('$name without a signing key that is long enough: not_ready, with Retry-After', async (operation) => {
    const { status, body, headers } = await askBroken(operation, 'secret');
    expect([status, body]).toMatchObject([503, { code: 'not_ready' }]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('every answer', () => {
  it("echoes the caller's request id where it is well-formed", async () => {
    expect((await call('GET', '/healthz', { headers: { 'X-Request-Id': 'run-7.a_b' } })).headers.get('X-Request-Id')).toBe('run-7.a_b');
    expect((await call('GET', '/healthz', { headers: { 'X-Request-Id': 'a b' } })).headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    '/openapi.json',
    '/docs/',
    '/docs/accounts/',
    '/favicon.ico',
    '/tools/',
    '/tools/data-import.mjs',
    '/tools/data-import-client.tgz',
  ])('%s is served under its own address', async (path) => {
    const { status, text } = await send('GET', path);
    expect([status, text.length > 100]).toEqual([200, true]);
  });
});
