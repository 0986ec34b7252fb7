import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { type StatusBody, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const PATH = '/v2/data-import/accounts/';
/** A window far ahead keeps the queue out of these tests. */
const task_params = { schedule_window_start: '2099-01-01T00:00:00Z' };
const create = (given: GivenSupplier, over: object = {}) =>
  call('POST', PATH, { token: given.token, body: { ...aSmallAccount(given.code, 'a'), task_params, ...over } });

const DRY_RUN = { task_params: { ...task_params, is_dry_run: true } };

/** The same account in other white space, another order of keys, the other form, and with what is not given named. */
function formsOf(given: GivenSupplier): string[] {
  const account = aSmallAccount(given.code, 'a');
  const [customer] = account.customers;
  return [
    Object.fromEntries(Object.entries({ ...account, task_params }).toReversed()),
    { payload: account, task_params },
    { payload: { ...account, task_params } },
    { ...account, task_params, billing_email: null, business_type: '', notes: [], account_billing_options: null },
    { ...account, task_params, customers: [{ ...customer, title: null, alternative_phone_numbers: [], salutation: '' }] },
  ]
    .map((body) => JSON.stringify(body))
    .concat(JSON.stringify({ ...account, task_params }, null, 2));
}

/** The status bulk answers for one line. */
async function inBulk(given: GivenSupplier, body: string): Promise<string> {
  const response = await exports.default.fetch(`https://import.test${PATH}bulk/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
    body: body.replace(/\n */g, ' '),
  });
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return JSON.parse(text.split('\n')[0] ?? '').status;
}

const ERROR = { code: 'account_import_process_failed', detail: 'words' };
const NUMBER = 'A-00C0FFEE';

interface Row {
  readonly id: number;
  readonly status: number;
  readonly modified_at: number;
  readonly body: string;
}

const rowsOf = async (given: GivenSupplier): Promise<Row[]> =>
  await readRows<Row>(
    'SELECT p.id, p.status, p.modified_at, y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?',
    given.supplierId,
  );

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

  it('with the same account in another form replaces the staged one by what was sent last', async () => {
    const { given, row } = await existing(0);
    for (const body of formsOf(given)) {
      expect(await call('POST', PATH, { token: given.token, body })).toMatchObject({ status: 201, body: {} });
      const [after, ...more] = await rowsOf(given);
      expect([after?.id, after?.status, after?.body, more]).toEqual([row?.id, 0, body, []]);
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
    expect((await create(given, { task_params: { schedule_window_start: '2098-01-01T00:00:00Z' } })).status).toBe(201);
    const row = await readRow('SELECT window_start FROM import_processes WHERE supplier_id = ?', given.supplierId);
    expect(row).toEqual({ window_start: Date.UTC(2098, 0) });
  });

  it('by a dry run is refused where a real import waits: it would never be made, and nobody would know', async () => {
    const { given, before, row } = await existing(0);
    const answer = await create(given, DRY_RUN);
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'account_import_process_in_progress', detail: expect.any(String), domain: 'import_process' },
    ]);
    expect(await statusOf(given, 'a')).toEqual(before);
    expect(await rowsOf(given)).toEqual([row]);
  });

  it('by a real import, or by another dry run, replaces a dry run', async () => {
    for (const [over, isDryRun] of [
      [{}, 0],
      [{ ...DRY_RUN, billing_name: 'Other' }, 1],
    ] as const) {
      const given = await aSupplier();
      expect((await create(given, DRY_RUN)).status).toBe(201);
      expect((await create(given, over)).status).toBe(201);
      const row = await readRow('SELECT is_dry_run FROM import_processes WHERE supplier_id = ?', given.supplierId);
      expect(row).toEqual({ is_dry_run: isDryRun });
      expect(await rowsOf(given)).toHaveLength(1);
    }
  });

  it('by a dry run is taken once the real import was cancelled', async () => {
    const { given } = await existing(0);
    expect((await call('DELETE', `${PATH}${given.code}/a/`, { token: given.token })).status).toBe(204);
    expect((await create(given, DRY_RUN)).status).toBe(201);
    expect((await statusOf(given, 'a')).status).toBe('PENDING');
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

  it('with the same account in another form is the same retry: nothing changes', async () => {
    const { given, before, row } = await existing(1);
    for (const body of formsOf(given)) {
      expect(await call('POST', PATH, { token: given.token, body })).toMatchObject({ status: 201, body: {} });
      expect(await inBulk(given, body)).toBe('SCHEDULED');
      expect(await statusOf(given, 'a')).toEqual(before);
      expect(await rowsOf(given)).toEqual([row]);
    }
  });

  it('with the same account is a retry also where an older release digested it in its own way', async () => {
    const { given, row } = await existing(1);
    await env.DB.prepare(`UPDATE import_processes SET payload_hash = 'of an older release' WHERE supplier_id = ?`)
      .bind(given.supplierId)
      .run();
    expect(await create(given)).toMatchObject({ status: 201, body: {} });
    expect((await create(given, { billing_name: 'Other' })).status).toBe(400);
    expect(await rowsOf(given)).toEqual([row]);
  });

  it('with an account that differs by more than its form is refused, in bulk, too', async () => {
    const { given, before, row } = await existing(1);
    const account = { ...aSmallAccount(given.code, 'a'), task_params };
    const [customer] = account.customers;
    const others = [
      { ...account, undocumented: 'field' },
      { ...account, metadata: [{ key: 'k', value: '' }] },
      { ...account, customers: [{ ...customer, given_name: 'ada' }] },
      { ...account, customers: [customer, customer] },
      { ...account, supply_addresses: [...account.supply_addresses, ...account.supply_addresses] },
      { ...account, task_params: { ...task_params, is_dry_run: true } },
    ];
    for (const other of others) {
      const answer = await call('POST', PATH, { token: given.token, body: other });
      expect(answer, JSON.stringify(other)).toMatchObject({ status: 400, body: { code: 'account_import_process_in_progress' } });
      expect(await inBulk(given, JSON.stringify(other))).toBe('IN_PROGRESS');
    }
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
    const results = await readRows('SELECT event FROM import_process_events WHERE process_id = ?', row?.id);
    expect(results).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED' }]);
  });
});

describe('a create of a pair whose process is PROCESSED', () => {
  it.each([
    ['the same payload', {}],
    ['another payload', { billing_name: 'Other' }],
    ['a dry run', { task_params: { ...task_params, is_dry_run: true } }],
  ])('with %s is answered with the platform account number, and nothing changes', async (_, over) => {
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

  it('with a payload that fails validation is answered that first', async () => {
    const { given } = await existing(2);
    expect(await create(given, { account_type: 'CASTLE' })).toMatchObject({
      status: 400,
      body: { code: 'import_process_failed_validation', domain: 'import_process' },
    });
  });
});
