import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimProcesses, sweep } from '../../src/import-processes';
import { LEASE_MILLISECONDS, MAX_EXPIRIES } from '../../src/import-processes/machine';
import type { ImportMessage } from '../../src/queues/messages';
import worker from '../../src/worker';
import { countingDatabase } from '../support/counting';
import { aDeps, type GivenDeps } from '../support/deps';
import { failingBucket, faultyDatabase } from '../support/faults';
import { aDocument, aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf, stage, stageSlice, statusesOf, statusOf, together } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow, readRows } from '../support/tables';

const MINUTE = 60_000;
/** Calls of D1, R2 and Queues together that the platform allows one invocation. */
const CALLS_ALLOWED = 1_000;

const keysOf = (messages: readonly ImportMessage[]) =>
  messages.flatMap(({ supplier_id, process_ids }) => process_ids.map((id) => ({ supplierId: supplier_id, id })));

const smallAccounts = (code: string, count: number) => Array.from({ length: count }, (_, i) => aSmallAccount(code, `n${i}`));

/** How many processes of the supplier stand in each status. */
async function countsOf(given: GivenSupplier): Promise<Record<number, number>> {
  const results = await readRows<{ status: number; n: number }>(
    'SELECT status, count(*) AS n FROM import_processes WHERE supplier_id = ? GROUP BY status',
    given.supplierId,
  );
  return Object.fromEntries(results.map(({ status, n }) => [status, n]));
}

/** Statements of the documents in a bucket that has all of them, each in a directory of its own. */
const withStatements = (body: ReturnType<typeof aSmallAccount>, count: number) => ({
  ...body,
  statements: Array.from({ length: count }, (_, i) => ({
    statement_id: `S${i}`,
    bill_period_from_date: '2026-01-01',
    bill_period_to_date: '2026-01-31',
    statement_path: `${body.external_account_number}/${i}/statement.pdf`,
  })),
});

/** The real bucket, in which every key that is asked for names one and the same document; `asked` runs before each answer. */
async function aBucketOfEverything(asked: () => Promise<void> = async () => {}) {
  await aDocument('everything.pdf');
  const counted = { calls: 0 };
  const bucket = new Proxy(env.DOCUMENTS, {
    get(target, name) {
      if (name !== 'head') throw new Error(`not expected: ${String(name)}`);
      return async () => {
        counted.calls++;
        await asked();
        return target.head('everything.pdf');
      };
    },
  });
  return { bucket, counted };
}

/** Delivers, and delivers what is sent meanwhile, until nothing more is sent; answers the calls each delivery made. */
async function deliverAll(deps: GivenDeps, messages: readonly ImportMessage[], calls: () => number): Promise<number[]> {
  const made: number[] = [];
  let next = messages;
  for (let round = 0; next.length > 0 && round < 40; round++) {
    const [sent, before] = [deps.sent.length, calls()];
    await deliver(deps, next);
    made.push(calls() - before);
    next = deps.sent.slice(sent);
  }
  return made;
}

describe('a claim', () => {
  it('reads 4 MiB of bodies at most, whatever a message names', async () => {
    const given = await aSupplier();
    const large = 'x'.repeat(900_000);
    const bodies = smallAccounts(given.code, 12).map((body) => ({ ...body, metadata: [{ key: 'large', value: large }] }));
    const { deps, messages } = await stage(given, bodies);
    const claim = await claimProcesses(deps, keysOf(messages));
    expect(claim.rows).toHaveLength(4);
    expect(claim.rows.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0)).toBeLessThanOrEqual(4 * 1_048_576);
    expect(claim.mayHaveLeft).toBe(true);
    expect(await countsOf(given)).toEqual({ 0: 8, 1: 4 });
  });

  it('names 500 documents at most; what has none is not kept waiting by what has many', async () => {
    const given = await aSupplier();
    const bodies = smallAccounts(given.code, 6).map((body, i) => withStatements(body, i < 3 ? 200 : 0));
    const { deps, messages } = await stageSlice(given, bodies);
    const keys = keysOf(messages);
    const claim = await claimProcesses(deps, keys);
    expect(claim.rows.map(({ documents }) => documents)).toEqual([200, 200]);
    expect(claim.mayHaveLeft).toBe(true);
    expect((await claimProcesses(deps, keys.slice(2))).rows.map(({ documents }) => documents)).toEqual([200, 0, 0, 0]);
  });

  it('whose answer was lost for good is given back, too', async () => {
    const given = await aSupplier();
    const { messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    const lossy = faultyDatabase(env.DB, (call) => (call <= 3 ? 'after' : undefined));
    expect(await deliver(aDeps({ DB: lossy.db }), messages)).toEqual({ acked: [], retried: ['m0'] });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
  });

  it('is given back when anything throws while it is held', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    let asked = 0;
    const broken = {
      ...deps,
      now: () => {
        if (++asked === 2) throw new Error('a bug');
        return deps.now();
      },
    };
    expect(await deliver(broken, messages)).toEqual({ acked: [], retried: ['m0'] });
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    expect(await deliver(deps, messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('that was given back is no try: ten failures of R2 and then a crash leave the process PENDING', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/${given.code}.pdf`);
    const body = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: [{ document_path: `${given.code}.pdf` }] }] };
    const { deps, messages } = await stage(given, [body]);
    const failing = aDeps({ DOCUMENTS: failingBucket(env.DOCUMENTS) });
    for (let attempt = 1; attempt <= 2 * MAX_EXPIRIES; attempt++) {
      expect(await deliver(failing, messages)).toEqual({ acked: [], retried: ['m0'] });
    }
    await claimProcesses(deps, keysOf(messages));
    deps.advance(LEASE_MILLISECONDS + 1);
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('a supplier that cannot be read', () => {
  it.each([
    ['lacks a setting', `json_remove(configuration, '$.default_country')`],
    ['has a setting of another type', `json_set(configuration, '$.documents_root', 7)`],
    ['is no JSON', `'not JSON'`],
  ])('because its configuration %s makes only its own processes wait', async (_, configuration) => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const own = await stage(given, smallAccounts(given.code, 3));
    const others = await stage(other, smallAccounts(other.code, 3));
    const { configuration: readable = '' } =
      (await readRow<{ configuration: string }>('SELECT configuration FROM suppliers WHERE id = ?', given.supplierId)) ?? {};
    await env.DB.prepare(`UPDATE suppliers SET configuration = ${configuration} WHERE id = ?`).bind(given.supplierId).run();
    const deps = aDeps();
    expect(await deliver(deps, [...together(own.messages), ...together(others.messages)])).toEqual({ acked: ['m1'], retried: ['m0'] });
    expect(await countsOf(given)).toEqual({ 0: 3 });
    expect(await countsOf(other)).toEqual({ 2: 3 });
    expect(deps.logged.filter(({ event }) => event === 'supplier_unreadable')).toEqual([
      { event: 'supplier_unreadable', fields: { supplier_id: given.supplierId } },
    ]);
    await env.DB.prepare('UPDATE suppliers SET configuration = ? WHERE id = ?').bind(readable, given.supplierId).run();
    expect(await deliver(aDeps(), together(own.messages))).toEqual({ acked: ['m0'], retried: [] });
    expect(await countsOf(given)).toEqual({ 2: 3 });
  });
});

/** A database whose isolate dies, for good, as soon as it would end the process `poison`. */
function deadlyDatabase(poison: number, beforeFinish: () => Promise<void> = async () => {}): D1Database {
  const params = new WeakMap<object, string>();
  let isDead = false;
  return new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => ({
          bind: (...values: unknown[]) => {
            const prepared = target.prepare(sql).bind(...values);
            if (sql.includes(`'the_claim_is_lost'`)) params.set(prepared, String(values[0]));
            return prepared;
          },
        });
      }
      if (name !== 'batch') throw new Error(`not expected: ${String(name)}`);
      return async (statements: D1PreparedStatement[]) => {
        const finished = statements.flatMap((statement) => params.get(statement) ?? []);
        if (finished.length > 0) await beforeFinish();
        if (finished.some((json) => JSON.parse(json).some(([, id]: [number, number]) => id === poison))) isDead = true;
        if (isDead) throw new Error('Network connection lost.');
        return target.batch(statements);
      };
    },
  });
}

describe('an account that kills whoever works on it', () => {
  it('travels alone after its second expired lease: its neighbours are imported, it ends as ERRORED', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stageSlice(given, smallAccounts(given.code, 4));
    const poison = messages[0]?.process_ids[2] ?? 0;
    const mostHeld: number[] = [];
    let pending = messages;
    for (let round = 1; round <= 8 && pending.length > 0; round++) {
      let held = 0;
      const beforeFinish = async () => {
        held = Math.max(held, (await countsOf(given))[1] ?? 0);
      };
      const db = deadlyDatabase(poison, beforeFinish);
      const { acked } = await deliver({ ...deps, db, databaseOf: () => db }, pending);
      mostHeld.push(held);
      // What was not acknowledged is delivered again.
      const again = pending.filter((_, index) => !acked.includes(`m${index}`));
      const sent = deps.sent.length;
      deps.advance(LEASE_MILLISECONDS + 1);
      await sweep(deps);
      const swept = deps.sent.slice(sent).filter(({ supplier_id }) => supplier_id === given.supplierId);
      if (round === 2) expect(swept.map(({ process_ids }) => process_ids.length)).toEqual(Array(4).fill(1));
      pending = [...again, ...swept];
    }
    expect(mostHeld.slice(0, 5)).toEqual([4, 4, 1, 1, 1]);
    expect(await countsOf(given)).toEqual({ 2: 3, 3: 1 });
    expect(await statusOf(given, 'n2')).toMatchObject({
      status: 'ERRORED',
      latest_error: { code: 'account_import_process_failed' },
    });
  });

  it('is not claimed with others, though an old message names them together', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stageSlice(given, smallAccounts(given.code, 3));
    const [troubled, ...others] = keysOf(messages);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await claimProcesses(deps, troubled ? [troubled] : []);
      deps.advance(LEASE_MILLISECONDS + 1);
      await sweep(deps);
    }
    const claim = await claimProcesses(deps, keysOf(messages));
    expect(claim.rows.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
    expect((await claimProcesses(deps, troubled ? [troubled] : [])).rows).toHaveLength(1);
  });
});

describe('a claim that was lost', () => {
  it('is no try while its holder lives: whoever is slow again and again is never the reason to give up', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    for (let attempt = 1; attempt <= 2 * MAX_EXPIRIES; attempt++) {
      // Between claim and finish the lease runs out and the sweep takes the process back; the holder then finds that it lost it.
      let trips = 0;
      const slow = new Proxy(env.DB, {
        get: (target, name) =>
          name === 'batch'
            ? async (statements: D1PreparedStatement[]) => {
                if (++trips === 2) {
                  deps.advance(LEASE_MILLISECONDS + 1);
                  await sweep(deps);
                }
                return target.batch(statements);
              }
            : (sql: string) => target.prepare(sql),
      });
      expect(await deliver({ ...deps, db: slow }, messages)).toEqual({ acked: ['m0'], retried: [] });
      expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    }
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('as a whole costs one more trip, not one for each process', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stageSlice(given, smallAccounts(given.code, 500));
    const counting = countingDatabase(env.DB, async (trip) => {
      if (trip !== 2) return;
      deps.advance(LEASE_MILLISECONDS + 1);
      await sweep(deps);
    });
    expect(await deliver({ ...deps, db: counting.db }, messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(counting.trips).toBe(3);
  });

  it('in part is finished in part: what is still held is created, in one trip to ask and one to store', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stageSlice(given, smallAccounts(given.code, 100));
    const [first, ...others] = keysOf(messages);
    const counting = countingDatabase(env.DB, async (trip) => {
      if (trip === 2)
        await env.DB.prepare('UPDATE import_processes SET status = 0, claim = NULL, lease_until = NULL WHERE supplier_id = ? AND id = ?')
          .bind(first?.supplierId ?? 0, first?.id ?? 0)
          .run();
    });
    expect(await deliver({ ...deps, db: counting.db }, messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(counting.trips).toBe(4);
    expect(await countsOf(given)).toEqual({ 0: 1, 2: others.length });
    expect(await rowsOf(given)).toMatchObject({ accounts: others.length });
  });
});

describe('look-ups that outlive a lease', () => {
  it.each([
    ['', ''],
    [', staged by a release that did not count documents', 'UPDATE import_processes SET documents = 0 WHERE supplier_id = ?'],
  ])(
    '500 accounts of 12 documents each, 65 ms a look-up, are all imported: no lease runs out and no invocation makes 1,000 calls%s',
    async (_, change) => {
      const given = await aSupplier();
      const deps = aDeps();
      const { messages } = await stageSlice(
        given,
        smallAccounts(given.code, 500).map((body) => withStatements(body, 12)),
        deps,
      );
      if (change) await env.DB.prepare(change).bind(given.supplierId).run();
      let [calls, sincePast] = [0, 0];
      const { bucket } = await aBucketOfEverything(async () => {
        calls++;
        // 65 ms, and six wait at once.
        deps.advance(11);
        sincePast += 11;
        if (sincePast < MINUTE) return;
        sincePast = 0;
        await sweep(deps);
      });
      const counting = countingDatabase(env.DB);
      const working = { ...deps, db: counting.db, databaseOf: () => counting.db, documents: bucket };
      const made = await deliverAll(working, messages, () => calls + counting.queries);
      expect(await countsOf(given)).toEqual({ 2: 500 });
      expect(Math.max(...made)).toBeLessThan(CALLS_ALLOWED);
      const results = await readRows('SELECT DISTINCT expired_claims FROM import_processes WHERE supplier_id = ?', given.supplierId);
      expect(results).toEqual([{ expired_claims: null }]);
    },
  );

  it('renew it: an account of 500 documents that takes five minutes is never taken from its holder', async () => {
    const given = await aSupplier();
    const deps = aDeps();
    const { messages } = await stageSlice(given, [withStatements(aSmallAccount(given.code, 'a'), 500)], deps);
    let calls = 0;
    const { bucket } = await aBucketOfEverything(async () => {
      deps.advance(600);
      if (++calls % 50 === 0) await sweep(deps);
    });
    expect(await deliver({ ...deps, documents: bucket }, messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
    const row = await readRow('SELECT attempts FROM import_processes WHERE supplier_id = ?', given.supplierId);
    expect(row).toEqual({ attempts: 1 });
  });
});

describe('a look-up that hangs', () => {
  afterEach(() => void vi.useRealTimers());

  it('ends as a failure: the claim is given back at once, and the message tried again', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/${given.code}.pdf`);
    const body = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: [{ document_path: `${given.code}.pdf` }] }] };
    const { deps, messages } = await stage(given, [body]);
    let printHung = (): void => {};
    const hung = new Promise<void>((resolve) => {
      printHung = resolve;
    });
    const documents = new Proxy(env.DOCUMENTS, {
      get: () => () => {
        printHung();
        return new Promise(() => {});
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const delivered = deliver({ ...deps, documents }, messages);
    await hung;
    await vi.advanceTimersByTimeAsync(LEASE_MILLISECONDS / 2);
    expect(await delivered).toEqual({ acked: [], retried: ['m0'] });
    vi.useRealTimers();
    expect(await statusesOf(given)).toEqual({ a: 'PENDING' });
    await deliver(deps, messages);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('calls of one invocation', () => {
  it('40 messages of 500 small accounts each are consumed by one, below 1,000', async () => {
    const given = await aSupplier();
    const messages: ImportMessage[] = [];
    for (let part = 0; part < 40; part++) {
      const bodies = Array.from({ length: 25 }, (_, i) => aSmallAccount(given.code, `p${part}-${i}`));
      messages.push(...(await stageSlice(given, bodies)).messages);
    }
    // As many slices as 40 full messages would take.
    const counting = countingDatabase(env.DB);
    const deps = aDeps({ DB: counting.db });
    for (const message of messages) await deliver(deps, [message]);
    expect(counting.queries).toBeLessThan(CALLS_ALLOWED);
    expect(await countsOf(given)).toEqual({ 2: 1_000 });
  });

  it('accounts the database refuses one by one are looked for until then; the rest is sent again', async () => {
    const given = await aSupplier();
    const { messages } = await stageSlice(given, smallAccounts(given.code, 200));
    const refused = (messages[0]?.process_ids ?? []).slice(0, 150);
    await env.DB.prepare(
      `CREATE TRIGGER refuse_many BEFORE INSERT ON customers WHEN new.account_id BETWEEN ${refused[0]} AND ${refused.at(-1)}
       BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    ).run();
    const counting = countingDatabase(env.DB);
    const deps = aDeps({ DB: counting.db });
    const made: number[] = [];
    let next: readonly ImportMessage[] = messages;
    for (let round = 0; next.length > 0 && round < 20; round++) {
      const [sent, before] = [deps.sent.length, counting.queries];
      await deliver(deps, next);
      made.push(counting.queries - before);
      next = deps.sent.slice(sent);
    }
    await env.DB.prepare('DROP TRIGGER refuse_many').run();
    expect(Math.max(...made)).toBeLessThan(CALLS_ALLOWED);
    expect(await countsOf(given)).toEqual({ 0: 150, 2: 50 });
  });

  it('a bulk request of documents in directories of their own stays below 1,000; what it could not look up is FAILED, to be sent again', async () => {
    const given = await aSupplier();
    const { bucket, counted } = await aBucketOfEverything();
    let lines = smallAccounts(given.code, 150).map((body) => ({
      ...withStatements(body, 12),
      task_params: { schedule_window_start: '2099-01-01T00:00:00Z' },
    }));
    for (let request = 1; lines.length > 0 && request <= 10; request++) {
      const counting = countingDatabase(env.DB);
      const context = createExecutionContext();
      const before = counted.calls;
      const response = await worker.fetch(
        new Request('https://import.test/v2/data-import/accounts/bulk/', {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
          body: lines.map((line) => JSON.stringify(line)).join('\n'),
        }),
        { ...env, DB: counting.db, DOCUMENTS: bucket },
        context,
      );
      const answers: { status?: string; external_account_number?: string }[] = (await response.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      await waitOnExecutionContext(context);
      expect(counting.queries + counted.calls - before).toBeLessThan(CALLS_ALLOWED);
      expect(new Set(answers.slice(0, -1).map(({ status }) => status))).not.toContain('INVALID');
      const failed = new Set(answers.flatMap((one) => (one.status === 'FAILED' ? [one.external_account_number] : [])));
      expect(failed.size).toBeLessThan(lines.length);
      lines = lines.filter((line) => failed.has(line.external_account_number));
    }
    expect(lines).toEqual([]);
    expect(await rowsOf(given)).toMatchObject({ processes: 150 });
  });
});

it('a database that fails while a claim is given back leaves it to the sweep', async () => {
  const given = await aSupplier();
  const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
  const dying = faultyDatabase(env.DB, (call) => (call === 1 ? undefined : 'before'));
  expect(await deliver(aDeps({ DB: dying.db }), messages)).toEqual({ acked: [], retried: ['m0'] });
  expect(await statusesOf(given)).toEqual({ a: 'IN_PROGRESS' });
  deps.advance(LEASE_MILLISECONDS + 1);
  await sweep(deps);
  await deliver(deps, messages);
  expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
});
