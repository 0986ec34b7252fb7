import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { documentsOf } from '../../src/accounts';
import { reducePayloads } from '../../src/import-processes';
import { countingDatabase } from '../support/counting';
import { aDeps, type GivenDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, statusesOf } from '../support/importing';
import { operate } from '../support/operator';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const DAY = 86_400_000;

async function bodiesOf(given: GivenSupplier): Promise<Record<string, string>> {
  const results = await readRows<{ number: string; body: string }>(
    `SELECT p.external_account_number AS number, y.body FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ? ORDER BY p.id`,
    given.supplierId,
  );
  return Object.fromEntries(results.map(({ number, body }) => [number, body]));
}

const setStatus = (given: GivenSupplier, number: string, status: number, at: number) =>
  env.DB.prepare('UPDATE import_processes SET status = ?3, finished_at = ?4 WHERE supplier_id = ?1 AND external_account_number = ?2')
    .bind(given.supplierId, number, status, at)
    .run();

/** Runs until every supplier's walk has come to its end. */
async function reduceAll(deps: GivenDeps): Promise<void> {
  await env.DB.prepare('UPDATE suppliers SET retention_next_at = 0').run();
  for (;;) {
    await reducePayloads(deps, documentsOf);
    const due = await readRow('SELECT 1 FROM suppliers WHERE retention_next_at <= ?', deps.now());
    if (!due) return;
  }
}

describe('after the days of the supplier', () => {
  it('an imported payload is cut down to what has no row of its own, and a cancelled one is emptied', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 30 } });
    const full = { ...aFullAccount(given.code, 'full'), undocumented: 'kept' };
    const { deps, messages } = await stage(given, [full]);
    await deliver(deps, messages);
    await stage(given, [aSmallAccount(given.code, 'cancelled')]);
    await setStatus(given, 'cancelled', 4, deps.now());
    deps.advance(29 * DAY);
    const before = await bodiesOf(given);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual(before);
    deps.advance(DAY + 1_000);
    await reduceAll(deps);
    const after = await bodiesOf(given);
    expect(after['cancelled']).toBe('');
    const { customers, notes, statements, payment_instructions, ...kept } = aFullAccount(given.code, 'full');
    const { historical_statement_transactions, current_statement_transactions, ...document } = kept;
    expect(JSON.parse(after['full'] ?? '')).toEqual({ ...document, undocumented: 'kept' });
    expect([customers, notes, statements, payment_instructions].every(({ length }) => length > 0)).toBe(true);
    expect(historical_statement_transactions.length + current_statement_transactions.length).toBe(5);
    expect(await rowsOf(given)).toMatchObject({ accounts: 1, customers: 2, notes: 2, transactions: 5, statements: 1 });
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual(after);
  });

  it('a payload that may still be needed stays: PENDING, IN_PROGRESS, ERRORED, dry runs', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 0 } });
    const statuses = [0, 1, 3, 5, 6];
    const { deps } = await stage(
      given,
      statuses.map((status) => aSmallAccount(given.code, `s${status}`)),
    );
    for (const status of statuses) await setStatus(given, `s${status}`, status, deps.now());
    const before = await bodiesOf(given);
    deps.advance(1_000 * DAY);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual(before);
  });

  it('what is ERRORED or was a dry run is emptied so many days after its supplier is Complete, whatever ended when', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 30 } });
    const statuses = [3, 5, 6];
    const { deps } = await stage(
      given,
      [0, 1, ...statuses].map((status) => aSmallAccount(given.code, `s${status}`)),
    );
    for (const status of [0, 1, ...statuses]) await setStatus(given, `s${status}`, status, deps.now());
    const before = await bodiesOf(given);
    deps.advance(100 * DAY);
    const complete = (status: string, completedAt: number | null) =>
      env.DB.prepare('UPDATE suppliers SET status = ?2, completed_at = ?3 WHERE id = ?1').bind(given.supplierId, status, completedAt).run();
    await complete('Complete', deps.now());
    deps.advance(29 * DAY);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual(before);
    deps.advance(2 * DAY);
    await complete('Ongoing', null);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual(before);
    await complete('Complete', deps.now() - 31 * DAY);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual({ ...before, s3: '', s5: '', s6: '' });
  });

  it('the days count from the moment the supplier was made Complete, whatever is changed of it later', async () => {
    const { code, supplierId } = await aSupplier();
    const completedAt = async () =>
      (await readRow<{ completed_at: number | null }>('SELECT completed_at FROM suppliers WHERE id = ?', supplierId))?.completed_at;
    expect(await completedAt()).toBeNull();
    await operate('PATCH', `suppliers/${code}/`, { status: 'Complete' });
    const moment = await completedAt();
    expect(Math.abs(Date.now() - (moment ?? 0))).toBeLessThan(60_000);
    await env.DB.prepare('UPDATE suppliers SET completed_at = completed_at - 1000 WHERE id = ?').bind(supplierId).run();
    await operate('PATCH', `suppliers/${code}/`, { name: 'Another name' });
    expect(await completedAt()).toBe((moment ?? 0) - 1_000);
    await operate('PATCH', `suppliers/${code}/`, { status: 'Ongoing', reason: 'late accounts' });
    expect(await completedAt()).toBeNull();
  });

  it('a cancelled process that is created again while its payload is being emptied keeps the new one', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 1 } });
    const deps = aDeps();
    await stage(given, [aSmallAccount(given.code, 'a')], deps);
    await setStatus(given, 'a', 4, deps.now());
    deps.advance(2 * DAY);
    await env.DB.prepare('UPDATE suppliers SET retention_next_at = iif(id = ?, 0, 9e15)').bind(given.supplierId).run();
    const again = { ...aSmallAccount(given.code, 'a'), customers: [{ given_name: 'Again' }] };
    let messages: Awaited<ReturnType<typeof stage>>['messages'] = [];
    const counting = countingDatabase(env.DB, async (trip) => {
      // Trip 3 writes what trip 2 has read.
      if (trip === 3) messages = (await stage(given, [again], deps)).messages;
    });
    await reducePayloads({ ...deps, db: counting.db }, documentsOf);
    expect(await bodiesOf(given)).toEqual({ a: JSON.stringify(again) });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('what a later release cannot read stays whole, and the log says so; nobody else waits for it', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 1 } });
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'broken'), aSmallAccount(given.code, 'invalid')]);
    await deliver(deps, messages);
    const bodies = {
      broken: '{"customers":[',
      invalid: '{"import_supplier":7,"account_type":"CASTLE","customers":[{"given_name":"Ada"}]}',
    };
    for (const [number, body] of Object.entries(bodies)) {
      await env.DB.prepare(
        'UPDATE payloads SET body = ?3 WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?1 AND external_account_number = ?2)',
      )
        .bind(given.supplierId, number, body)
        .run();
    }
    deps.advance(2 * DAY);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual({ broken: bodies.broken, invalid: '{"import_supplier":7,"account_type":"CASTLE"}' });
    expect(deps.logged.filter(({ event }) => event === 'payload_unreadable')).toEqual([
      { event: 'payload_unreadable', fields: { process_id: expect.any(Number) } },
    ]);
  });

  it('the account of an earlier release keeps its lists: its rows hold their documented fields only', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 1 } });
    const body = { ...aSmallAccount(given.code, 'a'), customers: [{ given_name: 'Ada', psr: ['HEARING'] }] };
    const { deps, messages } = await stage(given, [body]);
    await deliver(deps, messages);
    await env.DB.prepare('UPDATE accounts SET has_all_fields = 0 WHERE supplier_id = ?').bind(given.supplierId).run();
    deps.advance(2 * DAY);
    await reduceAll(deps);
    expect(JSON.parse((await bodiesOf(given))['a'] ?? '')).toEqual(body);
  });

  it('numbers that no double can hold stay as they were sent', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 1 } });
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await deliver(deps, messages);
    const body = `{"import_supplier":"${given.code}","metadata":[{"key":"k","value":1e400},{"key":"l","value":12345678901234567890}]}`;
    await env.DB.prepare('UPDATE payloads SET body = ?2 WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?1)')
      .bind(given.supplierId, body)
      .run();
    deps.advance(2 * DAY);
    await reduceAll(deps);
    expect(await bodiesOf(given)).toEqual({ a: body });
    expect(await readRow('SELECT reduced_at FROM payloads WHERE body = ?', body)).toEqual({
      reduced_at: expect.any(Number),
    });
  });

  it.each([
    ['is no JSON', `'not JSON'`],
    ['is no JSON', `'not JSON'`],
    ['says it in words', `json_set(configuration, '$.payload_retention_days', 'ninety')`],
  ])('a supplier whose configuration %s keeps its payloads, and holds up nobody else’s retention', async (_, configuration) => {
    const [given, other] = [
      await aSupplier({ configuration: { payload_retention_days: 1 } }),
      await aSupplier({ configuration: { payload_retention_days: 1 } }),
    ];
    const deps = aDeps();
    for (const supplier of [given, other]) {
      await stage(supplier, [aSmallAccount(supplier.code, 'a')], deps);
      await setStatus(supplier, 'a', 4, deps.now());
    }
    await env.DB.prepare(`UPDATE suppliers SET configuration = ${configuration} WHERE id = ?`).bind(given.supplierId).run();
    deps.advance(2 * DAY);
    await reduceAll(deps);
    expect((await bodiesOf(given))['a']).not.toBe('');
    expect(await bodiesOf(other)).toEqual({ a: '' });
    expect(
      deps.logged.filter(({ event, fields }) => event === 'payloads_not_reduced' && fields?.['supplier_id'] === given.supplierId),
    ).toHaveLength(1);
  });

  it('more processes than one look takes are walked through, each once', async () => {
    const given = await aSupplier({ configuration: { payload_retention_days: 1 } });
    const { deps } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO payloads (id, body) SELECT 1000000 + i, '{"x":1}' FROM n`,
    ).run();
    await env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, finished_at, modified_at, attempts)
       SELECT ?1, y.id, 'n' || y.id, 4, '', 7, 0, 0, 0, 0, 0, 0, 1 FROM payloads y WHERE y.id > 1000000`,
    )
      .bind(given.supplierId)
      .run();
    await reduceAll(deps);
    const left = await readRow<{ n: number }>("SELECT count(*) AS n FROM payloads WHERE id > 1000000 AND body <> ''");
    expect(left?.n).toBe(0);
    expect((await bodiesOf(given))['a']).not.toBe('');
  });
});
