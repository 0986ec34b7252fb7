/** Messages that ran out of tries: what failed is given up, what nobody could try is left to the sweep. */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../src/import-processes';
import type { ImportMessage } from '../../src/queues/messages';
import { databaseAround } from '../support/around';
import { aDeps, type GivenDeps } from '../support/deps';
import { failingBucket } from '../support/faults';
import { aDocument, aSupplier } from '../support/given';
import { deliver, rowsOf, stage, statusesOf, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';
import { awayDatabase, fullDatabase, REFUSALS, readOnlyDatabase } from '../support/trouble';

const MINUTE = 60_000;
const DEAD = { queue: 'account-imports-dead-letters' };

const dryRun = (code: string, number: string) => ({ ...aSmallAccount(code, number), task_params: { is_dry_run: true } });

/** The same moment, other bindings. */
const withBindings = (deps: GivenDeps, bindings: Parameters<typeof aDeps>[0]) => ({ ...aDeps(bindings), now: deps.now });

/** All deliveries of a message, as the queue makes them: eleven in forty minutes. */
async function runOut(deps: GivenDeps, messages: readonly ImportMessage[], bindings: Parameters<typeof aDeps>[0]): Promise<void> {
  for (let attempt = 1; attempt <= 11; attempt++) {
    await deliver(withBindings(deps, bindings), messages, { attempts: attempt });
    if (attempt <= 10) deps.advance(Math.min(600, 5 * 2 ** (attempt - 1)) * 1_000);
  }
}

/** Ids of messages are those of the test's batches, the same in each. */
beforeEach(async () => {
  await env.DB.prepare('DELETE FROM dead_letters').run();
});

const letters = async () => (await readRow<{ n: number }>('SELECT count(*) AS n FROM dead_letters'))?.n;

/** What the sweep of the next minutes sends, and its consumers do. */
async function goOn(deps: GivenDeps): Promise<void> {
  for (let minute = 0; minute < 4; minute++) {
    deps.advance(MINUTE);
    const before = deps.sent.length;
    await sweep(deps);
    await deliver(deps, deps.sent.slice(before));
  }
}

describe('after a database that was in trouble for as long as a message lives', () => {
  const troubles: readonly (readonly [string, () => D1Database])[] = [
    ['away', awayDatabase],
    ['read-only', readOnlyDatabase],
    ...REFUSALS.map((message) => [`full: ${message}`, () => fullDatabase(message)] as const),
  ];
  it.each(troubles)('%s: its dead letters end nothing; once there is room again all of it is imported', async (_, aDatabase) => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [
      aSmallAccount(given.code, 'a'),
      dryRun(given.code, 'b'),
      aSmallAccount(given.code, 'c'),
    ]);
    await runOut(deps, messages, { DB: aDatabase() });
    expect((await deliver(deps, messages, DEAD)).retried).toEqual([]);
    expect(Object.values(await statusesOf(given)).filter((status) => status.endsWith('ERRORED'))).toEqual([]);
    await goOn(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED', b: 'DRY_RUN_SUCCEEDED', c: 'PROCESSED' });
    expect([(await rowsOf(given)).accounts, await letters()]).toEqual([2, 0]);
  });

  it('while its dead letters are delivered too: they wait until the database takes writes, and then end nothing', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    await runOut(deps, messages, { DB: readOnlyDatabase() });
    expect(await deliver(withBindings(deps, { DB: readOnlyDatabase() }), messages, DEAD)).toEqual({ acked: [], retried: ['m0'] });
    deps.advance(90 * MINUTE);
    expect(await deliver(deps, messages, DEAD)).toEqual({ acked: ['m0'], retried: [] });
    await goOn(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });

  it('that it fell into with leases open: they run out, and what was held is imported', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    let trips = 0;
    // The claim is committed, then nothing more.
    const dying = databaseAround(env.DB, (_, run) => (trips++ === 0 ? run() : Promise.reject(new Error(REFUSALS[3]))));
    await runOut(deps, messages, { DB: dying });
    expect(await deliver(deps, messages, DEAD)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'IN_PROGRESS' });
    await goOn(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});

describe('a dead letter', () => {
  it('leaves alone what was sent again since', async () => {
    const given = await aSupplier();
    const { deps, messages } = await stage(given, [aSmallAccount(given.code, 'a')]);
    deps.advance(3 * MINUTE);
    await sweep(deps);
    const waiting = await statusOf(given, 'a');
    await deliver(deps, messages, DEAD);
    expect(await statusOf(given, 'a')).toEqual(waiting);
    expect([waiting.status, await letters()]).toEqual(['PENDING', 0]);
  });

  it('ends what failed time and again while the database was well, and is there for the operator', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/letter.pdf`);
    const withDocument = (number: string) => ({
      ...aSmallAccount(given.code, number),
      notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }],
    });
    const { deps, messages } = await stage(given, [withDocument('a'), { ...withDocument('b'), task_params: { is_dry_run: true } }]);
    await runOut(deps, messages, { DOCUMENTS: failingBucket(env.DOCUMENTS) });
    expect(await deliver(deps, messages, DEAD)).toEqual({ acked: ['m0', 'm1'], retried: [] });
    expect(await statusesOf(given)).toEqual({ a: 'ERRORED', b: 'DRY_RUN_ERRORED' });
    expect(await letters()).toBe(2);
  });

  it('keeps its letter when it is delivered again, because its acknowledgement was lost', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/letter.pdf`);
    const account = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }] };
    const { deps, messages } = await stage(given, [account]);
    await runOut(deps, messages, { DOCUMENTS: failingBucket(env.DOCUMENTS) });
    let trips = 0;
    const failing = databaseAround(env.DB, (_, run) => (trips++ === 0 ? run() : Promise.reject(new Error(REFUSALS[3]))));
    expect((await deliver(withBindings(deps, { DB: failing }), messages, DEAD)).retried).toEqual(['m0']);
    expect((await deliver(deps, messages, DEAD)).acked).toEqual(['m0']);
    expect([await statusesOf(given), await letters()]).toEqual([{ a: 'ERRORED' }, 1]);
  });

  it('does not end for a failure of long ago what nobody could try since', async () => {
    const given = await aSupplier();
    await aDocument(`${given.code}/letter.pdf`);
    const account = { ...aSmallAccount(given.code, 'a'), notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }] };
    const { deps, messages } = await stage(given, [account]);
    await deliver(withBindings(deps, { DOCUMENTS: failingBucket(env.DOCUMENTS) }), messages);
    await runOut(deps, messages, { DB: readOnlyDatabase() });
    await deliver(deps, messages, DEAD);
    expect((await statusOf(given, 'a')).status).toBe('PENDING');
    await goOn(deps);
    expect(await statusesOf(given)).toEqual({ a: 'PROCESSED' });
  });
});
