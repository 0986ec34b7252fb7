import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aDeps } from '../support/deps';
import { aDocument, aSupplier, call } from '../support/given';
import { deliver, rowsOf, stage, statusesOf, statusOf, together } from '../support/importing';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const ONE = { processes: 1, accounts: 1, customers: 1, notes: 0, transactions: 0, statements: 0, payment_instructions: 0 };
const smallAccounts = (code: string, count: number) => Array.from({ length: count }, (_, i) => aSmallAccount(code, `n${i}`));

describe('a message', () => {
  it('delivered twice, in one batch and later, makes one account', async () => {
    const given = await aSupplier();
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    expect(await deliver(aDeps(), [...messages, ...messages])).toEqual({ acked: ['m0', 'm1'], retried: [] });
    const first = await statusOf(given, 'a');
    expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusOf(given, 'a')).toEqual(first);
    expect(first.status).toBe('PROCESSED');
    expect(await rowsOf(given)).toEqual(ONE);
  });

  it('delivered to two consumers at once makes one account of each process', async () => {
    const given = await aSupplier();
    const { messages } = await stage(given, smallAccounts(given.code, 5));
    await Promise.all([deliver(aDeps(), messages), deliver(aDeps(), messages.toReversed()), deliver(aDeps(), messages)]);
    expect(Object.values(await statusesOf(given))).toEqual(Array(5).fill('PROCESSED'));
    expect(await rowsOf(given)).toEqual({ ...ONE, processes: 5, accounts: 5, customers: 5 });
  });

  it('delivered in another order gives every account its own data', async () => {
    const given = await aSupplier();
    const bodies = smallAccounts(given.code, 4).map((body, i) => ({ ...body, customers: [{ given_name: `Name ${i}` }] }));
    const { messages } = await stage(given, bodies);
    for (const message of messages.toReversed()) await deliver(aDeps(), [message]);
    const results = await readRows(
      `SELECT p.external_account_number AS number, c.given_name AS name FROM import_processes p JOIN customers c ON c.account_id = p.id
       WHERE p.supplier_id = ? ORDER BY 1`,
      given.supplierId,
    );
    expect(results).toEqual([0, 1, 2, 3].map((i) => ({ number: `n${i}`, name: `Name ${i}` })));
  });

  it('of an earlier payload creates the account of the latest one', async () => {
    const given = await aSupplier();
    const first = await stage(given, [{ ...aSmallAccount(given.code, 'a'), customers: [{ given_name: 'First' }] }]);
    const second = await stage(given, [{ ...aSmallAccount(given.code, 'a'), customers: [{ given_name: 'Second' }] }]);
    expect(second.messages.map(({ process_ids }) => process_ids)).toEqual(first.messages.map(({ process_ids }) => process_ids));
    await deliver(aDeps(), first.messages);
    await deliver(aDeps(), second.messages);
    const results = await readRows(
      'SELECT given_name FROM customers WHERE account_id IN (SELECT id FROM accounts WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect(results).toEqual([{ given_name: 'Second' }]);
  });

  it('that names processes of another supplier, or none that exist, changes nothing of theirs', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    const foreign = messages.map((message) => ({ ...message, supplier_id: other.supplierId }));
    const unknown = { v: 1, supplier_id: given.supplierId, process_ids: [4_000_000_000] };
    expect(await deliver(aDeps(), [...foreign, unknown])).toEqual({ acked: ['m0', 'm1'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
  });

  it.each([
    ['nothing', null],
    ['text', 'hello'],
    ['a later version', { v: 2, supplier_id: 1, process_ids: [1] }],
    ['no ids', { v: 1, supplier_id: 1, process_ids: [] }],
    ['ids that are no numbers', { v: 1, supplier_id: 1, process_ids: ['1; DROP TABLE accounts'] }],
  ])('that cannot be read (%s) is kept as a dead letter, and its neighbours are consumed', async (_, unreadable) => {
    const given = await aSupplier();
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    const deps = aDeps();
    expect(await deliver(deps, [unreadable, ...messages])).toEqual({ acked: ['m0', 'm1'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
    const results = await readRows('SELECT message_id, queue, redriven_at FROM dead_letters');
    expect(results).toEqual([{ message_id: 'm0', queue: 'account-imports', redriven_at: null }]);
    expect(deps.logged.map(({ event }) => event)).toContain('message_unreadable');
  });

  it('of a queue nobody knows stays in that queue', async () => {
    await expect(deliver(aDeps(), [{}], { queue: 'unknown' })).rejects.toThrow('no consumer for queue unknown');
  });
});

describe('what is claimed', () => {
  it('waits while the supplier is Paused, and is created once it is Ongoing', async () => {
    const given = await aSupplier();
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    const set = (status: string) => env.DB.prepare('UPDATE suppliers SET status = ? WHERE id = ?').bind(status, given.supplierId).run();
    await set('Paused');
    expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    await set('Ongoing');
    await deliver(aDeps(), messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('does not start before its window opens, nor once it has closed', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const inMinutes = (minutes: number) => new Date(deps.now() + minutes * 60_000).toISOString();
    const task_params = { schedule_window_start: inMinutes(10), schedule_window_end: inMinutes(20) };
    await stage(
      given,
      [
        { ...aSmallAccount(given.code, 'a'), task_params },
        { ...aSmallAccount(given.code, 'b'), task_params },
      ],
      deps,
    );
    expect(deps.sent).toEqual([]);
    const results = await readRows<{ id: number }>('SELECT id FROM import_processes WHERE supplier_id = ? ORDER BY id', given.supplierId);
    const [a, b] = results.map(({ id }) => ({ v: 1, supplier_id: given.supplierId, process_ids: [id] }));
    await deliver(deps, [a]);
    expect(await statusesOf(given)).toEqual({ a: 'PENDING', b: 'PENDING' });
    deps.advance(10 * 60_000);
    await deliver(deps, [a]);
    deps.advance(10 * 60_000);
    await deliver(deps, [b]);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED', b: 'PENDING' });
  });

  it('in time is finished, though its window closes meanwhile', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const task_params = { schedule_window_end: new Date(deps.now() + 60_000).toISOString() };
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), task_params }], deps);
    let calls = 0;
    const ticking = { ...deps, now: () => deps.now() + (++calls > 1 ? 120_000 : 0) };
    await deliver(ticking, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('is validated again: what no longer passes is ERRORED with all its errors, and makes no account', async () => {
    const given = await aSupplier();
    const body = {
      ...aSmallAccount(given.code, 'a'),
      customers: [{ given_name: 'Ada', mobile: '07400 123456', landline: '020 7946 0018' }],
    };
    const { messages } = await stage(given, [body, { ...body, external_account_number: 'dry', task_params: { is_dry_run: true } }]);
    await env.DB.prepare(`UPDATE suppliers SET configuration = json_set(configuration, '$.default_country', 'US') WHERE id = ?`)
      .bind(given.supplierId)
      .run();
    expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0', 'm1'], retried: [] });
    const error = { code: 'import_process_failed_validation', detail: expect.any(String), domain: 'import_process' };
    for (const [number, status] of [
      ['a', 'ERRORED'],
      ['dry', 'DRY_RUN_ERRORED'],
    ] as const) {
      expect(await statusOf(given, number)).toEqual({
        status,
        platform_identifier: null,
        created_at: expect.any(String),
        modified_at: expect.any(String),
        latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED', occurred_at: expect.any(String), data: error },
        latest_error: error,
        errors: ['mobile', 'landline'].map((field) => ({
          code: 'invalid_phone_number',
          detail: expect.any(String),
          attr: `customers.0.${field}`,
        })),
      });
    }
    expect(await rowsOf(given)).toEqual({ ...ONE, processes: 2, accounts: 0, customers: 0 });
  });

  it('as a dry run decides like a real one and writes only its outcome', async () => {
    const given = await aSupplier();
    const body = { ...aFullAccount(given.code, 'dry'), task_params: { is_dry_run: true } };
    const { messages } = await stage(given, [body]);
    await deliver(aDeps(), messages);
    expect(await statusOf(given, 'dry')).toMatchObject({
      status: 'DRY_RUN_SUCCEEDED',
      platform_identifier: null,
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_DRY_RUN_SUCCEEDED', data: null },
      latest_error: null,
    });
    expect(await rowsOf(given)).toEqual({ ...ONE, accounts: 0, customers: 0 });
  });

  it('names documents that have gone since: ERRORED, with the code and place of each', async () => {
    const given = await aSupplier({ configuration: { documents_root: 'root' } });
    await aDocument('root/here.pdf');
    await aDocument('root/gone.pdf');
    const paths = ['here.pdf', 'gone.pdf'].map((document_path) => ({ document_path }));
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: paths }] }]);
    await env.DOCUMENTS.delete('root/gone.pdf');
    await deliver(aDeps(), messages);
    expect(await statusOf(given, 'a')).toMatchObject({
      status: 'ERRORED',
      errors: [{ code: 'document_not_found', attr: 'notes.0.document_paths.1.document_path' }],
    });
    expect(await rowsOf(given)).toMatchObject({ accounts: 0, notes: 0 });
  });

  it('in slices: more than one claim holds is created all the same', async () => {
    const given = await aSupplier();
    const large = 'x'.repeat(900_000);
    const bodies = smallAccounts(given.code, 12).map((body) => ({ ...body, metadata: [{ key: 'large', value: large }] }));
    const { messages } = await stage(given, bodies);
    expect(await deliver(aDeps(), together(messages))).toEqual({ acked: ['m0'], retried: [] });
    expect(await rowsOf(given)).toMatchObject({ processes: 12, accounts: 12, customers: 12 });
  });
});

describe('two creates of one pair in parallel', () => {
  it('make one process and, consumed by both messages, one account', async () => {
    const given = await aSupplier();
    // A start far ahead keeps the real queue out of it; the window is opened below.
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        call('POST', '/v2/data-import/accounts/', {
          token: given.token,
          body: {
            ...aSmallAccount(given.code, 'a'),
            customers: [{ given_name: `Name ${i % 2}` }],
            task_params: { schedule_window_start: '2099-01-01T00:00:00Z' },
          },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await rowsOf(given)).toMatchObject({ processes: 1, accounts: 0 });
    const row = await readRow<{ id: number }>(
      'UPDATE import_processes SET window_start = NULL WHERE supplier_id = ? RETURNING id',
      given.supplierId,
    );
    const message = { v: 1, supplier_id: given.supplierId, process_ids: [row?.id] };
    await Promise.all([deliver(aDeps(), [message]), deliver(aDeps(), [message])]);
    expect(await rowsOf(given)).toEqual(ONE);
    expect((await statusOf(given, 'a')).status).toBe('PROCESSED');
  });
});
