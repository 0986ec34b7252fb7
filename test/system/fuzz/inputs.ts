/**
 * One input for each number: a request that begins as a right one, and what is done to it.
 */
import { CALLER } from '../../../src/http/endpoint';
import { ENDPOINTS } from '../../../src/routes';
import type { GivenAccount, GivenSupplier } from '../../support/given';
import { aFullAccount, anAustralianAccount, aSmallAccount } from '../../support/payloads';
import { type Random, randomOf } from '../simulation/random';
import { mangle, mutate } from './mutate';
import { anyText, jsonOf } from './nasty';

export interface Ground {
  readonly given: GivenSupplier;
  readonly australian: GivenSupplier;
  readonly account: GivenAccount;
  readonly operatorToken: string;
  readonly platformToken: string;
}

export interface Input {
  readonly method: string;
  /** Path and query, as they go over the wire. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array;
  /** What the body says, where it was not mangled. */
  readonly text?: string;
  /** Whether the Authorization header is one that must be taken; undefined if the request needs none. */
  readonly isAuthorised: boolean;
  readonly isOperator: boolean;
}

const QUERIES = [
  '',
  '?check_previously_added=false',
  '?force_add_to_current_statement=0',
  '?check_previously_added=%00',
  '?x',
  '?=&&=',
  '?limit=0',
];

const LINE = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: '1.50', net_amount: 1.5, units: [1, '2.5'] };
const TAX = { amount: 1, tax_type: 'VAT', value_taxed: 5, rate: 0.2, unit_type: 'PROPORTION' };

const transactionsOf = (seed: number) => [
  {
    transaction_id: `T${seed}a`,
    transaction_date: '2026-11-01',
    amount: 12.5,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    display_note: 'shown',
    note: 'n',
  },
  {
    transaction_id: `T${seed}b`,
    transaction_date: '2001-01-01',
    amount: '1.00',
    type: 'PAYMENT',
    payment_type: 'DEBIT_CARD',
    reference: 'r',
  },
  {
    transaction_id: `T${seed}c`,
    transaction_date: '2026-11-02',
    amount: 3,
    type: 'SUPPLY_CHARGE',
    product_code: 'P',
    line_items: [LINE],
    tax_items: [TAX],
  },
];

const statementOf = (id: string) => ({
  statement_id: id,
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  issued_date: '2026-02-01',
  number: 'N 1',
  gross_amount: 12.5,
});

const GRAPHQL = [
  'mutation { obtainPlatformToken(input: {APIKey: "sk_live_x"}) { token refreshToken } }',
  'mutation M($i: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $i) { token payload refreshExpiresIn } }',
  '{ __schema { types { name fields { name } } } }',
];

interface Begun {
  /** POST without. */
  readonly method?: string;
  readonly path: string;
  readonly body: object;
  readonly type?: string;
  readonly isGzip?: boolean;
  readonly operator?: boolean;
}
type Base = (ground: Ground, random: Random, seed: number) => Begun;

const named = ({ given, account }: Ground) => ({ import_supplier: given.code, external_account_number: account.externalAccountNumber });

const anAccount: (ground: Ground, random: Random, seed: number) => object = ({ given, australian }, random, seed) => {
  const external = `n${seed}`;
  const account = random.pick([
    () => aSmallAccount(given.code, external),
    () => aFullAccount(given.code, external),
    () => anAustralianAccount(australian.code, external),
  ])();
  if (random.chance(0.2)) return { payload: account, task_params: { is_dry_run: random.chance(0.5) } };
  return random.chance(0.1) ? { ...account, task_params: { is_dry_run: true, schedule_window_end: '2099-01-01T00:00:00Z' } } : account;
};

const RUNS = ['r', 'wave 1', 'toString'].map(encodeURIComponent);

const LINE_TYPES = ['application/x-ndjson', 'application/x-ndjson', 'application/ndjson', 'application/jsonl'];

const BASES: readonly Base[] = [
  (ground, random, seed) => ({ path: '/v2/data-import/accounts/', body: anAccount(ground, random, seed) }),
  (ground, random, seed) => ({ path: '/v2/data-import/accounts/', body: anAccount(ground, random, seed) }),
  (ground, random, seed) => ({
    path: `/v2/data-import/accounts/validate/${random.pick(['', '', '?warnings=true', '?warnings=0', '?warnings=x', '?warnings'])}`,
    body: anAccount(ground, random, seed),
  }),
  (ground, random) => ({
    path: '/v2/data-import/documents/check/',
    body: {
      import_supplier: ground.given.code,
      document_paths: Array.from({ length: random.pick([1, 3, 40]) }, () => anyText(random)),
    },
  }),
  (ground, _, seed) => ({
    path: '/v1/data-import/notes/create/',
    body: {
      ...named(ground),
      notes: [{ body: `note ${seed}`, created_at: '2026-01-01T00:00:00Z', is_pinned: true, unpin_at: '2027-01-01' }, { body: 'b' }],
    },
  }),
  (ground, random, seed) => ({
    path: `/v1/data-import/transactions/create/${random.pick(QUERIES)}`,
    body: { ...named(ground), transactions: transactionsOf(seed) },
  }),
  (ground, _, seed) => ({
    path: '/v1/data-import/historical-statements/create/',
    body: { ...named(ground), statements: [statementOf(`S${seed}`), statementOf(`S${seed}b`)] },
  }),
  (ground, random) => ({
    path: '/v1/data-import/payment-instruction/create/',
    body: { ...named(ground), vendor: 'SANDBOX', reference: random.pick(['sandbox-card', 'sandbox-404']), type: 'CARD' },
  }),
  (ground, random, seed) => ({
    path: `/v2/data-import/accounts/bulk/${random.pick(['', '?mode=validate', '?mode=create'])}`,
    body: [anAccount(ground, random, seed), anAccount(ground, random, seed + 0.5)],
    type: random.pick(LINE_TYPES),
    isGzip: random.chance(0.3),
  }),
  (ground, random, seed) => ({
    path: '/v1/data-import/notes/bulk/',
    body: [seed, 'b', seed].map((body) => ({ ...named(ground), notes: [{ body: `note ${body}` }] })),
    type: random.pick(LINE_TYPES),
    isGzip: random.chance(0.3),
  }),
  (ground, random, seed) => ({
    path: `/v1/data-import/transactions/bulk/${random.pick(['', '?check_previously_added=true', '?force_add_to_current_statement=false'])}`,
    body: [seed, seed + 1, seed].map((one) => ({ ...named(ground), transactions: transactionsOf(one) })),
    type: random.pick(LINE_TYPES),
    isGzip: random.chance(0.3),
  }),
  (ground, random, seed) => ({
    path: '/v1/data-import/historical-statements/bulk/',
    body: [`S${seed}`, `T${seed}`, `S${seed}`].map((id) => ({ ...named(ground), statements: [statementOf(id)] })),
    type: random.pick(LINE_TYPES),
    isGzip: random.chance(0.3),
  }),
  (ground, random) => ({
    method: 'PUT',
    path: `/v2/data-import/runs/${ground.given.code}/${random.pick(RUNS)}/`,
    body: {
      is_held: random.chance(0.5),
      pace_per_minute: random.pick([0, 1, 100_000]),
      stop_after_errors: random.pick([0, 20]),
      expected: { accounts: 2, transactions: 3, transactions_amount: '10.00', balance: random.pick([12.5, '-0.01']) },
    },
  }),
  (ground, random) => ({
    path: `/v2/data-import/runs/${ground.given.code}/${random.pick(RUNS)}/${random.pick(['release/', 'hold/', 'cancel/'])}`,
    body: { accounts: 1, require_match: random.chance(0.5) },
  }),
  (ground, random) => ({
    path: `/v2/data-import/runs/${ground.given.code}/${random.pick(RUNS)}/reconciliation/`,
    body: ['a', 'b'].map((number) => ({ external_account_number: number, balance: '1.00', customers: 1, notes: 0 })),
    type: random.pick(LINE_TYPES),
    isGzip: random.chance(0.3),
  }),
  (ground, random) => ({
    path: `/operator/v1/suppliers/${ground.given.code}/runs/${random.pick(RUNS)}/${random.pick(['release/', 'undo/'])}`,
    body: random.chance(0.5) ? { reason: 'A wrong unit.' } : { accounts: 3 },
    operator: true,
  }),
  // Nobody listens there: what is sent to it fails at once.
  (ground, random) => ({
    path: '/v2/data-import/webhooks/',
    body: { url: `http://127.0.0.1:9/${random.pick(RUNS)}`, import_suppliers: [ground.given.code], types: ['run.finished', 'notes.added'] },
  }),
  (_, random) => ({
    method: random.pick(['PATCH', 'POST']),
    path: `/v2/data-import/webhooks/${random.pick(['whk_0', 'toString', '%00'])}/${random.pick(['', 'test/', 'rotate-secret/', 'replay/'])}`,
    body: random.chance(0.5) ? { cursor: 'Lk0rJb2xPpOo9zXhX8v0cQ' } : { is_enabled: true, types: [] },
  }),
  (_, random) => ({
    path: `/operator/v1/${random.pick(['operator-tokens/', 'alert-addresses/'])}`,
    body: { name: `n${random.pick(RUNS)}`, role: 'read', url: 'http://127.0.0.1:9/alerts' },
    operator: random.chance(0.9),
  }),
  (_, random) => ({
    path: '/v1/graphql/',
    body: { query: random.pick(GRAPHQL), variables: { i: { APIKey: 'x' } }, operationName: random.pick([null, 'M']) },
  }),
  (ground, random, seed) => ({
    path: '/operator/v1/suppliers/',
    body: {
      organisation_id: ground.given.organisationId,
      code: `F${seed}`,
      name: 'n',
      configuration: { default_country: 'GB', vendors: ['STRIPE'] },
    },
    operator: random.chance(0.9),
  }),
  (ground, _, seed) => ({
    path: `/operator/v1/organisations/${ground.given.organisationId}/api-keys/`,
    body: { label: `l${seed}` },
    operator: true,
  }),
  (_, random) => ({
    path: `/operator/v1/accounts/${random.pick(['A-00000001', '1', 'A-1'])}/payment-instructions/CARD/end/`,
    body: { reason: 'The customer asked.' },
    operator: true,
  }),
  (ground, random) => ({
    path: random.pick([
      `/operator/v1/accounts/${random.pick(['A-00000001', '1', 'A-1'])}/erase/`,
      `/operator/v1/suppliers/${ground.given.code}/import-processes/${random.pick(['x', 'none', 'toString'])}/erase/`,
    ]),
    body: { reason: 'The customer asked.', delete_documents: random.chance(0.5) },
    operator: true,
  }),
];

/** The request that a number stands for. */
export async function inputOf(seed: number, ground: Ground): Promise<Input> {
  const random = randomOf(seed);
  return random.chance(0.2) ? aWalk(random, ground) : aPost(random, ground, seed);
}

async function aPost(random: Random, ground: Ground, seed: number): Promise<Input> {
  const base = random.pick(BASES)(ground, random, seed);
  const changes = random.pick([0, 1, 1, 1, 2, 3, 8]);
  const root: Record<string, unknown> = { root: base.body };
  for (let i = 0; i < changes; i++) mutate(root, random);
  const { root: body = null } = root;
  const text = base.type && Array.isArray(body) ? body.map((line: unknown) => `${jsonOf(line)}\n`).join('') : jsonOf(body);
  const isMangled = random.chance(0.15);
  const bytes = base.isGzip ? await gzipped(text) : new TextEncoder().encode(text);
  const type = random.chance(0.02)
    ? random.pick(['text/plain', '', 'application/json; charset=utf-16', 'application/xml'])
    : (base.type ?? 'application/json');
  const auth = base.operator
    ? { header: `Bearer ${ground.operatorToken}`, isAuthorised: true }
    : base.path.startsWith('/operator/')
      ? { header: `Token ${ground.given.token}`, isAuthorised: false }
      : authorisation(random, ground, 0.05);
  return {
    method: base.method ?? 'POST',
    target: base.path,
    headers: {
      'Content-Type': type,
      ...(base.isGzip ? { 'Content-Encoding': 'gzip' } : {}),
      ...(auth.header === undefined ? {} : { Authorization: auth.header }),
    },
    body: isMangled ? mangle(bytes, random) : bytes,
    ...(isMangled ? {} : { text }),
    isAuthorised: auth.isAuthorised,
    isOperator: base.path.startsWith('/operator/'),
  };
}

// A stream gives its memory back at once; what node:zlib takes waits for the garbage collector.
const gzipped = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Response(text).body?.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());

/** Any method anywhere: endpoints with odd parameters, and paths that are none. */
function aWalk(random: Random, ground: Ground): Input {
  const [, path, declared] = random.pick(ENDPOINTS);
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'get']);
  const parameter = (): string => {
    const text = random.pick([() => ground.given.code, () => ground.account.externalAccountNumber, () => anyText(random), () => '..'])();
    if (random.chance(0.2))
      return random.pick(['%', '%zz', '%ff', '%2e%2e', '%2F..%2F', '%00', '..%5c', '%c0%ae', '.%252e', '+', '%F0%9F']);
    return encodeURIComponent(text.toWellFormed());
  };
  const filled = path.replace(/:\w+(?:\{[^}]*\})?/g, parameter);
  const broken = random.chance(0.2) ? filled.replace(/[a-z]/, () => random.pick(['', '/', '%41', '//', '/../'])) : filled;
  const query = random.chance(0.3)
    ? `?${random.pick([...Object.keys(declared.query?.shape ?? {}), 'limit', 'cursor', 'x'])}=${encodeURIComponent(anyText(random).toWellFormed())}`
    : '';
  const isOperator = CALLER[declared.access] === 'operator';
  const own = isOperator ? ground.operatorToken : declared.access === 'platform' ? ground.platformToken : undefined;
  const auth =
    own !== undefined && random.chance(0.7) ? { header: `Bearer ${own}`, isAuthorised: true } : authorisation(random, ground, 0.3);
  const bytes = new TextEncoder().encode(anyText(random).toWellFormed());
  const document = method === 'PUT' ? { 'Content-Length': String(bytes.length), 'Content-Type': 'application/pdf' } : {};
  return {
    method,
    ...(method === 'PUT' ? { body: bytes } : {}),
    target: (random.chance(0.3) ? broken.replace(/\/$/, '') : broken) + query,
    headers: { ...document, ...(auth.header === undefined ? {} : { Authorization: auth.header }) },
    isAuthorised: auth.isAuthorised && (own === undefined || auth.header?.endsWith(own) === true),
    isOperator,
  };
}

/** A header that must be taken, or with this chance one that must not. */
function authorisation(random: Random, { given }: Ground, chance: number): { header: string | undefined; isAuthorised: boolean } {
  const { token } = given;
  if (!random.chance(chance)) {
    return {
      header: random.pick([
        `Token ${token}`,
        `token ${token}`,
        `TOKEN   ${token}`,
        `Bearer ${token}`,
        `bEARER ${token}`,
        token,
        ` ${token} `,
      ]),
      isAuthorised: true,
    };
  }
  const [head = '', claims = '', signature = ''] = token.split('.');
  const none = btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', '');
  const bad = [
    undefined,
    '',
    'Token',
    'Bearer ',
    `Basic ${btoa(`${token}:`)}`,
    `Token ${token} x`,
    `Token Bearer ${token}`,
    `${token}x`,
    `x${token}`,
    `${head}.${claims}`,
    `${head}.${claims}.`,
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `${head}.${btoa('{"sub":"x"}').replaceAll('=', '')}.${signature}`,
    `${head}.${claims}.${signature.split('').toReversed().join('')}`,
    `Token ${'a'.repeat(9_000)}`,
    'Token ..',
    'Token null',
    'Token {"alg":"none"}',
    `Digest ${token}`,
    `Token,${token}`,
  ];
  return { header: random.pick(bad.map((header) => () => header))(), isAuthorised: false };
}
