/** §4.6: a create is validated by the supplier as it is now, whatever was known of it a moment ago. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { rowsOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';

const create = (given: GivenSupplier, number: string, mobile = '07400 123456') =>
  call('POST', '/v2/data-import/accounts/', {
    token: given.token,
    body: {
      ...aSmallAccount(given.code, number),
      customers: [{ given_name: 'Ada', mobile }],
      task_params: { schedule_window_start: '2099-01-01T00:00:00Z' },
    },
  });

const configure = (given: GivenSupplier, configuration: object) =>
  env.DB.prepare('UPDATE suppliers SET configuration = json_patch(configuration, ?), version = version + 1 WHERE id = ?')
    .bind(JSON.stringify(configuration), given.supplierId)
    .run();

const become = (given: GivenSupplier, status: string) =>
  env.DB.prepare('UPDATE suppliers SET status = ?, version = version + 1 WHERE id = ?').bind(status, given.supplierId).run();

/** A supplier that this isolate knows already. */
async function aKnownSupplier(): Promise<GivenSupplier> {
  const given = await aSupplier();
  expect(await create(given, 'first')).toMatchObject({ status: 201 });
  expect(await create(given, 'second')).toMatchObject({ status: 201 });
  return given;
}

const stored = async (given: GivenSupplier): Promise<number> => (await rowsOf(given)).processes;

describe('400', () => {
  it.each(['Paused', 'Complete'])('at once when the supplier has become %s, and nothing is stored', async (status) => {
    const given = await aKnownSupplier();
    await become(given, status);
    expect(await create(given, 'third')).toMatchObject({ status: 400 });
    expect(await stored(given)).toBe(2);
  });

  it('at once when the supplier’s configuration no longer allows what it allowed', async () => {
    const given = await aKnownSupplier();
    await configure(given, { default_country: 'FR' });
    expect(await create(given, 'third')).toMatchObject({ status: 400 });
    expect(await stored(given)).toBe(2);
  });

  it('at once when the supplier has gone to another organisation', async () => {
    const [given, other] = [await aKnownSupplier(), await aSupplier()];
    await env.DB.prepare('UPDATE suppliers SET organisation_id = ? WHERE id = ?').bind(other.organisationId, given.supplierId).run();
    expect(await create(given, 'third')).toMatchObject({ status: 400 });
    expect(await stored(given)).toBe(2);
  });
});

describe('401', () => {
  it('at once when the key has been revoked', async () => {
    const given = await aKnownSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await create(given, 'third')).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
    expect(await stored(given)).toBe(2);
  });
});

describe('an account that is there already shows nothing but that it is imported, and that to its own organisation only', () => {
  const changes: readonly (readonly [what: string, change: (given: GivenSupplier) => Promise<unknown>, status: number, code: string])[] = [
    ['the supplier has been paused', (given) => become(given, 'Paused'), 400, 'import_process_failed_validation'],
    ['the supplier is complete', (given) => become(given, 'Complete'), 400, 'import_process_failed_validation'],
    [
      'the configuration no longer allows it',
      (given) => configure(given, { default_country: 'FR' }),
      400,
      'import_process_failed_validation',
    ],
    [
      'the supplier has gone to another organisation',
      async (given) => {
        const other = await aSupplier();
        await env.DB.prepare('UPDATE suppliers SET organisation_id = ? WHERE id = ?').bind(other.organisationId, given.supplierId).run();
      },
      400,
      'import_process_failed_validation',
    ],
    [
      'the key has been revoked',
      (given) => env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run(),
      401,
      'authentication_failed',
    ],
  ];
  const states = [
    { name: 'staged', state: 0 },
    { name: 'in progress', state: 1 },
    { name: 'imported', state: 2 },
  ];
  const cases = changes.flatMap(([what, change, status, code]) => states.map((state) => ({ what, change, status, code, ...state })));
  /** Whoever sends an imported account again learns so, whatever the supplier's status (§4.6). */
  const isReported = (what: string, state: number): boolean => state === 2 && /paused|complete/.test(what);
  it.each(cases)('$name, once $what', async ({ what, change, status, code, state }) => {
    const given = await aKnownSupplier();
    await env.DB.prepare('UPDATE import_processes SET status = ?, account_number = ? WHERE supplier_id = ?')
      .bind(state, state === 2 ? 'A-00000001' : null, given.supplierId)
      .run();
    await change(given);
    const answer = await create(given, 'first');
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(isReported(what, state) ? '"account_import_process_already_imported"' : `"${code}"`);
    expect(JSON.stringify(answer.body).includes('A-00000001')).toBe(isReported(what, state));
  });
});

describe('201', () => {
  it('at once when the supplier’s configuration allows what it did not allow', async () => {
    const given = await aKnownSupplier();
    expect(await create(given, 'third', '06 12 34 56 78')).toMatchObject({ status: 400 });
    await configure(given, { default_country: 'FR' });
    expect(await create(given, 'third', '06 12 34 56 78')).toMatchObject({ status: 201 });
    expect(await stored(given)).toBe(3);
  });

  it('at once when the supplier has been resumed', async () => {
    const given = await aKnownSupplier();
    await become(given, 'Paused');
    expect(await create(given, 'third')).toMatchObject({ status: 400 });
    await become(given, 'Ongoing');
    expect(await create(given, 'third')).toMatchObject({ status: 201 });
    expect(await stored(given)).toBe(3);
  });
});
