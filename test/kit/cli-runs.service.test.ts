/** `import --run` and `run …` of the command line, and `client.runs`, against the running service. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type ApiError, DataImportClient, type Run } from '../../src/kit/client';
import { aFile, linesIn, run } from './cli';
import { aKitSupplier, type KitSupplier, operator } from './given';
import { inTerminal } from './terminal';

const RUN = 'wave 1';
const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });

/** An account with a payment of so many pence, and a phone number that only a British supplier can read. */
const anAccount = (
  { code }: KitSupplier,
  number: string,
  { pence = 1_005, ...more }: { readonly pence?: number; readonly account_type?: string } = {},
) => ({
  import_supplier: code,
  external_account_number: number,
  customers: [{ given_name: 'Ada', mobile: '07400 123456' }],
  transfer_balance: pence / 100,
  current_statement_transactions: [{ transaction_id: 'p', transaction_date: '2026-01-10', amount: pence / 100, type: 'PAYMENT' }],
  ...more,
});
const aLine = (...given: Parameters<typeof anAccount>) => JSON.stringify(anAccount(...given));

/** From now on no phone number of the supplier's accounts can be read: what was staged errs when it is created. */
const readsPhonesOf = (country: 'GB' | 'US', { code }: KitSupplier) =>
  operator('PATCH', `suppliers/${code}/`, { configuration: { default_country: country } });

const countsOf = async (supplier: KitSupplier): Promise<Run['counts']> => (await clientOf(supplier).runs.get(supplier.code, RUN)).counts;
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 200 });
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
const sumLine = (text: string): string => /^.* sent = .*$/m.exec(text)?.[0] ?? '';

/** By external account number: the platform's number, and what became of it. */
function receiptOf(file: string): Record<string, readonly [string, string]> {
  const lines = linesIn(`${file}.receipt.csv`).map((line) => line.split(','));
  return Object.fromEntries(lines.map(([, number = '', platformNumber = '', status = '']) => [number, [platformNumber, status]]));
}

describe('import --run', () => {
  it('--hold stages all and starts nothing; released, it ends with a line that adds up, and a receipt beside the file', async () => {
    const supplier = await aKitSupplier();
    expect((await run(['import', aFile([aLine(supplier, 'before')])], supplier)).code).toBe(0);
    const numbers = ['a', 'b', 'c', 'd'];
    const wrong = aLine(supplier, 'wrong', { account_type: 'CASTLE' });
    const file = aFile([aLine(supplier, 'before'), wrong, ...numbers.map((number) => aLine(supplier, number))]);

    const held = await run(['import', file, '--run', RUN, '--hold'], supplier);
    expect([held.code, sumLine(held.stdout)]).toEqual([
      1,
      '6 sent = 0 imported + 1 had been before + 1 refused + 0 errored + 0 cancelled + 4 waiting',
    ]);
    expect(receiptOf(file)).toMatchObject({ a: ['', 'scheduled'], before: [expect.stringMatching(/^A-/), 'already_imported'] });
    expect(await clientOf(supplier).runs.get(supplier.code, RUN)).toMatchObject({
      is_held: true,
      released: 'none',
      counts: { PENDING: 4, PROCESSED: 0 },
      expected: { accounts: 6, customers: 5, transactions: 5, transactions_amount: '50.25', balance: '50.25' },
    });

    // One is cancelled, two err when they are created, one is imported.
    await clientOf(supplier).cancelImport(supplier.code, 'b');
    expect((await run(['run', 'release', supplier.code, RUN, '--accounts', '1'], supplier)).code).toBe(0);
    await until(async () => expect(await countsOf(supplier)).toMatchObject({ PROCESSED: 1 }));
    await readsPhonesOf('US', supplier);
    expect((await run(['run', 'release', supplier.code, RUN], supplier)).stdout).toContain('running');
    await until(async () => expect(await countsOf(supplier)).toMatchObject({ PROCESSED: 1, ERRORED: 2, CANCELLED: 1, PENDING: 0 }));

    // Sent again as it was, with all put right, the same run is whole but for what is refused.
    await readsPhonesOf('GB', supplier);
    const again = await run(['import', file, '--run', RUN], supplier);
    expect([again.code, sumLine(again.stdout)]).toEqual([
      1,
      '6 sent = 3 imported + 2 had been before + 1 refused + 0 errored + 0 cancelled + 0 waiting',
    ]);
    const receipt = receiptOf(file);
    expect(['wrong', 'before', ...numbers].map((number) => receipt[number]?.[1])).toEqual([
      'failed',
      'already_imported',
      'already_imported',
      'imported',
      'imported',
      'imported',
    ]);
    expect(new Set(numbers.map((number) => receipt[number]?.[0])).size).toBe(4);
    expect(readFileSync(`${file}.failed.ndjson`, 'utf8')).toContain('"wrong"');
  });

  it('--canary imports the first, compares them with what was sent, and leaves the rest held where nobody can be asked', async () => {
    const supplier = await aKitSupplier();
    const file = aFile(['a', 'b', 'c', 'd'].map((number) => aLine(supplier, number)));
    const { code, stdout, stderr } = await run(['import', file, '--run', RUN, '--canary', '2'], supplier);
    expect(stderr).toContain('2 imported, 0 errored; 0 differ from what was sent.');
    expect(stderr).toContain(`The rest stays held. To go on: data-import run release ${supplier.code} ${RUN}`);
    expect([code, sumLine(stdout)]).toEqual([
      0,
      '4 sent = 2 imported + 0 had been before + 0 refused + 0 errored + 0 cancelled + 2 waiting',
    ]);
    expect(receiptOf(file)).toMatchObject({ a: [expect.stringMatching(/^A-/), 'imported'], d: ['', 'scheduled'] });
    expect(await countsOf(supplier)).toMatchObject({ PROCESSED: 2, PENDING: 2 });
  });

  it('--canary asks whoever sits before it: yes imports the rest and reconciles, no leaves it held', async () => {
    const supplier = await aKitSupplier();
    const file = aFile(['a', 'b', 'c'].map((number) => aLine(supplier, number)));
    const command = `data-import import ${file} --run wave --canary 1`;
    for (const [answer, count] of [
      ['no', 1],
      ['y', 3],
    ] as const) {
      const terminal = inTerminal(command, supplier);
      await vi.waitFor(() => expect(terminal.lines().join('\n')).toContain('Import the rest? [y/N]'), 30_000);
      terminal.type(`${answer}\n`);
      const { code, lines } = await terminal.ended;
      expect([code, lines.join('\n')]).toEqual([
        0,
        expect.stringContaining(`${count === 3 ? 2 : 1} imported + ${count === 3 ? 1 : 0} had been`),
      ]);
      expect((await clientOf(supplier).runs.get(supplier.code, 'wave')).counts.PROCESSED).toBe(count);
    }
  });

  it('--stop-after-errors ends an import whose run holds itself, with what errored and what waits', async () => {
    const supplier = await aKitSupplier();
    const file = aFile(['a', 'b', 'c', 'd', 'e'].map((number) => aLine(supplier, number)));
    expect((await run(['import', file, '--run', RUN, '--hold', '--stop-after-errors', '2'], supplier)).code).toBe(0);
    await readsPhonesOf('US', supplier);
    await run(['run', 'release', supplier.code, RUN, '--accounts', '2'], supplier);
    await until(async () => expect(await countsOf(supplier)).toMatchObject({ ERRORED: 2, PENDING: 3 }));
    const { stdout } = await run(['run', 'show', supplier.code, RUN], supplier);
    expect(stdout).toBe(`${RUN}: held (errors), released: none; 3 PENDING, 2 ERRORED\n`);
  });

  it('--all-or-nothing imports nothing while one account of the file is refused, and all once it is put right', async () => {
    const supplier = await aKitSupplier();
    const wrong = aFile([aLine(supplier, 'a'), aLine(supplier, 'b', { account_type: 'CASTLE' })]);
    const first = await run(['import', wrong, '--run', RUN, '--all-or-nothing'], supplier);
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('Nothing is imported')]);
    expect(await countsOf(supplier)).toMatchObject({ PENDING: 1, PROCESSED: 0 });
    const right = aFile([aLine(supplier, 'a'), aLine(supplier, 'b')]);
    expect((await run(['import', right, '--run', RUN, '--all-or-nothing'], supplier)).code).toBe(0);
    expect(await countsOf(supplier)).toMatchObject({ PENDING: 0, PROCESSED: 2 });
  });

  it('--dry-run and --start-at go to each account of the file', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([aLine(supplier, 'a'), aLine(supplier, 'b')]);
    const dry = await run(['import', file, '--run', 'rehearsal', '--dry-run'], supplier);
    expect([dry.code, sumLine(dry.stdout)]).toEqual([0, expect.stringContaining('2 dry runs succeeded')]);
    const later = await run(['import', file, '--run', RUN, '--start-at', '2099-01-01T00:00:00Z', '--no-wait'], supplier);
    expect([later.code, sumLine(later.stdout)]).toEqual([0, expect.stringContaining('+ 2 waiting')]);
    expect(await countsOf(supplier)).toMatchObject({ PENDING: 2, PROCESSED: 0 });
  });
});

describe('run', () => {
  it('reconcile finds a penny, report has every account, hold and cancel stop the rest', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([aLine(supplier, 'a'), aLine(supplier, 'b', { pence: 1_004 })]);
    await run(['import', file, '--run', RUN, '--hold'], supplier);
    await clientOf(supplier).runs.put(supplier.code, RUN, { expected: { balance: '20.10' } });
    const refused = await run(['run', 'release', supplier.code, RUN, '--require-match'], supplier);
    expect([refused.code, refused.stdout]).toEqual([1, '  balance: 20.10 expected, 20.09 staged\n']);
    await run(['run', 'release', supplier.code, RUN, '--accounts', '1'], supplier);
    await until(async () => expect(await countsOf(supplier)).toMatchObject({ PROCESSED: 1 }));
    const report = (await run(['run', 'report', supplier.code, RUN], supplier)).stdout.trimEnd().split('\n');
    expect(report.map((line) => JSON.parse(line))).toMatchObject([
      { external_account_number: 'a', status: 'PROCESSED' },
      { external_account_number: 'b', status: 'PENDING', platform_account_number: null },
    ]);
    expect((await run(['run', 'hold', supplier.code, RUN], supplier)).stdout).toContain('held (importer)');
    expect((await run(['run', 'cancel', supplier.code, RUN], supplier)).stdout).toContain('1 PROCESSED, 1 CANCELLED');
    const reconciled = await run(['run', 'reconcile', supplier.code, RUN], supplier);
    expect([reconciled.code, reconciled.stdout]).toEqual([1, expect.stringContaining('balance: 20.10 expected, 10.05 imported')]);
    const list = aFile([
      JSON.stringify({ external_account_number: 'a', balance: '10.05' }),
      JSON.stringify({ external_account_number: 'x' }),
    ]);
    const compared = await run(['run', 'reconcile', supplier.code, RUN, '--list', list], supplier);
    expect([compared.code, JSON.parse(compared.stdout)]).toMatchObject([1, { external_account_number: 'x', status: 'MISSING' }]);
  });

  it('says what it can do where it is asked for something else', async () => {
    const supplier = await aKitSupplier();
    expect(await run(['run', 'undo', supplier.code, RUN], supplier)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('reconcile'),
    });
    expect(await run(['import', aFile([aLine(supplier, 'a')]), '--hold'], supplier)).toMatchObject({ code: 2 });
  });
});

describe('client.runs', () => {
  it('makes, holds, releases, compares, reports, reconciles and cancels, and lists', async () => {
    const supplier = await aKitSupplier();
    const [{ code }, client] = [supplier, clientOf(supplier)];
    const { runs } = client;
    expect(await runs.put(code, RUN, { is_held: true, stop_after_errors: 3, expected: { accounts: 3 } })).toMatchObject({
      run: RUN,
      is_held: true,
    });
    const lines = ['a', 'b', 'c'].map((number) => aLine(supplier, number));
    for await (const { status } of client.bulk(lines, { run: RUN })) expect(status).toBe('SCHEDULED');
    await expect(runs.release(code, RUN, { require_match: true, accounts: 2 })).resolves.toMatchObject({ released: 'some' });
    await until(async () => expect(await countsOf(supplier)).toMatchObject({ PROCESSED: 2, PENDING: 1 }));
    expect(await runs.hold(code, RUN)).toMatchObject({ released: 'none' });
    const differences = await all(runs.compare(code, RUN, [{ external_account_number: 'a', balance: '10.06' }]));
    expect(differences).toMatchObject([
      { status: 'DIFFERENT', differences: [{ field: 'balance', found: '10.05' }] },
      { status: 'UNEXPECTED' },
    ]);
    expect((await all(runs.report(code, RUN, { status: 'PROCESSED' }))).map(({ external_account_number: number }) => number)).toEqual([
      'a',
      'b',
    ]);
    expect(await runs.cancel(code, RUN)).toMatchObject({ cancelled: 1, counts: { CANCELLED: 1 } });
    expect(await runs.reconcile(code, RUN)).toMatchObject({ matches: false, imported: { accounts: 2, balance: '20.10' } });
    expect((await all(client.listRuns(code))).map(({ run: name }) => name)).toEqual([RUN]);
    expect((await all(client.listImportProcesses(code, { run: RUN, status: 'CANCELLED' }))).map(({ run: name }) => name)).toEqual([RUN]);
    await runs.put(code, RUN, { expected: { accounts: 4 } });
    await expect(runs.release(code, RUN, { require_match: true })).rejects.toMatchObject({
      code: 'totals_differ',
      status: 409,
    } satisfies Partial<ApiError>);
  });
});
