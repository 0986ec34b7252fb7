/** The command line against the service itself. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { fix, generated } from './accounts';
import { aFile, aFolder, linesIn, run, start } from './cli';
import { aKitSupplier, type KitSupplier, operator } from './given';

const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));
const aLine = ({ code }: KitSupplier, number: string, more: object = {}) =>
  JSON.stringify({ import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }], ...more });
const jsonLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function imported({ code, ...supplier }: KitSupplier): Promise<string[]> {
  const found = [];
  for await (const item of clientOf({ code, ...supplier }).listImportedAccounts(code)) found.push(item.external_account_number);
  return found;
}

describe('usage and access end with 2', () => {
  it.each([
    ['no command', [], /COMMANDS/],
    ['an unknown command', ['nope'], /Unknown command nope/],
    ['an unknown option', ['import', 'x', '--quick'], /--quick is no option of "import"/],
    ['a missing argument', ['import'], /FILE/],
    ['an argument too many', ['import', 'a', 'b'], /does not take "b"/],
    ['no access', ['import', 'x'], /data-import login/],
  ])('%s', async (_, args, words) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(words);
  });

  it('a file that is not there', async () => {
    const { code, stderr } = await run(['import', '/nonexistent/x'], await aKitSupplier());
    expect([code, stderr]).toEqual([2, 'There is no file /nonexistent/x.\n']);
  });

  it('a wrong key', async () => {
    const supplier = { ...(await aKitSupplier()), apiKey: 'sk_live_wrong' };
    const { code, stderr } = await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    expect(code).toBe(2);
    expect(stderr).toMatch(/does not accept this API key/);
    expect(stderr).not.toContain('sk_live_wrong');
  });

  it('a service that cannot be reached', async () => {
    const nowhere = { url: 'http://127.0.0.1:1', apiKey: 'sk_live_x', code: 'S' };
    const { code, stderr } = await run(['import', aFile(['{}'])], nowhere);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/could not be reached.*run the same command again/)]);
  });

  it('an array that is cut', async () => {
    const supplier = await aKitSupplier();
    const file = join(aFolder(), 'a.json');
    writeFileSync(file, `[${aLine(supplier, 'A')},`);
    const { code, stderr } = await run(['import', file], supplier);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/ends in the middle of its array/)]);
  });
});

describe('help', () => {
  it('ends with 0 and has no control characters without a terminal', async () => {
    const { code, stdout } = await run(['import', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/USAGE data-import import/);
    expect(stdout.includes('\u001B')).toBe(false);
  });
});

describe('login', () => {
  it('keeps address and key for their owner alone; the environment comes before them', async () => {
    const supplier = await aKitSupplier();
    const home = { XDG_CONFIG_HOME: aFolder() };
    const { code, stdout } = await run(['login'], undefined, home, `${supplier.url}\n${supplier.apiKey}\n`);
    expect([code, stdout]).toEqual([0, expect.stringContaining(supplier.url)]);
    const file = join(home.XDG_CONFIG_HOME, 'data-import/config.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: supplier.url, api_key: supplier.apiKey });
    expect((await run(['status', supplier.code], undefined, home)).code).toBe(0);
    expect((await run(['status', supplier.code], undefined, { ...home, DATA_IMPORT_API_KEY: 'sk_live_wrong' })).code).toBe(2);
  });

  it('keeps nothing that does not open the service', async () => {
    const { url } = await aKitSupplier();
    const home = { XDG_CONFIG_HOME: aFolder() };
    const { code } = await run(['login', '--url', url], undefined, home, 'sk_live_wrong\n');
    expect(code).toBe(2);
    expect(existsSync(join(home.XDG_CONFIG_HOME, 'data-import'))).toBe(false);
  });
});

describe('validate', () => {
  it('says offline what it says online', async () => {
    const supplier = await aKitSupplier();
    const { lines } = generated(supplier.code, 300, '30%');
    const withoutDocuments = lines.filter((line) => !line.includes('nowhere.pdf'));
    const odd = [
      '{"a":',
      '[]',
      'null',
      '"text"',
      '{}',
      '{"payload":{"external_account_number":"."}}',
      '{"notes":[{"body":"\\ud800"}]}',
      '{"transfer_balance":99.9999999999999999,"more":[1e400,12345678901234567890,{"\\ud800":1}]}',
      '{"nickname":"x","customers":[{"psr":1}],"metadata":[{"key":"k","value":{"own":1}}]}',
      '{"payload":{"nickname":"x"},"batch":7}',
      `{"customers":[${Array(2_000).fill('{}').join(',')}]}`,
      `{"x":"${'y'.repeat(1_048_576)}"}`,
    ];
    const file = aFile([...withoutDocuments, ...odd]);
    const [online, offline] = await Promise.all([
      run(['validate', file, '--json'], supplier),
      run(['validate', file, '--json', '--offline', '--country', 'GB']),
    ]);
    expect([online.code, offline.code]).toEqual([1, 1]);
    expect(jsonLines(offline.stdout)).toEqual(jsonLines(online.stdout));
    expect(online.stdout).toContain('undocumented_field');
    expect(online.stdout).toContain('too_many_errors');
    expect(jsonLines(online.stdout).at(-1)).toMatchObject({ done: true, lines: withoutDocuments.length + odd.length });
  });

  it('stores nothing and ends with 0 when all is well', async () => {
    const supplier = await aKitSupplier();
    const { code, stdout } = await run(['validate', aFile([aLine(supplier, 'A'), '', aLine(supplier, 'B')])], supplier);
    expect([code, stdout]).toEqual([0, '2 accounts: 2 valid, 0 not\n']);
    expect(jsonLines((await run(['status', supplier.code, '--json'], supplier)).stdout)).toMatchObject([
      { counts: { PENDING: 0, IN_PROGRESS: 0, PROCESSED: 0, ERRORED: 0 } },
    ]);
  });
});

describe('import', () => {
  it('imports all, ends with 0, leaves no failed file and touches none of an earlier run', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([aLine(supplier, 'A'), aLine(supplier, 'B')]);
    writeFileSync(`${file}.failed.ndjson`, 'of an earlier run\n');
    const { code, stdout, stderr } = await run(['import', file], supplier);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 accounts: 2 imported, 0 had been before, 0 failed/)]);
    expect(stderr.includes('\u001B')).toBe(false);
    expect(linesIn(`${file}.failed.ndjson`)).toEqual(['of an earlier run']);
    expect(existsSync(`${file}.failed-2.ndjson`)).toBe(false);
    expect(await imported(supplier)).toEqual(['A', 'B']);
  });

  it('writes the failed ones byte by byte as they were sent, with their errors beside them', async () => {
    const supplier = await aKitSupplier();
    const wrong = `{ "external_account_number":"W" , "import_supplier":"${supplier.code}", "own": 1.50, "customers":[ { "landline":"\\u0031" } ] }`;
    const file = aFile([aLine(supplier, 'A'), wrong, 'no JSON', '{}', '[1]']);
    const { code, stdout } = await run(['import', file, '--json'], supplier);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([{ total: 5, imported: 1, failed: 4, failed_file: `${file}.failed.ndjson` }]);
    const [first = '', second = '', third = '', fourth = ''] = linesIn(`${file}.failed.ndjson`);
    expect(first.startsWith(`${wrong.slice(0, -1).trimEnd()} ,"_errors":[`) || first.startsWith(`${wrong.slice(0, -1)},"_errors":[`)).toBe(
      true,
    );
    expect(JSON.parse(first)._errors.map(({ code, attr }: { code: string; attr: string }) => `${code} ${attr}`)).toEqual([
      'invalid_phone_number customers.0.landline',
      'required customers.0.non_field_errors',
    ]);
    expect(JSON.parse(second)).toMatchObject({ _line: 'no JSON', _errors: [{ code: 'parse_error' }] });
    expect(third.startsWith('{"_errors":[{')).toBe(true);
    expect(JSON.parse(fourth)).toMatchObject({ _line: '[1]', _errors: [{ code: 'invalid' }] });
  });

  it('takes a JSON array, however it is laid out', async () => {
    const supplier = await aKitSupplier();
    const accounts = ['A', 'B', 'C'].map((number) => JSON.parse(aLine(supplier, number, { billing_name: `"[{,}]\\ ${number}` })));
    const file = join(aFolder(), 'accounts.json');
    writeFileSync(file, `\uFEFF\n ${JSON.stringify(accounts, null, 2)}\n`);
    expect((await run(['import', file], supplier)).code).toBe(0);
    expect(await imported(supplier)).toEqual(['A', 'B', 'C']);
  });

  it('sends a failed file again as it is, once it was put right', async () => {
    const supplier = await aKitSupplier();
    const { lines, wrong } = generated(supplier.code, 60, '20%');
    const file = aFile(lines);
    expect((await run(['import', file], supplier)).code).toBe(1);
    const failed = `${file}.failed.ndjson`;
    expect(linesIn(failed).map((line) => JSON.parse(line).external_account_number)).toEqual(wrong);
    // Untouched it fails as before, its errors reported once and in no second file.
    const again = await run(['import', failed, '--json'], supplier);
    expect([again.code, ...jsonLines(again.stdout)]).toMatchObject([1, { failed_file: failed }]);
    expect(existsSync(`${file}.failed-2.ndjson`)).toBe(false);
    expect(fix(failed)).toBe(0);
    expect((await run(['import', failed], supplier)).code).toBe(0);
    expect((await imported(supplier)).sort()).toEqual(lines.map((line) => JSON.parse(line).external_account_number));
  });

  it('killed half way and run again imports every good account exactly once', async () => {
    const supplier = await aKitSupplier();
    const { lines, wrong } = generated(supplier.code, 500, '2%');
    const file = aFile(lines);
    const first = start(['import', file, '--lines-per-request', '20'], supplier);
    while ((await clientOf(supplier).listAccountImports(supplier.code).next()).done) await tick();
    first.process.kill('SIGKILL');
    expect((await first.ended).code).toBe(null);
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
    const begun = [];
    for await (const one of clientOf(supplier).listAccountImports(supplier.code)) begun.push(one);
    expect(begun.length).toBeLessThan(490);

    const { code, stdout } = await run(['import', file, '--json'], supplier);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([{ total: 500, failed: 10 }]);
    expect(linesIn(`${file}.failed.ndjson`).map((line) => JSON.parse(line).external_account_number)).toEqual(wrong);
    const good = lines.map((line) => String(JSON.parse(line).external_account_number)).filter((number) => !wrong.includes(number));
    expect((await imported(supplier)).sort()).toEqual(good);
    expect(fix(`${file}.failed.ndjson`)).toBe(0);
    expect((await run(['import', `${file}.failed.ndjson`], supplier)).code).toBe(0);
    expect(await imported(supplier)).toHaveLength(500);
  });

  it('stops on Ctrl-C with 130 and goes on with the same command', async () => {
    const supplier = await aKitSupplier();
    const window = { task_params: { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() } };
    const file = aFile([aLine(supplier, 'A', window)]);
    const first = start(['import', file], supplier);
    while (!first.stderr().includes('scheduled 1')) await tick();
    first.process.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/nothing is doubled/) });

    const second = start(['import', file], supplier);
    while (!second.stderr().includes('scheduled 1')) await tick();
    await clientOf(supplier).cancelImport(supplier.code, 'A');
    expect((await second.ended).code).toBe(1);
    expect(JSON.parse(linesIn(`${file}.failed.ndjson`)[0] ?? '')._errors).toMatchObject([{ code: 'cancelled' }]);
  });

  it('distinguishes dry runs', async () => {
    const supplier = await aKitSupplier();
    const dry = { task_params: { is_dry_run: true } };
    const { code, stdout } = await run(['import', aFile([aLine(supplier, 'A', dry), aLine(supplier, 'B')]), '--json'], supplier);
    expect([code, ...jsonLines(stdout)]).toMatchObject([0, { imported: 1, dry_run_succeeded: 1 }]);
  });

  it('leaves as soon as all is scheduled when it is asked to', async () => {
    const supplier = await aKitSupplier();
    const window = { task_params: { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() } };
    const { code, stdout } = await run(['import', aFile([aLine(supplier, 'A', window)]), '--no-wait'], supplier);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 accounts: 1 scheduled/)]);
  });
});

describe('what is added to accounts', () => {
  const today = new Date().toISOString().slice(0, 10);

  it.each([
    ['notes', { notes: [{ body: 'x' }] }, { NOTE_CREATION_SUCCESS: 1 }],
    [
      'transactions',
      { transactions: [{ transaction_id: 'T', transaction_date: today, amount: 1, type: 'CHARGE', reason: 'DEFAULT' }] },
      { TRANSACTION_ADDED_TO_ACCOUNT: 1 },
    ],
    ['statements', { statements: [{ statement_id: 'S', bill_period_from_date: today, bill_period_to_date: today }] }, {}],
    ['payment-instructions', { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }, {}],
  ])('%s: the accepted are counted, the failed kept with their errors', async (command, body, results) => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const unknown = JSON.stringify({ import_supplier: supplier.code, external_account_number: 'B', ...body });
    const file = aFile([JSON.stringify({ import_supplier: supplier.code, external_account_number: 'A', ...body }), unknown, 'no JSON']);
    const { code, stdout } = await run([command, file, '--json'], supplier);
    expect([code, ...jsonLines(stdout)]).toMatchObject([1, { total: 3, added: 1, failed: 2, results }]);
    const [first = '', second = ''] = linesIn(`${file}.failed.ndjson`);
    expect(first.startsWith(`${unknown.slice(0, -1)},"_errors":[`)).toBe(true);
    expect(JSON.parse(first)._errors).toMatchObject([{ code: 'not_found' }]);
    expect(JSON.parse(second)).toMatchObject({ _line: 'no JSON', _errors: [{ code: 'parse_error' }] });
  });

  it('a number that a double cannot say goes to the service as it is, and is refused instead of rounded', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const item = `{"transaction_id":"T","transaction_date":"${today}","amount":99.9999999999999999,"type":"PAYMENT"}`;
    const record = `{"_errors":[],"import_supplier":"${supplier.code}","external_account_number":"A","transactions":[${item}]}`;
    const file = aFile([record]);
    expect((await run(['transactions', file], supplier)).code).toBe(1);
    const [failed = ''] = linesIn(`${file}.failed.ndjson`);
    expect(failed).toContain('99.9999999999999999');
    expect(JSON.parse(failed)._errors).toMatchObject([{ code: 'max_digits', attr: 'transactions.0.amount' }]);
  });

  it('a transaction that is there with other content counts apart', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const bodyOf = (amount: number) =>
      JSON.stringify({
        import_supplier: supplier.code,
        external_account_number: 'A',
        transactions: [{ transaction_id: 'T', transaction_date: today, amount, type: 'PAYMENT' }],
      });
    await run(['transactions', aFile([bodyOf(1)])], supplier);
    const { stdout } = await run(['transactions', aFile([bodyOf(1), bodyOf(2)]), '--json'], supplier);
    expect(jsonLines(stdout)).toMatchObject([{ results: { TRANSACTION_ALREADY_EXISTS: 1, 'TRANSACTION_ALREADY_EXISTS, differs': 1 } }]);
  });

  it('moved dates are counted and shown, and go on being so in bulk', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const bodyOf = (id: string, transaction_date: string) =>
      JSON.stringify({
        import_supplier: supplier.code,
        external_account_number: 'A',
        transactions: [{ transaction_id: id, transaction_date, amount: 1, type: 'PAYMENT' }],
      });
    const lines = Array.from({ length: 1_200 }, (_, index) => bodyOf(`T${index}`, index < 3 ? '2001-01-01' : today));
    const file = aFile(lines);
    const first = await run(['transactions', file, '--json'], supplier);
    expect(jsonLines(first.stdout)).toMatchObject([{ added: 1_200, moved: 3, results: { TRANSACTION_ADDED_TO_ACCOUNT: 1_200 } }]);
    const again = await run(['transactions', file, '--json'], supplier);
    expect(jsonLines(again.stdout)).toMatchObject([{ added: 1_200, moved: 0, results: { TRANSACTION_ALREADY_EXISTS: 1_200 } }]);
    const { stdout } = await run(['transactions', aFile([bodyOf('U', '2001-01-01')])], supplier);
    expect(stdout).toContain('1  dated outside the open statement period and moved into it\n');
  });

  it('transactions can be added without a look, or refused instead of moved', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const item = { transaction_id: 'T', transaction_date: '2001-01-01', amount: 1, type: 'CHARGE', reason: 'DEFAULT' };
    const file = aFile([JSON.stringify({ import_supplier: supplier.code, external_account_number: 'A', transactions: [item] })]);
    expect((await run(['transactions', file, '--no-force-add-to-current-statement'], supplier)).code).toBe(1);
    expect((await run(['transactions', file], supplier)).code).toBe(0);
    const twice = await run(['transactions', file, '--no-check-previously-added', '--json'], supplier);
    expect(jsonLines(twice.stdout)).toMatchObject([{ results: { TRANSACTION_ADDED_TO_ACCOUNT: 1 } }]);
  });
});

describe('status, watch and lists', () => {
  it('say what the service knows', async () => {
    const supplier = await aKitSupplier();
    const window = { task_params: { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() } };
    await run(['import', aFile([aLine(supplier, 'A'), aLine(supplier, 'B', window)]), '--no-wait'], supplier);
    const watched = await run(['watch', supplier.code, 'A'], supplier);
    expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/PROCESSED .*EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED\n$/)]);
    expect((await run(['status', supplier.code, 'B'], supplier)).stdout).toMatch(/^PENDING/);
    expect((await run(['status', supplier.code], supplier)).stdout).toBe(
      `${supplier.code} (Ongoing): 1 pending, 0 in progress, 1 processed, 0 errored\n`,
    );
    expect(jsonLines((await run(['status', supplier.code, '--json'], supplier)).stdout)).toMatchObject([
      { import_supplier: supplier.code, status: 'Ongoing', counts: { PENDING: 1, PROCESSED: 1 } },
    ]);
    expect((await run(['lists', 'all', supplier.code], supplier)).stdout).toMatch(/^A\tA-[0-9A-F]{8}\t20\S+\nB\t-\t-\n$/);
    expect(jsonLines((await run(['lists', 'pending', supplier.code, '--json'], supplier)).stdout)).toEqual([
      { external_account_number: 'B', platform_account_number: null, account_created_at: null },
    ]);
    expect((await run(['lists', 'odd', supplier.code], supplier)).code).toBe(2);
    expect(await run(['status', supplier.code, 'C'], supplier)).toMatchObject({ code: 1, stderr: expect.stringMatching(/not_found/) });
  });
});

describe('what failed while it was created', () => {
  /** Two accounts that are right when they are sent, and wrong when they are created; one that is right; one that is cancelled. */
  async function someErrored() {
    const supplier = await aKitSupplier({ extra_charge_reasons: ['PREMIUM'] });
    const charge = { transaction_id: 'T', transaction_date: '2026-01-01', amount: 1, type: 'CHARGE', reason: 'PREMIUM' };
    const soon = { task_params: { schedule_window_start: new Date(Date.now() + 5_000).toISOString() } };
    const wrong = { current_statement_transactions: [charge], ...soon };
    const lines = [aLine(supplier, 'A', wrong), aLine(supplier, 'B'), aLine(supplier, 'C', wrong), aLine(supplier, 'D', soon)];
    const client = clientOf(supplier);
    for (const line of lines) await client.createAccount(line);
    await client.cancelImport(supplier.code, 'D');
    await operator('PATCH', `suppliers/${supplier.code}/`, { configuration: { extra_charge_reasons: [] } });
    return { supplier, lines };
  }
  /** Lets the work of every minute run until the window has opened. */
  async function sweepUntil(ended: Promise<unknown>, { url }: KitSupplier) {
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  it('ends watch, is listed with its errors, and repair writes it as it was sent', async () => {
    const { supplier, lines } = await someErrored();
    const watching = run(['watch', supplier.code], supplier);
    await sweepUntil(watching, supplier);
    expect(await watching).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('0 pending, 0 in progress, 1 processed, 2 errored, 1 cancelled'),
    });
    const attr = 'current_statement_transactions.0.reason';
    const listed = await run(['lists', 'errored', supplier.code], supplier);
    expect([listed.code, listed.stdout]).toEqual([0, `A\tinvalid_choice at ${attr}\nC\tinvalid_choice at ${attr}\n`]);
    const asJson = jsonLines((await run(['lists', 'errored', supplier.code, '--json'], supplier)).stdout);
    expect(asJson).toMatchObject(['A', 'C'].map((external_account_number) => ({ external_account_number, status: 'ERRORED' })));

    const file = aFile(lines);
    const repaired = await run(['repair', supplier.code, file], supplier);
    expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining(`data-import import ${file}.failed.ndjson`)]);
    const records = linesIn(`${file}.failed.ndjson`);
    expect(records.map((record) => JSON.parse(record))).toEqual(
      [0, 2].map((at) => ({ ...JSON.parse(lines[at] ?? ''), _errors: [{ code: 'invalid_choice', attr, detail: expect.any(String) }] })),
    );
    // The files of whoever sent only some of them.
    const some = await run(['repair', supplier.code, aFile(lines.slice(0, 2)), '--json'], supplier);
    expect([some.code, ...jsonLines(some.stdout)]).toEqual([
      1,
      { supplier: supplier.code, errored: 2, not_in_file: 1, failed_file: expect.stringContaining('.failed.ndjson') },
    ]);
    // Put right and sent again, nothing is left to repair.
    await operator('PATCH', `suppliers/${supplier.code}/`, { configuration: { extra_charge_reasons: ['PREMIUM'] } });
    const again = run(['import', `${file}.failed.ndjson`, '--failed', `${file}.none`], supplier);
    await sweepUntil(again, supplier);
    expect((await again).code).toBe(0);
    expect(await run(['repair', supplier.code, file, '--json'], supplier)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"errored":0'),
    });
    expect((await run(['watch', supplier.code], supplier)).code).toBe(0);
  });

  it('repair needs the file: an empty one, and a supplier that is not there, are told', async () => {
    const supplier = await aKitSupplier();
    expect((await run(['repair', supplier.code], supplier)).code).toBe(2);
    expect((await run(['repair', supplier.code, aFile([])], supplier)).code).toBe(2);
    expect(await run(['repair', 'NONE', aFile([aLine(supplier, 'A')])], supplier)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not_found'),
    });
  });
});

describe('events', () => {
  it('are printed in order, from an earlier run on, and followed until the program is stopped', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A'), aLine(supplier, 'B')])], supplier);
    const note = (body: string) =>
      aFile([JSON.stringify({ import_supplier: supplier.code, external_account_number: 'A', notes: [{ body }] })]);
    await run(['notes', note('1')], supplier);
    const all = await run(['events', supplier.code], supplier);
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/^(?:20\S+Z\taccount_imports.finished\t[12] PROCESSED\n){1,2}20\S+Z\tnotes.added\t1 A\n$/);
    const [, cursor = ''] = /--cursor=(\S+)/.exec(all.stderr) ?? [];
    expect((await run(['events', supplier.code, `--cursor=${cursor}`], supplier)).stdout).toBe('');
    await run(['notes', note('2')], supplier);
    const rest = await run(['events', supplier.code, `--cursor=${cursor}`, '--json'], supplier);
    expect(jsonLines(rest.stdout)).toMatchObject([{ type: 'notes.added', import_supplier: supplier.code, data: { count: 1 } }]);

    const following = start(['events', supplier.code, '--follow'], supplier);
    await vi.waitFor(() => expect(following.stdout()).toContain('notes.added'), 20_000);
    const before = following.stdout();
    await run(['notes', note('3')], supplier);
    await vi.waitFor(() => expect(following.stdout().length).toBeGreaterThan(before.length), 20_000);
    following.process.kill('SIGINT');
    expect(await following.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('--cursor=') });
  });
});
