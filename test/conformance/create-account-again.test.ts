import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { type StatusBody, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';

const PATH = '/v2/data-import/accounts/';
/** A window far ahead keeps the queue out of these tests. */
const task_params = { schedule_window_start: '2099-01-01T00:00:00Z' };
const create = (given: GivenSupplier, over: object = {}) =>
  call('POST', PATH, { token: given.token, body: { ...aSmallAccount(given.code, 'a'), task_params, ...over } });

const ERROR = { code: 'account_import_process_failed', detail: 'words' };
const NUMBER = 'A-00C0FFEE';

interface Row {
  readonly id: number;
  readonly status: number;
  readonly modified_at: number;
  readonly body: string;
}

const rowsOf = async (given: GivenSupplier): Promise<Row[]> =>
  (
    await env.DB.prepare(
      'SELECT p.id, p.status, p.modified_at, y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?',
    )
      .bind(given.supplierId)
      .all<Row>()
  ).results;

/** A created process, then put into a status a while ago. */
async function existing(status: number): Promise<{ given: GivenSupplier; before: StatusBody; row: Row | undefined }> {
  const given = await aSupplier();
  await create(given);
  await env.DB.prepare(
    `UPDATE import_processes SET status = ?2, created_at = 1000, scheduled_at = 1000, modified_at = 2000, finished_at = iif(?2 > 1, 2000, NULL),
       error = iif(?2 IN (3, 6), ?3, NULL), account_number = iif(?2 = 2, ?4, NULL), lease_until = iif(?2 = 1, 9e12, NULL) WHERE supplier_id = ?1`,
  )
    .bind(given.supplierId, status, JSON.stringify(ERROR), NUMBER)
    .run();
  const [row] = await rowsOf(given);
  return { given, before: await statusOf(given, 'a'), row };
}

describe('a create of a pair that has no process', () => {
  it('makes one, PENDING', async () => {
    const given = await aSupplier();
    expect(await create(given)).toMatchObject({ status: 201, body: {} });
    expect(await statusOf(given, 'a')).toMatchObject({
      status: 'PENDING',
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', data: null },
      latest_error: null,
    });
    expect(await rowsOf(given)).toHaveLength(1);
  });

  it('of one number under two suppliers makes two', async () => {
    const given = await aSupplier();
    const sibling = await aSupplier({ organisationId: given.organisationId });
    for (const one of [given, sibling]) {
      expect((await create(one)).status).toBe(201);
      expect(await rowsOf(one)).toHaveLength(1);
    }
  });
});

describe('a create of a pair whose process is PENDING', () => {
  it('with the same payload changes nothing', async () => {
    const { given, before, row } = await existing(0);
    expect(await create(given)).toMatchObject({ status: 201, body: {} });
    expect(await statusOf(given, 'a')).toEqual(before);
    expect(await rowsOf(given)).toEqual([row]);
  });

  it('with the same payload in another order of keys, or in the other form, changes nothing', async () => {
    const { given, row } = await existing(0);
    const account = aSmallAccount(given.code, 'a');
    const reversed = Object.fromEntries(Object.entries({ ...account, task_params }).toReversed());
    for (const body of [reversed, { payload: account, task_params }, { payload: { ...account, task_params } }]) {
      expect(await call('POST', PATH, { token: given.token, body })).toMatchObject({ status: 201, body: {} });
      expect(await rowsOf(given)).toEqual([row]);
    }
  });

  it('with another payload replaces the staged one', async () => {
    const { given, row } = await existing(0);
    expect(await create(given, { billing_name: 'Other' })).toMatchObject({ status: 201, body: {} });
    const [after, ...more] = await rowsOf(given);
    expect([after?.id, after?.status, more]).toEqual([row?.id, 0, []]);
    expect(JSON.parse(after?.body ?? '')).toMatchObject({ billing_name: 'Other' });
    expect(await statusOf(given, 'a')).toMatchObject({ status: 'PENDING', created_at: '1970-01-01T00:00:01.000Z' });
  });

  it('with other task_params is another payload', async () => {
    const { given } = await existing(0);
    expect((await create(given, { task_params: { ...task_params, is_dry_run: true } })).status).toBe(201);
    const row = await env.DB.prepare('SELECT is_dry_run FROM import_processes WHERE supplier_id = ?').bind(given.supplierId).first();
    expect(row).toEqual({ is_dry_run: 1 });
  });

  it('with a payload that fails validation leaves the staged one', async () => {
    const { given, row } = await existing(0);
    expect((await create(given, { account_type: 'CASTLE' })).status).toBe(400);
    expect(await rowsOf(given)).toEqual([row]);
  });
});

describe('a create of a pair whose process is IN_PROGRESS', () => {
  it('with the same payload is a retry whose answer was lost: nothing changes', async () => {
    const { given, before, row } = await existing(1);
    expect(await create(given)).toMatchObject({ status: 201, body: {} });
    expect(await statusOf(given, 'a')).toEqual(before);
    expect(await rowsOf(given)).toEqual([row]);
  });

  it('with another payload is refused, and nothing changes', async () => {
    const { given, before, row } = await existing(1);
    const answer = await create(given, { billing_name: 'Other' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'account_import_process_in_progress', detail: expect.any(String), domain: 'import_process' },
    ]);
    expect(await statusOf(given, 'a')).toEqual(before);
    expect(await rowsOf(given)).toEqual([row]);
  });
});

describe.each([
  ['ERRORED', 3],
  ['CANCELLED', 4],
  ['DRY_RUN_SUCCEEDED', 5],
  ['DRY_RUN_ERRORED', 6],
])('a create of a pair whose process is %s', (name, status) => {
  it.each([
    ['the same payload', {}],
    ['another payload', { billing_name: 'Other' }],
  ])('with %s makes it PENDING again: a new CREATED event, no error, created_at stays, modified_at moves', async (_, over) => {
    const { given, before, row } = await existing(status);
    expect(before.status).toBe(name);
    expect(await create(given, over)).toMatchObject({ status: 201, body: {} });
    const after = await statusOf(given, 'a');
    expect(after).toEqual({
      status: 'PENDING',
      platform_identifier: null,
      created_at: before.created_at,
      modified_at: expect.any(String),
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', occurred_at: after.modified_at, data: null },
      latest_error: null,
    });
    expect(Date.parse(after.modified_at)).toBeGreaterThan(Date.parse(before.modified_at));
    const [kept, ...more] = await rowsOf(given);
    expect([kept?.id, more]).toEqual([row?.id, []]);
    expect(JSON.parse(kept?.body ?? '')).toMatchObject(over);
    const { results } = await env.DB.prepare('SELECT event FROM import_process_events WHERE process_id = ?').bind(row?.id).all();
    expect(results).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });
});

describe('a create of a pair whose process is PROCESSED', () => {
  it.each([
    ['the same payload', {}],
    ['another payload', { billing_name: 'Other' }],
    ['a dry run', { task_params: { ...task_params, is_dry_run: true } }],
  ])('with %s is told the platform account number, and nothing changes', async (_, over) => {
    const { given, before, row } = await existing(2);
    const answer = await create(given, over);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        non_field_errors: { detail: expect.any(String), code: 'account_import_process_already_imported' },
        account_id: NUMBER,
      },
    ]);
    expect(await statusOf(given, 'a')).toEqual(before);
    expect(await rowsOf(given)).toEqual([row]);
  });

  it('with a payload that fails validation is told that first', async () => {
    const { given } = await existing(2);
    expect(await create(given, { account_type: 'CASTLE' })).toMatchObject({
      status: 400,
      body: { code: 'import_process_failed_validation', domain: 'import_process' },
    });
  });
});
