import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LEASE_MILLISECONDS } from '../../src/import-processes/machine';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { aSmallAccount } from '../support/payloads';

const pathOf = (code: string, number: string) => `/v2/data-import/accounts/${encodeURIComponent(code)}/${encodeURIComponent(number)}`;
const read = (given: GivenSupplier, number: string) => call('GET', `${pathOf(given.code, number)}/`, { token: given.token });
const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const ERROR = { code: 'account_import_process_failed', detail: 'words' };
const SHOWN = { ...ERROR, domain: 'import_process' };

/** A process in a status, as the service's own writes leave it. */
async function inStatus(status: number, error: object | null, number: string | null): Promise<GivenSupplier> {
  const given = await aSupplier();
  await stage(given, [aSmallAccount(given.code, 'a')]);
  const isFinished = status > 1;
  await env.DB.prepare(
    `UPDATE import_processes SET status = ?2, error = ?3, account_number = ?4, created_at = 1000, scheduled_at = 2000, started_at = 3000,
       finished_at = ?5, modified_at = 4000, lease_until = ?6 WHERE supplier_id = ?1`,
  )
    .bind(
      given.supplierId,
      status,
      error && JSON.stringify(error),
      number,
      isFinished ? 4000 : null,
      status === 1 ? Date.now() + LEASE_MILLISECONDS : null,
    )
    .run();
  return given;
}

describe('200', () => {
  it.each([
    ['PENDING', 0, null, null, 'CREATED'],
    ['IN_PROGRESS', 1, null, null, 'CREATED'],
    ['PROCESSED', 2, null, 'A-0000000A', 'PROCESSED'],
    ['ERRORED', 3, ERROR, null, 'ERRORED'],
    ['CANCELLED', 4, null, null, 'CANCELLED'],
    ['DRY_RUN_SUCCEEDED', 5, null, null, 'DRY_RUN_SUCCEEDED'],
    ['DRY_RUN_ERRORED', 6, ERROR, null, 'ERRORED'],
  ])('shows %s with its event, its error and its identifier', async (status, stored, error, number, event) => {
    const given = await inStatus(stored, error, number);
    const answer = await read(given, 'a');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status,
        platform_identifier: number === null ? null : '10',
        created_at: '1970-01-01T00:00:01.000Z',
        modified_at: '1970-01-01T00:00:04.000Z',
        latest_event: {
          event: `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`,
          occurred_at: stored > 1 ? '1970-01-01T00:00:04.000Z' : '1970-01-01T00:00:02.000Z',
          data: error && SHOWN,
        },
        latest_error: error && SHOWN,
      },
    ]);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('Retry-After')).toBe(stored < 2 ? '5' : null);
  });

  it('carries all errors of a validation that failed in the consumer, and only then', async () => {
    const errors = [{ detail: 'words', code: 'invalid_phone_number', attr: 'customers.0.landline' }];
    const given = await inStatus(3, { ...ERROR, errors }, null);
    expect((await read(given, 'a')).body).toMatchObject({ latest_error: SHOWN, latest_event: { data: SHOWN }, errors });
    const other = await inStatus(3, ERROR, null);
    expect((await read(other, 'a')).body).not.toHaveProperty('errors');
  });

  it('has every field from the first moment', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    expect((await read(given, 'a')).body).toEqual({
      status: 'PENDING',
      platform_identifier: null,
      created_at: INSTANT,
      modified_at: INSTANT,
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', occurred_at: INSTANT, data: null },
      latest_error: null,
    });
    await deliver(deps, messages);
    expect((await read(given, 'a')).body).toMatchObject({ status: 'PROCESSED', platform_identifier: expect.stringMatching(/^\d{1,10}$/) });
  });

  it.each([
    'a/b',
    '/leading',
    'trailing/',
    'two words',
    ' spaces ',
    '100%',
    '%41',
    'plus+plus',
    'q?x=1&y#z',
    'ünï',
    'e\u0301',
    '例え',
    '🐕‍🦺',
    '\u202Ertl',
    'zero\u200Bwidth',
    'a;b,c:d@e',
    '...',
    '.hidden',
    'a'.repeat(128),
    '🐕'.repeat(128),
    "'; DROP TABLE accounts; --",
    '%',
    '\\',
    'constructor',
    '__proto__',
  ])('finds the account number %j, with and without a trailing slash', async (number) => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, number)]);
    for (const slash of ['/', '']) {
      const answer = await call('GET', pathOf(given.code, number) + slash, { token: given.token });
      expect([answer.status, answer.body]).toMatchObject([200, { status: 'PENDING' }]);
    }
  });

  it('distinguishes numbers exactly: by case, space and normal form', async () => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, 'Ab'), aSmallAccount(given.code, 'e\u0301')]);
    for (const [number, status] of [
      ['Ab', 200],
      ['ab', 404],
      ['Ab ', 404],
      [' Ab', 404],
      ['e\u0301', 200],
      ['\u00E9', 404],
    ] as const) {
      expect([number, (await read(given, number)).status]).toEqual([number, status]);
    }
  });

  it('reads under suppliers of every status', async () => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, 'a')]);
    for (const status of ['Paused', 'Complete', 'Ongoing']) {
      await env.DB.prepare('UPDATE suppliers SET status = ? WHERE id = ?').bind(status, given.supplierId).run();
      expect((await read(given, 'a')).status).toBe(200);
    }
  });
});

describe('401', () => {
  it('without a token, with a bad one, and with one of a revoked key, whatever is asked for', async () => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, 'a')]);
    for (const number of ['a', 'nobody']) {
      const without = await call('GET', pathOf(given.code, number));
      expect([without.status, without.body]).toMatchObject([401, { code: 'not_authenticated' }]);
      const bad = await call('GET', pathOf(given.code, number), { token: `${given.token}x` });
      expect([bad.status, bad.body]).toMatchObject([401, { code: 'authentication_failed' }]);
    }
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    for (const number of ['a', 'nobody']) {
      const revoked = await read(given, number);
      expect([revoked.status, revoked.body]).toEqual([401, { detail: 'Invalid token.', code: 'authentication_failed' }]);
      expect(revoked.headers.get('WWW-Authenticate')).toBe('Token');
    }
  });
});

describe('404', () => {
  it('when there is no such process: unknown number, unknown supplier, another organisation, another supplier', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const sibling = await aSupplier({ organisationId: given.organisationId });
    await stage(given, [aSmallAccount(given.code, 'a')]);
    for (const [code, number, token] of [
      [given.code, 'b', given.token],
      ['nobody', 'a', given.token],
      [given.code, 'a', other.token],
      [sibling.code, 'a', given.token],
      [given.code.toLowerCase(), 'a', given.token],
    ] as const) {
      const answer = await call('GET', `${pathOf(code, number)}/`, { token });
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    }
  });

  it.each(['%', '%zz', '%E0%A4%A', '%FF', 'a%'])('for the badly encoded %s, even if an account number reads like that', async (raw) => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, raw)]);
    const answer = await call('GET', `/v2/data-import/accounts/${given.code}/${raw}/`, { token: given.token });
    expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
  });

  it('for a path with a part too few or too many', async () => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, 'a')]);
    for (const path of [`/v2/data-import/accounts/${given.code}/`, `/v2/data-import/accounts/${given.code}/a/b/`]) {
      const answer = await call('GET', path, { token: given.token });
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    }
  });
});

describe('405', () => {
  it.each(['POST', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed, with or without a token', async (method) => {
    const given = await aSupplier();
    for (const token of [given.token, undefined]) {
      const answer = await call(method, pathOf(given.code, 'a'), token ? { token } : {});
      expect([answer.status, answer.body]).toMatchObject([405, { code: 'method_not_allowed' }]);
      expect(answer.headers.get('Allow')).toContain('GET');
    }
  });
});
