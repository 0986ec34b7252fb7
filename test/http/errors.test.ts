import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { CALLER } from '../../src/http/endpoint';
import { ENDPOINTS } from '../../src/routes';
import worker from '../../src/worker';
import { failingBucket, faultyDatabase } from '../support/faults';
import { aSupplier, call } from '../support/given';
import { OPERATOR } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';

const LIMIT = 1_048_576;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

/** A path with every parameter filled in. */
const filled = (path: string) => path.replace(/:\w+/g, 'x');
/** As `Allow` names them: where GET is answered, so is HEAD. */
const allowedAt = (path: string): string[] =>
  ENDPOINTS.filter(([, other]) => other === path).flatMap(([method]) => (method === 'GET' ? [method, 'HEAD'] : [method]));
const paths = [...new Set(ENDPOINTS.map(([, path]) => path))];
/** Endpoints that take a JSON body of importers. */
const taking = ENDPOINTS.filter(
  ([, , { body, access }]) => body?.kind === 'json' && (CALLER[access] === 'importer' || access === 'open'),
).map(([method, path]) => [method, path] as const);

interface Sent {
  readonly token: string;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
}

const send = async (method: string, path: string, { token, body, headers = {} }: Sent) => {
  const response = await exports.default.fetch(
    new Request(`https://import.test${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Token ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
};

/** A body that is sent in pieces, without a Content-Length. */
const streamed = (bytes: number): ReadableStream => {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const piece = Math.min(left, 65_536);
      controller.enqueue(new TextEncoder().encode(' '.repeat(piece)));
      left -= piece;
      if (left === 0) controller.close();
    },
  });
};

it('every endpoint of §4 that takes a JSON body is among those asked below', () => {
  expect(taking.map(([method, path]) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /v1/data-import/notes/create/',
      'POST /v1/data-import/transactions/create/',
      'POST /v1/data-import/historical-statements/create/',
      'POST /v1/data-import/payment-instruction/create/',
      'POST /v2/data-import/accounts/validate/',
      'POST /v2/data-import/accounts/',
      'PUT /v2/data-import/runs/:import_supplier_code/:run/',
      'POST /v2/data-import/runs/:import_supplier_code/:run/release/',
      'POST /v1/graphql/',
    ]),
  );
});

describe.each(taking)('%s %s', (method, path) => {
  describe('400', () => {
    it.each([
      ['nothing', ''],
      ['white space', ' \n'],
      ['an open object', '{'],
      ['text', 'hello'],
      ['single quotes', "{'a': 1}"],
      ['a trailing comma', '{"a": 1,}'],
      ['a comment', '{} // x'],
      ['two values', '{}{}'],
      ['NaN', '{"a": NaN}'],
      ['a hexadecimal number', '{"a": 0x1}'],
      ['a raw control character', '{"a": "\u0001"}'],
      ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
      ['100,000 levels', '['.repeat(100_000)],
      ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
      ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ])('parse_error for %s', async (_, body) => {
      const answer = await send(method, path, { ...(await aSupplier()), body });
      expect([answer.status, answer.body]).toEqual([400, { detail: expect.stringMatching(/^JSON parse error: /), code: 'parse_error' }]);
    });

    it.each(['null', '[]', '1', '"text"', 'true', '[{}]'])('for %s, which is no object', async (body) => {
      const answer = await send(method, path, { ...(await aSupplier()), body });
      expect(answer.status).toBe(400);
      const root = { errors: [{ detail: 'Invalid data. Expected an object.', code: 'invalid', attr: '' }] };
      const isCreate = path === '/v2/data-import/accounts/';
      expect(answer.body).toMatchObject(isCreate ? { code: 'import_process_failed_validation', domain: 'import_process' } : root);
    });

    it('a byte order mark is passed over', async () => {
      const answer = await send(method, path, { ...(await aSupplier()), body: '\uFEFF{}' });
      expect([answer.status, answer.body]).not.toMatchObject([400, { code: 'parse_error' }]);
    });
  });

  describe('413', () => {
    it.each([
      ['with a Content-Length', () => ' '.repeat(LIMIT + 1)],
      ['without one', () => streamed(LIMIT + 1)],
      ['without one, far above', () => streamed(8 * LIMIT)],
    ])('for more than 1 MiB %s; the next request is answered as ever', async (_, body) => {
      const given = await aSupplier();
      const answer = await send(method, path, { ...given, body: body() });
      expect([answer.status, answer.body]).toEqual([413, { detail: expect.stringContaining(String(LIMIT)), code: 'payload_too_large' }]);
      expect((await send(method, path, { ...given, body: '{' })).status).toBe(400);
    });

    it('not for exactly 1 MiB', async () => {
      const given = await aSupplier();
      expect((await send(method, path, { ...given, body: ' '.repeat(LIMIT) })).status).toBe(400);
      expect((await send(method, path, { ...given, body: streamed(LIMIT) })).status).toBe(400);
    });
  });

  describe('415', () => {
    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/json',
      'json',
      ',application/json',
    ])('for %s', async (type) => {
      const answer = await send(method, path, { ...(await aSupplier()), body: '{}', headers: { 'Content-Type': type } });
      expect([answer.status, answer.body]).toEqual([
        415,
        { detail: 'Unsupported media type: send application/json.', code: 'unsupported_media_type' },
      ]);
    });

    it('for no type, and for a compressed body', async () => {
      const given = await aSupplier();
      const without = await send(method, path, { ...given, body: new Uint8Array([0x7b, 0x7d]), headers: { 'Content-Type': '' } });
      expect([without.status, without.body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
      const zipped = await send(method, path, { ...given, body: '{}', headers: { 'Content-Encoding': 'gzip' } });
      expect([zipped.status, zipped.body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    });

    it.each([
      'application/json',
      'APPLICATION/JSON',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/vnd.api+json',
    ])('not for %s', async (type) => {
      const answer = await send(method, path, { ...(await aSupplier()), body: '{', headers: { 'Content-Type': type } });
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'parse_error' }]);
    });
  });
});

it.each([':import_supplier_code', ':code', ':external'])(
  'a name in the path that is written like a parameter, %s, is a name',
  async (name) => {
    const { token } = await aSupplier();
    const asked = [
      await call('PUT', `/v2/data-import/runs/${name}/x/`, { token, body: {} }),
      await call('POST', `/operator/v1/suppliers/${name}/import-processes/${name}/erase/`, { headers: OPERATOR, body: { reason: 'x' } }),
    ];
    expect(asked.map(({ status, body }) => [status, body])).toEqual(asked.map(() => [404, { detail: 'Not found.', code: 'not_found' }]));
  },
);

describe('the order of validation', () => {
  const path = '/v2/data-import/accounts/';
  it('path, method, token, media type, size, JSON', async () => {
    const { token } = await aSupplier();
    const wrong = { headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(LIMIT + 1) };
    expect((await call('PUT', '/nowhere/', wrong)).status).toBe(404);
    expect((await call('PUT', path, wrong)).status).toBe(405);
    expect((await call('POST', path, wrong)).status).toBe(401);
    expect((await call('POST', path, { ...wrong, token })).status).toBe(415);
    expect((await call('POST', path, { token, body: '{'.repeat(LIMIT + 1) })).status).toBe(413);
    expect((await call('POST', path, { token, body: '{' })).status).toBe(400);
  });

  it('a revoked key is refused before anything about the body', async () => {
    const given = await aSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    for (const body of ['{', '{}', ' '.repeat(LIMIT + 1)]) {
      const answer = await send('POST', path, { ...given, body });
      expect([answer.status, answer.body]).toMatchObject([401, { code: 'authentication_failed' }]);
    }
  });
});

describe('404', () => {
  it.each([
    '/',
    '/v1/',
    '/v1/data-import/',
    '/v1/data-import/notes/',
    '/v2/data-import/accounts',
    '/v3/data-import/accounts/',
    '/V2/data-import/accounts/x/y/',
    '/v2/data-import/accounts/x/y/z/',
    '/v2//data-import/accounts/x/y/',
    '/.env',
    '/wp-login.php',
    '/%2e%2e/etc/passwd',
  ])('for a GET of %s', async (path) => {
    const { token } = await aSupplier();
    const answer = await call('GET', path, { token });
    if (path === '/v2/data-import/accounts') {
      expect(answer.status).toBe(405);
      return;
    }
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }]);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
  });
});

describe('405', () => {
  const cases = paths
    .filter((path) => !/docs|openapi|favicon|console|operator\/$/.test(path))
    .flatMap((path) =>
      METHODS.filter((method) => !allowedAt(path).some((allowed) => allowed === method)).map((method) => [method, path] as const),
    );

  it.each(cases)('for %s %s, naming what is allowed', async (method, path) => {
    const answer = await call(method, filled(path));
    expect([answer.status, answer.body]).toEqual([405, { detail: `Method "${method}" not allowed.`, code: 'method_not_allowed' }]);
    expect(answer.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowedAt(path).toSorted());
  });
});

describe('500', () => {
  const requests: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
    ['GET', '/v2/data-import/accounts/x/y/', undefined],
    ...taking
      .filter(([, path]) => !path.includes('graphql'))
      .map(([method, path]) => [method, path, { import_supplier: 'x', external_account_number: 'y' }] as const),
  ];

  it.each(requests)('%s %s: our own failure is reported by an id, and nothing of its cause', async (method, path, body) => {
    const given = await aSupplier();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const down = faultyDatabase(env.DB, () => 'before');
    const context = createExecutionContext();
    const response = await worker.fetch(
      new Request(`https://import.test${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Authorization: `Token ${given.token}`, 'X-Request-Id': 'mine-1' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
      { ...env, DB: down.db },
      context,
    );
    await waitOnExecutionContext(context);
    expect([response.status, await response.json()]).toEqual([
      500,
      { detail: 'An unexpected error occurred. Send the request again.', code: 'error', request_id: 'mine-1' },
    ]);
    expect(response.headers.get('X-Request-Id')).toBe('mine-1');
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toContainEqual(
      expect.objectContaining({ event: 'request_failed', request_id: 'mine-1', cause: 'Error: Network connection lost.' }),
    );
    log.mockRestore();
  });

  it('is for a document store that fails, never 400, and nothing is stored', async () => {
    const given = await aSupplier();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const context = createExecutionContext();
    const account = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: [{ document_path: 'a.pdf' }] }] };
    const response = await worker.fetch(
      new Request('https://import.test/v2/data-import/accounts/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Token ${given.token}` },
        body: JSON.stringify(account),
      }),
      { ...env, DOCUMENTS: failingBucket(env.DOCUMENTS) },
      context,
    );
    await waitOnExecutionContext(context);
    log.mockRestore();
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'error' }]);
    expect(await readRow('SELECT 1 FROM import_processes WHERE supplier_id = ?', given.supplierId)).toBeNull();
  });
});

describe('every answer', () => {
  it.each([
    ['GET', '/healthz/', 200],
    ['GET', '/nowhere/', 404],
    ['PUT', '/healthz/', 405],
    ['POST', '/v2/data-import/accounts/', 401],
  ])('has a request id and the security headers: %s %s', async (method, path, status) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'strict-transport-security': expect.stringMatching(/^max-age=\d+/),
      'content-type': 'application/json',
    });
  });

  it.each(['abc', 'A-Z.0_9', 'x'.repeat(128)])('gives the request id %s back', async (id) => {
    expect((await call('GET', '/nowhere/', { headers: { 'X-Request-Id': id } })).headers.get('X-Request-Id')).toBe(id);
  });

  it.each(['', 'a b', 'a,b', 'ä', 'x'.repeat(129), '<script>', '{jndi:x}'])('does not give %j back as its id', async (id) => {
    const { headers } = await call('GET', '/nowhere/', { headers: { 'X-Request-Id': id } });
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
