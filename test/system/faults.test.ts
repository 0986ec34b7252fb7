import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../src/import-processes';
import { aDeps } from '../support/deps';
import { type Fault, failingBucket, faultyDatabase } from '../support/faults';
import { aDocument, aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, stageSlice, statusesOf, statusOf, together } from '../support/importing';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const MINUTE = 60_000;
/** Claim and read, then create and finish. */
const TRIPS = 2;
const FAULTS: readonly Fault[] = ['before', 'after'];

const dryRun = (code: string, number: string) => ({ ...aSmallAccount(code, number), task_params: { is_dry_run: true } });

/** What is there once one full account, one dry run and one that fails have been consumed. */
async function expectAllConsumedOnce(given: GivenSupplier): Promise<void> {
  expect(await statusesOf(given)).toEqual({ full: 'PROCESSED', dry: 'DRY_RUN_SUCCEEDED', wrong: 'ERRORED' });
  expect(await rowsOf(given)).toEqual({
    processes: 3,
    accounts: 1,
    customers: 2,
    notes: 2,
    transactions: 5,
    statements: 1,
    payment_instructions: 2,
  });
  const counted = await readRow(
    'SELECT sum(processed) AS processed, sum(errored) AS errored FROM imports_per_minute WHERE supplier_id = ?',
    given.supplierId,
  );
  expect(counted).toEqual({ processed: 1, errored: 1 });
  const results = await readRows(
    `SELECT p.external_account_number AS number, e.event FROM import_process_events e JOIN import_processes p ON p.id = e.process_id
     WHERE p.supplier_id = ? ORDER BY p.id`,
    given.supplierId,
  );
  expect(results).toEqual([
    { number: 'dry', event: 'EVENT_ACCOUNT_IMPORT_PROCESS_DRY_RUN_SUCCEEDED' },
    { number: 'wrong', event: 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED' },
  ]);
}

async function threeStaged() {
  const given = await aSupplier();
  await aDocument(`${given.code}/letter.pdf`);
  const staged = await stage(given, [
    aFullAccount(given.code, 'full'),
    dryRun(given.code, 'dry'),
    { ...aSmallAccount(given.code, 'wrong'), notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }] },
  ]);
  await env.DOCUMENTS.delete(`${given.code}/letter.pdf`);
  return { given, ...staged, messages: together(staged.messages) };
}

describe('D1 failing once', () => {
  it.each(Array.from({ length: TRIPS }, (_, i) => FAULTS.map((fault) => [i + 1, fault] as const)).flat())(
    'at trip %i, %s it took effect, is repeated unnoticed',
    async (trip, fault) => {
      const { given, messages } = await threeStaged();
      const faulty = faultyDatabase(env.DB, (call) => (call === trip ? fault : undefined));
      expect(await deliver(aDeps({ DB: faulty.db }), messages)).toEqual({ acked: ['m0'], retried: [] });
      expect(faulty.calls).toBe(TRIPS + 1);
      await expectAllConsumedOnce(given);
    },
  );
});

describe('D1 failing from one trip on, as in a crash', () => {
  it.each(Array.from({ length: TRIPS }, (_, i) => FAULTS.map((fault) => [i + 1, fault] as const)).flat())(
    'at trip %i, %s it took effect: the redelivery or the sweep finishes it, once',
    async (trip, fault) => {
      const { given, deps, messages } = await threeStaged();
      const faulty = faultyDatabase(env.DB, (call) => (call < trip ? undefined : call === trip ? fault : 'before'));
      expect(await deliver(aDeps({ DB: faulty.db }), messages)).toEqual({ acked: [], retried: ['m0'] });
      await deliver(deps, messages);
      deps.advance(2 * MINUTE);
      const sent = deps.sent.length;
      await sweep(deps);
      await deliver(deps, deps.sent.slice(sent));
      await expectAllConsumedOnce(given);
    },
  );

  it('for longer than a message lives ends none of its processes: nobody could try them, and the sweep sends them again', async () => {
    const { given, deps, messages } = await threeStaged();
    const down = faultyDatabase(env.DB, () => 'before');
    expect(await deliver(aDeps({ DB: down.db }), messages, { queue: 'account-imports-dead-letters' })).toEqual({
      acked: [],
      retried: ['m0'],
    });
    expect(await deliver(deps, messages, { queue: 'account-imports-dead-letters' })).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusesOf(given)).toEqual({ full: 'PENDING', dry: 'PENDING', wrong: 'PENDING' });
    deps.advance(3 * MINUTE);
    const sent = deps.sent.length;
    await sweep(deps);
    await deliver(deps, deps.sent.slice(sent));
    await expectAllConsumedOnce(given);
  });
});

describe('a dead letter', () => {
  it('does not end a process that was created again after its message was sent', async () => {
    const { given, deps, messages } = await threeStaged();
    await deliver(deps, messages);
    expect(await statusOf(given, 'wrong')).toMatchObject({ status: 'ERRORED' });
    deps.advance(MINUTE);
    await stage(given, [aSmallAccount(given.code, 'wrong')], deps);
    const waiting = await statusOf(given, 'wrong');
    await deliver(deps, messages, { queue: 'account-imports-dead-letters' });
    expect(await statusOf(given, 'wrong')).toEqual(waiting);
    expect(waiting).toMatchObject({ status: 'PENDING', latest_error: null });
  });

  it('does not end a process whose payload was replaced after its message was sent: nothing has tried that one yet', async () => {
    const given = await aSupplier();
    const { deps, messages: old } = await stage(given, [aSmallAccount(given.code, 'a')]);
    deps.advance(MINUTE);
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), billing_name: 'Another' }], deps);
    const waiting = await statusOf(given, 'a');
    await deliver(deps, old, { queue: 'account-imports-dead-letters' });
    expect(await statusOf(given, 'a')).toEqual(waiting);
    expect(waiting).toMatchObject({ status: 'PENDING', latest_error: null });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('R2 failing', () => {
  it('holds up only accounts that name documents', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/letter.pdf`);
    const withDocument = { ...aSmallAccount(given.code, 'with'), notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }] };
    const { messages } = await stage(given, [aSmallAccount(given.code, 'without'), withDocument]);
    const failing = aDeps({ DOCUMENTS: failingBucket(env.DOCUMENTS) });
    expect(await deliver(failing, messages)).toEqual({ acked: ['m0'], retried: ['m1'] });
    expect(await statusesOf(given)).toEqual({ without: 'PROCESSED', with: 'PENDING' });
    expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0', 'm1'], retried: [] });
    expect(await statusesOf(given)).toEqual({ without: 'PROCESSED', with: 'PROCESSED' });
    expect(await rowsOf(given)).toMatchObject({ accounts: 2, notes: 1 });
  });
});

describe('one account among 500 that the database refuses', () => {
  it('stands alone in the end: its neighbours are created, it is retried and ends in the dead letters', async () => {
    const given = await aSupplier();
    const bodies = Array.from({ length: 500 }, (_, i) => aSmallAccount(given.code, `n${i}`));
    const { messages: all } = await stageSlice(given, bodies);
    const [poisoned] = await readRows<{ id: number }>(
      'SELECT id FROM import_processes WHERE supplier_id = ? AND external_account_number = ?',
      given.supplierId,
      'n321',
    );
    if (!poisoned) throw new Error('nothing was staged');
    // What no payload can do, a trigger does: this one account cannot be stored.
    const trigger = `refuse_${poisoned.id}`;
    await env.DB.prepare(
      `CREATE TRIGGER ${trigger} BEFORE INSERT ON customers WHEN new.account_id = ${poisoned.id} BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    ).run();
    expect(await deliver(aDeps(), all)).toEqual({ acked: [], retried: ['m0'] });
    for (const [number, status] of [
      ['n320', 'PROCESSED'],
      ['n321', 'PENDING'],
      ['n322', 'PROCESSED'],
    ] as const) {
      expect(await statusOf(given, number)).toMatchObject({ status });
    }
    expect(await deliver(aDeps(), all, { attempts: 2 })).toEqual({ acked: [], retried: ['m0'] });
    await deliver(aDeps(), all, { queue: 'account-imports-dead-letters' });
    const error = { code: 'account_import_process_failed', detail: expect.any(String), domain: 'import_process' };
    expect(await statusOf(given, 'n321')).toMatchObject({ status: 'ERRORED', latest_event: { data: error }, latest_error: error });
    await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
    expect(await rowsOf(given)).toMatchObject({ processes: 500, accounts: 499, customers: 499 });
    const retried = await stage(given, [aSmallAccount(given.code, 'n321')]);
    await deliver(aDeps(), retried.messages);
    expect(await statusOf(given, 'n321')).toMatchObject({ status: 'PROCESSED', latest_error: null });
  });
});

describe('a consumer that lost its lease', () => {
  it('writes nothing: who took the process over has created it', async () => {
    const given = await aSupplier();
    const { messages, deps } = await stage(given, [aSmallAccount(given.code, 'a')]);
    let overtaken = false;
    const late = faultyDatabase(env.DB, () => undefined);
    const slow = aDeps({ DB: late.db });
    const stalls = new Proxy(late.db, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: D1PreparedStatement[]) => {
              if (late.calls === 1 && !overtaken) {
                overtaken = true;
                deps.advance(2 * MINUTE);
                await sweep(deps);
                await deliver(deps, messages);
              }
              return target.batch(statements);
            }
          : (sql: string) => target.prepare(sql),
    });
    expect(await deliver({ ...slow, db: stalls }, messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(overtaken).toBe(true);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
    expect(await rowsOf(given)).toMatchObject({ accounts: 1, customers: 1 });
    const { attempts } = (await readRow<{ attempts: number }>(
      'SELECT attempts FROM import_processes WHERE supplier_id = ?',
      given.supplierId,
    )) ?? { attempts: 0 };
    expect(attempts).toBe(2);
  });
});
