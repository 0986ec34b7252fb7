import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { claimProcesses, sweep } from '../../src/import-processes';
import { LEASE_MILLISECONDS, MAX_EXPIRIES } from '../../src/import-processes/machine';
import type { ImportMessage } from '../../src/queues/messages';
import { everyMinute } from '../../src/scheduled';
import { aDeps, type GivenDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, statusesOf, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';

const MINUTE = 60_000;

/** What one sweep sends for this supplier. */
async function swept(deps: GivenDeps, given: GivenSupplier): Promise<ImportMessage[]> {
  const before = deps.sent.length;
  await sweep(deps);
  return deps.sent.slice(before).filter(({ supplier_id }) => supplier_id === given.supplierId);
}

const keysOf = (messages: readonly ImportMessage[]) =>
  messages.flatMap(({ supplier_id, process_ids }) => process_ids.map((id) => ({ supplierId: supplier_id, id })));

const withoutTime = (messages: readonly ImportMessage[]) => messages.map(({ sent_at: _, ...message }) => message);

const setSupplier = (given: GivenSupplier, status: string, resumedAt = 0) =>
  env.DB.prepare('UPDATE suppliers SET status = ?2, resumed_at = ?3 WHERE id = ?1').bind(given.supplierId, status, resumedAt).run();

describe('a lost send', () => {
  it('is sent again once it is stale, and not before', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    expect(await swept(deps, given)).toEqual([]);
    // A message may wait in the queue for a while: what is on its way is not sent again and again.
    deps.advance(2 * MINUTE - 1_000);
    expect(await swept(deps, given)).toEqual([]);
    deps.advance(1_000);
    const again = await swept(deps, given);
    expect(again).toMatchObject(withoutTime(messages));
    expect(await swept(deps, given)).toEqual([]);
    await deliver(deps, again);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
    deps.advance(60 * MINUTE);
    expect(await swept(deps, given)).toEqual([]);
  });

  it('of a create whose queue was down costs neither the 201 nor the account', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const down = { ...deps, accountImports: { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) } };
    await stage(given, [aSmallAccount(given.code, 'a')], { ...down, backgroundDone: deps.backgroundDone });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    deps.advance(2 * MINUTE);
    await deliver(deps, await swept(deps, given));
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('of the sweep itself is made up for by the next one', async () => {
    const given = await aSupplier();
    const { deps } = await stage(given, [aSmallAccount(given.code, 'a')]);
    deps.advance(2 * MINUTE);
    const down = { ...deps, accountImports: { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) } };
    await expect(sweep(down)).rejects.toThrow('queue down');
    expect(await swept(deps, given)).toHaveLength(1);
  });
});

describe('an expired lease', () => {
  it('makes the process PENDING again and sends it at once', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await claimProcesses(deps, keysOf(messages));
    expect(await statusesOf(given)).toEqual({ a: 'IN_PROGRESS' });
    deps.advance(LEASE_MILLISECONDS - 1_000);
    expect(await swept(deps, given)).toEqual([]);
    expect(await statusesOf(given)).toEqual({ a: 'IN_PROGRESS' });
    deps.advance(1_001);
    expect(await swept(deps, given)).toMatchObject(withoutTime(messages));
    expect(await statusOf(given, 'a')).toMatchObject({
      status: 'PENDING',
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', data: null },
      latest_error: null,
    });
  });

  it(`is followed by ${MAX_EXPIRIES - 1} more; then the process is ERRORED with account_import_process_failed`, async () => {
    const given = await aSupplier();
    const bodies = [aSmallAccount(given.code, 'a'), { ...aSmallAccount(given.code, 'dry'), task_params: { is_dry_run: true } }];
    const { deps, messages } = await stage(given, bodies);
    for (let attempt = 1; attempt <= MAX_EXPIRIES; attempt++) {
      // Each alone, as they travel after the second time.
      for (const key of keysOf(messages)) await claimProcesses(deps, [key]);
      expect(await statusesOf(given)).toEqual({ a: 'IN_PROGRESS', dry: 'IN_PROGRESS' });
      deps.advance(LEASE_MILLISECONDS + 1);
      await sweep(deps);
    }
    const error = { code: 'account_import_process_failed', detail: expect.any(String), domain: 'import_process' };
    for (const [number, status] of [
      ['a', 'ERRORED'],
      ['dry', 'DRY_RUN_ERRORED'],
    ] as const) {
      expect(await statusOf(given, number)).toMatchObject({
        status,
        latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED', data: error },
        latest_error: error,
      });
    }
    await deliver(deps, messages);
    expect(await rowsOf(given)).toMatchObject({ accounts: 0 });
  });

  it('of a process created again in between counts its tries anew', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    for (let attempt = 1; attempt <= MAX_EXPIRIES; attempt++) {
      await claimProcesses(deps, keysOf(messages));
      deps.advance(LEASE_MILLISECONDS + 1);
      await sweep(deps);
    }
    expect(await statusesOf(given)).toEqual({ a: 'ERRORED' });
    await stage(given, [aSmallAccount(given.code, 'a')], deps);
    await claimProcesses(deps, keysOf(messages));
    deps.advance(LEASE_MILLISECONDS + 1);
    await deliver(deps, await swept(deps, given));
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('two sweeps at once', () => {
  it('do not give up a process that was created again between the two', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    for (let attempt = 1; attempt <= MAX_EXPIRIES; attempt++) {
      await claimProcesses(deps, keysOf(messages));
      deps.advance(LEASE_MILLISECONDS + 1);
      if (attempt < MAX_EXPIRIES) await sweep(deps);
    }
    let trips = 0;
    const db = new Proxy(deps.db, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => target.prepare(sql);
        if (name !== 'batch') throw new Error(`not expected: ${String(name)}`);
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements);
          // Before this one learns what has expired, the other one gives it up and the importer creates it again.
          if (++trips === 1) {
            await sweep(deps);
            expect(await statusesOf(given)).toEqual({ a: 'ERRORED' });
            deps.advance(1);
            await stage(given, [aSmallAccount(given.code, 'a')], deps);
            deps.advance(1);
          }
          return results;
        };
      },
    });
    await sweep({ ...deps, db });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    expect(await statusOf(given, 'a')).toMatchObject({ latest_error: null });
  });
});

describe('what can never start', () => {
  it('is CANCELLED when its window closes, with its event', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const task_params = { schedule_window_end: new Date(deps.now() + 10 * MINUTE).toISOString() };
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), task_params }, aSmallAccount(given.code, 'b')], deps);
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PENDING', b: 'PENDING' });
    deps.advance(10 * MINUTE);
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ a: 'CANCELLED', b: 'PENDING' });
    expect(await statusOf(given, 'a')).toMatchObject({
      platform_identifier: null,
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED', data: null },
      latest_error: null,
    });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'CANCELLED', b: 'PROCESSED' });
  });

  it('is CANCELLED under a Complete supplier; what is being created is finished', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'claimed'), aSmallAccount(given.code, 'waiting')]);
    await claimProcesses(deps, keysOf(messages).slice(0, 1));
    await setSupplier(given, 'Complete');
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ claimed: 'IN_PROGRESS', waiting: 'CANCELLED' });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ claimed: 'IN_PROGRESS', waiting: 'CANCELLED' });
    deps.advance(LEASE_MILLISECONDS + 1);
    await sweep(deps);
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ claimed: 'CANCELLED', waiting: 'CANCELLED' });
  });
});

describe('a supplier', () => {
  it('that is Paused keeps what was accepted; resumed, all of it is sent at once', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a'), aSmallAccount(given.code, 'b')]);
    await setSupplier(given, 'Paused');
    await deliver(deps, messages);
    deps.advance(60 * MINUTE);
    expect(await swept(deps, given)).toEqual([]);
    expect(await statusesOf(given)).toEqual({ a: 'PENDING', b: 'PENDING' });
    await setSupplier(given, 'Ongoing', deps.now());
    const [message, ...more] = await swept(deps, given);
    expect([message?.process_ids, more]).toEqual([messages.flatMap(({ process_ids }) => process_ids), []]);
    await deliver(deps, [message]);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED', b: 'PROCESSED' });
  });

  it('that is resumed soon after a send does not wait for it to be stale', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await setSupplier(given, 'Paused');
    await deliver(deps, messages);
    deps.advance(1_000);
    await setSupplier(given, 'Ongoing', deps.now());
    expect(await swept(deps, given)).toMatchObject(withoutTime(messages));
    expect(await swept(deps, given)).toEqual([]);
  });
});

describe('a window that opens', () => {
  it('is not sent before, and sent by the first sweep after', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const task_params = { schedule_window_start: new Date(deps.now() + 30 * MINUTE).toISOString() };
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), task_params }], deps);
    expect(messages).toEqual([]);
    deps.advance(29 * MINUTE);
    expect(await swept(deps, given)).toEqual([]);
    deps.advance(MINUTE);
    await deliver(deps, await swept(deps, given));
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('every minute', () => {
  it('a part that fails is logged, and the others run all the same', async () => {
    const given = await aSupplier();
    const { deps } = await stage(given, [aSmallAccount(given.code, 'a')]);
    deps.advance(2 * MINUTE);
    const accountImports = { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) };
    await env.DB.prepare('INSERT INTO refresh_tokens (hash, api_key_id, expires_at) VALUES (?, ?, 1)')
      .bind(given.code, given.apiKeyId)
      .run();
    await everyMinute({ ...deps, accountImports });
    expect(deps.logged).toContainEqual({ event: 'scheduled_work_failed', fields: { work: 'sweep' } });
    expect(await readRow('SELECT hash FROM refresh_tokens WHERE hash = ?', given.code)).toBeNull();
  });
});
