/**
 * The real bundle in workerd with the heap that the platform gives an isolate: the worst bodies that anybody has found, beside three
 * callers who must not notice. Past its heap workerd ends, and with it every request that it was working on.
 */
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSmallAccount } from '../support/payloads';
import { WORST_BODIES } from '../support/worst-bodies';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { createTestHarness }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');

const HEAP_MEGABYTES = 128;
const OPERATOR_TOKEN = 'heap-operator-token-of-at-least-32-bytes';
/** Bytes of one attack; a body that is larger is sent once. */
const ATTACK_BYTES = 1_000_000;
const ATTACKERS = 3;

const server = createTestHarness({
  workers: [{ configPath: 'wrangler.toml', secrets: { TOKEN_SIGNING_KEY: 'heap-signing-key-of-at-least-32-bytes', OPERATOR_TOKEN } }],
});
let origin = '';

beforeAll(async () => {
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] = `--max-old-space-size=${HEAP_MEGABYTES}`;
  const { url } = await server.listen();
  delete process.env['MINIFLARE_WORKERD_V8_FLAGS'];
  origin = url.origin;
  await server.getWorker().applyD1Migrations('DB');
});
afterAll(() => server.close());

interface Caller {
  readonly code: string;
  readonly token: string;
}

interface Request {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent part by part. */
  readonly body?: string | Uint8Array | Iterable<Uint8Array>;
}

/** On a connection of its own: what happens to another must not be seen here. */
async function answerTo(path: string, { method = 'POST', headers, body }: Request): Promise<IncomingMessage> {
  const sending = request(`${origin}${path}`, { method, headers, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => sending.once('response', resolve).once('error', reject));
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) for (const part of body) sending.write(part);
  else if (body !== undefined) sending.write(body);
  sending.end();
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function sent(path: string, what: Request): Promise<{ status: number | undefined; text: string }> {
  const answer = await answerTo(path, what);
  return { status: answer.statusCode, text: await textOf(answer) };
}

/** An organisation of its own, with a supplier and a token. */
async function aCaller(name: string): Promise<Caller> {
  const operator = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': 'application/json' };
    return JSON.parse((await sent(`/operator/v1/${path}`, { headers, body: JSON.stringify(body) })).text);
  };
  const { id = '' } = await operator('organisations/', { name });
  const { api_key } = await operator(`organisations/${id}/api-keys/`, { label: name });
  await operator('suppliers/', { organisation_id: id, code: name, name, configuration: { default_country: 'GB' } });
  const query = `mutation { obtainPlatformToken(input: { APIKey: "${api_key}" }) { token } }`;
  const headers = { 'Content-Type': 'application/json' };
  const { text } = await sent('/v1/graphql/', { headers, body: JSON.stringify({ query }) });
  return { code: name, token: JSON.parse(text).data.obtainPlatformToken.token };
}

const headersOf = ({ token }: Caller, type: string, encoding?: string) => ({
  Authorization: `Token ${token}`,
  'Content-Type': type,
  'Accept-Encoding': 'identity',
  ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
});

const post = (caller: Caller, path: string, body: string | Uint8Array, type = 'application/json', encoding?: string) =>
  sent(path, { headers: headersOf(caller, type, encoding), body });

const bulk = (caller: Caller, body: string | Uint8Array, mode = 'validate', encoding?: string) =>
  post(caller, `/v2/data-import/accounts/bulk/?mode=${mode}`, body, 'application/x-ndjson', encoding);

const isWhole = (text: string, lines: number): boolean => text.endsWith(`{"done":true,"lines":${lines}}\n`);

/** What an innocent caller does again and again; it throws where an answer is not right. */
const INNOCENT: Readonly<Record<string, (caller: Caller, round: number) => Promise<void>>> = {
  async 'creates an account and asks for it'(caller, round) {
    const created = await post(caller, '/v2/data-import/accounts/', JSON.stringify(aSmallAccount(caller.code, `C-${round}`)));
    expect(created).toEqual({ status: 201, text: '{}' });
    const path = `/v2/data-import/accounts/${caller.code}/C-${round}/`;
    const { status, text } = await sent(path, { method: 'GET', headers: headersOf(caller, 'application/json') });
    expect([status, JSON.parse(text).latest_error]).toEqual([200, null]);
  },
  async 'sends accounts in bulk'(caller, round) {
    const lines = Array.from({ length: 20 }, (_, i) => JSON.stringify(aSmallAccount(caller.code, `B-${round}-${i}`)));
    const { status, text } = await bulk(caller, lines.join('\n'), 'create');
    const answer = {
      status,
      text: status === 200 ? '' : text,
      scheduled: text.split('"SCHEDULED"').length - 1,
      isWhole: isWhole(text, 20),
    };
    expect(answer).toEqual({ status: 200, text: '', scheduled: 20, isWhole: true });
  },
  async 'validates an account and lists what it has'(caller) {
    const wrong = JSON.stringify({ ...aSmallAccount(caller.code, 'V'), billing_email: 'x' });
    const { status, text } = await post(caller, '/v2/data-import/accounts/validate/', wrong);
    expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ attr: 'billing_email', code: 'invalid_email' }]]);
    const path = `/v1/data-import/all-account-import-processes/${caller.code}/`;
    expect(await sent(path, { method: 'GET', headers: headersOf(caller, 'application/json') })).toEqual({ status: 200, text: '[]' });
  },
};

/** An account of the caller that is imported, so that something can be added to it. */
async function anImportedAccount(caller: Caller, number: string): Promise<object> {
  const pair = { import_supplier: caller.code, external_account_number: number };
  expect((await post(caller, '/v2/data-import/accounts/', JSON.stringify(pair))).status).toBe(201);
  const path = `/v2/data-import/accounts/${caller.code}/${number}/`;
  await expect
    .poll(async () => (await sent(path, { method: 'GET', headers: headersOf(caller, 'application/json') })).text, { timeout: 60_000 })
    .toContain('"PROCESSED"');
  return pair;
}

/** What is added of each kind, by number and with a text of that many characters. */
const ADDED: Readonly<Record<string, (n: number, text: string) => object>> = {
  notes: (n, text) => ({ notes: [{ body: `${n} ${text}` }] }),
  transactions: (n, text) => ({
    transactions: [
      { transaction_id: `T-${n}`, transaction_date: '2026-01-15', amount: 5, type: 'PAYMENT', note: text.slice(0, 200), memo: text },
    ],
  }),
  'historical-statements': (n, text) => ({
    statements: [{ statement_id: `S-${n}`, bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', memo: text }],
  }),
};

type Attack = readonly [name: string, attack: (caller: Caller) => Promise<void>];

const repeated = (caller: Caller, { name, text }: (typeof WORST_BODIES)[number]): string[] => {
  const one = text(caller.code, 'x');
  const count = Math.max(1, Math.min(60, Math.floor(ATTACK_BYTES / one.length)));
  return Array.from({ length: count }, (_, i) => text(caller.code, `${name}-${i}`));
};

const inBulk: Attack[] = WORST_BODIES.map((worst) => [
  `${worst.name}, in bulk`,
  async (caller) => {
    const lines = repeated(caller, worst);
    const { status, text } = await bulk(caller, lines.join('\n'));
    expect([status, isWhole(text, lines.length)]).toEqual([200, true]);
  },
]);

const alone: Attack[] = WORST_BODIES.map((worst) => [
  `${worst.name}, several at once`,
  async (caller) => {
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => post(caller, '/v2/data-import/accounts/validate/?warnings=true', worst.text(caller.code, 'x'))),
    );
    for (const { status } of answers) expect([200, 400]).toContain(status);
  },
]);

const others: Attack[] = [
  [
    'undocumented objects, created',
    async (caller) => {
      const worst = WORST_BODIES.find(({ name }) => name === 'undocumented lists in metadata');
      const lines = Array.from({ length: 9 }, (_, i) => worst?.text(caller.code, `H-${i}`));
      const { status, text } = await bulk(caller, lines.join('\n'), 'create');
      expect([status, text.split('"SCHEDULED"').length - 1, isWhole(text, 9)]).toEqual([200, 9, true]);
    },
  ],
  [
    'bombs of gzip',
    async (caller) => {
      const [newlines, spaces] = ['\n', ' \n'].map((text) => gzipSync(text.repeat(60_000_000 / text.length)));
      for (const bomb of [newlines, spaces]) expect((await bulk(caller, bomb ?? '', 'validate', 'gzip')).status).toBe(200);
      const worst = WORST_BODIES.find(({ name }) => name === 'the fewest bytes for a thousand errors');
      const lines = Array.from({ length: 200 }, (_, i) => worst?.text(caller.code, `G-${i}`));
      const { status, text } = await bulk(caller, gzipSync(lines.join('\n')), 'validate', 'gzip');
      expect([status, isWhole(text, 200)]).toEqual([200, true]);
    },
  ],
  [
    // They go on in the end: leaving would break a connection of the local server that others share.
    'readers that stop reading for a while',
    async (caller) => {
      const worst = WORST_BODIES[0];
      const lines = Array.from({ length: 60 }, (_, i) => worst?.text(caller.code, `S-${i}`));
      const what = { headers: headersOf(caller, 'application/x-ndjson'), body: lines.join('\n') };
      const answers = await Promise.all(Array.from({ length: 6 }, () => answerTo('/v2/data-import/accounts/bulk/?mode=validate', what)));
      await new Promise((resume) => setTimeout(resume, 3_000));
      const texts = await Promise.all(answers.map(textOf));
      expect(texts.map((text) => isWhole(text, 60))).toEqual(texts.map(() => true));
    },
  ],
  [
    'a body in parts of one byte',
    async (caller) => {
      const text = WORST_BODIES[0]?.text(caller.code, 'P') ?? '';
      const parts = Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));
      const what = { headers: headersOf(caller, 'application/json'), body: parts };
      expect((await sent('/v2/data-import/accounts/validate/', what)).status).toBe(400);
    },
  ],
];

/** As many lines and bytes as a migration sends at once, of each kind, all to one account. */
const additions: Attack[] = Object.entries(ADDED).map(([kind, added]) => [
  `20 MB of ${kind} in bulk`,
  async (caller) => {
    const pair = await anImportedAccount(caller, `ADD-${kind}`);
    const lines = Array.from({ length: 4_000 }, (_, n) => JSON.stringify({ ...pair, ...added(n, 'x'.repeat(5_000)) }));
    const body = gzipSync(lines.join('\n'));
    const { status, text } = await post(caller, `/v1/data-import/${kind}/bulk/`, body, 'application/x-ndjson', 'gzip');
    const answer = {
      status,
      added: text.split('"status":201').length - 1,
      isWhole: isWhole(text, lines.length),
      first: text.slice(0, 300),
    };
    expect(answer).toEqual({ status: 200, added: lines.length, isWhole: true, first: answer.first });
  },
]);

describe(`at a heap of ${HEAP_MEGABYTES} MB`, () => {
  it('no body harms its neighbours', { timeout: 300_000 }, async () => {
    const attacks = [...additions, ...inBulk, ...alone, ...others];
    const underWay = new Set<string>();
    const named = async (name: string, work: Promise<void>): Promise<void> => {
      underWay.add(name);
      try {
        await work;
      } catch (error) {
        throw new Error(`who ${name}, while ${[...underWay].join(', ')}: ${String(error)}`, { cause: error });
      }
      underWay.delete(name);
    };
    let isOver = false;
    const rounds = await Promise.all([
      ...Object.entries(INNOCENT).map(async ([what, act], i) => {
        const caller = await aCaller(`INNOCENT-${i}`);
        let round = 0;
        for (; !isOver; round++) await named(what, act(caller, round));
        return round;
      }),
      (async () => {
        const attackers = await Promise.all(Array.from({ length: ATTACKERS }, (_, i) => aCaller(`ATTACKER-${i}`)));
        const queue = attacks.values();
        const attackAll = async (caller: Caller) => {
          for (const [name, attack] of queue) await named(name, attack(caller));
        };
        await Promise.all(attackers.map(attackAll)).finally(() => {
          isOver = true;
        });
        return attacks.length;
      })(),
    ]);
    for (const count of rounds) expect(count).toBeGreaterThan(3);
  });
});
