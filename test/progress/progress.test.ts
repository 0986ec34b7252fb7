/** §4.14, §4.15: how far migrations are, as importers see it. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';

const V2 = '/v2/data-import';
const NO_COUNTS = { PENDING: 0, IN_PROGRESS: 0, PROCESSED: 0, ERRORED: 0, CANCELLED: 0, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0 };
const ERROR = { code: 'import_process_failed_validation', detail: 'The account data failed validation.' };
const ITEM = { detail: 'x', code: 'invalid_phone_number', attr: 'customers.0.landline' };

/** Processes of the given statuses, named `P-0`, `P-1`, …, in that order. */
async function someProcesses(given: GivenSupplier, statuses: readonly number[]): Promise<void> {
  const rows = JSON.stringify(statuses.map((status, i) => [`P-${i}`, status]));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, finished_at, modified_at, attempts, account_number, error)
       SELECT ?2, (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, value ->> 0, value ->> 1, '', 2, 0, 1, 5, 1, 1, 7, 1,
         iif(value ->> 1 = 2, 'A-0000000A', NULL), iif(value ->> 1 = 3, ?3, NULL)
       FROM json_each(?1)`,
    ).bind(rows, given.supplierId, JSON.stringify({ ...ERROR, errors: [ITEM] })),
    env.DB.prepare(
      `INSERT INTO payloads (id, body) SELECT (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, '{}' FROM json_each(?1)`,
    ).bind(rows),
  ]);
}

const supplierOf = (given: GivenSupplier, code = given.code) => call('GET', `${V2}/import-suppliers/${code}/`, { token: given.token });
const processesOf = (given: GivenSupplier, query = '') =>
  call('GET', `${V2}/import-processes/${given.code}/${query}`, { token: given.token });

/** The account numbers of each page, following `Link`. */
async function pagesOf(given: GivenSupplier, query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: string | undefined = `${V2}/import-processes/${given.code}/${query}`; path !== undefined; ) {
    const { status, headers, body } = await call('GET', path, { token: given.token });
    expect(status).toBe(200);
    pages.push((body as { external_account_number: string }[]).map((row) => row.external_account_number));
    const next: URL | undefined = new URL(/^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '<none:/>')?.[1] ?? 'none:/');
    path = next.protocol === 'none:' ? undefined : next.pathname + next.search;
  }
  return pages;
}

describe('GET import-suppliers/{code}/ 200', () => {
  it('counts the import processes by status, and reports since when the oldest waits', async () => {
    const given = await aSupplier();
    expect((await supplierOf(given)).body).toEqual({
      import_supplier: given.code,
      status: 'Ongoing',
      counts: NO_COUNTS,
      oldest_pending_at: null,
    });
    await someProcesses(given, [0, 1, 3, 3, 4, 5, 6, 0]);
    expect((await supplierOf(given)).body).toEqual({
      import_supplier: given.code,
      status: 'Ongoing',
      counts: { PENDING: 2, IN_PROGRESS: 1, PROCESSED: 0, ERRORED: 2, CANCELLED: 1, DRY_RUN_SUCCEEDED: 1, DRY_RUN_ERRORED: 1 },
      oldest_pending_at: '1970-01-01T00:00:00.005Z',
    });
  });

  it('counts what was imported', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a'), aSmallAccount(given.code, 'b')]);
    await deliver(deps, messages);
    expect((await supplierOf(given)).body).toMatchObject({ counts: { ...NO_COUNTS, PROCESSED: 2 }, oldest_pending_at: null });
  });

  it('reports since when the supplier is Paused, and only then', async () => {
    const given = await aSupplier();
    const before = Date.now();
    await operate('PATCH', `suppliers/${given.code}/`, { status: 'Paused' });
    const { body } = await supplierOf(given);
    expect(body).toMatchObject({ status: 'Paused', paused_since: expect.stringMatching(/Z$/) });
    const since = Date.parse((body as { paused_since: string }).paused_since);
    expect(since).toBeGreaterThanOrEqual(before - 1_000);
    await operate('PATCH', `suppliers/${given.code}/`, { name: 'Another name' });
    expect((await supplierOf(given)).body).toMatchObject({ paused_since: new Date(since).toISOString() });
    await operate('PATCH', `suppliers/${given.code}/`, { status: 'Ongoing' });
    expect((await supplierOf(given)).body).not.toHaveProperty('paused_since');
  });
});

it('GET import-suppliers/{code}/ 404: a supplier that is not there, and another organisation’s alike', async () => {
  const [given, other] = [await aSupplier(), await aSupplier()];
  const [unknown, others] = [await supplierOf(given, 'NOBODY'), await supplierOf(given, other.code)];
  expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }]);
  expect([others.status, others.body]).toEqual([unknown.status, unknown.body]);
});

it('GET import-suppliers/ 200: those of the organisation, by code, and no others', async () => {
  const given = await aSupplier();
  await aSupplier();
  const { body } = await call('GET', `${V2}/import-suppliers/`, { token: given.token });
  expect(body).toEqual([{ import_supplier: given.code, status: 'Ongoing', counts: NO_COUNTS, oldest_pending_at: null }]);
});

describe('GET import-processes/{code}/ 200', () => {
  it('lists what errored with all its errors', async () => {
    const given = await aSupplier();
    await someProcesses(given, [0, 3, 2]);
    expect((await processesOf(given, '?status=ERRORED')).body).toEqual([
      {
        external_account_number: 'P-1',
        status: 'ERRORED',
        platform_account_number: null,
        platform_identifier: null,
        modified_at: '1970-01-01T00:00:00.007Z',
        latest_error: { ...ERROR, domain: 'import_process' },
        errors: [ITEM],
      },
    ]);
    expect((await processesOf(given, '?status=PROCESSED')).body).toMatchObject([
      {
        external_account_number: 'P-2',
        status: 'PROCESSED',
        platform_account_number: 'A-0000000A',
        platform_identifier: '10',
        latest_error: null,
      },
    ]);
  });

  it.each([
    ['', [['P-0', 'P-1'], ['P-2', 'P-3'], ['P-4', 'P-5'], ['P-6']]],
    ['&status=PENDING', [['P-0', 'P-3'], ['P-6']]],
    ['&status=PROCESSED', [['P-1', 'P-4']]],
    ['&status=ERRORED', [['P-2', 'P-5']]],
    ['&status=CANCELLED', [[]]],
  ])('comes in pages, in the order of the first create: ?limit=2%s', async (query, pages) => {
    const given = await aSupplier();
    await someProcesses(given, [0, 2, 3, 0, 2, 3, 0]);
    expect(await pagesOf(given, `?limit=2${query}`)).toEqual(pages);
  });

  it('looks at a bounded number of processes where few are PROCESSED, and leads on past the others', async () => {
    const given = await aSupplier();
    await someProcesses(given, [...Array<number>(10_000).fill(0), 2]);
    expect(await pagesOf(given, '?status=PROCESSED')).toEqual([[], ['P-10000']]);
  });
});

describe('GET import-processes/{code}/ 400, 404', () => {
  it.each(['status=DONE', 'status=', 'limit=0', 'limit=1001', 'limit=x', 'cursor=', 'cursor=bm9ib2R5'])('400: ?%s', async (query) => {
    const { status, body } = await processesOf(await aSupplier(), `?${query}`);
    expect([status, body]).toMatchObject([400, { code: 'validation_error', errors: [{ code: 'invalid', attr: query.split('=')[0] }] }]);
  });

  it('404: another organisation’s supplier, as one that is not there', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const answers = await Promise.all(
      ['NOBODY', other.code].map((code) => call('GET', `${V2}/import-processes/${code}/`, { token: given.token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
