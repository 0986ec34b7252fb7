/**
 * Another organisation's supplier is indistinguishable from none at all: in status, body and headers, for every endpoint and
 * every kind of identifier.
 */
import { env, exports } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { depsFrom } from '../../src/deps';
import { appOf, ENDPOINTS } from '../../src/routes';
import { sha256 } from '../../src/shared/digest';
import { aDocument, anAddress, anImportedAccount, aSupplier, type GivenSupplier } from '../support/given';
import { keyOf, type Pair, SAMPLES, seen, send } from '../support/samples';
import { readRow, readRows } from '../support/tables';

/** Open without a token, and about nobody's data. */
const OPEN = new Set([
  'GET /healthz/',
  'GET /readyz/',
  'GET /favicon.ico/',
  'GET /openapi.json/',
  'GET /docs/',
  'GET /docs/:',
  'GET /tools/',
  'GET /tools/:/',
  'POST /v1/graphql/',
]);
const isOperators = (key: string) => /^\w+ \/(?:operator|platform)\//.test(key);

const keys = ENDPOINTS.map(([method, path]) => keyOf(method, path));
const covered = keys.filter((key) => key in SAMPLES);

/** Names of the same length as those they stand for, so that even `Content-Length` can be compared. */
const unlike = (name: string) => name.replace(/[0-9a-f]{12}$/, () => crypto.randomUUID().replaceAll('-', '').slice(0, 12));

interface Theirs {
  readonly supplier: GivenSupplier;
  /** Imported, staged and unknown ones. */
  readonly accounts: readonly string[];
}

// Many requests in one test, on machines of any speed.
vi.setConfig({ testTimeout: 60_000 });

let ours: GivenSupplier;
let theirs: Theirs[];

async function aStagedAccount({ supplierId }: GivenSupplier): Promise<string> {
  const external = `EXT-${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const id = Math.floor(Math.random() * 1e9) + 1e9;
  // A lease without end: no consumer takes it.
  await env.DB.prepare(
    `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
       scheduled_at, sent_at, modified_at, claim, lease_until, attempts) VALUES (?1, ?2, ?3, 1, '', 2, 0, ?4, ?4, ?4, ?4, 1, ?5, 1)`,
  )
    .bind(supplierId, id, external, Date.now(), Number.MAX_SAFE_INTEGER)
    .run();
  return external;
}

async function theirSupplier(status: 'Ongoing' | 'Paused' | 'Complete'): Promise<Theirs> {
  const documentsRoot = crypto.randomUUID();
  const configuration = { documents_root: documentsRoot, extra_charge_reasons: ['THEIR_OWN_REASON'] };
  const supplier = await aSupplier({ status, configuration });
  await aDocument(`${documentsRoot}/letters/theirs.pdf`);
  const [imported, staged] = [await anImportedAccount(supplier), await aStagedAccount(supplier)];
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO notes VALUES (?, ?, ?, 'A note.', NULL, 0, NULL, 1, NULL)`).bind(
      imported.id,
      sha256('A note.'),
      1_767_225_600_000,
    ),
    env.DB.prepare(`INSERT INTO payment_instructions VALUES (?, 'CARD', 0, 'SANDBOX', 'sandbox-card', '{}', 1, NULL)`).bind(imported.id),
    env.DB.prepare(`INSERT INTO transactions VALUES (?, 'T-1', 0, 2, NULL, '2026-01-01', 1200, 'CHARGE', NULL, '{}', 1)`).bind(imported.id),
    env.DB.prepare(`INSERT INTO statements VALUES (?, 'S-1', 'other', '{}', NULL, 1)`).bind(imported.id),
  ]);
  return { supplier, accounts: [imported.externalAccountNumber, staged, unlike(imported.externalAccountNumber)] };
}

const TABLES = ['suppliers', 'runs', 'import_processes', 'payloads', 'import_process_events', 'accounts', 'customers'];
const ADDITIONS = [
  'notes',
  'transactions',
  'statements',
  'payment_instructions',
  'dead_letters',
  'audit_entries',
  'imports_per_minute',
  'events',
  'webhooks',
  'webhook_cursors',
  'refusals',
];

const everythingStored = async () =>
  JSON.stringify(
    (await env.DB.batch([...TABLES, ...ADDITIONS].map((table) => env.DB.prepare(`SELECT * FROM ${table}`)))).map(({ results }) => results),
  );

/** The answer with the names taken out. */
async function answerAbout(key: string, index: number, pair: Pair) {
  const samples = SAMPLES[key]?.(pair) ?? [];
  const sample = samples[index % samples.length];
  if (!sample) throw new Error(`no sample of ${key}`);
  const answer = JSON.stringify(await send(key, sample, ours.token));
  const names = [pair.supplier, pair.account].flatMap((name) => [name, encodeURIComponent(name), btoa(name)]);
  // A cursor of events looks new at each answer: `events/feed` shows what can be read from it.
  const named = names.reduce((text, name) => text.replaceAll(name, '…'), answer);
  return { sample, answer: key.includes('/events/') ? named.replaceAll(/(?<=\\"cursor\\":\\")[\w-]{22}(?=\\")/g, '…') : named };
}

beforeAll(async () => {
  ours = await aSupplier();
  theirs = await Promise.all((['Ongoing', 'Paused', 'Complete'] as const).map(theirSupplier));
});

it('covers every endpoint', () => {
  expect(keys.filter((key) => !(key in SAMPLES) && !OPEN.has(key) && !isOperators(key))).toEqual([]);
});

describe("another organisation's supplier and no supplier", () => {
  it.each(covered)('%s answers alike, and stores nothing', async (key) => {
    const before = await everythingStored();
    for (const { supplier, accounts } of theirs) {
      for (const account of accounts) {
        for (const [index] of (SAMPLES[key]?.({ supplier: '', account: '' }) ?? []).entries()) {
          const there = await answerAbout(key, index, { supplier: supplier.code, account });
          const nowhere = await answerAbout(key, index, { supplier: unlike(supplier.code), account: unlike(account) });
          expect(there.answer, JSON.stringify(there.sample)).toBe(nowhere.answer);
          expect(there.answer).not.toMatch(/"status":(?:201|401|429)|SCHEDULED/);
        }
      }
    }
    expect(await everythingStored()).toBe(before);
  });

  // An upload names no account, and one's own is stored.
  const aboutAccounts = covered.filter((key) => !key.startsWith('PUT'));
  it.each(aboutAccounts.filter((key) => key.includes('/:/') || /(notes|transactions|statements|instruction)\/create/.test(key)))(
    '%s of our own supplier does not know their account numbers',
    async (key) => {
      const before = await everythingStored();
      for (const account of theirs.flatMap(({ accounts }) => accounts)) {
        for (const [index] of (SAMPLES[key]?.({ supplier: '', account: '' }) ?? []).entries()) {
          const there = await answerAbout(key, index, { supplier: ours.code, account });
          const nowhere = await answerAbout(key, index, { supplier: ours.code, account: unlike(account) });
          expect(there.answer, JSON.stringify(there.sample)).toBe(nowhere.answer);
        }
      }
      expect(await everythingStored()).toBe(before);
    },
  );

  it('stays so in random sequences of requests', async () => {
    const step = fc.record({ key: fc.constantFrom(...covered), index: fc.nat(40), supplier: fc.nat(2), account: fc.nat(2) });
    const before = await everythingStored();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { key, index, ...which } of steps) {
          const { supplier, accounts } = theirs[which.supplier] ?? expect.fail();
          const account = accounts[which.account] ?? expect.fail();
          const there = await answerAbout(key, index, { supplier: supplier.code, account });
          const nowhere = await answerAbout(key, index, { supplier: unlike(supplier.code), account });
          expect(there.answer).toBe(nowhere.answer);
        }
      }),
      { numRuns: 40 },
    );
    expect(await everythingStored()).toBe(before);
  });
});

describe('credentials', () => {
  const obtain = async (input: string, address: string) =>
    seen(
      await exports.default.fetch(
        new Request('https://import.test/v1/graphql/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
          body: JSON.stringify({ query: `mutation { obtainPlatformToken(input: {${input}}) { token } }` }),
        }),
      ),
    );

  it('of another organisation that are revoked or spent answer as those that never were', async () => {
    const now = Date.now();
    const [revoked, spent] = [`sk_live_${'r'.repeat(43)}`, `rt_${'s'.repeat(43)}`];
    const { supplier } = theirs[0] ?? expect.fail();
    await env.DB.batch([
      env.DB.prepare('INSERT INTO api_keys (id, organisation_id, label, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)').bind(
        'key_revoked_of_theirs',
        supplier.organisationId,
        'old',
        sha256(revoked),
        now,
        now,
      ),
      env.DB.prepare('INSERT INTO refresh_tokens VALUES (?, ?, ?, ?)').bind(sha256(spent), supplier.apiKeyId, now + 60_000, now),
    ]);
    expect(await obtain(`APIKey: "${revoked}"`, '198.51.100.1')).toEqual(
      await obtain(`APIKey: "sk_live_${'u'.repeat(43)}"`, '198.51.100.2'),
    );
    expect(await obtain(`refreshToken: "${spent}"`, '198.51.100.3')).toEqual(
      await obtain(`refreshToken: "rt_${'u'.repeat(43)}"`, '198.51.100.4'),
    );
  });
});

it('lets no importer into the operator interface, whatever it names', async () => {
  const before = await everythingStored();
  const { supplier, accounts } = theirs[0] ?? expect.fail();
  const names = [supplier.code, accounts[0] ?? '', supplier.organisationId, supplier.apiKeyId, 'nobody'];
  for (const [method, path] of ENDPOINTS.filter(([verb, address]) => isOperators(keyOf(verb, address)))) {
    const answers = new Set<string>();
    for (const name of names) {
      const address = `https://import.test${path.replace(/:[^/]+/g, encodeURIComponent(name))}`;
      for (const credentials of [`Token ${ours.token}`, `Bearer ${ours.token}`, 'Bearer x.y.z']) {
        const body = method === 'GET' ? {} : { body: JSON.stringify({ name: 'x', label: 'x', status: 'Complete', code: name }) };
        const headers = { Authorization: credentials, 'Content-Type': 'application/json', 'CF-Connecting-IP': anAddress() };
        const answer = await seen(await exports.default.fetch(new Request(address, { method, headers, redirect: 'manual', ...body })));
        expect([401, 403], `${method} ${path}`).toContain(answer.status);
        answers.add(JSON.stringify(answer));
      }
    }
    expect(answers.size, `${method} ${path}`).toBe(1);
  }
  expect(await everythingStored()).toBe(before);
});

it('shows no importer a page of the operator, and lets none change anything there', async () => {
  const before = await everythingStored();
  const { supplier, accounts } = theirs[0] ?? expect.fail();
  const pages = appOf(depsFrom).routes.filter(
    ({ method, path }) => ['GET', 'POST'].includes(method) && /^\/operator\/(?!v1\/|assets\/|sign-in\/|\*)/.test(path),
  );
  for (const { method, path } of pages) {
    const address = `https://import.test${path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(name === 'external' ? (accounts[0] ?? '') : supplier.code))}`;
    for (const headers of [
      { Authorization: `Bearer ${ours.token}` },
      { Cookie: `__Host-operator=${ours.token}` },
      { 'Cf-Access-Jwt-Assertion': ours.token },
    ]) {
      const form = method === 'GET' ? {} : { body: new URLSearchParams({ form_token: 'x', to: 'Complete', name: 'x', label: 'x' }) };
      const answer = await exports.default.fetch(new Request(address, { method, headers, redirect: 'manual', ...form }));
      expect([303, 401, 403], `${method} ${path}`).toContain(answer.status);
      expect(await answer.text()).not.toContain(supplier.organisationId);
    }
  }
  expect(await everythingStored()).toBe(before);
});

// Last, because what is stored here goes on to be imported.
describe('what we store beside them', () => {
  it('may bear the names they use, and changes nothing of theirs', async () => {
    const [theirOwn] = theirs;
    const account = theirOwn?.accounts[0] ?? expect.fail();
    const before = await readRows('SELECT * FROM import_processes WHERE supplier_id = ?', theirOwn?.supplier.supplierId);
    const answer = await send(
      'POST /v2/data-import/accounts/',
      {
        path: '/v2/data-import/accounts/',
        body: { import_supplier: ours.code, external_account_number: account, customers: [{ given_name: 'Ada' }] },
      },
      ours.token,
    );
    expect(answer.status).toBe(201);
    const after = await readRows('SELECT * FROM import_processes WHERE supplier_id = ?', theirOwn?.supplier.supplierId);
    expect(after).toEqual(before);
    const row = await readRow(
      'SELECT count(*) AS n FROM import_processes WHERE supplier_id = ? AND external_account_number = ?',
      ours.supplierId,
      account,
    );
    expect(row).toEqual({ n: 1 });
  });
});
