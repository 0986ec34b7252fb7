import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { sweep } from '../../src/import-processes';
import type { ImportMessage } from '../../src/queues/messages';
import { aBacklog, forgetBacklog } from '../support/backlog';
import { countingDatabase } from '../support/counting';
import { aDeps, type GivenDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, stage, statusesOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';

const MINUTE = 60_000;

const suppliers: GivenSupplier[] = [];
const aBusySupplier = async (): Promise<GivenSupplier> => {
  const given = await aSupplier();
  suppliers.push(given);
  return given;
};
afterEach(async () => {
  for (const given of suppliers.splice(0)) await forgetBacklog(given);
});

/** What one sweep sends, by supplier: the ids of processes, as often as they were sent. */
async function swept(deps: GivenDeps, given: GivenSupplier): Promise<number[]> {
  const before = deps.sent.length;
  await sweep(deps);
  return deps.sent.slice(before).flatMap(({ supplier_id, process_ids }) => (supplier_id === given.supplierId ? process_ids : []));
}

/** Deps whose queue says that so many messages wait in it. */
function withWaiting(deps: GivenDeps, backlogCount: () => number): GivenDeps {
  const { sent } = deps;
  const metadata = () => ({ metadata: { metrics: { backlogCount: backlogCount(), backlogBytes: 0 } } });
  const sendBatch: GivenDeps['accountImports']['sendBatch'] = async (messages) => {
    for (const { body } of messages) sent.push(body);
    return metadata();
  };
  return { ...deps, accountImports: { ...deps.accountImports, sendBatch } };
}

async function countsOf(given: GivenSupplier): Promise<Record<number, number>> {
  const results = await readRows<{ status: number; n: number }>(
    'SELECT status, count(*) AS n FROM import_processes WHERE supplier_id = ? GROUP BY status',
    given.supplierId,
  );
  return Object.fromEntries(results.map(({ status, n }) => [status, n]));
}

describe('one supplier’s backlog', () => {
  it('keeps nobody else from being sent: an account of another one is sent by the first run that finds its window open', async () => {
    const [first, other] = [await aBusySupplier(), await aBusySupplier()];
    await aBacklog(first, 60_000);
    const deps = aDeps();
    const id = await aBacklog(other, 1, { windowStart: deps.now() - 1, windowEnd: deps.now() + 90_000 });
    expect(await swept(deps, other)).toEqual([id]);
    expect(await countsOf(other)).toEqual({ 0: 1 });
    await deliver(deps, [{ v: 1, supplier_id: other.supplierId, process_ids: [id] }]);
    expect(await countsOf(other)).toEqual({ 2: 1 });
  });

  it('is never walked as a whole: a run reads the same number of rows, however many wait', async () => {
    const given = await aBusySupplier();
    const rowsReadByARun = async (): Promise<number> => {
      await env.DB.prepare('UPDATE suppliers SET sweep_cursor = 0').run();
      const deps = aDeps();
      const counting = countingDatabase(env.DB);
      await sweep({ ...deps, db: counting.db });
      return counting.rowsRead;
    };
    // Each has a message on its way, as most of a backlog has.
    const sentAt = Date.now() + MINUTE;
    await aBacklog(given, 60_000, { sentAt });
    const few = await rowsReadByARun();
    await aBacklog(given, 60_000, { sentAt });
    const many = await rowsReadByARun();
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(210_000);
  });

  it('is gone on with where the last run stopped: each process is sent once until all were', async () => {
    const given = await aBusySupplier();
    const first = await aBacklog(given, 105_000);
    const deps = aDeps();
    const runs: number[][] = [];
    for (let run = 0; run < 3; run++) {
      runs.push(await swept(deps, given));
      deps.advance(30_000);
    }
    expect(runs.map(({ length }) => length)).toEqual([50_000, 50_000, 5_000]);
    expect(new Set(runs.flat()).size).toBe(105_000);
    expect([Math.min(...(runs[0] ?? [])), Math.max(...(runs[2] ?? []))]).toEqual([first, first + 104_999]);
    expect(await swept(deps, given)).toEqual([]);
    deps.advance(2 * MINUTE);
    expect(await swept(deps, given)).toHaveLength(50_000);
  });

  it('is shared between two sweeps that run at once: none sends what the other does', async () => {
    const given = await aBusySupplier();
    await aBacklog(given, 12_000);
    const deps = aDeps();
    const before = deps.sent.length;
    await Promise.all([sweep(deps), sweep(deps)]);
    const ids = deps.sent.slice(before).flatMap(({ process_ids }) => process_ids);
    expect([ids.length, new Set(ids).size]).toEqual([12_000, 12_000]);
  });

  it('of which a send failed is sent by the next run, from there on', async () => {
    const given = await aBusySupplier();
    const first = await aBacklog(given, 60_000);
    const deps = aDeps();
    expect(await swept(deps, given)).toHaveLength(50_000);
    deps.advance(1_000);
    const down = { ...deps, accountImports: { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) } };
    await expect(sweep(down)).rejects.toThrow('queue down');
    const next = await swept(deps, given);
    expect([next.length, Math.min(...next)]).toEqual([10_000, first + 50_000]);
  });

  it('fills the queue no further once enough waits there, but each supplier gets its share', async () => {
    const [first, other] = [await aBusySupplier(), await aBusySupplier()];
    await aBacklog(first, 30_000);
    await aBacklog(other, 30_000);
    const deps = aDeps();
    await sweep(withWaiting(deps, () => 100));
    const sent = (given: GivenSupplier) =>
      deps.sent.filter(({ supplier_id }) => supplier_id === given.supplierId).flatMap(({ process_ids }) => process_ids).length;
    expect([sent(first), sent(other)]).toEqual([2_000, 2_000]);
  });
});

describe('a supplier that is resumed', () => {
  it('is drained by its consumers, without another sweep: whoever has consumed a part sends the next', async () => {
    const given = await aBusySupplier();
    await aBacklog(given, 6_000, { sentAt: Date.now() });
    const deps = aDeps();
    deps.advance(1_000);
    await env.DB.prepare('UPDATE suppliers SET resumed_at = ? WHERE id = ?').bind(deps.now(), given.supplierId).run();
    // The queue holds enough after the first share; from then on it is the consumers' turn.
    await sweep(withWaiting(deps, () => 100));
    let onTheirWay: readonly ImportMessage[] = deps.sent.splice(0);
    let most = 0;
    for (let batch = 0; onTheirWay.length > 0 && batch < 20; batch++) {
      most = Math.max(most, onTheirWay.length);
      expect((await deliver(deps, onTheirWay)).retried).toEqual([]);
      onTheirWay = deps.sent.splice(0);
    }
    expect(await countsOf(given)).toEqual({ 2: 6_000 });
    // As many messages are on their way as at first, never more and more.
    expect(most).toBe(4);
  });

  it('whose consumers fail to send the next part has consumed its own all the same', async () => {
    const given = await aBusySupplier();
    await aBacklog(given, 3_000);
    const deps = aDeps();
    await sweep(withWaiting(deps, () => 100));
    const messages = deps.sent.splice(0);
    const down = { ...deps, accountImports: { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) } };
    expect((await deliver(down, messages)).retried).toEqual([]);
    expect(await countsOf(given)).toEqual({ 0: 1_000, 2: 2_000 });
    expect(deps.logged.map(({ event }) => event)).toContain('backlog_not_drained');
    expect(await swept(deps, given)).toHaveLength(1_000);
  });

  it('is drained no further once the queue holds enough', async () => {
    const given = await aBusySupplier();
    await aBacklog(given, 10_000);
    const deps = aDeps();
    const full = withWaiting(deps, () => 100);
    for (let run = 0; run < 2; run++) await sweep(full);
    const messages = deps.sent.splice(0);
    expect(messages).toHaveLength(8);
    await deliver(full, messages);
    expect([await countsOf(given), deps.sent.length]).toEqual([{ 0: 6_000, 2: 4_000 }, 4]);
  });

  it('that is paused again is not drained', async () => {
    const given = await aBusySupplier();
    await aBacklog(given, 3_000);
    const deps = aDeps();
    await sweep(withWaiting(deps, () => 100));
    const messages = deps.sent.splice(0);
    await env.DB.prepare("UPDATE suppliers SET status = 'Paused' WHERE id = ?").bind(given.supplierId).run();
    await deliver(deps, messages);
    expect([deps.sent, await countsOf(given)]).toEqual([[], { 0: 3_000 }]);
  });
});

describe('a window', () => {
  it('that closes next is sent first, wherever in its supplier’s backlog it is', async () => {
    const given = await aBusySupplier();
    const deps = aDeps();
    await aBacklog(given, 60_000, { windowStart: deps.now() + 60 * MINUTE });
    await aBacklog(given, 10_000, { windowEnd: deps.now() + 60 * MINUTE, sentAt: deps.now() });
    const urgent = await aBacklog(given, 1, { windowEnd: deps.now() + MINUTE });
    expect(await swept(deps, given)).toEqual([urgent]);
  });

  it('that closes while the run sends is left alone by it; one that had closed before is CANCELLED', async () => {
    const given = await aBusySupplier();
    const deps = aDeps();
    const inSeconds = (seconds: number) => ({ task_params: { schedule_window_end: new Date(deps.now() + seconds * 1_000).toISOString() } });
    await stage(
      given,
      [
        { ...aSmallAccount(given.code, 'closed'), ...inSeconds(60) },
        { ...aSmallAccount(given.code, 'open'), ...inSeconds(200) },
      ],
      deps,
    );
    deps.advance(190_000);
    let sent = 0;
    const slow: GivenDeps['accountImports']['sendBatch'] = async (messages) => {
      sent += [...messages].length;
      deps.advance(20_000);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    };
    await sweep({ ...deps, accountImports: { ...deps.accountImports, sendBatch: slow } });
    expect([sent, await statusesOf(given)]).toEqual([1, { closed: 'CANCELLED', open: 'PENDING' }]);
    await sweep(deps);
    expect(await statusesOf(given)).toEqual({ closed: 'CANCELLED', open: 'CANCELLED' });
  });

  it('that closed before anything was sent is CANCELLED all the same, and the log says that the service was late', async () => {
    const given = await aBusySupplier();
    const deps = aDeps();
    const late = () => deps.logged.filter(({ event }) => event === 'windows_missed');
    await aBacklog(given, 2, { windowStart: deps.now() + MINUTE, windowEnd: deps.now() + 2 * MINUTE });
    const sent = await aBacklog(given, 1, { windowEnd: deps.now() + 2 * MINUTE });
    expect(await swept(deps, given)).toEqual([sent]);
    deps.advance(2 * MINUTE);
    await sweep(deps);
    expect([await countsOf(given), late()]).toEqual([{ 4: 3 }, [{ event: 'windows_missed', fields: { processes: 2 } }]]);
  });

  it('that closes under a Paused supplier is CANCELLED, and nobody was late', async () => {
    const given = await aBusySupplier();
    const deps = aDeps();
    await env.DB.prepare("UPDATE suppliers SET status = 'Paused' WHERE id = ?").bind(given.supplierId).run();
    await aBacklog(given, 1, { windowEnd: deps.now() + MINUTE });
    deps.advance(MINUTE);
    await sweep(deps);
    expect(await countsOf(given)).toEqual({ 4: 1 });
    expect(deps.logged.map(({ event }) => event)).not.toContain('windows_missed');
  });
});

it('more than one slice is cancelled by one run: of closed windows, and under a Complete supplier', async () => {
  const [closed, complete] = [await aBusySupplier(), await aBusySupplier()];
  const deps = aDeps();
  await aBacklog(closed, 4_500, { windowEnd: deps.now() - 1 });
  await aBacklog(complete, 4_500);
  await env.DB.prepare("UPDATE suppliers SET status = 'Complete' WHERE id = ?").bind(complete.supplierId).run();
  await sweep(deps);
  expect([await countsOf(closed), await countsOf(complete)]).toEqual([{ 4: 4_500 }, { 4: 4_500 }]);
});

it('a send that fails does not keep closed windows from being cancelled, nor expired leases from being released', async () => {
  const given = await aBusySupplier();
  const deps = aDeps();
  await aBacklog(given, 1);
  await aBacklog(given, 1, { windowEnd: deps.now() - 1 });
  const held = await aBacklog(given, 1);
  await env.DB.prepare('UPDATE import_processes SET status = 1, claim = 7, lease_until = 1 WHERE supplier_id = ? AND id = ?')
    .bind(given.supplierId, held)
    .run();
  const down = { ...deps, accountImports: { ...deps.accountImports, sendBatch: () => Promise.reject(new Error('queue down')) } };
  await expect(sweep(down)).rejects.toThrow('queue down');
  expect(await countsOf(given)).toEqual({ 0: 2, 4: 1 });
  expect(await swept(deps, given)).toHaveLength(2);
});
