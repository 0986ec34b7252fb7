/**
 * What SECURITY.md promises. Isolation of organisations has a file of its own; so have tokens and vendors, of which the
 * essential is repeated here against every endpoint.
 */

import { createExecutionContext, createMessageBatch } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { sign } from 'hono/jwt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { consume } from '../../src/consumers';
import { type Bindings, depsFrom } from '../../src/deps';
import { appOf, ENDPOINTS } from '../../src/routes';
import { everyMinute } from '../../src/scheduled';
import { issueToken } from '../../src/tokens/token';
import worker from '../../src/worker';
import { failingBucket } from '../support/faults';
import { anAddress, anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { OPERATOR as OPERATOR_TOKEN } from '../support/operator';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { keyOf, type Pair, requestOf, SAMPLES, type Sample } from '../support/samples';
import { readRow, readRows } from '../support/tables';
import { textOf } from '../support/text';
import { readOnlyDatabase } from '../support/trouble';

// Many requests in one test, on machines of any speed.
vi.setConfig({ testTimeout: 60_000 });

const KEYS = ENDPOINTS.map(([method, path]) => keyOf(method, path)).filter((key) => key in SAMPLES);
const POSTS = KEYS.filter((key) => key.startsWith('POST'));
const OPERATOR = ENDPOINTS.filter(([, path]) => path.startsWith('/operator/v'));

interface Ours extends Pair {
  readonly given: GivenSupplier;
  readonly accountId: number;
}

async function ours(): Promise<Ours> {
  const given = await aSupplier();
  const account = await anImportedAccount(given);
  return { given, supplier: given.code, account: account.externalAccountNumber, accountId: account.id };
}

const samplesOf = (key: string, pair: Pair): Sample[] => SAMPLES[key]?.(pair) ?? [];

/** Sends a request to a service that is configured otherwise. */
const sendTo = async (settings: Partial<Bindings>, request: Request<unknown, IncomingRequestCfProperties>) =>
  worker.fetch(request, { ...env, ...settings }, createExecutionContext());

const countOf = async (table: string): Promise<number> => (await readRow<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n ?? 0;

const DATA_TABLES = ['import_processes', 'payloads', 'accounts', 'notes', 'transactions', 'statements', 'payment_instructions'];
const storedCounts = () => Promise.all(DATA_TABLES.map(countOf));

/** The first sample of an endpoint, which would be accepted from its owner. */
function good(key: string, pair: Pair): Sample {
  const [sample] = samplesOf(key, pair);
  if (!sample) throw new Error(`no sample of ${key}`);
  return sample;
}

/** Answers of every endpoint to its good sample with these headers. */
const everywhere = (pair: Pair, headers: Record<string, string>, settings: Partial<Bindings> = {}) =>
  Promise.all(KEYS.map(async (key) => ({ key, answer: await sendTo(settings, requestOf(key, good(key, pair), headers)) })));

describe('tokens that were tampered with', () => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');

  async function tampered({ given }: Ours, other: GivenSupplier): Promise<Record<string, string>> {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: 'account-data-import', sub: given.organisationId, kid: given.apiKeyId, iat: now, exp: now + 3600 };
    const [head = '', body = '', signature = ''] = given.token.split('.');
    const [, otherBody = '', otherSignature = ''] = other.token.split('.');
    const key = env.TOKEN_SIGNING_KEY;
    return {
      'alg none': `${part({ alg: 'none', typ: 'JWT' })}.${body}.`,
      'alg none, signature kept': `${part({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`,
      'no signature': `${head}.${body}.`,
      HS384: await sign(claims, key, 'HS384'),
      HS512: await sign(claims, key, 'HS512'),
      'another key': await sign(claims, `${key}!`, 'HS256'),
      'an empty key': await sign(claims, ' ', 'HS256'),
      'another header, same signature': `${part({ alg: 'HS256', typ: 'JWT', kid: '../../dev/null' })}.${body}.${signature}`,
      'claims of another organisation': `${head}.${otherBody}.${signature}`,
      'signature of another token': `${head}.${body}.${otherSignature}`,
      'claims changed': `${head}.${part({ ...claims, exp: now + 999_999 })}.${signature}`,
      'signature cut': given.token.slice(0, -2),
      'expired this second': await sign({ ...claims, iat: now - 3600, exp: now }, key, 'HS256'),
      'issued in the future': await sign({ ...claims, iat: now + 3600, exp: now + 7200 }, key, 'HS256'),
      'no expiry': await sign({ iss: claims.iss, sub: claims.sub, kid: claims.kid, iat: now }, key, 'HS256'),
      'expiry as text': await sign({ ...claims, exp: String(now + 3600) as unknown as number }, key, 'HS256'),
      'no key id': await sign({ iss: claims.iss, sub: claims.sub, iat: now, exp: now + 3600 }, key, 'HS256'),
      'another issuer': await sign({ ...claims, iss: 'account-data-exports' }, key, 'HS256'),
      'key of another organisation': await sign({ ...claims, kid: other.apiKeyId }, key, 'HS256'),
      'organisation of another key': await sign({ ...claims, sub: other.organisationId }, key, 'HS256'),
    };
  }

  it('are refused by every endpoint, and store nothing', async () => {
    const [we, other] = [await ours(), await aSupplier()];
    const before = await storedCounts();
    for (const [how, token] of Object.entries(await tampered(we, other))) {
      for (const { key, answer } of await everywhere(we, { Authorization: `Token ${token}` })) {
        expect([answer.status, await answer.json()], `${key}: ${how}`).toEqual([
          401,
          { detail: expect.any(String), code: 'authentication_failed' },
        ]);
        expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
      }
    }
    expect(await storedCounts()).toEqual(before);
  });

  it('of the previous signing key are good during a rotation and no longer than it', async () => {
    const we = await ours();
    const [key] = KEYS.filter((one) => one.includes('validate'));
    const request = () => requestOf(key ?? '', good(key ?? '', we), { Authorization: `Token ${we.given.token}` });
    const rotated = { TOKEN_SIGNING_KEY: 'the-next-signing-key-of-at-least-32-bytes' };
    expect((await sendTo({ ...rotated, TOKEN_SIGNING_KEY_PREVIOUS: env.TOKEN_SIGNING_KEY }, request())).status).toBe(200);
    expect((await sendTo(rotated, request())).status).toBe(401);
    expect((await sendTo({ ...rotated, TOKEN_SIGNING_KEY_PREVIOUS: '' }, request())).status).toBe(401);
  });

  it('of a revoked key are refused by every endpoint at the next request', async () => {
    const we = await ours();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(we.given.apiKeyId).run();
    const before = await storedCounts();
    for (const { key, answer } of await everywhere(we, { Authorization: `Token ${we.given.token}` })) expect(answer.status, key).toBe(401);
    expect(await storedCounts()).toEqual(before);
  });

  it('are taken from the header alone', async () => {
    const we = await ours();
    for (const key of KEYS) {
      const sample = good(key, we);
      const path = `${sample.path}${sample.path.includes('?') ? '&' : '?'}token=${we.given.token}&access_token=${we.given.token}`;
      const answer = await exports.default.fetch(requestOf(key, { ...sample, path }, { Cookie: `token=${we.given.token}` }));
      expect([answer.status, await answer.json()], key).toEqual([401, { detail: expect.any(String), code: 'not_authenticated' }]);
    }
  });
});

describe('the rate of an organisation', () => {
  const limited = { ORGANISATION_RATE: env.SMALL_RATE };
  const bearing = ({ token }: GivenSupplier) => ({ Authorization: `Token ${token}` });

  it('is limited over all its keys and endpoints; beyond it nothing is stored, and others go on', async () => {
    const [we, they] = [await ours(), await ours()];
    const sibling = await aSupplier({ organisationId: we.given.organisationId });
    const [key] = POSTS;
    const sample = good(key ?? '', we);
    const first = await Promise.all(
      [we.given, sibling, we.given, sibling, we.given].map((one) => sendTo(limited, requestOf(key ?? '', sample, bearing(one)))),
    );
    expect(first.map(({ status }) => status)).not.toContain(429);
    const before = await storedCounts();
    for (const one of [we.given, sibling]) {
      for (const { key: where, answer } of await everywhere(we, bearing(one), limited)) {
        expect([answer.status, await answer.json()], where).toEqual([429, { detail: expect.any(String), code: 'throttled' }]);
        expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
      }
    }
    expect(await storedCounts()).toEqual(before);
    expect((await sendTo(limited, requestOf(key ?? '', good(key ?? '', they), bearing(they.given)))).status).not.toBe(429);
  });

  it('is not used up by requests without a good token', async () => {
    const we = await ours();
    const [, forged = ''] = (await issueToken(we.given, { current: 'x'.repeat(32) }, Date.now())).token.split('.');
    const [key] = KEYS;
    for (let i = 0; i < 10; i++) {
      const answer = await sendTo(limited, requestOf(key ?? '', good(key ?? '', we), { Authorization: `Token e30.${forged}.x` }));
      expect(answer.status).toBe(401);
    }
    expect((await sendTo(limited, requestOf(key ?? '', good(key ?? '', we), bearing(we.given)))).status).not.toBe(429);
  });
});

describe('the size of a body', () => {
  const MEBIBYTE = 1_048_576;
  const json = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  /** A body of unknown length in pieces of 64 KiB, and how much of it was read. */
  function stream(text: string) {
    const bytes = new TextEncoder().encode(text);
    const read = { bytes: 0 };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = bytes.slice(read.bytes, read.bytes + 65_536);
        read.bytes += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    return { body, read };
  }

  // Bulk and a run's list take lines; holding and cancelling a run, and trying and rotating a webhook read no body.
  const takesJson = (key: string) => !/bulk|reconciliation|\/hold\/|\/cancel\/|\/(?:test|rotate-secret)\//.test(key);
  const paths = [...POSTS.filter(takesJson).map((key) => key.slice('POST '.length)), '/v1/graphql/'];

  it.each(paths)('%s takes 1 MiB and answers 413 to a byte more, with and without Content-Length, having read it all', async (path) => {
    const { token } = await aSupplier();
    const headers = { 'Content-Type': 'application/json', Authorization: `Token ${token}` };
    for (const [bytes, status] of [
      [MEBIBYTE, 400],
      [MEBIBYTE + 1, 413],
      [3 * MEBIBYTE, 413],
    ] as const) {
      const shown = new Request(`https://import.test${path}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(bytes) },
        body: json(bytes),
      });
      const unsized = stream(json(bytes));
      const chunked = new Request(`https://import.test${path}`, { method: 'POST', headers, body: unsized.body });
      for (const answer of [await exports.default.fetch(shown), await exports.default.fetch(chunked)]) {
        expect(answer.status).toBe(status);
        if (status === 413) expect(await answer.json()).toEqual({ detail: expect.any(String), code: 'payload_too_large' });
      }
      expect(unsized.read.bytes).toBe(bytes);
    }
  });
});

describe('what every answer carries', () => {
  function expectHeaders(answer: Response, where: string) {
    const { headers } = answer;
    expect(headers.get('X-Content-Type-Options'), where).toBe('nosniff');
    expect(headers.get('Referrer-Policy'), where).toBe('no-referrer');
    expect(headers.get('Strict-Transport-Security'), where).toMatch(/^max-age=\d{8}/);
    expect(headers.get('Content-Security-Policy'), where).toContain("frame-ancestors 'none'");
    expect(headers.get('Cache-Control'), where).toBeTruthy();
    expect(headers.get('X-Request-Id'), where).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    for (const name of ['Server', 'X-Powered-By', 'Access-Control-Allow-Origin']) expect(headers.get(name), `${where}: ${name}`).toBeNull();
  }

  it('is there with and without a token, for known and unknown paths and methods, and when we fail', async () => {
    const we = await ours();
    const token = { Authorization: `Token ${we.given.token}` };
    const broken: Partial<Bindings> = { DB: brokenDatabase('out of order') };
    for (const [method, path] of ENDPOINTS) {
      const address = `https://import.test${path.replace(/:[^/]+/g, 'x')}`;
      for (const headers of [{}, token]) {
        for (const verb of [method, 'PUT', 'OPTIONS']) {
          const init = { method: verb, headers: { ...headers, Origin: 'https://evil.example' }, redirect: 'manual' as const };
          expectHeaders(await exports.default.fetch(new Request(address, init)), `${verb} ${path}`);
        }
      }
    }
    expectHeaders(await exports.default.fetch('https://import.test/nowhere'), 'nowhere');
    for (const { key, answer } of await everywhere(we, token, broken)) {
      expect(answer.status, key).toBe(500);
      expectHeaders(answer, key);
    }
    for (const { key, answer } of await everywhere(we, token)) {
      expectHeaders(answer, key);
      expect(answer.headers.get('Cache-Control'), key).toBe('no-store');
    }
  });
});

/** Fails every statement with a message that quotes what it was given, as databases do. */
function brokenDatabase(quoted: string): D1Database {
  return new Proxy(env.DB, {
    get(target, key) {
      if (key === 'batch' || key === 'exec') return () => Promise.reject(new Error(`D1_ERROR: malformed value '${quoted}': SQLITE_ERROR`));
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

describe('what is never shown', () => {
  // With a field's name and a number it has to fit into a title of 20 characters.
  const CANARY = 'canary9f';
  let printed: string[] = [];

  beforeEach(() => {
    printed = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
      vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
        printed.push(
          values
            .map((value) => (value instanceof Error ? `${value.stack}` : typeof value === 'string' ? value : JSON.stringify(value)))
            .join(' '),
        );
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const FREE_TEXT =
    /^(?:body|note|display_note|billing_(?!email)\w+|company_\w+|sales_\w+|given_name|family_name|title|salutation|pronouns|street_address|locality|name|organization|key|system|tariff_code|account_holder|account_number|sort_code|iban|reference|mpxn|identifier|serial_number|transaction_id|statement_id|number|supply_address\d|supply_postcode)$/;

  let canaries = 0;
  /** A copy with a canary in each text (or each free text), but for the names that `kept` knows. */
  function withCanaries(value: unknown, kept: ReadonlySet<string>, only?: RegExp, name = ''): unknown {
    if (typeof value === 'string') return kept.has(name) || (only && !only.test(name)) ? value : `${CANARY}-${name}-${++canaries}`;
    if (Array.isArray(value)) return value.map((item) => withCanaries(item, kept, only, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withCanaries(item, kept, only, key)]));
  }

  const PAIR = new Set(['import_supplier', 'external_account_number']);
  const variants = ({ body, lines, ...sample }: Sample): Sample[] =>
    [
      [PAIR, FREE_TEXT] as const,
      [PAIR, undefined] as const,
      [new Set(['import_supplier']), FREE_TEXT] as const,
      [new Set<string>(), undefined] as const,
    ].map(([kept, only]) => ({
      ...sample,
      ...(lines ? { lines: lines.map((line) => withCanaries(line, kept, only)) } : { body: withCanaries(body, kept, only) }),
    }));

  it('personal data is in no log line and in no error, whatever field it stands in and whatever happens', async () => {
    const we = await ours();
    const settings: Partial<Bindings>[] = [{}, { DB: brokenDatabase(CANARY) }, { STRIPE_API_BASE: 'http://127.0.0.1:1' }];
    const statuses = new Set<number>();
    for (const key of POSTS) {
      for (const sample of samplesOf(key, we).flatMap(variants)) {
        for (const one of key.includes('payment') ? settings : settings.slice(0, 2)) {
          const answer = await sendTo(one, requestOf(key, sample, { Authorization: `Token ${we.given.token}` }));
          statuses.add(answer.status);
          const text = await textOf(answer);
          if (answer.status >= 500)
            expect(text.replace(/"(?:reference|external_account_number|import_supplier)":"[^"]*"/g, ''), key).not.toContain(CANARY);
          for (const [, detail] of text.matchAll(/"(?:detail|error_detail)":"((?:[^"\\]|\\.)*)"/g))
            expect(detail, key).not.toContain(CANARY);
        }
      }
    }
    const named = { name: CANARY, label: CANARY, code: `${CANARY}-${canaries}`, organisation_id: we.given.organisationId, reason: CANARY };
    const configuration = { default_country: 'GB', documents_root: CANARY, extra_charge_reasons: [CANARY.toUpperCase()] };
    for (const [method, path] of OPERATOR.filter(([verb]) => verb === 'POST' || verb === 'PATCH')) {
      for (const body of [
        { ...named, configuration },
        { ...named, configuration: { [CANARY]: CANARY } },
        { name: 1, code: [CANARY], status: CANARY },
      ]) {
        for (const one of settings.slice(0, 2)) {
          const headers = { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };
          const address = path
            .replace(':external', encodeURIComponent(we.account))
            .replace(/:[^/]+/g, encodeURIComponent(we.given.organisationId));
          statuses.add((await sendTo(one, requestOf(method, { path: address, body }, headers))).status);
        }
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 404, 500]));
    expect(printed.length).toBeGreaterThan(0);
    expect(printed.filter((line) => line.includes(CANARY)).slice(0, 3)).toEqual([]);
  });

  it('personal data of an account is in no log line on its way through the queue, nor when its import fails', async () => {
    const we = await ours();
    const token = { Authorization: `Token ${we.given.token}` };
    const statusOf = async (external: string) =>
      (await readRow<{ status: number }>('SELECT status FROM import_processes WHERE external_account_number = ?', external))?.status;
    const externals = [1, 2].map((n) => `${CANARY}-${n}-${crypto.randomUUID()}`);
    for (const [n, account] of externals.entries()) {
      const body = withCanaries(aFullAccount(we.supplier, account), PAIR, FREE_TEXT);
      expect((await call('POST', '/v2/data-import/accounts/validate/', { token: we.given.token, body })).body).toEqual({});
      const key = 'POST /v2/data-import/accounts/';
      const answer = await exports.default.fetch(requestOf(key, { path: '/v2/data-import/accounts/', body }, token));
      expect([answer.status, await textOf(answer)]).toEqual([201, expect.any(String)]);
      // What was staged by an older version may not pass the rules of today.
      if (n === 1)
        await env.DB.prepare(`UPDATE payloads SET body = replace(body, '"GB"', '"${CANARY}"') WHERE instr(body, ?)`).bind(account).run();
    }
    await vi.waitFor(async () => expect(await Promise.all(externals.map(statusOf))).toEqual([2, 3]), { timeout: 20_000, interval: 100 });
    expect(printed.filter((line) => line.includes(CANARY)).slice(0, 3)).toEqual([]);
  });

  it('an account number, ours or the importer’s, is in no log line: not from an address, nor a body, nor what fails on its way', async () => {
    const we = await ours();
    const account = `${CANARY}-${crypto.randomUUID()}`;
    await env.DB.prepare('UPDATE import_processes SET external_account_number = ? WHERE id = ?').bind(account, we.accountId).run();
    const { account_number: platformNumber } = (await readRow<{ account_number: string }>(
      'SELECT account_number FROM import_processes WHERE id = ?',
      we.accountId,
    )) ?? { account_number: '' };
    const pair = { supplier: we.supplier, account };
    const failing: Partial<Bindings>[] = [
      {},
      { DB: brokenDatabase(account) },
      { DB: readOnlyDatabase() },
      { DOCUMENTS: failingBucket(env.DOCUMENTS) },
      { TOKEN_SIGNING_KEY: 'too short' },
    ];
    const statuses = new Set<number>();
    for (const settings of failing) {
      for (const { answer } of await everywhere(pair, { Authorization: `Token ${we.given.token}` }, settings)) {
        statuses.add(answer.status);
        await answer.body?.cancel();
      }
      for (const [method, path] of OPERATOR.filter(([, where]) => where.includes(':external'))) {
        const address = path.replace(':code', encodeURIComponent(we.supplier)).replace(':external', encodeURIComponent(account));
        const request = requestOf(method, { path: address, ...(method === 'GET' ? {} : { body: {} }) }, OPERATOR_TOKEN);
        statuses.add((await sendTo(settings, request)).status);
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 500, 503]));
    const message = { v: 1, supplier_id: we.given.supplierId, process_ids: [we.accountId], sent_at: Date.now() };
    for (const settings of failing.slice(0, 4)) {
      const deps = depsFrom({ ...env, ...settings }, createExecutionContext());
      for (const queue of ['account-imports', 'account-imports-dead-letters'])
        await consume(createMessageBatch(queue, [{ id: 'm', timestamp: new Date(), attempts: 1, body: message }]), deps);
      await everyMinute(deps);
    }
    expect(printed.length).toBeGreaterThan(0);
    expect(platformNumber).toMatch(/^A-/);
    for (const number of [account, platformNumber]) expect(printed.filter((line) => line.includes(number)).slice(0, 3)).toEqual([]);
  });

  it('credentials are in no log line and in no answer', async () => {
    const { token } = await aSupplier();
    const secrets = [
      token,
      env.TOKEN_SIGNING_KEY,
      String(env.OPERATOR_TOKEN),
      String(env.PLATFORM_TOKEN),
      String(env.STRIPE_API_KEY),
      String(env.GOCARDLESS_ACCESS_TOKEN),
    ];
    const answers: string[] = [];
    for (const settings of [{}, { DB: brokenDatabase(token) }, { STRIPE_API_KEY: 'sk_canary', STRIPE_API_BASE: 'http://127.0.0.1:1' }]) {
      for (const [method, path] of ENDPOINTS) {
        for (const credentials of [`Token ${token}`, `Bearer ${CANARY}`, `Token ${CANARY}.${CANARY}.${CANARY}`]) {
          const address = `https://import.test${path.replace(/:[^/]+/g, 'x')}`;
          const body = method === 'GET' || method === 'DELETE' ? {} : { body: `{"query": "{ ${CANARY} }", "api_key": "${CANARY}"` };
          const headers = { Authorization: credentials, 'Content-Type': 'application/json', 'CF-Connecting-IP': anAddress() };
          const request = new Request<unknown, IncomingRequestCfProperties>(address, { method, headers, redirect: 'manual', ...body });
          answers.push(await (await sendTo(settings, request)).text());
        }
      }
      const query = `mutation { obtainPlatformToken(input: {APIKey: "${CANARY}"}) { token } }`;
      const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': `203.0.113.${answers.length % 250}` };
      const request = new Request<unknown, IncomingRequestCfProperties>('https://import.test/v1/graphql/', {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      answers.push(await (await sendTo(settings, request)).text());
    }
    const shown = [...printed, ...answers].join('\n');
    for (const secret of [...secrets, CANARY]) expect(shown.includes(secret)).toBe(false);
  });
});

it('no address makes the service fail, whoever asks', async () => {
  const we = await ours();
  // A service that sweeps, as a running one does: else /readyz is right to say that this one does not.
  await everyMinute(depsFrom(env, createExecutionContext()));
  const signIn = new URLSearchParams({ token: String(env.OPERATOR_TOKEN) });
  const address = 'https://import.test/operator/sign-in/';
  const headers = { 'Content-Length': String(signIn.toString().length), 'Content-Type': 'application/x-www-form-urlencoded' };
  const session = await exports.default.fetch(
    new Request(address, { method: 'POST', headers, body: signIn.toString(), redirect: 'manual' }),
  );
  const credentials = [
    { Authorization: `Token ${we.given.token}` },
    { Authorization: `Bearer ${env.OPERATOR_TOKEN}` },
    { Cookie: session.headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail() },
  ];
  const hostile = [
    '%zz',
    '%00',
    '%ff',
    '%2e%2e',
    '%0d%0aX: y',
    'é',
    '%F0%9F%90%95',
    "'--",
    '<script>',
    '*',
    '%25',
    '9'.repeat(400),
    '%ED%A0%80',
    we.supplier,
  ];
  const names = [
    'cursor',
    'limit',
    'status',
    'prefix',
    'code',
    'to',
    'n',
    'told',
    'next',
    'organisation',
    'mode',
    'error_code',
    'actor',
    'minutes',
  ];
  const overview = await exports.default.fetch(
    new Request('https://import.test/operator/', { headers: credentials[2] ?? {}, redirect: 'manual' }),
  );
  expect(overview.status).toBe(200);
  const failures: string[] = [];
  for (const { method, path } of appOf(depsFrom).routes) {
    if (!['GET', 'DELETE', 'POST', 'PATCH'].includes(method) || path.includes('*')) continue;
    for (const value of hostile) {
      const query = names.map((name) => `${name}=${value}`).join('&');
      const target = `https://import.test${path.replace(/:[^/]+/g, value)}?${query}`;
      for (const who of credentials) {
        const answer = await exports.default.fetch(new Request(target, { method, headers: who, redirect: 'manual' }));
        await answer.body?.cancel();
        if (answer.status >= 500) failures.push(`${method} ${target.slice(0, 150)}: ${answer.status}`);
      }
    }
  }
  expect(failures).toEqual([]);
});

it('full card and account numbers are in no table, whichever way they came', async () => {
  const we = await ours();
  const account = `EXT-${crypto.randomUUID()}`;
  const numbers = ['4242424242424242', '5555 5555 5555 4444', '55779911', 'GB33 BUKB 2020 1555 5555 55'];
  const [cardNumber, spaced, accountNumber, iban] = numbers;
  const payment_instructions = [
    { vendor: 'STRIPE', type: 'CARD', reference: 'pm_1', card: { number: cardNumber, last_digits: '4242', more: { pan: spaced } } },
    { vendor: 'GOCARDLESS', type: 'DIRECT_DEBIT', bank_account: { account_holder: 'A Bell', account_number: accountNumber, iban } },
  ];
  const body = { ...aSmallAccount(we.supplier, account), payment_instructions };
  expect((await call('POST', '/v2/data-import/accounts/', { token: we.given.token, body })).status).toBe(201);
  for (const reference of numbers) {
    const instruction = {
      import_supplier: we.supplier,
      external_account_number: we.account,
      vendor: 'STRIPE',
      reference: `status-404~${reference}`,
    };
    const answer = await call('POST', '/v1/data-import/payment-instruction/create/', {
      token: we.given.token,
      body: { ...instruction, type: 'CARD' },
    });
    expect(answer.status).toBe(400);
  }
  const status = () => readRow('SELECT status FROM import_processes WHERE external_account_number = ?', account);
  await vi.waitFor(async () => expect(await status()).toEqual({ status: 2 }), { timeout: 20_000, interval: 100 });
  const tables = await readRows<{
    name: string;
  }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '[_s][cq]*'");
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(DATA_TABLES));
  const rows = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)));
  const everything = JSON.stringify(rows.map(({ results }) => results));
  expect(everything).toContain(account);
  for (const number of numbers) {
    expect(everything).not.toContain(number);
    expect(everything).not.toContain(number.replaceAll(' ', ''));
  }
});

describe('OWASP API Security Top 10 (2023)', () => {
  it('API1 broken object level authorization: an account of another organisation is neither read nor written', async () => {
    const [we, they] = [await ours(), await ours()];
    const before = await storedCounts();
    for (const { key, answer } of await everywhere(they, { Authorization: `Token ${we.given.token}` })) {
      const isInBody =
        key.startsWith('POST /v2/data-import/accounts/') || /^(?:POST|PATCH) \/v2\/data-import\/webhooks\/(?::\/)?$/.test(key);
      // One's own suppliers and webhooks are listed whoever else there is.
      const isOwn = key.includes('bulk') || /^GET \/v2\/data-import\/(?:import-suppliers|webhooks)\/$/.test(key);
      expect([key, answer.status]).toEqual([key, isOwn ? 200 : isInBody ? 400 : 404]);
      expect(await textOf(answer)).not.toContain('"status":"SCHEDULED"');
    }
    expect(await storedCounts()).toEqual(before);
  });

  it('API2 broken authentication: without a good token no endpoint but the open ones answers', async () => {
    const open = new Set([
      '/healthz/',
      '/readyz/',
      '/favicon.ico/',
      '/openapi.json/',
      '/docs/',
      '/docs/:page{[a-z0-9./-]+}',
      '/tools/',
      '/tools/:file/',
      '/v1/graphql/',
    ]);
    for (const [method, path] of ENDPOINTS.filter(([, one]) => !open.has(one))) {
      for (const credentials of ['', 'Token', 'Token undefined', 'Basic YTpi', 'Token null.null.null', `Bearer ${'x'.repeat(5_000)}`]) {
        const headers = { Authorization: credentials, 'CF-Connecting-IP': anAddress() };
        const init = { method, headers, redirect: 'manual' as const };
        const answer = await exports.default.fetch(new Request(`https://import.test${path.replace(/:[^/]+/g, 'x')}`, init));
        expect([401, 403], `${method} ${path} ${credentials.slice(0, 30)}`).toContain(answer.status);
      }
    }
  });

  it('API3 broken object property level authorization: properties that are ours cannot be set, and are not shown', async () => {
    const we = await ours();
    const imposed = {
      id: 1,
      status: 'PROCESSED',
      supplier_id: 1,
      account_number: 'A-00000000',
      attempts: 99,
      created_at: 1,
      position: 7,
      organisation_id: 'org',
    };
    const polluting = `"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}`;
    const external = `EXT-${crypto.randomUUID()}`;
    const account = JSON.stringify({ ...imposed, import_supplier: we.supplier, external_account_number: external }).replace(
      '{',
      `{${polluting},`,
    );
    const windowed = account.replace('{', '{"task_params":{"schedule_window_start":"2999-01-01T00:00:00Z"},');
    expect((await call('POST', '/v2/data-import/accounts/', { token: we.given.token, body: windowed })).status).toBe(201);
    const row = await readRow('SELECT * FROM import_processes WHERE external_account_number = ?', external);
    expect(row).toMatchObject({ supplier_id: we.given.supplierId, status: 0, attempts: 0, account_number: null });
    expect(row?.['id']).not.toBe(1);
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();

    const instruction = { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD', details: { last_four: '0000' }, ...imposed };
    const body = { ...instruction, import_supplier: we.supplier, external_account_number: we.account };
    const answer = await call('POST', '/v1/data-import/payment-instruction/create/', { token: we.given.token, body });
    expect(Object.keys(answer.body as object)).toEqual(['platform_account_number', 'reference']);
    const stored = await readRow('SELECT position, details FROM payment_instructions WHERE account_id = ?', we.accountId);
    expect(stored).toMatchObject({ position: 0, details: expect.stringContaining('4242') });
  });

  it('API4 unrestricted resource consumption: size, depth, length and number are bounded', async () => {
    const we = await ours();
    const before = await storedCounts();
    const named = { import_supplier: we.supplier, external_account_number: we.account };
    const post = (path: string, body: unknown) => call('POST', path, { token: we.given.token, body });
    expect(
      (await post('/v1/data-import/notes/create/', { ...named, notes: Array.from({ length: 501 }, () => ({ body: 'x' })) })).body,
    ).toMatchObject({
      errors: [{ attr: 'notes', code: 'max_length' }],
    });
    const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect((await post('/v1/data-import/notes/create/', deep)).body).toMatchObject({ code: 'parse_error' });
    const graphql = async (body: unknown) => JSON.stringify((await call('POST', '/v1/graphql/', { body })).body);
    const field = 'obtainPlatformToken(input: {APIKey: "x"}) { token }';
    const aliases = Array.from({ length: 50 }, (_, i) => `a${i}: ${field}`).join(' ');
    const nested = `query { __schema { types { ${'fields { type { '.repeat(20)} name ${'} }'.repeat(20)} } } }`;
    for (const query of [
      `mutation { ${aliases} }`,
      nested,
      `mutation A { ${field} } mutation B { ${field} }`,
      `{ ${'isAlive '.repeat(5_000)} }`,
    ])
      expect(await graphql({ query, operationName: null })).toMatch(/^\{"errors"/);
    expect(await graphql([{ query: '{ isAlive }' }, { query: '{ isAlive }' }])).toContain('"code":"validation_error"');
    expect(await storedCounts()).toEqual(before);
  });

  it('API5 broken function level authorization: importers do not operate, and the operator does not import', async () => {
    const we = await ours();
    const before = [await countOf('organisations'), await countOf('api_keys'), await countOf('suppliers'), await countOf('audit_entries')];
    for (const [method, path] of OPERATOR) {
      for (const credentials of [`Token ${we.given.token}`, `Bearer ${we.given.token}`, we.given.token]) {
        const init = {
          method,
          headers: { Authorization: credentials, 'Content-Type': 'application/json', 'CF-Connecting-IP': anAddress() },
        };
        const body = method === 'POST' || method === 'PATCH' ? { body: '{"name": "x", "status": "Complete"}' } : {};
        const answer = await exports.default.fetch(
          new Request(`https://import.test${path.replace(/:[^/]+/g, we.supplier)}`, { ...init, ...body }),
        );
        expect(answer.status, `${method} ${path}`).toBe(401);
      }
    }
    expect([await countOf('organisations'), await countOf('api_keys'), await countOf('suppliers'), await countOf('audit_entries')]).toEqual(
      before,
    );
    for (const { key, answer } of await everywhere(we, { Authorization: `Bearer ${env.OPERATOR_TOKEN}` }))
      expect(answer.status, key).toBe(401);
  });

  it('API6 unrestricted access to sensitive business flows: twenty equal requests at once import one account', async () => {
    const we = await ours();
    const pair = { supplier: we.supplier, account: `EXT-${crypto.randomUUID()}` };
    const sample = good('POST /v2/data-import/accounts/', pair);
    const requests = Array.from({ length: 20 }, () =>
      requestOf('POST /v2/data-import/accounts/', sample, { Authorization: `Token ${we.given.token}` }),
    );
    await Promise.all(requests.map((request) => exports.default.fetch(request)));
    const row = await readRow('SELECT count(*) AS n FROM import_processes WHERE external_account_number = ?', pair.account);
    expect(row).toEqual({ n: 1 });
  });

  it('API7 server side request forgery: no field names a host, and a reference stays inside its path', async () => {
    const we = await ours();
    const hostile = [
      'http://169.254.169.254/latest',
      '//evil.example/card',
      '@evil.example',
      '../../v1/customers/x',
      '..\\..\\x',
      '%2e%2e/x',
      'x?y=z',
      'x#y',
      'x;y',
    ];
    for (const vendor of ['STRIPE', 'GOCARDLESS']) {
      for (const reference of hostile.map((one) => `${one}~${crypto.randomUUID()}`)) {
        const body = { import_supplier: we.supplier, external_account_number: we.account, vendor, reference, type: 'CARD' };
        expect((await call('POST', '/v1/data-import/payment-instruction/create/', { token: we.given.token, body })).status).toBe(400);
        const calls = await (await fetch(`${env.STRIPE_API_BASE}/double/calls/${encodeURIComponent(reference)}`)).json<
          { path: string }[]
        >();
        expect(calls.map(({ path }) => path)).toEqual([
          `${vendor === 'STRIPE' ? '/v1/payment_methods' : '/mandates'}/${encodeURIComponent(reference)}`,
        ]);
      }
    }
  });

  it('API8 security misconfiguration: closed unless configured, generic in failure, JSON for what does not exist', async () => {
    const we = await ours();
    for (const [method, path] of OPERATOR) {
      for (const credentials of ['Bearer ', 'Bearer undefined', 'Bearer null', `Bearer ${env.OPERATOR_TOKEN}`]) {
        const address = `https://import.test${path.replace(/:[^/]+/g, 'x')}`;
        const headers = { Authorization: credentials, 'Content-Type': 'application/json', 'CF-Connecting-IP': anAddress() };
        const body = method === 'POST' || method === 'PATCH' ? { body: '{}' } : {};
        const request = new Request<unknown, IncomingRequestCfProperties>(address, { method, headers, ...body });
        expect(
          (await sendTo({ OPERATOR_TOKEN: '', ACCESS_TEAM_DOMAIN: '', ACCESS_AUDIENCE: '' }, request)).status,
          `${method} ${path}`,
        ).toBe(401);
      }
    }
    for (const { key, answer } of await everywhere(we, { Authorization: `Token ${we.given.token}` }, { DB: brokenDatabase('SECRET') })) {
      expect([answer.status, await answer.json()], key).toEqual([
        500,
        { detail: expect.any(String), code: 'error', request_id: answer.headers.get('X-Request-Id') },
      ]);
    }
    for (const method of ['PUT', 'OPTIONS', 'PROPFIND'])
      expect([(await call(method, '/v2/data-import/accounts/')).status, (await call(method, '/nowhere/')).status]).toEqual([405, 404]);
  });

  it('API9 improper inventory management: what is not in the map does not answer', async () => {
    for (const path of [
      '/admin/',
      '/debug/',
      '/.env',
      '/.git/config',
      '/metrics/',
      '/graphql/',
      '/swagger.json',
      '/v0/data-import/notes/create/',
      '/v2/data-import/notes/create/',
      '/v3/data-import/accounts/',
      '/operator/v1/',
    ])
      expect((await call('GET', path)).status, path).toBe(404);
    expect(
      ENDPOINTS.filter(
        ([, path]) =>
          !/^\/(?:v[12]\/(?:data-import|graphql)|operator|platform|healthz|readyz|favicon\.ico|openapi\.json|docs|tools)(?:\/|$)/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  it('API10 unsafe consumption of APIs: what a vendor answers is bounded, checked and cut to what is needed', async () => {
    const we = await ours();
    const post = (reference: string, type: string) => {
      const body = { import_supplier: we.supplier, external_account_number: we.account, vendor: 'STRIPE', reference, type };
      return call('POST', '/v1/data-import/payment-instruction/create/', { token: we.given.token, body });
    };
    for (const behaviour of ['redirect', 'oversized', 'not-json', 'other-json', 'no-content'])
      expect((await post(`${behaviour}~${crypto.randomUUID()}`, 'CARD')).body).toMatchObject({ code: 'vendor_unavailable' });
    expect((await post(`card~${crypto.randomUUID()}`, 'CARD')).status).toBe(201);
    const row = await readRow<{ details: string }>('SELECT details FROM payment_instructions WHERE account_id = ?', we.accountId);
    expect(Object.keys(JSON.parse(row?.details ?? '{}') as object).sort()).toEqual(['expiry', 'holder', 'last_four', 'scheme']);
    expect(row?.details).not.toMatch(/\d{5}/);
  });
});
