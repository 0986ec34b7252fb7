/** `/healthz` is whether the Worker runs, `/readyz` whether it can work. */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Bindings } from '../../src/deps';
import { everyMinute } from '../../src/scheduled';
import { databaseAround } from '../support/around';
import { aDeps } from '../support/deps';
import { readRow } from '../support/tables';
import { awayDatabase, callWith, fullDatabase, readOnlyDatabase, slowDatabase } from '../support/trouble';

const MINUTE = 60_000;

/** `/readyz` of an isolate of its own: each remembers its last answer for a moment. */
const ready = (settings: Partial<Bindings> = {}) =>
  callWith({ DB: databaseAround(env.DB, (_, run) => run()), ...settings }, 'GET', '/readyz');

const reasonsOf = ({ body }: { readonly body: unknown }): string[] =>
  (body as { reasons: { name: string }[] }).reasons.map(({ name }) => name).sort();

const sweptAt = (at: number) =>
  env.DB.prepare("INSERT INTO heartbeats (name, at) VALUES ('sweep', ?1) ON CONFLICT (name) DO UPDATE SET at = ?1").bind(at).run();

const sweptAgo = (milliseconds: number) => sweptAt(Date.now() - milliseconds);

describe('GET /healthz', () => {
  it('200 with and without the trailing slash', async () => {
    for (const path of ['/healthz', '/healthz/']) {
      const response = await exports.default.fetch(`https://import.test${path}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: 'ok' });
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each([
    ['away', awayDatabase],
    ['slow', slowDatabase],
  ])('200 also while the database is %s: it asks nobody', async (_, aDatabase) => {
    expect(await callWith({ DB: aDatabase() }, 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('GET /readyz 200', () => {
  it('with and without the trailing slash, once the tables are there, a write succeeds, the keys are long enough and the sweep runs', async () => {
    await sweptAgo(0);
    for (const path of ['/readyz', '/readyz/'])
      expect(await callWith({}, 'GET', path)).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('after a sweep of this very service', async () => {
    await env.DB.prepare('DELETE FROM heartbeats').run();
    await everyMinute(aDeps());
    expect((await ready()).status).toBe(200);
  });

  it('asks the database at most once in a few seconds, whoever asks how often', async () => {
    await sweptAgo(0);
    let trips = 0;
    const DB = databaseAround(env.DB, (_, run) => {
      trips++;
      return run();
    });
    for (let i = 0; i < 20; i++) expect((await ready({ DB })).status).toBe(200);
    expect(trips).toBeLessThanOrEqual(2);
  });
});

describe('GET /readyz 503', () => {
  it('is reported with code, words, reasons and Retry-After', async () => {
    await sweptAgo(0);
    const answer = await ready({ DB: readOnlyDatabase() });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'not_ready', detail: expect.any(String), reasons: [{ name: 'write', detail: expect.any(String) }] },
    });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it.each([
    ['read-only', readOnlyDatabase],
    ['full', fullDatabase],
  ])('write: the database is %s', async (_, aDatabase) => {
    await sweptAgo(0);
    await env.DB.prepare("DELETE FROM heartbeats WHERE name = 'readiness'").run();
    expect(reasonsOf(await ready({ DB: aDatabase() }))).toEqual(['write']);
  });

  it('tables: a migration is missing', async () => {
    await sweptAgo(0);
    const newest = 'SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1';
    const row = await readRow<{ name: string }>(newest);
    await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(row?.name).run();
    const answer = await ready();
    await env.DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(row?.name).run();
    expect(reasonsOf(answer)).toEqual(['tables']);
  });

  it('tables, write and sweep: no migration was ever applied', async () => {
    const DB = databaseAround(env.DB, () => Promise.reject(new Error('D1_ERROR: no such table: d1_migrations: SQLITE_ERROR')));
    expect(reasonsOf(await ready({ DB }))).toEqual(['sweep', 'tables', 'write']);
  });

  it.each([
    ['away', awayDatabase],
    ['slow', slowDatabase],
  ])('tables, write and sweep: the database is %s', async (_, aDatabase) => {
    expect(reasonsOf(await ready({ DB: aDatabase() }))).toEqual(['sweep', 'tables', 'write']);
  });

  it('sweep: none has run yet, or the last one is long ago', async () => {
    await env.DB.prepare('DELETE FROM heartbeats').run();
    expect(reasonsOf(await ready())).toEqual(['sweep']);
    await sweptAgo(4 * MINUTE);
    expect((await ready()).status).toBe(200);
    await sweptAgo(6 * MINUTE);
    expect(reasonsOf(await ready())).toEqual(['sweep']);
  });

  it('sweep: one that fails does not count', async () => {
    await sweptAgo(6 * MINUTE);
    await everyMinute(aDeps({ DB: readOnlyDatabase() }));
    expect(reasonsOf(await ready())).toEqual(['sweep']);
  });

  it.each([
    ['signing_key', { TOKEN_SIGNING_KEY: 'x'.repeat(31) }],
    ['signing_key', { TOKEN_SIGNING_KEY: '' }],
    ['previous_signing_key', { TOKEN_SIGNING_KEY_PREVIOUS: 'x'.repeat(31) }],
    ['operator_token', { OPERATOR_TOKEN: 'x'.repeat(31) }],
    ['platform_token', { PLATFORM_TOKEN: 'x'.repeat(31) }],
    ['previous_platform_token', { PLATFORM_TOKEN_PREVIOUS: 'x'.repeat(31) }],
    ['webhook_signing_key', { WEBHOOK_SIGNING_KEY: 'x'.repeat(31) }],
  ])('%s: shorter than 32 bytes', async (name, secrets) => {
    await sweptAgo(0);
    expect(reasonsOf(await ready(secrets))).toEqual([name]);
  });

  it('reports nothing of a secret but that it is too short', async () => {
    const answer = await ready({ TOKEN_SIGNING_KEY: 'a-short-one' });
    expect(answer.text).not.toContain('a-short-one');
  });

  it('restore: the way back from one is not finished', async () => {
    await sweptAgo(0);
    expect(reasonsOf(await ready({ DATABASE_EPOCH: '7' }))).toEqual(['restore']);
  });
});

it('serves the icon that browsers ask for', async () => {
  const response = await exports.default.fetch('https://import.test/favicon.ico');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
  await response.body?.cancel();
});
