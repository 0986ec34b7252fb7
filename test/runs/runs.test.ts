/** §4.19–4.22: runs, over HTTP. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CALLS_OF_AN_INVOCATION } from '../../src/deps';
import { giveUpProcesses, sweep } from '../../src/import-processes';
import { undoRun } from '../../src/runs/undo';
import worker from '../../src/worker';
import { databaseAround } from '../support/around';
import { countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { type Answer, aSupplier, call, type GivenSupplier, linesOf, send } from '../support/given';
import { deliver, rowsOf, stage, statusesOf, statusOf } from '../support/importing';
import { auditOf, OPERATOR, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows, readValue } from '../support/tables';
import { textOf } from '../support/text';

const V2 = '/v2/data-import';
const NDJSON = 'application/x-ndjson';
const runPath = (given: GivenSupplier, rest = '') => `${V2}/runs/${given.code}/wave-1/${rest}`;
const asRun = (given: GivenSupplier, method: string, rest = '', body?: unknown): Promise<Answer> =>
  call(method, runPath(given, rest), { token: given.token, ...(body === undefined ? {} : { body }) });
const undo = (given: GivenSupplier, reason = 'wrong unit') => operate('POST', `suppliers/${given.code}/runs/wave-1/undo/`, { reason });

interface RunBody {
  readonly counts: Record<string, number>;
  readonly is_held: boolean;
  readonly held_by?: string;
  readonly released: string;
}
const runOf = async (given: GivenSupplier): Promise<RunBody> => (await asRun(given, 'GET')).body as RunBody;

const anAccount = (given: GivenSupplier, number: string, more: object = {}, taskParams: object = {}) => ({
  ...aSmallAccount(given.code, number),
  ...more,
  task_params: { run: 'wave-1', ...taskParams },
});

/** A balance, and the payment that it comes of. */
const paying = (amount: string) => ({
  transfer_balance: amount,
  current_statement_transactions: [{ transaction_id: 'p', transaction_date: '2026-01-10', amount, type: 'PAYMENT' }],
});

/** Stages these accounts in the run; answers what delivers whatever may start now. */
async function staged(given: GivenSupplier, bodies: readonly object[]) {
  const { deps } = await stage(given, bodies);
  return {
    deps,
    /** A message of all that is PENDING is delivered: what may not start is not claimed. */
    run: async () => {
      const results = await readRows<{ id: number }>(
        'SELECT id FROM import_processes WHERE supplier_id = ? AND status = 0',
        given.supplierId,
      );
      const process_ids = results.map(({ id }) => id);
      if (process_ids.length > 0) await deliver(deps, [{ v: 1, supplier_id: given.supplierId, process_ids, sent_at: deps.now() }]);
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `N-${i}`);

describe('PUT runs/{supplier}/{run}/', () => {
  it('201 makes a run, 200 changes what is given and leaves the rest, and a repeat changes nothing', async () => {
    const given = await aSupplier();
    const made = await asRun(given, 'PUT', '', { is_held: true, expected: { accounts: 2, balance: '10.05' } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      run: 'wave-1',
      is_held: true,
      held_by: 'importer',
      released: 'none',
      expected: { accounts: 2, balance: '10.05' },
    });
    const changed = await asRun(given, 'PUT', '', { stop_after_errors: 3 });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ is_held: true, stop_after_errors: 3, expected: { accounts: 2, balance: '10.05' } });
    expect((await asRun(given, 'PUT', '', { stop_after_errors: 3 })).body).toEqual(changed.body);
    const without = (await asRun(given, 'PUT', '', { stop_after_errors: 0 })).body;
    expect(without).not.toHaveProperty('stop_after_errors');
  });

  it('400 lists all errors, a name of a setting that does not exist among them, and makes nothing', async () => {
    const given = await aSupplier();
    const { status, body } = await asRun(given, 'PUT', '', { is_hold: true, pace_per_minute: -1, expected: { balance: '1.005' } });
    expect(status).toBe(400);
    expect((body as { errors: { attr: string; code: string }[] }).errors.map(({ attr, code }) => `${attr} ${code}`)).toEqual([
      'is_hold invalid',
      'pace_per_minute min_value',
      'expected.balance max_decimal_places',
    ]);
    expect((await asRun(given, 'GET')).status).toBe(404);
  });

  it('404 for a supplier of another organisation, exactly as for one that does not exist', async () => {
    const [mine, theirs] = [await aSupplier(), await aSupplier()];
    await asRun(theirs, 'PUT', '', {});
    for (const code of [theirs.code, 'NOBODY']) {
      for (const [method, rest, body] of [
        ['PUT', '', {}],
        ['GET', '', undefined],
        ['POST', 'hold/', undefined],
      ] as const) {
        const answer = await call(method, `${V2}/runs/${code}/wave-1/${rest}`, { token: mine.token, ...(body ? { body } : {}) });
        expect([code, method, rest, answer.status, answer.body]).toEqual([
          code,
          method,
          rest,
          404,
          { detail: 'Not found.', code: 'not_found' },
        ]);
      }
    }
  });
});

describe('an account joins a run', () => {
  it('400 does_not_exist at task_params.run for one that nobody made', async () => {
    const given = await aSupplier();
    const { status, body } = await call('POST', `${V2}/accounts/validate/`, { token: given.token, body: anAccount(given, 'a') });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ code: 'does_not_exist', attr: 'task_params.run' }] });
    expect((await call('POST', `${V2}/accounts/`, { token: given.token, body: anAccount(given, 'a') })).status).toBe(400);
    expect(await rowsOf(given)).toMatchObject({ processes: 0 });
  });

  it('held accounts are never created, however often they are swept and delivered', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true });
    const { deps, run } = await staged(
      given,
      numbers(3).map((number) => anAccount(given, number)),
    );
    expect(deps.sent).toEqual([]);
    await sweep(deps);
    expect(deps.sent).toEqual([]);
    await run();
    expect(await rowsOf(given)).toMatchObject({ processes: 3, accounts: 0 });
    expect((await runOf(given)).counts).toMatchObject({ PENDING: 3 });
  });

  it('staged again under another run it moves there', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true });
    await call('PUT', `${V2}/runs/${given.code}/other/`, { token: given.token, body: { is_held: true } });
    await stage(given, [anAccount(given, 'a')]);
    await stage(given, [anAccount(given, 'a', {}, { run: 'other' })]);
    expect((await runOf(given)).counts).toMatchObject({ PENDING: 0 });
    expect((await call('GET', `${V2}/runs/${given.code}/other/`, { token: given.token })).body).toMatchObject({ counts: { PENDING: 1 } });
  });
});

describe('POST release/ and hold/', () => {
  it('a canary of n creates the first n, a hold stops the rest, and a release creates all', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true });
    const { run } = await staged(
      given,
      numbers(6).map((number) => anAccount(given, number)),
    );
    expect((await asRun(given, 'POST', 'release/', { accounts: 2 })).body).toMatchObject({ is_held: true, released: 'some' });
    await run();
    expect(Object.entries(await statusesOf(given)).flatMap(([number, status]) => (status === 'PROCESSED' ? [number] : []))).toEqual([
      'N-0',
      'N-1',
    ]);
    await asRun(given, 'POST', 'release/', { accounts: 4 });
    await run();
    expect((await runOf(given)).counts).toMatchObject({ PROCESSED: 4, PENDING: 2 });
    await asRun(given, 'POST', 'hold/');
    await run();
    expect((await runOf(given)).counts).toMatchObject({ PROCESSED: 4, PENDING: 2 });
    expect((await asRun(given, 'POST', 'release/', {})).body).toMatchObject({ is_held: false, released: 'all' });
    await run();
    expect((await runOf(given)).counts).toMatchObject({ PROCESSED: 6, PENDING: 0 });
  });

  it('409 totals_differ with require_match, to the penny, and nothing is released', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true, expected: { accounts: 2, customers: 2, balance: '30.02' } });
    const { run } = await staged(given, [anAccount(given, 'a', paying('10.01')), anAccount(given, 'b', paying('20.00'))]);
    const refused = await asRun(given, 'POST', 'release/', { require_match: true });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'totals_differ',
      differences: [{ field: 'balance', in: 'staged', expected: '30.02', found: '30.01' }],
    });
    const ofOperator = await operate('POST', `suppliers/${given.code}/runs/wave-1/release/`, { require_match: true });
    expect(ofOperator).toMatchObject({ status: 409, body: refused.body });
    await run();
    expect(await rowsOf(given)).toMatchObject({ accounts: 0 });
    await stage(given, [anAccount(given, 'b', paying('20.01'))]);
    expect((await asRun(given, 'POST', 'release/', { require_match: true })).status).toBe(200);
    await run();
    expect((await asRun(given, 'GET', 'reconciliation/')).body).toMatchObject({
      imported: { accounts: 2, customers: 2, balance: '30.02' },
      differences: [],
      matches: true,
    });
  });

  it('stops by itself when stop_after_errors have errored, and goes on after a release', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true, stop_after_errors: 2 });
    await Promise.all(numbers(6).map((number) => env.DOCUMENTS.put(`${given.code}/${number}.pdf`, 'x')));
    const { run } = await staged(
      given,
      numbers(6).map((number) => anAccount(given, number, { statements: [statement(`${number}.pdf`)] }, {})),
    );
    await asRun(given, 'POST', 'release/', { accounts: 3 });
    await env.DOCUMENTS.delete(numbers(6).map((number) => `${given.code}/${number}.pdf`));
    await run();
    expect(await runOf(given)).toMatchObject({ is_held: true, held_by: 'errors', released: 'none', counts: { ERRORED: 3, PENDING: 3 } });
    await asRun(given, 'POST', 'release/', {});
    await run();
    expect(await runOf(given)).toMatchObject({ is_held: true, held_by: 'errors', counts: { ERRORED: 6 } });
  });

  it('a pace releases so many each minute', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true, pace_per_minute: 2 });
    const { deps } = await staged(
      given,
      numbers(5).map((number) => anAccount(given, number)),
    );
    await asRun(given, 'POST', 'release/', {});
    const counts: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      deps.advance(60_000);
      for (let repeat = 0; repeat < 2; repeat++) {
        const before = deps.sent.length;
        await sweep(deps);
        await deliver(deps, deps.sent.slice(before));
      }
      counts.push((await runOf(given)).counts['PROCESSED'] ?? -1);
    }
    expect(counts).toEqual([2, 4, 5]);
  });
});

const statement = (path: string) => ({
  statement_id: path,
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_path: path,
});

describe('POST reconciliation/', () => {
  it('answers what is missing, unexpected and different, and a last line', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(given, [
      anAccount(given, 'same', paying('1.00')),
      anAccount(given, 'differs', paying('2.00')),
      anAccount(given, 'extra'),
    ]);
    await run();
    const lines = [
      { external_account_number: 'same', balance: '1.00', customers: 1 },
      { external_account_number: 'differs', balance: '2.01', customers: 1 },
      { external_account_number: 'gone' },
      { balance: 1 },
    ];
    const text = await compared(given, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(text).toEqual([
      { line: 4, status: 'INVALID', errors: [expect.objectContaining({ code: 'required', attr: 'external_account_number' })] },
      {
        line: 2,
        external_account_number: 'differs',
        status: 'DIFFERENT',
        differences: [{ field: 'balance', expected: '2.01', found: '2.00' }],
      },
      { line: 3, external_account_number: 'gone', status: 'MISSING', import_status: null },
      { external_account_number: 'extra', status: 'UNEXPECTED' },
      { done: true, lines: 4, matching: 1, missing: 1, different: 1, unexpected: 1, invalid: 1, matches: false },
    ]);
  });
});

describe('what reads all of a run', () => {
  const rowsOfRun = (given: GivenSupplier, count: number) =>
    env.DB.batch([
      env.DB.prepare(
        `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
           scheduled_at, sent_at, finished_at, modified_at, attempts, run_id)
         SELECT ?1, (SELECT coalesce(max(id), 0) FROM payloads) + 1 + key, 'L-' || key, 4, '', 2, 0, 1, 5, 1, 1, 7, 1,
           (SELECT id FROM runs WHERE supplier_id = ?1) FROM json_each(?2)`,
      ).bind(given.supplierId, JSON.stringify(Array.from({ length: count }, () => 0))),
      env.DB.prepare(
        `UPDATE runs SET (first_id, last_id) = (SELECT min(id), max(id) FROM import_processes WHERE supplier_id = ?1) WHERE supplier_id = ?1`,
      ).bind(given.supplierId),
      env.DB.prepare(`INSERT INTO payloads (id, body) SELECT id, '' FROM import_processes WHERE supplier_id = ?`).bind(given.supplierId),
    ]);

  it('takes so few calls that a million accounts stay within those of one request', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    await rowsOfRun(given, 6_000);
    const counts = countingDatabase(env.DB);
    const ask = async (method: string, rest: string, body?: string) => {
      counts.trips = 0;
      const context = createExecutionContext();
      const request = new Request(`https://import.test${runPath(given, rest)}`, {
        method,
        headers: { Authorization: `Token ${given.token}`, 'Content-Type': 'application/x-ndjson' },
        ...(body === undefined ? {} : { body }),
      });
      const text = await textOf(await worker.fetch(request, { ...env, DB: counts.db }, context));
      await waitOnExecutionContext(context);
      return { last: JSON.parse(text.trim().split('\n').at(-1) ?? ''), trips: counts.trips };
    };
    const list = Array.from({ length: 6_000 }, (_, i) => JSON.stringify({ external_account_number: `L-${i}` })).join('\n');
    const compared = await ask('POST', 'reconciliation/', list);
    expect(compared.last).toMatchObject({ done: true, missing: 6_000 });
    const reported = await ask('GET', 'report/');
    expect(reported.last).toEqual({ done: true, accounts: 6_000 });
    const reconciled = await ask('GET', 'reconciliation/');
    // Of each: the run, then pages.
    for (const { trips } of [compared, reported, reconciled]) {
      expect(1 + ((trips - 1) * 1_000_000) / 6_000).toBeLessThan(CALLS_OF_AN_INVOCATION);
    }
  });
});

const compared = async (given: GivenSupplier, body: string): Promise<unknown[]> =>
  linesOf(await send('POST', runPath(given, 'reconciliation/'), { token: given.token, body, headers: { 'Content-Type': NDJSON } }));

describe('POST reconciliation/ that cannot be read', () => {
  it.each([
    [400, 'parse_error', 'wave-1', { 'Content-Encoding': 'gzip' }],
    [404, 'not_found', 'wave-2', {}],
    [413, 'payload_too_large', 'wave-1', { 'Content-Length': String(64 * 1_048_576 + 1) }],
    [415, 'unsupported_media_type', 'wave-1', { 'Content-Type': 'text/csv' }],
  ])('is %i %s', async (status, code, run, headers) => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    const sent = { token: given.token, body: '{}', headers: { 'Content-Type': NDJSON, ...headers } };
    const answer = await send('POST', `${V2}/runs/${given.code}/${run}/reconciliation/`, sent);
    expect([answer.status, linesOf(answer)]).toMatchObject([status, [{ code }]]);
  });
});

describe('GET report/', () => {
  it('has every account with its status, number and errors, as NDJSON and as CSV that runs no formula', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(given, [anAccount(given, '=1+1'), anAccount(given, 'b, "c"')]);
    await run();
    const report = (query: string, headers: Record<string, string> = {}) =>
      send('GET', runPath(given, `report/${query}`), { token: given.token, headers });
    expect(linesOf(await report(''))).toEqual([
      expect.objectContaining({ external_account_number: '=1+1', status: 'PROCESSED', latest_error: null }),
      expect.objectContaining({ external_account_number: 'b, "c"', status: 'PROCESSED' }),
      { done: true, accounts: 2 },
    ]);
    const csv = (await report('', { Accept: 'text/csv' })).text.split('\r\n');
    expect(csv[0]).toBe('external_account_number,status,platform_account_number,platform_identifier,modified_at,code,errors');
    expect(csv[1]).toContain("'=1+1,PROCESSED,A-");
    expect(csv[2]).toContain('"b, ""c""",PROCESSED');
    expect(csv[3]).toBe('# the report is whole: 2 accounts');
    expect(linesOf(await report('?status=ERRORED'))).toEqual([{ done: true, accounts: 0 }]);
    const ofOperator = await send('GET', `/operator/v1/suppliers/${given.code}/runs/wave-1/report/`, { headers: OPERATOR });
    expect(linesOf(ofOperator)).toEqual(linesOf(await report('')));
  });
});

describe('POST cancel/', () => {
  it('cancels what is PENDING and holds the run; what is imported stays', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true });
    const { run } = await staged(
      given,
      numbers(4).map((number) => anAccount(given, number)),
    );
    await asRun(given, 'POST', 'release/', { accounts: 1 });
    await run();
    expect((await asRun(given, 'POST', 'cancel/')).body).toMatchObject({
      cancelled: 3,
      is_done: true,
      held_by: 'cancelled',
      counts: { PROCESSED: 1, CANCELLED: 3, PENDING: 0 },
    });
    expect(await statusOf(given, 'N-3')).toMatchObject({
      status: 'CANCELLED',
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED' },
    });
    expect((await asRun(given, 'POST', 'cancel/')).body).toMatchObject({ cancelled: 0, is_done: true });
  });
});

describe('POST undo/ (the operator)', () => {
  it('of two at once, each answers what it took back itself', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(given, [anAccount(given, 'a'), anAccount(given, 'b')]);
    await run();
    const operator = { actor: 'an operator' };
    const path = { code: given.code, name: 'wave-1' };
    const answers: unknown[] = [];
    // The first has read what it will take back when the second does so.
    const db = databaseAround(env.DB, async ({ what }, read) => {
      if (what.includes('delete accounts')) answers.push(await undoRun(aDeps(), operator, path, { reason: 'another' }));
      return read();
    });
    answers.push(await undoRun({ ...aDeps(), databaseOf: () => db }, operator, path, { reason: 'one' }));
    expect(answers).toMatchObject([
      { undone: 2, notUndoneCount: 0, isDone: true },
      { undone: 0, notUndoneCount: 0, isDone: true },
    ]);
  });

  it('takes accounts back: no row is left, and a new create has another platform number', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(given, [anAccount(given, 'a', paying('1.00')), anAccount(given, 'b')]);
    await run();
    const before = (await statusOf(given, 'a')).platform_identifier;
    expect((await undo(given)).body).toEqual({ undone: 2, not_undone_count: 0, not_undone: [], is_done: true });
    expect(await rowsOf(given)).toEqual({
      processes: 2,
      accounts: 0,
      customers: 0,
      notes: 0,
      transactions: 0,
      statements: 0,
      payment_instructions: 0,
    });
    expect(await statusOf(given, 'a')).toMatchObject({
      status: 'CANCELLED',
      platform_identifier: null,
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_UNDONE' },
    });
    expect(await runOf(given)).toMatchObject({ held_by: 'undone', counts: { CANCELLED: 2, PROCESSED: 0 } });
    const progress = await call('GET', `${V2}/import-suppliers/${given.code}/`, { token: given.token });
    expect(progress.body).toMatchObject({ counts: { PROCESSED: 0, CANCELLED: 2 } });
    expect((await undo(given)).body).toMatchObject({ undone: 0, is_done: true });
    await stage(given, [anAccount(given, 'a', paying('1.00'))]);
    await asRun(given, 'POST', 'release/', {});
    await run();
    const after = await statusOf(given, 'a');
    expect(after.status).toBe('PROCESSED');
    expect(after.platform_identifier).not.toBe(before);
    expect((await asRun(given, 'GET', 'reconciliation/')).body).toMatchObject({
      imported: { accounts: 1, balance: '1.00' },
      staged: { accounts: 1 },
    });
  });

  it('leaves and names what something was added to, and what is too old', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(
      given,
      ['a', 'b', 'c'].map((number) => anAccount(given, number)),
    );
    await run();
    const note = { import_supplier: given.code, external_account_number: 'a', notes: [{ body: 'called' }] };
    expect((await call('POST', '/v1/data-import/notes/create/', { token: given.token, body: note })).status).toBe(201);
    await env.DB.prepare(
      `UPDATE import_processes SET finished_at = finished_at - 7200000 WHERE supplier_id = ? AND external_account_number = 'b'`,
    )
      .bind(given.supplierId)
      .run();
    expect((await undo(given)).body).toEqual({
      undone: 1,
      not_undone_count: 2,
      not_undone: [
        { external_account_number: 'a', reason: 'ADDED_TO' },
        { external_account_number: 'b', reason: 'TOO_LATE' },
      ],
      is_done: true,
    });
    expect(await rowsOf(given)).toMatchObject({ accounts: 2, notes: 1 });
  });

  it('takes an erased account back as any other: nothing of it is found under the account that is created again', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(given, [anAccount(given, 'a', { ...paying('1.00'), notes: [{ body: 'secret' }] })]);
    await run();
    const numberOf = async () => {
      const sql = 'SELECT account_number FROM import_processes WHERE supplier_id = ?';
      return (await readValue<string>('account_number', sql, given.supplierId)) ?? '';
    };
    const erased = await numberOf();
    expect((await operate('POST', `accounts/${erased}/erase/`, { reason: 'asked for' })).status).toBe(200);
    expect((await undo(given)).body).toEqual({ undone: 1, not_undone_count: 0, not_undone: [], is_done: true });
    expect(await rowsOf(given)).toMatchObject({ accounts: 0, customers: 0, notes: 0, transactions: 0 });
    expect((await operate('GET', `accounts/${erased}/`)).status).toBe(404);
    expect((await undo(given)).body).toMatchObject({ undone: 0 });

    await stage(given, [anAccount(given, 'a', { ...paying('2.00'), notes: [{ body: 'new' }] })]);
    await asRun(given, 'POST', 'release/', {});
    await run();
    expect(await numberOf()).not.toBe(erased);
    const whole = await operate('POST', `accounts/${await numberOf()}/reveal/`);
    expect(whole.body).toMatchObject({ notes: [{ body: 'new' }] });
    expect(whole.body).not.toHaveProperty('erased_at');
  });

  it('409 where the supplier allows no undo, 400 without a reason, 401 for an importer', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    expect((await undo(given)).status).toBe(409);
    expect((await undo(given, '')).status).toBe(400);
    const path = `/operator/v1/suppliers/${given.code}/runs/wave-1/undo/`;
    expect((await call('POST', path, { token: given.token, body: { reason: 'x' } })).status).toBe(401);
  });
});

describe('the operator', () => {
  it('an operator lists the runs of a supplier, newest first, page by page', async () => {
    const given = await aSupplier();
    for (const name of ['b', 'c', 'a']) await call('PUT', `${V2}/runs/${given.code}/${name}/`, { token: given.token, body: {} });
    const first = await operate('GET', `suppliers/${given.code}/runs/?limit=2`);
    expect((first.body as { run: string }[]).map(({ run }) => run)).toEqual(['a', 'c']);
    const next = /<\/operator\/v1\/(.*)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const second = await operate('GET', next);
    expect((second.body as { run: string }[]).map(({ run }) => run)).toEqual(['b']);
    expect(second.headers.get('Link')).toBeNull();
    expect((await operate('GET', `suppliers/${given.code}/runs/?cursor=none`)).status).toBe(400);
    expect((await operate('GET', 'suppliers/NOBODY/runs/')).status).toBe(404);
  });

  it('an operator holds and releases as an importer does, audited', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    const path = `suppliers/${given.code}/runs/wave-1/`;
    expect((await operate('POST', `${path}hold/`)).body).toMatchObject({ is_held: true });
    expect((await operate('POST', `${path}hold/`)).body).toMatchObject({ is_held: true });
    expect((await operate('POST', `${path}release/`, {})).body).toMatchObject({ is_held: false });
    expect((await operate('GET', path)).body).toMatchObject({ run: 'wave-1', is_held: false });
    expect((await operate('GET', `${path}reconciliation/`)).body).toMatchObject({ matches: true });
    expect((await operate('POST', `${path}cancel/`)).body).toMatchObject({ cancelled: 0, is_done: true });
    expect((await auditOf(`run ${given.code} wave-1`)).map(({ action, after }) => [action, (after as { held: string }).held])).toEqual([
      ['run.changed', 'importer'],
      ['run.changed', 'no'],
      ['run.changed', 'cancelled'],
    ]);
  });

  it('a create that is under way when its account is taken back leaves no row behind', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run } = await staged(
      given,
      ['a', 'b', 'c'].map((number) => anAccount(given, number)),
    );
    await run();
    const note = (number: string) => ({ import_supplier: given.code, external_account_number: number, notes: [{ body: 'called' }] });
    const posts = ['a', 'b', 'c'].map((number) =>
      call('POST', '/v1/data-import/notes/create/', { token: given.token, body: note(number) }),
    );
    const [taken, ...answers] = await Promise.all([undo(given), ...posts]);
    const { undone } = taken.body as { undone: number };
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(undone);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3 - undone);
    expect(await rowsOf(given)).toMatchObject({ accounts: 3 - undone, notes: 3 - undone });
    const orphans = await readValue('n', 'SELECT count(*) AS n FROM notes WHERE account_id NOT IN (SELECT id FROM accounts)');
    expect(orphans).toBe(0);
  });
});

describe('events of a run', () => {
  const eventsOf = async (given: GivenSupplier) =>
    (
      (await call('GET', `${V2}/events/${given.code}/`, { token: given.token })).body as { events: { type: string; data: unknown }[] }
    ).events.map(({ type, data }) => ({ type, data }));
  const run = 'wave-1';

  it('a run that is cancelled reports each account of it, with the run as the reason, and how many', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { is_held: true });
    await staged(given, [anAccount(given, 'a'), anAccount(given, 'b')]);
    await asRun(given, 'POST', 'cancel/');
    await asRun(given, 'POST', 'cancel/');
    await staged(given, [anAccount(given, 'c')]);
    await operate('POST', `suppliers/${given.code}/runs/wave-1/cancel/`);
    const of = (number: string) => ({ external_account_number: number, run });
    expect(await eventsOf(given)).toEqual([
      { type: 'run.held', data: { run, held_by: 'cancelled', errors: 0 } },
      { type: 'account_imports.cancelled', data: { imports: [of('a'), of('b')], reason: 'run' } },
      { type: 'run.cancelled', data: { run, count: 2 } },
      { type: 'account_imports.cancelled', data: { imports: [of('c')], reason: 'run' } },
      { type: 'run.cancelled', data: { run, count: 1 } },
    ]);
  });

  it('accounts that are taken back are reported by the numbers they had, once', async () => {
    const given = await aSupplier({ configuration: { undo_hours: 1 } });
    await asRun(given, 'PUT', '', {});
    const { run: work } = await staged(given, [anAccount(given, 'a')]);
    await work();
    const number = await readValue<string>(
      'account_number',
      'SELECT account_number FROM import_processes WHERE supplier_id = ?',
      given.supplierId,
    );
    await undo(given);
    await undo(given);
    const [finished, ...rest] = await eventsOf(given);
    expect(finished).toMatchObject({ data: { imports: [{ external_account_number: 'a', status: 'PROCESSED', run }] } });
    expect(rest).toEqual([
      { type: 'run.held', data: { run, held_by: 'undone', errors: 0 } },
      { type: 'account_imports.undone', data: { imports: [{ external_account_number: 'a', platform_account_number: number, run }] } },
      { type: 'run.undone', data: { run, count: 1 } },
    ]);
  });

  it('a hold, a canary and a release are reported once each, by whoever asked; what changes nothing is not', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    await staged(given, [anAccount(given, 'a', {}, LATER), anAccount(given, 'b', {}, LATER)]);
    await asRun(given, 'PUT', '', { expected: { accounts: 2 } });
    for (const _ of [1, 2]) await asRun(given, 'POST', 'hold/');
    for (const _ of [1, 2]) await asRun(given, 'POST', 'release/', { accounts: 1 });
    for (const _ of [1, 2]) await operate('POST', `suppliers/${given.code}/runs/wave-1/release/`, {});
    await asRun(given, 'PUT', '', { is_held: true });
    expect(await eventsOf(given)).toEqual([
      { type: 'run.held', data: { run, held_by: 'importer', errors: 0 } },
      { type: 'run.released', data: { run, released: 'some' } },
      { type: 'run.released', data: { run, released: 'all' } },
      { type: 'run.held', data: { run, held_by: 'importer', errors: 0 } },
    ]);
  });

  it('a run that errors hold is reported in the slice that reached the limit', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { stop_after_errors: 2 });
    await env.DOCUMENTS.put(`${given.code}/a.pdf`, 'x');
    const { run: work } = await staged(
      given,
      numbers(2).map((number) => anAccount(given, number, { statements: [statement('a.pdf')] })),
    );
    await env.DOCUMENTS.delete(`${given.code}/a.pdf`);
    await work();
    const reported = await eventsOf(given);
    expect(reported.filter(({ type }) => type !== 'account_imports.finished')).toEqual([
      { type: 'run.held', data: { run, held_by: 'errors', errors: 2 } },
    ]);
    expect(reported).toHaveLength(2);
  });

  it('a run whose processes are given up is held and reported alike', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', { stop_after_errors: 1 });
    const { deps } = await stage(given, [anAccount(given, 'a')]);
    const id = await readValue<number>('id', 'SELECT id FROM import_processes WHERE supplier_id = ?', given.supplierId);
    await env.DB.prepare('UPDATE import_processes SET failed_at = ? WHERE supplier_id = ?').bind(deps.now(), given.supplierId).run();
    await giveUpProcesses(deps, [{ supplierId: given.supplierId, id: id ?? 0 }], undefined);
    expect((await eventsOf(given)).map(({ type }) => type)).toEqual(['account_imports.finished', 'run.held']);
    expect(await runOf(given)).toMatchObject({ held_by: 'errors', counts: { ERRORED: 1 } });
  });

  it('the end of a run is reported with its counts once nothing of it waits, and again after more has joined or is tried again', async () => {
    const given = await aSupplier();
    const finished = async () =>
      (await eventsOf(given)).flatMap(({ type, data }) => (type === 'run.finished' ? [(data as { counts: object }).counts] : []));
    await asRun(given, 'PUT', '', { is_held: true });
    const { deps, run: work } = await staged(given, [anAccount(given, 'a'), anAccount(given, 'b', {}, { is_dry_run: true })]);
    await sweep(deps);
    expect(await finished()).toEqual([]);
    await asRun(given, 'POST', 'release/', {});
    await work();
    for (const _ of [1, 2]) await sweep(deps);
    const first = { PROCESSED: 1, DRY_RUN_SUCCEEDED: 1 };
    expect(await finished()).toEqual([first]);
    await env.DOCUMENTS.put(`${given.code}/c.pdf`, 'x');
    const { run: workOn } = await staged(given, [anAccount(given, 'c', { statements: [statement('c.pdf')] })]);
    await env.DOCUMENTS.delete(`${given.code}/c.pdf`);
    await sweep(deps);
    expect(await finished()).toEqual([first]);
    await workOn();
    for (const _ of [1, 2]) await sweep(deps);
    expect(await finished()).toEqual([first, { ...first, ERRORED: 1 }]);
    await env.DOCUMENTS.put(`${given.code}/c.pdf`, 'x');
    expect((await operate('POST', `suppliers/${given.code}/import-processes/c/retry/`)).status).toBe(200);
    await workOn();
    for (const _ of [1, 2]) await sweep(deps);
    expect(await finished()).toEqual([first, { ...first, ERRORED: 1 }, { ...first, PROCESSED: 2 }]);
  });

  it('a run that nothing ever joined has no end', async () => {
    const given = await aSupplier();
    await asRun(given, 'PUT', '', {});
    await sweep(aDeps());
    expect(await eventsOf(given)).toEqual([]);
  });
});

const LATER = { schedule_window_start: '2099-01-01T00:00:00Z' };

describe('GET runs/{supplier}/', () => {
  it('lists runs by their names, page by page', async () => {
    const given = await aSupplier();
    for (const name of ['c', 'a', 'b']) await call('PUT', `${V2}/runs/${given.code}/${name}/`, { token: given.token, body: {} });
    const first = await call('GET', `${V2}/runs/${given.code}/?limit=2`, { token: given.token });
    expect((first.body as { run: string }[]).map(({ run }) => run)).toEqual(['a', 'b']);
    const next = new URL(/<(.*)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '');
    const second = await call('GET', next.pathname + next.search, { token: given.token });
    expect((second.body as { run: string }[]).map(({ run }) => run)).toEqual(['c']);
    expect(second.headers.get('Link')).toBeNull();
  });
});
