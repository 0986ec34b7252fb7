/** The database is filling up, full, read-only, slow or away: what goes on, what is refused, and how it is said. */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { rememberSize } from '../../src/db/size';
import { intakeOf } from '../../src/health';
import { roomOf } from '../../src/health/rules';
import { everyMinute } from '../../src/scheduled';
import { databaseAround } from '../support/around';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier, type GivenSupplier } from '../support/given';
import { deliver, stage, statusesOf } from '../support/importing';
import { OPERATOR, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';
import { awayDatabase, callWith, fullDatabase, readOnlyDatabase, slowDatabase } from '../support/trouble';

const ACCOUNTS = '/v2/data-import/accounts/';
const BULK = '/v2/data-import/accounts/bulk/';
const LATER = { task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } };

/** How many bytes the database has right now. */
const bytesNow = async (): Promise<number> => (await env.DB.prepare('SELECT 1').all()).meta.size_after;

/** The limit under which the database is this full. */
const limitAt = async (share: number): Promise<{ DATABASE_LIMIT_BYTES: string }> => ({
  DATABASE_LIMIT_BYTES: String(Math.round((await bytesNow()) / share)),
});

const processesOf = (given: GivenSupplier) =>
  readRow<{ n: number }>('SELECT count(*) AS n FROM import_processes WHERE supplier_id = ?', given.supplierId);

async function aCookie(): Promise<string> {
  const signedIn = await callWith({}, 'POST', '/operator/sign-in/', {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ token: env.OPERATOR_TOKEN ?? '', next: '/operator/' }),
  });
  return signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '';
}

const secondsIn = (headers: Headers): number => Number(headers.get('Retry-After'));

describe('beyond 90 % of its size', () => {
  it('a create is 503 with Retry-After, and nothing is stored', async () => {
    const [given, settings] = [await aSupplier(), await limitAt(0.91)];
    const answer = await callWith(settings, 'POST', ACCOUNTS, { token: given.token, body: aSmallAccount(given.code, 'a') });
    expect([answer.status, answer.body]).toEqual([
      503,
      { code: 'service_unavailable', detail: expect.any(String), request_id: answer.headers.get('X-Request-Id') },
    ]);
    expect(secondsIn(answer.headers)).toBeGreaterThan(0);
    expect(await processesOf(given)).toEqual({ n: 0 });
  });

  it('so it is for an isolate that has created before, under whatever was remembered', async () => {
    const given = await aSupplier();
    const create = (settings: object, number: string) =>
      callWith(settings, 'POST', ACCOUNTS, { token: given.token, body: { ...aSmallAccount(given.code, number), ...LATER } });
    expect((await create({}, 'a')).status).toBe(201);
    expect((await create(await limitAt(0.95), 'b')).status).toBe(503);
    expect((await create(await limitAt(0.5), 'b')).status).toBe(201);
  });

  it('what is wrong with an account still comes first', async () => {
    const [given, settings] = [await aSupplier(), await limitAt(0.91)];
    const wrong = { ...aSmallAccount(given.code, 'a'), account_type: 'CASTLE' };
    expect((await callWith(settings, 'POST', ACCOUNTS, { token: given.token, body: wrong })).status).toBe(400);
    expect(
      (await callWith(settings, 'POST', `${ACCOUNTS}validate/`, { token: given.token, body: aSmallAccount(given.code, 'a') })).status,
    ).toBe(200);
  });

  it('bulk create is 503 as a whole before its first line, bulk validate goes on', async () => {
    const [given, settings] = [await aSupplier(), await limitAt(0.91)];
    const options = {
      token: given.token,
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `${JSON.stringify(aSmallAccount(given.code, 'a'))}\n`,
    };
    const answer = await callWith(settings, 'POST', BULK, options);
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(secondsIn(answer.headers)).toBeGreaterThan(0);
    expect((await callWith(settings, 'POST', `${BULK}?mode=validate`, options)).text).toContain('"VALID"');
    expect(await processesOf(given)).toEqual({ n: 0 });
  });

  it('a bulk request under way answers the lines that come too late with FAILED: they are to be sent again', async () => {
    const given = await aSupplier();
    const lines = Array.from({ length: 1_200 }, (_, i) =>
      JSON.stringify({ ...aSmallAccount(given.code, `n${i}`), billing_name: 'x'.repeat(400), ...LATER }),
    );
    // Room for the first slice, none after it.
    const settings = { DATABASE_LIMIT_BYTES: String(Math.round(((await bytesNow()) + 200_000) / 0.9)) };
    const answer = await callWith(settings, 'POST', BULK, {
      token: given.token,
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    expect(answer.status).toBe(200);
    const results: { status?: string; done?: boolean }[] = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const statuses = results.slice(0, -1).map(({ status }) => status);
    expect(results.at(-1)).toEqual({ done: true, lines: 1_200 });
    expect([statuses[0], statuses.at(-1)]).toEqual(['SCHEDULED', 'FAILED']);
    expect(await processesOf(given)).toEqual({ n: statuses.filter((status) => status === 'SCHEDULED').length });
  });

  it('tokens, claims, pauses, cancels and additions go on', async () => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'claimed')]);
    await stage(given, [{ ...aSmallAccount(given.code, 'cancelled'), ...LATER }], deps);
    const settings = await limitAt(0.95);
    expect(await deliver(aDeps(settings), messages)).toEqual({ acked: ['m0'], retried: [] });
    const cancelled = await callWith(settings, 'DELETE', `${ACCOUNTS}${given.code}/cancelled/`, { token: given.token });
    expect(cancelled.status).toBe(204);
    const note = { import_supplier: given.code, external_account_number: account.externalAccountNumber, notes: [{ body: 'a' }] };
    expect((await callWith(settings, 'POST', '/v1/data-import/notes/create/', { token: given.token, body: note })).status).toBe(201);
    const paused = await callWith(settings, 'PATCH', `/operator/v1/suppliers/${given.code}/`, {
      headers: OPERATOR,
      body: { status: 'Paused' },
    });
    expect(paused).toMatchObject({ status: 200, body: { status: 'Paused' } });
    expect(await statusesOf(given)).toMatchObject({ claimed: 'PROCESSED', cancelled: 'CANCELLED' });
  });

  it('an isolate whose last look was a while ago looks again before it refuses: room may have been made', async () => {
    const db = databaseAround(env.DB, (_, run) => run());
    const [last] = await env.DB.batch([env.DB.prepare('SELECT 1')]);
    if (!last) throw new Error('D1 answered nothing');
    const remember = (bytes: number, age: number) => {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - age);
      rememberSize(db, [{ ...last, meta: { ...last.meta, size_after: bytes } }]);
      clock.mockRestore();
    };
    const limit = 2 * (await bytesNow());
    const deps = aDeps({ DATABASE_LIMIT_BYTES: String(limit) });
    remember(limit, 1_000);
    expect(await intakeOf(deps, db)).toBe('full');
    remember(limit, 60_000);
    expect(await intakeOf(deps, db)).toBe('open');
  });
});

describe('the gauge', () => {
  it('is in GET queue/: size, limit, share and what it means, with the age of the last sweep', async () => {
    await everyMinute(aDeps());
    const { status, body } = await operate('GET', 'queue/');
    expect([status, body]).toMatchObject([
      200,
      {
        database: { size_bytes: await bytesNow(), limit_bytes: 10_000_000_000, percent: 0, level: 'ok' },
        takes_new_accounts: true,
        last_sweep_at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_sweep_seconds: expect.any(Number),
      },
    ]);
  });

  it.each([
    [0.5, 'ok', true],
    [0.81, 'high', true],
    [0.91, 'full', false],
  ])('at %d is %s', async (share, level, takes) => {
    const { body } = await callWith(await limitAt(share), 'GET', '/operator/v1/queue/', { headers: OPERATOR });
    expect(body).toMatchObject({ database: { level }, takes_new_accounts: takes });
  });

  it('is in the console, and is loud there from 80 % on', async () => {
    await everyMinute(aDeps());
    const headers = { Cookie: await aCookie() };
    const overview = async (share: number) => (await callWith(await limitAt(share), 'GET', '/operator/', { headers })).text;
    const calm = await overview(0.5);
    expect(calm).toMatch(/Database <b[^>]*>(?:49|50)(?:\.\d)? %/);
    expect(calm).toMatch(/Last sweep <b[^>]*>\d+ s ago/);
    expect(calm).not.toContain('role="alert"');
    expect(await overview(0.81)).toMatch(/role="alert">[^<]*The database is 8[01](?:\.\d)? % full/);
    expect(await overview(0.91)).toMatch(/role="alert">[^<]*new accounts are refused/i);
  });

  it('is null for a sweep that never was', async () => {
    await env.DB.prepare("DELETE FROM heartbeats WHERE name = 'sweep'").run();
    expect((await operate('GET', 'queue/')).body).toMatchObject({ last_sweep_at: null, last_sweep_seconds: null });
  });

  it('is loud in the log of every minute from 80 % on, and silent before', async () => {
    for (const [share, level] of [
      [0.79, undefined],
      [0.81, 'high'],
      [0.91, 'full'],
    ] as const) {
      const deps = aDeps(await limitAt(share));
      await everyMinute(deps);
      const logged = deps.logged.find(({ event }) => event === 'database_filling');
      expect(logged?.fields?.['level'], String(share)).toBe(level);
    }
  });

  it('follows what is deleted: free pages are no part of it', async () => {
    const before = await bytesNow();
    await env.DB.prepare('INSERT INTO heartbeats (name, at) VALUES (?, 1)').bind('x'.repeat(1_000_000)).run();
    expect(await bytesNow()).toBeGreaterThan(before + 900_000);
    await env.DB.prepare('DELETE FROM heartbeats WHERE at = 1').run();
    expect(await bytesNow()).toBeLessThan(before + 100_000);
  });

  it('says of a share what it means, to the byte', () => {
    expect([0, 799, 800, 899, 900, 1_500].map((bytes) => roomOf(bytes, 1_000))).toEqual([
      { bytes: 0, limitBytes: 1_000, percent: 0, level: 'ok' },
      { bytes: 799, limitBytes: 1_000, percent: 79.9, level: 'ok' },
      { bytes: 800, limitBytes: 1_000, percent: 80, level: 'high' },
      { bytes: 899, limitBytes: 1_000, percent: 89.9, level: 'high' },
      { bytes: 900, limitBytes: 1_000, percent: 90, level: 'full' },
      { bytes: 1_500, limitBytes: 1_000, percent: 150, level: 'full' },
    ]);
  });
});

describe('a database that takes no writes', () => {
  it.each([
    ['read-only', readOnlyDatabase],
    ['full', fullDatabase],
  ])('%s: reads go on, writes are 500 with Retry-After, nothing is half stored', async (_, aDatabase) => {
    const given = await aSupplier();
    const account = await anImportedAccount(given);
    const settings = { DB: aDatabase() };
    const { token } = given;
    const reads = [
      `/v2/data-import/accounts/${given.code}/${account.externalAccountNumber}/`,
      `/v1/data-import/account-transfer-status/${given.code}/${account.externalAccountNumber}/`,
      `/v1/data-import/all-account-import-processes/${given.code}/`,
    ];
    for (const path of reads) expect((await callWith(settings, 'GET', path, { token })).status, path).toBe(200);
    const pair = { import_supplier: given.code, external_account_number: account.externalAccountNumber };
    const writes = [
      [ACCOUNTS, aSmallAccount(given.code, 'a')],
      ['/v1/data-import/notes/create/', { ...pair, notes: [{ body: 'a' }] }],
    ] as const;
    for (const [path, body] of writes) {
      const answer = await callWith(settings, 'POST', path, { token, body });
      expect([answer.status, answer.body], path).toMatchObject([500, { code: 'error' }]);
      expect(secondsIn(answer.headers), path).toBeGreaterThan(0);
    }
    expect(await processesOf(given)).toEqual({ n: 1 });
    const notes = await readRow('SELECT count(*) AS n FROM notes WHERE account_id = ?', account.id);
    expect(notes).toEqual({ n: 0 });
  });

  it.each([
    ['read-only', readOnlyDatabase],
    ['full', fullDatabase],
    ['away', awayDatabase],
  ])('%s: the operator signs in all the same, and the log says that it is not in the audit trail', async (_, aDatabase) => {
    const answer = await callWith({ DB: aDatabase() }, 'POST', '/operator/sign-in/', {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ token: env.OPERATOR_TOKEN ?? '', next: '/operator/' }),
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/operator/']);
    expect(answer.headers.get('Set-Cookie')).toContain('__Host-operator=');
  });

  it('the operator reads queue, suppliers and processes; a payload is revealed to nobody whose look is not audited', async () => {
    const given = await aSupplier();
    await stage(given, [{ ...aSmallAccount(given.code, 'a'), ...LATER }]);
    const settings = { DB: readOnlyDatabase() };
    for (const path of ['queue/', 'suppliers/', `suppliers/${given.code}/`, `suppliers/${given.code}/import-processes/a/`, 'audit/'])
      expect((await callWith(settings, 'GET', `/operator/v1/${path}`, { headers: OPERATOR })).status, path).toBe(200);
    const reveal = `/operator/v1/suppliers/${given.code}/import-processes/a/reveal/`;
    const answer = await callWith(settings, 'POST', reveal, { headers: OPERATOR });
    expect([answer.status, answer.text.includes('given_name')]).toEqual([500, false]);
    expect(secondsIn(answer.headers)).toBeGreaterThan(0);
  });

  it('each part of the minute’s work fails for itself, and is named', async () => {
    const deps = aDeps({ DB: readOnlyDatabase() });
    await everyMinute(deps);
    const failed = deps.logged.filter(({ event }) => event === 'scheduled_work_failed').map(({ fields }) => fields?.['work']);
    expect(failed).toEqual(expect.arrayContaining(['sweep', 'expired_rows']));
  });
});

describe('a database that is slow or away', () => {
  it.concurrent.each([
    ['away', awayDatabase],
    ['slow', slowDatabase],
  ])('%s: 500 with Retry-After, in bounded time, nothing of the cause', async (_, aDatabase) => {
    const given = await aSupplier();
    const path = `/v1/data-import/all-account-import-processes/${given.code}/`;
    const answer = await callWith({ DB: aDatabase() }, 'GET', path, { token: given.token });
    expect([answer.status, answer.body]).toEqual([
      500,
      { code: 'error', detail: expect.any(String), request_id: answer.headers.get('X-Request-Id') },
    ]);
    expect(secondsIn(answer.headers)).toBeGreaterThan(0);
  });

  it('a page of the console says so with Retry-After', async () => {
    const page = await callWith({ DB: awayDatabase() }, 'GET', '/operator/', { headers: { Cookie: await aCookie() } });
    expect([page.status, secondsIn(page.headers) > 0]).toEqual([500, true]);
  });

  it('a bug is no reason to come back: no Retry-After', async () => {
    const given = await aSupplier();
    const broken: D1Database = new Proxy(env.DB, {
      get: () => {
        throw new TypeError('undefined is not a function');
      },
    });
    const path = `/v1/data-import/all-account-import-processes/${given.code}/`;
    const answer = await callWith({ DB: broken }, 'GET', path, { token: given.token });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([500, null]);
  });
});
