/**
 * No look-up by what a request says reaches a prototype. Each name that every object inherits is tried in every place of every
 * endpoint and page, and has to be answered as a word that nobody knows.
 */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import published from '../../public/openapi.json';
import { query } from '../../src/db';
import { beat } from '../../src/health';
import { anAddress, anImportedAccount, aSupplier } from '../support/given';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** A word that nobody knows, and that no earlier request has stored. */
const aWord = () => `w${crypto.randomUUID().slice(0, 8)}`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: unknown;
  readonly authorization: string | undefined;
}

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }> };
}

const { token, code } = await aSupplier();
// The service is ready: a sweep has run.
await query(env.DB, beat({ name: 'sweep', at: Date.now() }));
const operations: readonly (readonly [string, Operation])[] = Object.entries(
  published.paths as Record<string, Record<string, Described>>,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, one]): [string, Operation] => {
    const isOperators = JSON.stringify(one.security).includes('operatorToken');
    return [
      one.operationId,
      {
        method: method.toUpperCase(),
        path,
        query: (one.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        body: Object.values(Object.values(one.requestBody?.content ?? {})[0]?.examples ?? {})[0]?.value,
        authorization: isOperators ? `Bearer ${env.OPERATOR_TOKEN}` : one.security.length > 0 ? `Token ${token}` : undefined,
      },
    ];
  }),
);

/** What an accepted request of an operation leaves, and the next one would be answered otherwise for: gone before each is asked. */
const LEFT: Readonly<Record<string, string>> = {
  putRun: 'runs',
  createOperatorToken: 'operator_tokens',
  createAlertAddress: 'alert_addresses',
};

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The table that is emptied first. */
  readonly left?: string | undefined;
}

/** The status, and the codes of what was wrong: what has to be the same for one unknown word as for another. */
async function ask({ method = 'GET', path, headers = {}, body, left }: Asked): Promise<string> {
  if (left) await env.DB.exec(`DELETE FROM ${left}`);
  const response = await exports.default.fetch(
    new Request(`https://import.test${path}`, {
      method,
      headers: { 'CF-Connecting-IP': anAddress(), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  if (response.status >= 500) return `${response.status} ${text.slice(0, 60)}`;
  if (response.headers.get('Content-Type')?.startsWith('text/html'))
    return `${response.status} ${/role="(?:status|alert)"/.exec(text)?.[0]}`;
  return `${response.status} ${[...text.matchAll(/"(?:code|errorCode)":"([^"]+)"/g)].map(([, one]) => one).join(' ')}`;
}

/** Asks with each name, and once with a word instead: all have to be answered alike. */
async function asIfUnknown(make: (name: string) => readonly Asked[]): Promise<void> {
  const expected: string[] = [];
  for (const one of make(aWord())) expected.push(await ask(one));
  const wrong = expected.filter((answer) => answer.startsWith('5'));
  for (const name of NAMES) {
    for (const [index, one] of make(name).entries()) {
      const got = await ask(one);
      if (got !== expected[index]) wrong.push(`${one.method ?? 'GET'} ${one.path} ${one.body ?? ''}: ${got}, not ${expected[index]}`);
    }
  }
  expect(wrong).toEqual([]);
}

const encoded = encodeURIComponent;
const withPath = (path: string, fill: string) => path.replace(/\{\w+\}/g, encoded(fill));

function headersOf({ authorization, body }: Operation): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(body === undefined ? {} : { 'Content-Type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
  };
}

const textOf = (body: unknown): string | undefined => (body === undefined || typeof body === 'string' ? body : JSON.stringify(body));

describe.each(operations)('%s', (name, operation) => {
  const { method, path, query, body } = operation;
  const base = { method, headers: headersOf(operation), left: LEFT[name], ...(body === undefined ? {} : { body: textOf(body) ?? '' }) };

  it('takes them in the path and in the query as values and as names', async () => {
    await asIfUnknown((name) => [
      ...(path.includes('{') ? [{ ...base, path: withPath(path, name) }] : []),
      ...query.map((parameter) => ({ ...base, path: `${withPath(path, code)}?${parameter}=${encoded(name)}` })),
      { ...base, path: `${withPath(path, code)}?${encoded(name)}=1` },
      { ...base, path: `${withPath(path, code)}?${encoded(name)}=1&${encoded(name)}=2` },
    ]);
  });

  it.runIf(typeof body === 'object')('takes them in the body, as keys and as values', async () => {
    await asIfUnknown((name) => variantsOf(body, name).map((variant) => ({ ...base, path: withPath(path, code), body: variant })));
  });
});

/** The body with the name as one more key of each of its objects, and in place of each of its values. */
function variantsOf(body: unknown, name: string): string[] {
  const variants: string[] = [];
  const visit = (value: unknown, rebuild: (inner: string) => string): void => {
    variants.push(rebuild(JSON.stringify(name)));
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        const around = value.map((one) => JSON.stringify(one));
        visit(item, (inner) => rebuild(`[${around.with(index, inner).join(',')}]`));
      });
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).map(([key, child]): [string, string] => [key, JSON.stringify(child)]);
      const written = (list: readonly (readonly [string, string])[]) =>
        `{${list.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
      variants.push(rebuild(written([...fields, [name, '"x"']])), rebuild(written([[name, '{"a":[null]}'], ...fields])));
      for (const [index, [key, child]] of Object.entries(value).entries())
        visit(child, (inner) => rebuild(written(fields.with(index, [key, inner]))));
    }
  };
  visit(body, (inner) => inner);
  return variants;
}

const HEADERS = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Accept',
  'Accept-Encoding',
  'Cookie',
  'Origin',
  'Sec-Fetch-Site',
  'X-Request-Id',
  'Cf-Access-Jwt-Assertion',
  'HX-Request',
  'HX-Target',
];

describe('headers', () => {
  it.each(HEADERS)('%s', async (header) => {
    const values = (name: string) => [name, `Bearer ${name}`, `__Host-operator=${name}`, `application/${name}; charset=${name}`];
    await asIfUnknown((name) =>
      values(name).flatMap((value) => [
        { path: '/v2/data-import/accounts/a/b/', headers: { Authorization: `Token ${token}`, [header]: value } },
        { path: '/operator/v1/suppliers/', headers: { Authorization: `Bearer ${env.OPERATOR_TOKEN}`, [header]: value } },
        { path: '/operator/', headers: { [header]: value } },
        {
          method: 'POST',
          path: '/v2/data-import/accounts/validate/',
          headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', [header]: value },
          body: '{}',
        },
      ]),
    );
  });

  it('of these names', async () => {
    await asIfUnknown((name) => [
      { path: '/v2/data-import/accounts/a/b/', headers: { Authorization: `Token ${token}`, [name]: 'x' } },
      { path: '/operator/', headers: { [name]: 'x' } },
    ]);
  });
});

describe('the console', async () => {
  const form = new URLSearchParams({ token: env.OPERATOR_TOKEN ?? '' }).toString();
  const signedIn = await exports.default.fetch('https://import.test/operator/sign-in/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'CF-Connecting-IP': anAddress() },
    body: form,
    redirect: 'manual',
  });
  const Cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const page = await (await exports.default.fetch('https://import.test/operator/organisations/', { headers: { Cookie } })).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const supplier = await aSupplier();
  const { externalAccountNumber } = await anImportedAccount(supplier);
  const SUPPLIER = `/operator/suppliers/${supplier.code}/`;
  const PROCESS = `${SUPPLIER}processes/${externalAccountNumber}/`;
  const PARAMETERS = ['told', 'n', 'next', 'to', 'status', 'prefix', 'error_code', 'number', 'limit', 'organisation'];

  it.each([
    '/operator/sign-in/',
    '/operator/',
    '/operator/new-supplier/',
    '/operator/organisations/',
    `/operator/organisations/${supplier.organisationId}/`,
    '/operator/audit/',
    '/operator/dead-letters/',
    '/operator/accounts/',
    SUPPLIER,
    `${SUPPLIER}settings/`,
    `${SUPPLIER}status/`,
    `${SUPPLIER}retry-errored/`,
    `${SUPPLIER}export/`,
    `${SUPPLIER}processes/`,
    PROCESS,
    `${PROCESS}cancel/`,
  ])('%s', async (path) => {
    const all = (name: string) => PARAMETERS.map((parameter) => `${parameter}=${encoded(name)}`).join('&');
    await asIfUnknown((name) => [
      { path: `${path}?${all(name)}`, headers: { Cookie } },
      { path: `${path}?cursor=${encoded(name)}`, headers: { Cookie } },
      { path: `${path}?${all(name)}&${encoded(name)}=1` },
    ]);
  });

  it('its addresses', async () => {
    await asIfUnknown((name) =>
      [
        `assets/${name}/`,
        `${name}/`,
        `suppliers/${name}/`,
        `suppliers/${name}/processes/`,
        `${PROCESS.slice(10)}${name}/`,
        `organisations/${name}/`,
        `keys/${name}/revoke/`,
      ].map((path) => ({ path: `/operator/${path}`, headers: { Cookie } })),
    );
  });

  const FORMS: readonly (readonly [string, Record<string, string>])[] = [
    ['/operator/organisations/', { name: '' }],
    [`/operator/organisations/${supplier.organisationId}/keys/`, { label: '' }],
    [
      '/operator/new-supplier/',
      {
        organisation_id: supplier.organisationId,
        code: '',
        name: '',
        default_country: 'GB',
        documents_root: '',
        time_zone: '',
        vendors: '',
        payload_retention_days: '90',
      },
    ],
    [
      `${SUPPLIER}settings/`,
      {
        version: '1',
        name: '',
        default_country: 'GB',
        documents_root: '',
        time_zone: '',
        vendors: '',
        extra_charge_reasons: '',
        payload_retention_days: '90',
      },
    ],
    [`${SUPPLIER}status/`, { to: '', reason: '', confirm_pending: '' }],
    [`${SUPPLIER}retry-errored/`, { error_code: '' }],
    ['/operator/keys/none/revoke/', { organisation: '' }],
    ['/operator/dead-letters/none/redrive/', {}],
    ['/operator/dead-letters/none/dismiss/', {}],
  ];

  it.each(FORMS)('the form of %s', async (path, fields) => {
    const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = (over: Record<string, string>) => {
      const entries = Object.entries({ form_token: formToken, ...fields });
      return [...entries.filter(([key]) => !Object.hasOwn(over, key)), ...Object.entries(over)]
        .map(([key, value]) => `${encoded(key)}=${encoded(value)}`)
        .join('&');
    };
    await asIfUnknown((name) =>
      [...[...Object.keys(fields), 'form_token'].map((field) => ({ [field]: name })), Object.fromEntries([[name, 'x']])].map((over) => ({
        method: 'POST',
        path,
        headers,
        body: body(over),
      })),
    );
  });

  it('the form of signing in', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await asIfUnknown((name) =>
      [`token=${name}`, `token=x&next=${name}`, `${name}=x`].map((body) => ({ method: 'POST', path: '/operator/sign-in/', headers, body })),
    );
  });
});

describe('GraphQL', () => {
  it('takes them as variables, operations, fields, arguments and types', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const post = (body: string) => ({ method: 'POST', path: '/v1/graphql/', headers, body });
    await asIfUnknown((name) => [
      post(
        JSON.stringify({
          query: 'mutation($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }',
          variables: { key: name },
        }),
      ),
      // A variable of the name `__proto__` is dropped with its value: names that begin so are the language's own.
      post(
        `{"query":"mutation($v${name}: String) { obtainPlatformToken(input: {APIKey: $v${name}}) { token } }","variables":{"v${name}":"x"}}`,
      ),
      post(
        `{"query":"mutation { obtainPlatformToken(input: {APIKey: \\"x\\"}) { token } }","variables":{${JSON.stringify(name)}:{"a":1}}}`,
      ),
      post(JSON.stringify({ query: `{ ${name} }` })),
      post(JSON.stringify({ query: `mutation { ${name}(input: {APIKey: "x"}) { token } }` })),
      post(JSON.stringify({ query: `mutation { obtainPlatformToken(${name}: 1) { ${name} } }` })),
      post(JSON.stringify({ query: `mutation { obtainPlatformToken(input: {${name}: "x"}) { token } }` })),
      post(JSON.stringify({ query: `query { __type(name: "${name}") { name } }` })),
      post(JSON.stringify({ query: `query ${name} { __typename }`, operationName: name })),
      post(JSON.stringify({ query: 'query a { __typename }', operationName: name })),
      post(JSON.stringify({ query: `query { __typename @${name} }` })),
    ]);
  });
});
