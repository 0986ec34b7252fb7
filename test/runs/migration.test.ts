/** A whole migration over HTTP, from rehearsal to sign-off. Every step is sent twice: a client that was killed sends it again. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sweep } from '../../src/import-processes';
import { aDeps } from '../support/deps';
import { aSupplier, call, linesOf, send } from '../support/given';
import { deliver } from '../support/importing';
import { operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows, readValue } from '../support/tables';

const ACCOUNTS = 10_000;
const CANARY = 50;

it('rehearsed, held, corrected by a penny, tried as a canary, undone, released at a pace, reconciled and signed off', async () => {
  const given = await aSupplier({ configuration: { undo_hours: 24 } });
  const deps = aDeps();
  const path = (run: string, rest = '') => `/v2/data-import/runs/${given.code}/${run}/${rest}`;
  const twice = async (method: string, address: string, body?: unknown) => {
    await call(method, address, { token: given.token, ...(body === undefined ? {} : { body }) });
    return call(method, address, { token: given.token, ...(body === undefined ? {} : { body }) });
  };
  const account = (i: number, { minor = 100 + i, more = {} as object } = {}) => {
    const amount = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
    return {
      ...aSmallAccount(given.code, `ACC-${i}`),
      transfer_balance: amount,
      current_statement_transactions: [{ transaction_id: 'opening', transaction_date: '2026-01-10', amount, type: 'PAYMENT' }],
      ...more,
    };
  };
  const sendAll = async (run: string, bodies: readonly object[]) => {
    const lines = linesOf(
      await send('POST', `/v2/data-import/accounts/bulk/?run=${run}`, {
        token: given.token,
        headers: { 'Content-Type': 'application/x-ndjson' },
        body: bodies.map((body) => JSON.stringify(body)).join('\n'),
      }),
    );
    expect(lines.pop()).toEqual({ done: true, lines: bodies.length });
    return Object.groupBy(lines, ({ status }) => String(status));
  };
  /** What may start is delivered, twice. */
  const work = async () => {
    const results = await readRows<{ id: number }>(
      'SELECT id FROM import_processes WHERE supplier_id = ? AND status = 0 ORDER BY id',
      given.supplierId,
    );
    for (let from = 0; from < results.length; from += 500) {
      const message = { v: 1, supplier_id: given.supplierId, process_ids: results.slice(from, from + 500).map(({ id }) => id) };
      await deliver(deps, [message, message]);
    }
  };
  const counts = async (run: string) => ((await call('GET', path(run), { token: given.token })).body as { counts: object }).counts;

  // The rehearsal: a dry run of some of the file.
  await twice('PUT', path('rehearsal'), {});
  const dry = (_: unknown, i: number) => account(i, { more: { task_params: { is_dry_run: true } } });
  expect(Object.keys(await sendAll('rehearsal', Array.from({ length: 100 }, dry)))).toEqual(['SCHEDULED']);
  await work();
  expect(await counts('rehearsal')).toMatchObject({ DRY_RUN_SUCCEEDED: 100, PROCESSED: 0 });

  // Held, with declared totals. One account came a penny short.
  const total = Array.from({ length: ACCOUNTS }, (_, i) => 100 + i).reduce((sum, minor) => sum + minor, 0);
  const balance = `${Math.floor(total / 100)}.${String(total % 100).padStart(2, '0')}`;
  await twice('PUT', path('wave-1'), {
    is_held: true,
    stop_after_errors: 5,
    expected: { accounts: ACCOUNTS, customers: ACCOUNTS, transactions: ACCOUNTS, transactions_amount: balance, balance },
  });
  const file = Array.from({ length: ACCOUNTS }, (_, i) => account(i, i === 7_000 ? { minor: 100 + i - 1 } : {}));
  // Of the first accounts some name a letter, which is not in the bucket any more when they are created.
  const letter = `${given.code}/letter.pdf`;
  await env.DOCUMENTS.put(letter, '%PDF-1.4');
  const withLetter = (i: number) => account(i, { more: { notes: [{ document_paths: [{ document_path: 'letter.pdf' }] }] } });
  for (let i = 40; i < 45; i++) file[i] = withLetter(i);
  expect(Object.keys(await sendAll('wave-1', file))).toEqual(['SCHEDULED']);
  expect(Object.keys(await sendAll('wave-1', file))).toEqual(['SCHEDULED']);
  const refused = await twice('POST', path('wave-1', 'release/'), { require_match: true, accounts: CANARY });
  expect(refused.status).toBe(409);
  const penny = Math.floor((total - 1) / 100);
  const short = `${penny}.${String((total - 1) % 100).padStart(2, '0')}`;
  expect((refused.body as { differences: unknown }).differences).toEqual([
    { field: 'transactions_amount', in: 'staged', expected: balance, found: short },
    { field: 'balance', in: 'staged', expected: balance, found: short },
  ]);
  await sendAll('wave-1', [account(7_000)]);

  // The canary shows one systematic error, and the run holds itself.
  expect((await twice('POST', path('wave-1', 'release/'), { require_match: true, accounts: CANARY })).status).toBe(200);
  await env.DOCUMENTS.delete(letter);
  await work();
  const stopped = await call('GET', path('wave-1'), { token: given.token });
  expect(stopped.body).toMatchObject({ held_by: 'errors', counts: { PROCESSED: CANARY - 5, ERRORED: 5, PENDING: ACCOUNTS - CANARY } });
  await work();
  expect(await counts('wave-1')).toMatchObject({ PROCESSED: CANARY - 5 });

  // Taken back, corrected.
  const undo = () => operate('POST', `suppliers/${given.code}/runs/wave-1/undo/`, { reason: 'letters were missing' });
  expect((await undo()).body).toEqual({ undone: CANARY - 5, not_undone_count: 0, not_undone: [], is_done: true });
  expect((await undo()).body).toMatchObject({ undone: 0, is_done: true });
  expect(await readValue('n', 'SELECT count(*) AS n FROM accounts WHERE supplier_id = ?', given.supplierId)).toBe(0);
  const corrected = Array.from({ length: CANARY }, (_, i) => account(i));
  expect(Object.keys(await sendAll('wave-1', corrected))).toEqual(['SCHEDULED']);
  expect(Object.keys(await sendAll('wave-1', corrected))).toEqual(['SCHEDULED']);

  // The rest at a pace.
  await twice('PUT', path('wave-1'), { pace_per_minute: 4_000 });
  expect((await twice('POST', path('wave-1', 'release/'), { require_match: true })).status).toBe(200);
  const imported: number[] = [];
  for (let minute = 0; minute < 3; minute++) {
    deps.advance(60_000);
    await sweep(deps);
    await work();
    imported.push(((await counts('wave-1')) as { PROCESSED: number }).PROCESSED);
  }
  expect(imported).toEqual([4_000, 8_000, ACCOUNTS]);

  // Reconciled, from both sides, and signed off.
  const totals = { accounts: ACCOUNTS, customers: ACCOUNTS, transactions: ACCOUNTS, transactions_amount: balance, balance };
  expect((await twice('GET', path('wave-1', 'reconciliation/'))).body).toMatchObject({
    expected: totals,
    staged: totals,
    imported: totals,
    differences: [],
    matches: true,
  });
  const own = Array.from({ length: ACCOUNTS }, (_, i) => JSON.stringify({ external_account_number: `ACC-${i}`, customers: 1 }));
  const ndjson = { 'Content-Type': 'application/x-ndjson' };
  const compared = await send('POST', path('wave-1', 'reconciliation/'), { token: given.token, headers: ndjson, body: own.join('\n') });
  expect(linesOf(compared)).toMatchObject([{ done: true, matching: ACCOUNTS, matches: true }]);
  const accounts = linesOf(await send('GET', path('wave-1', 'report/'), { token: given.token }));
  expect(accounts.pop()).toEqual({ done: true, accounts: ACCOUNTS });
  expect(accounts.every(({ status }) => status === 'PROCESSED')).toBe(true);
  const numbers = new Set(accounts.map(({ platform_account_number }) => platform_account_number));
  expect(numbers.size).toBe(ACCOUNTS);
});
