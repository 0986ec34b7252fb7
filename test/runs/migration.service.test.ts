/**
 * A whole migration against the service in a process of its own, which is killed with SIGKILL in the middle of each step. The importer's client goes on
 * by itself: it sends again what was not answered.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillableService, killableService } from '../../scripts/killable-service';
import { ApiError, DataImportClient, type ImportEvent, type ListedImportProcess, type Run } from '../../src/kit/client';
import { aKitSupplier, type KitSupplier, operator } from '../kit/given';

const [ACCOUNTS, CANARY, WRONG, PACE] = [1_200, 50, 5, 900];
const WAVE = 'wave-1';

let service: KillableService;
beforeAll(async () => {
  service = await killableService();
  await service.start();
});
afterAll(() => service.remove());

/** One account of the file; every tenth of the first has a phone number that only a British supplier can read. */
const accountOf = (
  { code }: KitSupplier,
  index: number,
  { pence = 100 + index, more = {} }: { pence?: number; more?: object } = {},
): string =>
  JSON.stringify({
    import_supplier: code,
    external_account_number: `ACC-${index}`,
    customers: [{ given_name: 'Ada', mobile: index < CANARY && index % 10 === 0 ? '07400 123456' : '+44 7400 123456' }],
    transfer_balance: pence / 100,
    current_statement_transactions: [{ transaction_id: 'opening', transaction_date: '2026-01-10', amount: pence / 100, type: 'PAYMENT' }],
    ...more,
  });

/** The service dies so long after the work began; the work has to come to its end all the same. */
async function killedDuring<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const working = work();
  // It is awaited below; until then its failure is nobody's yet.
  working.catch(() => undefined);
  await pause(milliseconds);
  await service.kill();
  await service.start();
  return working;
}

/** Sent until it is answered. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + 60_000; ; await pause(200)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError || Date.now() > deadline) throw error;
    }
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

it('is rehearsed, held, corrected by a penny, tried as a canary, undone, released at a pace and signed off, killed at each step', async () => {
  const supplier = await aKitSupplier({ undo_hours: 24 }, service);
  const { code } = supplier;
  const client = new DataImportClient({
    baseUrl: service.url,
    apiKey: supplier.apiKey,
    retries: { attempts: 200, maxMilliseconds: 500 },
  });
  const { runs } = client;
  const send = async (run: string, lines: readonly string[]) => {
    const statuses = await all(client.bulk(lines, { run, linesPerRequest: 400 }));
    expect(Object.keys(Object.groupBy(statuses, ({ status }) => status))).toEqual(['SCHEDULED']);
    expect(statuses).toHaveLength(lines.length);
  };
  const patch = (change: object) => again(() => operator('PATCH', `suppliers/${code}/`, change, service));
  /** Sweeps as the cron does every minute, until it is so. Messages that died with the queue are sent again at once, not after minutes. */
  const until = async (run: string, isSo: (found: Run) => boolean): Promise<Run> => {
    await patch({ status: 'Paused' });
    await patch({ status: 'Ongoing' });
    for (const deadline = Date.now() + 150_000; ; await pause(1_000)) {
      await fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
      const found = await runs.get(code, run);
      if (isSo(found)) return found;
      if (Date.now() > deadline) throw new Error(`the run does not go on: ${JSON.stringify(found)}`);
    }
  };

  // The rehearsal: a dry run of some of the file.
  await runs.put(code, 'rehearsal');
  const dry = Array.from({ length: 100 }, (_, i) => accountOf(supplier, i, { more: { task_params: { is_dry_run: true } } }));
  await killedDuring(30, () => send('rehearsal', dry));
  await until('rehearsal', ({ counts }) => counts.DRY_RUN_SUCCEEDED === 100);
  await until('rehearsal', () => true);

  // Held, with declared totals. One account came a penny short.
  const file = Array.from({ length: ACCOUNTS }, (_, i) => accountOf(supplier, i));
  const total = Array.from({ length: ACCOUNTS }, (_, i) => 100 + i).reduce((sum, pence) => sum + pence, 0);
  const amount = (pence: number) => `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
  const expected = {
    accounts: ACCOUNTS,
    customers: ACCOUNTS,
    transactions: ACCOUNTS,
    transactions_amount: amount(total),
    balance: amount(total),
  };
  await runs.put(code, WAVE, { is_held: true, stop_after_errors: WRONG, expected });
  const short = file.with(700, accountOf(supplier, 700, { pence: 799 }));
  await killedDuring(60, () => send(WAVE, short));
  const released = { require_match: true, accounts: CANARY };
  const isShort = { status: 409, code: 'totals_differ' };
  await expect(killedDuring(5, () => runs.release(code, WAVE, released))).rejects.toMatchObject(isShort);
  await expect(runs.release(code, WAVE, released)).rejects.toMatchObject(isShort);
  expect((await runs.reconcile(code, WAVE)).differences.filter((one) => one.in === 'staged')).toEqual([
    { field: 'transactions_amount', in: 'staged', expected: amount(total), found: amount(total - 1) },
    { field: 'balance', in: 'staged', expected: amount(total), found: amount(total - 1) },
  ]);
  await killedDuring(5, () => send(WAVE, [accountOf(supplier, 700)]));

  // The canary shows one systematic error, a wrong country, and the run holds itself.
  await patch({ configuration: { default_country: 'US' } });
  await killedDuring(5, () => runs.release(code, WAVE, released));
  const stopped = await until(WAVE, ({ counts }) => counts.PROCESSED + counts.ERRORED === CANARY);
  expect(stopped).toMatchObject({ held_by: 'errors', counts: { PROCESSED: CANARY - WRONG, ERRORED: WRONG, PENDING: ACCOUNTS - CANARY } });

  // Taken back, corrected, sent again.
  const undo = () =>
    again(() =>
      operator<{ undone: number; is_done: boolean }>('POST', `suppliers/${code}/runs/${WAVE}/undo/`, { reason: 'wrong country' }, service),
    );
  expect(await killedDuring(8, undo)).toMatchObject({ is_done: true });
  expect(await undo()).toMatchObject({ undone: 0, is_done: true });
  expect((await runs.reconcile(code, WAVE)).imported).toMatchObject({ accounts: 0, customers: 0, transactions: 0, balance: '0.00' });
  await patch({ configuration: { default_country: 'GB' } });
  await killedDuring(10, () => send(WAVE, file.slice(0, CANARY)));

  // The rest at a pace. The service dies while it creates.
  await runs.put(code, WAVE, { pace_per_minute: PACE });
  await runs.release(code, WAVE, { require_match: true });
  void fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
  await killedDuring(150, async () => undefined);
  const counted: number[] = [];
  await until(WAVE, ({ counts }) => {
    counted.push(counts.PROCESSED + counts.IN_PROGRESS);
    return counts.PROCESSED === ACCOUNTS;
  });
  // A minute's worth, then the next.
  expect(counted.filter((count) => count > PACE && count < ACCOUNTS)).toEqual([]);

  // Reconciled from both sides, and signed off.
  await service.kill();
  await service.start();
  expect(await runs.reconcile(code, WAVE)).toMatchObject({
    expected,
    staged: expected,
    imported: expected,
    differences: [],
    matches: true,
  });
  const own = Array.from({ length: ACCOUNTS }, (_, i) => ({ external_account_number: `ACC-${i}`, balance: amount(100 + i), customers: 1 }));
  expect(await all(runs.compare(code, WAVE, own))).toEqual([]);
  const report: ListedImportProcess[] = await killedDuring(0, () => again(() => all(runs.report(code, WAVE))));
  expect(report.map(({ status }) => status)).toEqual(Array.from({ length: ACCOUNTS }, () => 'PROCESSED'));
  expect(new Set(report.map(({ platform_account_number: number }) => number)).size).toBe(ACCOUNTS);
  await until(WAVE, () => true);
  const events: ImportEvent[] = await all(client.events(code));
  expect(events.filter(({ type }) => type.startsWith('run.')).map(({ type, data }) => [type, data])).toEqual([
    ['run.finished', { run: 'rehearsal', counts: { DRY_RUN_SUCCEEDED: 100 } }],
    ['run.released', { run: WAVE, released: 'some' }],
    ['run.held', { run: WAVE, held_by: 'errors', errors: WRONG }],
    ['run.held', { run: WAVE, held_by: 'undone', errors: WRONG }],
    ['run.undone', { run: WAVE, count: CANARY - WRONG }],
    ['run.released', { run: WAVE, released: 'all' }],
    ['run.finished', { run: WAVE, counts: { PROCESSED: ACCOUNTS } }],
  ]);
}, 400_000);
