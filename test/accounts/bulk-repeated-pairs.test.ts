/** Bulk: lines of one pair are answered as creates that follow each other, and cost no more trips than lines of different ones. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsInBulk } from '../../src/accounts/bulk/bulk';
import { scheduleAccount } from '../../src/accounts/schedule/schedule';
import { bulkAnswers, sourceOf } from '../../src/bulk';
import worker from '../../src/worker';
import { databaseAround } from '../support/around';
import { countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { readRows } from '../support/tables';

const LATER = '2099-01-01T00:00:00Z';

/** A create of a pair. Equal versions are the same bytes. */
interface Line {
  readonly code: string;
  readonly number: string;
  readonly version: number;
  readonly isDryRun: boolean;
  /** A line that a missing document keeps out, and nothing else. */
  readonly isMissing: boolean;
}

const textOf = ({ code, number, version, isDryRun, isMissing }: Line): string =>
  JSON.stringify({
    import_supplier: code,
    external_account_number: number,
    billing_name: `v${version}`,
    ...(isMissing ? { notes: [{ document_paths: [{ document_path: 'nowhere.pdf' }] }] } : {}),
    task_params: { schedule_window_start: LATER, is_dry_run: isDryRun },
  });

const line = (code: string, number: string, version = 1, over: Partial<Line> = {}): Line => ({
  code,
  number,
  version,
  isDryRun: false,
  isMissing: false,
  ...over,
});

const bodyOf = (lines: readonly Line[]): ReadableStream<Uint8Array> => new Blob([lines.map(textOf).join('\n')]).stream();

interface Result {
  readonly status: string;
  readonly account_id?: string;
}

/** What bulk answers for each line, its number left out. */
async function inBulk(given: GivenSupplier, lines: readonly Line[]): Promise<Result[]> {
  let text = '';
  const deps = aDeps();
  const source = await sourceOf(bodyOf(lines), false);
  for await (const piece of bulkAnswers(deps, source, accountsInBulk(deps, given, 'create'))) text += piece;
  const results = text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(results.at(-1)).toEqual({ done: true, lines: lines.length });
  return results.slice(0, -1).map(({ status, account_id }) => ({ status, ...(account_id ? { account_id } : {}) }));
}

/** What creates one after the other are answered, in the words of bulk. */
async function oneByOne(given: GivenSupplier, lines: readonly Line[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const text of lines.map(textOf)) {
    const outcome = await scheduleAccount(aDeps(), given, JSON.parse(text), text);
    switch (outcome.kind) {
      case 'scheduled':
        results.push({ status: 'SCHEDULED' });
        break;
      case 'in_progress':
        results.push({ status: 'IN_PROGRESS' });
        break;
      case 'already_imported':
        results.push({ status: 'ALREADY_IMPORTED', account_id: outcome.accountNumber });
        break;
      default:
        results.push({ status: outcome.kind === 'invalid' ? 'INVALID' : 'FAILED' });
    }
  }
  return results;
}

/** The status a pair's process has before the lines come; 'none' leaves it without one. */
const STATES = [
  'none',
  'PENDING',
  'PENDING dry',
  'IN_PROGRESS',
  'PROCESSED',
  'ERRORED',
  'CANCELLED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
] as const;
type State = (typeof STATES)[number];

async function become(given: GivenSupplier, number: string, state: State): Promise<void> {
  if (state === 'none') return;
  const isDryRun = state.includes('dry') || state.startsWith('DRY');
  await inBulk(given, [line(given.code, number, 0, { isDryRun })]);
  const status = STATES.indexOf(state) <= 2 ? 0 : STATES.indexOf(state) - 2;
  await env.DB.prepare(
    `UPDATE import_processes SET status = ?3, account_number = iif(?3 = 2, ?4, NULL), finished_at = iif(?3 > 1, modified_at, NULL),
       error = iif(?3 IN (3, 6), '{"code":"c","detail":"d"}', NULL), lease_until = iif(?3 = 1, 9e12, NULL), claim = iif(?3 = 1, 1, NULL)
     WHERE supplier_id = ?1 AND external_account_number = ?2`,
  )
    .bind(given.supplierId, number, status, `A-0000000${number.length}`)
    .run();
}

/** Everything stored of the supplier's processes but ids and instants. */
async function stored(given: GivenSupplier) {
  const results = await readRows(
    `SELECT p.external_account_number AS number, p.status, p.payload_hash, p.payload_bytes, p.is_dry_run, p.window_start, p.window_end, p.attempts,
       p.account_number, p.error, p.claim, p.lease_until, p.started_at, p.finished_at IS NULL AS is_open, p.sent_at, y.body, y.reduced_at,
       p.scheduled_at >= p.created_at AND p.modified_at >= p.scheduled_at AS is_in_order,
       (SELECT group_concat(e.event) FROM import_process_events e WHERE e.process_id = p.id) AS events
     FROM import_processes p JOIN payloads y ON y.id = p.id WHERE p.supplier_id = ? ORDER BY p.id`,
    given.supplierId,
  );
  return results.map((row) =>
    JSON.stringify(row)
      .replaceAll(given.code, 'CODE')
      .replace(/"payload_hash":"[^"]*"/, ''),
  );
}

const aLine = fc.record({
  number: fc.constantFrom('a', 'bb', 'ccc'),
  version: fc.nat({ max: 2 }),
  isDryRun: fc.boolean(),
  isMissing: fc.boolean().map((isMissing) => isMissing),
});
const lines = fc.array(aLine, { minLength: 1, maxLength: 9 });
const states = fc.record({ a: fc.constantFrom(...STATES), bb: fc.constantFrom(...STATES), ccc: fc.constantFrom(...STATES) });

describe('lines of one slice', () => {
  it('are answered as creates one after the other are, and leave the same rows and events', async () => {
    await fc.assert(
      fc.asyncProperty(states, lines, async (before, random) => {
        const [together, apart] = [await aSupplier(), await aSupplier()];
        for (const given of [together, apart]) for (const [number, state] of Object.entries(before)) await become(given, number, state);
        const of = ({ code }: GivenSupplier): Line[] => random.map((one) => ({ ...one, code }));
        const answers = await oneByOne(apart, of(apart));
        expect(await inBulk(together, of(together))).toEqual(answers);
        expect(await stored(together)).toEqual(await stored(apart));
      }),
      { numRuns: 60 },
    );
  });

  it.each(STATES)('of a pair that is %s', async (state) => {
    const [together, apart] = [await aSupplier(), await aSupplier()];
    const of = ({ code }: GivenSupplier): Line[] => [
      line(code, 'a', 0),
      line(code, 'a', 1, { isDryRun: true }),
      line(code, 'a', 1),
      line(code, 'a', 1),
      line(code, 'a', 2, { isDryRun: true }),
      line(code, 'a', 2, { isMissing: true }),
      line(code, 'a', 2),
    ];
    for (const given of [together, apart]) await become(given, 'a', state);
    const answers = await oneByOne(apart, of(apart));
    expect(await inBulk(together, of(together))).toEqual(answers);
    expect(await stored(together)).toEqual(await stored(apart));
  });
});

it('lists accounts in the order in which creates one by one would have made them', async () => {
  const given = await aSupplier();
  const of = (number: string, over: Partial<Line> = {}) => line(given.code, number, 1, over);
  await inBulk(given, [of('c', { isMissing: true }), of('b'), of('a', { isDryRun: true }), of('c'), of('a'), of('b')]);
  const results = await readRows(
    'SELECT external_account_number AS number FROM import_processes WHERE supplier_id = ? ORDER BY id',
    given.supplierId,
  );
  expect(results).toEqual([{ number: 'b' }, { number: 'a' }, { number: 'c' }]);
});

describe('what goes to the database', () => {
  /** What each trip of a request asks for. */
  async function tripsOf(given: GivenSupplier, mode: 'create' | 'validate', lines: readonly Line[]): Promise<string[]> {
    const trips: string[] = [];
    const db = databaseAround(env.DB, ({ what }, run) => {
      trips.push(what);
      return run();
    });
    const deps = { ...aDeps(), db, databaseOf: () => db };
    for await (const _ of bulkAnswers(deps, await sourceOf(bodyOf(lines), false), accountsInBulk(deps, given, mode)));
    return trips;
  }
  const many = ({ code }: GivenSupplier): Line[] => Array.from({ length: 1_001 }, (_, i) => line(code, `n${i}`));

  it('are no bodies where the accounts are imported already', async () => {
    const given = await aSupplier();
    const first = await tripsOf(given, 'create', many(given));
    expect(first.map((what) => what.includes('insert payloads'))).toEqual([false, true, true, true]);
    await env.DB.prepare(`UPDATE import_processes SET status = 2, account_number = 'A-' || id WHERE supplier_id = ?`)
      .bind(given.supplierId)
      .run();
    const again = await tripsOf(given, 'create', many(given));
    expect(again.map((what) => what.includes('insert'))).toEqual([false, false, false]);
  });

  it('is nothing about processes where accounts are only validated', async () => {
    const given = await aSupplier();
    expect(new Set(await tripsOf(given, 'validate', many(given)))).toEqual(new Set(['select api_keys']));
  });
});

describe('round trips', () => {
  const orders: Readonly<Record<string, (given: GivenSupplier, siblings: readonly string[]) => Line[]>> = {
    'a,a,b,b…': ({ code }) => Array.from({ length: 10_000 }, (_, i) => line(code, `n${i >> 1}`, i)),
    'all one pair': ({ code }) => Array.from({ length: 10_000 }, (_, i) => line(code, 'n', i)),
    'all one pair, real and dry by turns': ({ code }) =>
      Array.from({ length: 10_000 }, (_, i) => line(code, 'n', i, { isDryRun: i % 2 === 1 })),
    'a hundred pairs, interleaved': ({ code }) => Array.from({ length: 10_000 }, (_, i) => line(code, `n${i % 100}`, i)),
    'many suppliers, each pair twice': (_, siblings) =>
      Array.from({ length: 10_000 }, (_, i) => line(siblings[(i >> 1) % siblings.length] ?? '', `n${i >> 1}`, i)),
    'half of them of a supplier that is paused': ({ code }, siblings) =>
      Array.from({ length: 10_000 }, (_, i) => line(i % 2 ? code : (siblings[0] ?? ''), `n${i >> 2}`, i)),
    'suppliers that are not there': ({ code }) =>
      Array.from({ length: 10_000 }, (_, i) => line(i % 2 ? code : `nobody-${i}`, `n${i >> 2}`, i)),
  };

  it.each(Object.entries(orders))(
    'at most 45 for 10,000 lines, first sent and then sent again with other payloads: %s',
    async (_, order) => {
      const given = await aSupplier();
      const siblings: string[] = [];
      for (let more = 0; more < 40; more++) siblings.push((await aSupplier({ organisationId: given.organisationId })).code);
      await env.DB.prepare(`UPDATE suppliers SET status = 'Paused' WHERE code = ?`).bind(siblings[0]).run();
      const all = order(given, siblings);
      for (const change of [0, 100_000]) {
        const counts = countingDatabase(env.DB);
        const context = createExecutionContext();
        const response = await worker.fetch(
          new Request<unknown, IncomingRequestCfProperties>('https://import.test/v2/data-import/accounts/bulk/', {
            method: 'POST',
            headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
            body: all.map((one) => textOf({ ...one, version: one.version + change })).join('\n'),
          }),
          { ...env, DB: counts.db },
          context,
        );
        const answer = new TextDecoder().decode(await response.arrayBuffer());
        await waitOnExecutionContext(context);
        expect(answer.slice(-30)).toContain('{"done":true,"lines":10000}');
        expect(answer).not.toContain('FAILED');
        expect(counts.trips).toBeLessThanOrEqual(45);
      }
    },
  );
});
