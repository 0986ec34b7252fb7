/**
 * Requests to every endpoint of the data-import API about one pair of supplier and account, right ones and wrong ones. Keys
 * are method and path with `:` for each parameter.
 */

import { exports } from 'cloudflare:workers';
import { aFullAccount, aSmallAccount } from './payloads';
import { textOf } from './text';

/** Whom a request is about. */
export interface Pair {
  readonly supplier: string;
  readonly account: string;
}

export interface Sample {
  readonly path: string;
  /** A JSON value, or lines of NDJSON. */
  readonly body?: unknown;
  readonly lines?: readonly unknown[];
  /** A document. */
  readonly bytes?: string;
}

const today = () => new Date().toISOString().slice(0, 10);
const named = ({ supplier, account }: Pair) => ({ import_supplier: supplier, external_account_number: account });
const escaped = ({ supplier, account }: Pair) => ({ supplier: encodeURIComponent(supplier), account: encodeURIComponent(account) });

const posts =
  (path: string, field: string, items: readonly unknown[]) =>
  (pair: Pair): Sample[] => [
    ...items.map((item) => ({ path, body: { ...named(pair), [field]: [item] } })),
    { path, body: { ...named(pair), [field]: items } },
    { path, body: named(pair) },
  ];

/** The samples of an endpoint that adds, as lines of one request. */
const inBulk =
  (path: string, key: string, queries: readonly string[] = ['']) =>
  (pair: Pair): Sample[] =>
    queries.map((query) => ({ path: `${path}${query}`, lines: [...(SAMPLES[key]?.(pair) ?? []).map(({ body }) => body), 5] }));

const lists =
  (path: string) =>
  (pair: Pair): Sample[] =>
    ['', '?limit=1', `?limit=1&cursor=${btoa(pair.account)}`, '?limit=none', '?cursor='].map((query) => ({
      path: `${path}${escaped(pair).supplier}/${query}`,
    }));

const accountForms = (pair: Pair): unknown[] => [
  aSmallAccount(pair.supplier, pair.account),
  { payload: aFullAccount(pair.supplier, pair.account), task_params: { is_dry_run: true } },
  { ...named(pair), customers: [{ mobile: 'none' }], notes: [{ document_paths: [{ document_path: 'letters/theirs.pdf' }] }] },
];

const runOf = (pair: Pair): string => `/v2/data-import/runs/${escaped(pair).supplier}/wave-1/`;

const NOTE = { body: 'A note.', created_at: '2026-01-01T00:00:00Z', is_pinned: true, unpin_at: '2030-01-01T00:00:00Z' };
const CHARGE = { transaction_id: 'T-1', amount: 12, type: 'CHARGE', reason: 'IMPORTED_CHARGE', note: 'internal', display_note: 'shown' };
const STATEMENT = {
  statement_id: 'S-1',
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  issued_date: '2026-02-01',
  number: '1',
  gross_amount: 100,
};

export const SAMPLES: Readonly<Record<string, (pair: Pair) => Sample[]>> = {
  'POST /v1/data-import/notes/create/': posts('/v1/data-import/notes/create/', 'notes', [
    NOTE,
    { document_paths: [{ document_path: 'letters/theirs.pdf' }] },
    { document_paths: [{ document_path: 'letters/nobodys.pdf' }] },
    { document_paths: [{ document_path: '../theirs.pdf' }] },
    {},
  ]),
  'POST /v1/data-import/transactions/create/': (pair) => {
    const samples = posts('/v1/data-import/transactions/create/', 'transactions', [
      { ...CHARGE, transaction_date: today() },
      { ...CHARGE, transaction_id: 'T-2', transaction_date: '2001-01-01' },
      { ...CHARGE, transaction_id: 'T-3', transaction_date: today(), reason: 'THEIR_OWN_REASON' },
      { transaction_id: 'T-4' },
    ])(pair);
    const queries = ['check_previously_added=false', 'force_add_to_current_statement=false', 'check_previously_added=perhaps'];
    return [...samples, ...samples.slice(0, 2).flatMap(({ path, body }) => queries.map((query) => ({ path: `${path}?${query}`, body })))];
  },
  'POST /v1/data-import/historical-statements/create/': posts('/v1/data-import/historical-statements/create/', 'statements', [
    STATEMENT,
    { ...STATEMENT, statement_id: 'S-2', statement_path: 'letters/theirs.pdf' },
    { ...STATEMENT, statement_id: 'S-3', statement_path: 'letters/nobodys.pdf' },
    { statement_id: 'S-4' },
  ]),
  'POST /v1/data-import/notes/bulk/': inBulk('/v1/data-import/notes/bulk/', 'POST /v1/data-import/notes/create/'),
  'POST /v1/data-import/transactions/bulk/': inBulk('/v1/data-import/transactions/bulk/', 'POST /v1/data-import/transactions/create/', [
    '',
    '?force_add_to_current_statement=false',
    '?check_previously_added=false',
  ]),
  'POST /v1/data-import/historical-statements/bulk/': inBulk(
    '/v1/data-import/historical-statements/bulk/',
    'POST /v1/data-import/historical-statements/create/',
  ),
  'POST /v1/data-import/payment-instruction/create/': (pair) =>
    [
      { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' },
      { vendor: 'SANDBOX', reference: 'sandbox-500', type: 'CARD' },
      { vendor: 'GOCARDLESS', reference: 'active', type: 'CARD' },
      { vendor: 'NONE' },
    ].map((rest) => ({ path: '/v1/data-import/payment-instruction/create/', body: { ...named(pair), ...rest } })),
  'POST /v2/data-import/accounts/validate/': (pair) =>
    accountForms(pair).map((body) => ({ path: '/v2/data-import/accounts/validate/', body })),
  'POST /v2/data-import/accounts/': (pair) => accountForms(pair).map((body) => ({ path: '/v2/data-import/accounts/', body })),
  'POST /v2/data-import/accounts/bulk/': (pair) =>
    ['', '?mode=create', '?mode=validate', '?mode=none'].map((query) => ({
      path: `/v2/data-import/accounts/bulk/${query}`,
      lines: accountForms(pair),
    })),
  'GET /v2/data-import/accounts/:/:/': (pair) => [{ path: `/v2/data-import/accounts/${escaped(pair).supplier}/${escaped(pair).account}/` }],
  'DELETE /v2/data-import/accounts/:/:/': (pair) => [
    { path: `/v2/data-import/accounts/${escaped(pair).supplier}/${escaped(pair).account}/` },
  ],
  'GET /v1/data-import/account-transfer-status/:/:/': (pair) => [
    { path: `/v1/data-import/account-transfer-status/${escaped(pair).supplier}/${escaped(pair).account}/` },
  ],
  'GET /v1/data-import/all-account-import-processes/:/': lists('/v1/data-import/all-account-import-processes/'),
  'GET /v1/data-import/pending-account-import-processes/:/': lists('/v1/data-import/pending-account-import-processes/'),
  'GET /v1/data-import/imported-account-import-processes/:/': lists('/v1/data-import/imported-account-import-processes/'),
  'GET /v2/data-import/import-suppliers/': () => [{ path: '/v2/data-import/import-suppliers/' }],
  'GET /v2/data-import/import-suppliers/:/': (pair) => [{ path: `/v2/data-import/import-suppliers/${escaped(pair).supplier}/` }],
  'GET /v2/data-import/import-processes/:/': (pair) => [
    ...lists('/v2/data-import/import-processes/')(pair),
    ...['ERRORED', 'PROCESSED', 'NONE'].map((status) => ({
      path: `/v2/data-import/import-processes/${escaped(pair).supplier}/?status=${status}`,
    })),
  ],
  'GET /v2/data-import/events/:/': (pair) =>
    ['', '?limit=1', '?limit=none', `?cursor=${'A'.repeat(22)}`].map((query) => ({
      path: `/v2/data-import/events/${escaped(pair).supplier}/${query}`,
    })),
  'POST /v2/data-import/webhooks/': (pair) =>
    ['https://hooks.example.com/', 'http://hooks.example.com/'].map((url) => ({
      path: '/v2/data-import/webhooks/',
      body: { url, import_suppliers: [pair.supplier] },
    })),
  'GET /v2/data-import/webhooks/': () => [{ path: '/v2/data-import/webhooks/' }],
  // By a supplier's name no webhook is found; that another's own is not, `webhooks/webhooks` shows.
  'PATCH /v2/data-import/webhooks/:/': (pair) => [
    { path: `/v2/data-import/webhooks/${escaped(pair).account}/`, body: { import_suppliers: [pair.supplier] } },
  ],
  'DELETE /v2/data-import/webhooks/:/': (pair) => [{ path: `/v2/data-import/webhooks/${escaped(pair).account}/` }],
  'POST /v2/data-import/webhooks/:/test/': (pair) => [{ path: `/v2/data-import/webhooks/${escaped(pair).account}/test/` }],
  'POST /v2/data-import/webhooks/:/rotate-secret/': (pair) => [
    { path: `/v2/data-import/webhooks/${escaped(pair).account}/rotate-secret/` },
  ],
  'POST /v2/data-import/webhooks/:/replay/': (pair) => [
    { path: `/v2/data-import/webhooks/${escaped(pair).account}/replay/`, body: { cursor: 'A'.repeat(22) } },
  ],
  'POST /v2/data-import/documents/check/': (pair) =>
    [['letters/theirs.pdf'], ['letters/nobodys.pdf', '../theirs.pdf'], []].map((document_paths) => ({
      path: '/v2/data-import/documents/check/',
      body: { import_supplier: pair.supplier, document_paths },
    })),
  'PUT /v2/data-import/documents/:/:': (pair) =>
    ['letters/theirs.pdf', 'letters%2Fnobodys.pdf', '..%2Ftheirs.pdf', `${'x'.repeat(1_020)}.pdf`].flatMap((document) =>
      ['%PDF-1.4', 'other'].map((bytes) => ({ path: `/v2/data-import/documents/${escaped(pair).supplier}/${document}`, bytes })),
    ),
  'GET /v2/data-import/documents/:/': (pair) =>
    ['', '?prefix=letters/', '?limit=1', '?limit=none', `?cursor=${'eHh4'.repeat(340)}`].map((query) => ({
      path: `/v2/data-import/documents/${escaped(pair).supplier}/${query}`,
    })),
  'PUT /v2/data-import/runs/:/:/': (pair) => [{}, { is_held: true }, { is_hold: 1 }].map((body) => ({ path: runOf(pair), body })),
  'GET /v2/data-import/runs/:/:/': (pair) => [{ path: runOf(pair) }],
  'GET /v2/data-import/runs/:/': lists('/v2/data-import/runs/'),
  'POST /v2/data-import/runs/:/:/release/': (pair) =>
    [{}, { accounts: 1, require_match: true }, { accounts: 0 }].map((body) => ({ path: `${runOf(pair)}release/`, body })),
  'POST /v2/data-import/runs/:/:/hold/': (pair) => [{ path: `${runOf(pair)}hold/` }],
  'POST /v2/data-import/runs/:/:/cancel/': (pair) => [{ path: `${runOf(pair)}cancel/` }],
  'GET /v2/data-import/runs/:/:/reconciliation/': (pair) => [{ path: `${runOf(pair)}reconciliation/` }],
  'POST /v2/data-import/runs/:/:/reconciliation/': (pair) => [
    { path: `${runOf(pair)}reconciliation/`, lines: [{ external_account_number: pair.account }] },
  ],
  'GET /v2/data-import/runs/:/:/report/': (pair) =>
    ['', '?status=ERRORED', '?status=NONE'].map((query) => ({ path: `${runOf(pair)}report/${query}` })),
};

/** The key of an endpoint of `src/routes.ts`. */
export const keyOf = (method: string, path: string): string => `${method} ${path.replace(/:\w+(?:\{[^}]*\})?/g, ':')}`;

/** A sample as a request; `key` begins with the method. */
export function requestOf(key: string, sample: Sample, headers: Readonly<Record<string, string>> = {}) {
  const [method = ''] = key.split(' ');
  const hasBody = method === 'POST' || method === 'PATCH' || method === 'PUT';
  const { bytes } = sample;
  const type = bytes !== undefined ? 'application/pdf' : sample.lines ? 'application/x-ndjson' : 'application/json';
  const length: Record<string, string> = bytes === undefined ? {} : { 'Content-Length': String(new TextEncoder().encode(bytes).length) };
  const body = bytes ?? (sample.lines ? sample.lines.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(sample.body));
  return new Request<unknown, IncomingRequestCfProperties>(`https://import.test${sample.path}`, {
    method,
    headers: { ...(hasBody ? { 'Content-Type': type } : {}), ...length, ...headers },
    ...(hasBody ? { body: body ?? '' } : {}),
  });
}

/** Everything of an answer that the caller can see, but what is new in each: request id and date. */
export async function seen(response: Response): Promise<{ status: number; headers: [string, string][]; text: string }> {
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status: response.status, headers, text: await textOf(response) };
}

export const send = async (key: string, sample: Sample, token?: string) =>
  seen(await exports.default.fetch(requestOf(key, sample, token === undefined ? {} : { Authorization: `Token ${token}` })));
