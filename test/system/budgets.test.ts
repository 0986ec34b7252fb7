import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { everyMinute } from '../../src/scheduled';
import worker from '../../src/worker';
import { type Counts, countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, stageSlice } from '../support/importing';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';
import { textOf } from '../support/text';

/** One request through a database that counts. A window far ahead keeps the real queue out of it. */
async function counted(
  given: GivenSupplier,
  method: string,
  path: string,
  body?: object,
  counts = countingDatabase(env.DB),
): Promise<Counts & { status: number }> {
  const context = createExecutionContext();
  const request = new Request(`https://import.test${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${given.token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { status } = await worker.fetch(request, { ...env, DB: counts.db }, context);
  await waitOnExecutionContext(context);
  return { ...counts, status };
}

const later = { task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } };

describe('round trips to D1', () => {
  it('status: 1', async () => {
    const given = await aSupplier();
    await stage(given, [aSmallAccount(given.code, 'a')]);
    expect(await counted(given, 'GET', `/v2/data-import/accounts/${given.code}/a/`)).toMatchObject({
      status: 200,
      trips: 1,
      rowsWritten: 0,
    });
  });

  it('validate: 1, right or wrong', async () => {
    const given = await aSupplier();
    const path = '/v2/data-import/accounts/validate/';
    const right = aSmallAccount(given.code, 'a');
    expect(await counted(given, 'POST', path, right)).toMatchObject({ status: 200, trips: 1, rowsWritten: 0 });
    expect(await counted(given, 'POST', path, { ...right, account_type: 'CASTLE' })).toMatchObject({
      status: 400,
      trips: 1,
      rowsWritten: 0,
    });
  });

  it('create: 2, of an account that is new or replaced, or fails validation and is counted; 1 for one that is there already', async () => {
    const given = await aSupplier();
    const create = (body: object) => counted(given, 'POST', '/v2/data-import/accounts/', body);
    const body = { ...aSmallAccount(given.code, 'a'), ...later };
    expect(await create(body)).toMatchObject({ status: 201, trips: 2 });
    expect(await create(body)).toMatchObject({ status: 201, trips: 1, rowsWritten: 0 });
    expect(await create({ ...body, billing_name: 'Other' })).toMatchObject({ status: 201, trips: 2 });
    expect(await create({ ...body, account_type: 'CASTLE' })).toMatchObject({ status: 400, trips: 2, rowsWritten: 3 });
  });

  it('create: 1, where the isolate has read the supplier before', async () => {
    const [given, counts] = [await aSupplier(), countingDatabase(env.DB)];
    const create = (number: string) =>
      counted(given, 'POST', '/v2/data-import/accounts/', { ...aSmallAccount(given.code, number), ...later }, counts);
    expect(await create('a')).toMatchObject({ status: 201, trips: 2 });
    expect(await create('b')).toMatchObject({ status: 201, trips: 2 + 1 });
    // What is there already is not written again.
    expect(await create('b')).toMatchObject({ status: 201, trips: 2 + 1 + 1, rowsWritten: 4 + 4 });
  });

  it('create: 2, of one that is replaced, where the isolate has read the supplier before', async () => {
    const [given, counts] = [await aSupplier(), countingDatabase(env.DB)];
    const create = (name: string) =>
      counted(given, 'POST', '/v2/data-import/accounts/', { ...aSmallAccount(given.code, 'a'), ...later, billing_name: name }, counts);
    expect(await create('a')).toMatchObject({ status: 201, trips: 2 });
    expect(await create('b')).toMatchObject({ status: 201, trips: 2 + 2 });
  });
});

describe('round trips of a bulk request', () => {
  it('1 for each 500 accounts, beside 2 for the request', async () => {
    const given = await aSupplier();
    const counts = countingDatabase(env.DB);
    const context = createExecutionContext();
    const lines = Array.from({ length: 1_001 }, (_, i) => JSON.stringify({ ...aSmallAccount(given.code, `n${i}`), ...later }));
    const request = new Request('https://import.test/v2/data-import/accounts/bulk/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
      body: lines.join('\n'),
    });
    const response = await worker.fetch(request, { ...env, DB: counts.db }, context);
    expect(await textOf(response)).toContain('{"done":true,"lines":1001}');
    await waitOnExecutionContext(context);
    expect([counts.trips, counts.rowsWritten]).toEqual([2 + 3, 4 * 1_001]);
  });
});

describe('rows written for an account with one customer, from create to PROCESSED', () => {
  it('created alone: 12 (4 to stage, 8 to create, of which 1 is its event)', async () => {
    const given = await aSupplier();
    const staging = countingDatabase(env.DB);
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')], aDeps({ DB: staging.db }));
    const consuming = countingDatabase(env.DB);
    await deliver(aDeps({ DB: consuming.db }), messages);
    expect(await rowsOf(given)).toMatchObject({ accounts: 1, customers: 1 });
    expect([staging.trips, staging.rowsWritten, consuming.trips, consuming.rowsWritten]).toEqual([2, 4, 2, 8]);
  });

  it('in a slice of 500: 9.006 (4 to stage, 5.006 to create), with 1 trip to stage and 2 to consume all of them', async () => {
    const given = await aSupplier();
    const bodies = Array.from({ length: 500 }, (_, i) => aSmallAccount(given.code, `n${i}`));
    const staging = countingDatabase(env.DB);
    const { messages } = await stageSlice(given, bodies, aDeps({ DB: staging.db }));
    expect(messages).toHaveLength(1);
    const consuming = countingDatabase(env.DB);
    await deliver(aDeps({ DB: consuming.db }), messages);
    expect(await rowsOf(given)).toMatchObject({ processes: 500, accounts: 500, customers: 500 });
    expect([staging.trips, consuming.trips]).toEqual([1, 2]);
    expect([staging.rowsWritten, consuming.rowsWritten]).toEqual([2_000, 2_503]);
    expect(consuming.rowsRead / 500).toBeLessThanOrEqual(30);
  });
});

describe('a slice of 500 accounts of 5 KB, more than one parameter holds', () => {
  it('takes 1 trip to stage, 1 message, and 2 trips to consume; each account keeps its own body', async () => {
    const given = await aSupplier();
    const bodies = Array.from({ length: 500 }, (_, i) => aFullAccount(given.code, `n${i}`));
    const staging = countingDatabase(env.DB);
    const { messages } = await stageSlice(given, bodies, aDeps({ DB: staging.db }));
    expect([staging.trips, messages.length]).toEqual([1, 1]);
    const results = await readRows<{ number: string; stored: string }>(
      `SELECT p.external_account_number AS number, y.body ->> 'external_account_number' AS stored
       FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ?`,
      given.supplierId,
    );
    expect(results).toHaveLength(500);
    expect(results.filter(({ number, stored }) => number !== stored)).toEqual([]);
    const consuming = countingDatabase(env.DB);
    await deliver(aDeps({ DB: consuming.db }), messages);
    expect(consuming.trips).toBe(2);
    expect(await rowsOf(given)).toMatchObject({ accounts: 500, customers: 1_000 });
  });
});

describe('rows read by the minute’s work when there is nothing to do', () => {
  const minute = async (): Promise<Counts> => {
    const counts = countingDatabase(env.DB);
    await everyMinute(aDeps({ DB: counts.db }));
    return counts;
  };

  it('a few for each supplier, none for an account that was imported', async () => {
    const given = await aSupplier();
    await anImportedAccount(given);
    // Nothing waits, and the walk of retention rests for a day.
    await env.DB.prepare('DELETE FROM import_processes WHERE status <> 2').run();
    await env.DB.prepare('UPDATE suppliers SET retention_next_at = ?')
      .bind(Date.now() + 86_400_000)
      .run();
    const before = await minute();
    for (let more = 0; more < 50; more++) await anImportedAccount(given);
    const after = await minute();
    expect(after.rowsRead).toBe(before.rowsRead);
    const suppliers = (await readRow<{ count: number }>('SELECT count(*) AS count FROM suppliers'))?.count ?? 0;
    // Of each supplier: sweep 2, payloads 1, events 1, refusals 2, alerts 4.
    // Of all together a few dozen, of which the walk of webhooks reads a dozen.
    expect(after.rowsRead).toBeLessThanOrEqual(10 * suppliers + 42);
    // 5 of them look for work, 2 are of the alerts, and one says that the sweep came to its end.
    expect([after.trips, after.rowsWritten]).toEqual([8, 1]);
    for (let more = 0; more < 20; more++) await aSupplier();
    await env.DB.prepare('UPDATE suppliers SET retention_next_at = ?')
      .bind(Date.now() + 86_400_000)
      .run();
    expect(((await minute()).rowsRead - after.rowsRead) / 20).toBeLessThanOrEqual(10);
  });
});
