/** How commands of the importer's command line end: outages, closed suppliers, files that are edited, and what a person sees. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { aFile, aFolder, linesIn, run, start } from './cli';
import { aKitSupplier, type KitSupplier, operator } from './given';
import { scripted } from './scripted';
import { inTerminal } from './terminal';

const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));
const aLine = ({ code }: KitSupplier, number: string, more: object = {}) =>
  JSON.stringify({ import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }], ...more });
const inAnHour = () => ({ task_params: { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() } });

async function imported(supplier: KitSupplier): Promise<string[]> {
  const found = [];
  for await (const item of clientOf(supplier).listImportedAccounts(supplier.code)) found.push(item.external_account_number);
  return found.sort();
}

/** Stands before the service and can be away: connections are refused then. */
async function aGate(supplier: KitSupplier): Promise<KitSupplier & { readonly close: () => void; readonly open: () => Promise<void> }> {
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    server = createServer((asked, answer) => {
      const on = request(`${supplier.url}${asked.url}`, { method: asked.method, headers: asked.headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      });
      on.on('error', () => answer.destroy());
      asked.pipe(on);
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const close = () => {
    server?.closeAllConnections();
    server?.close();
  };
  await open();
  onTestFinished(close);
  return { ...supplier, url: `http://127.0.0.1:${port}`, open, close };
}

describe('an outage', () => {
  it('is waited out, with its length on the screen, and the import goes on where it was', async () => {
    const gate = await aGate(await aKitSupplier());
    const file = aFile([aLine(gate, 'A'), aLine(gate, 'B', inAnHour())]);
    const terminal = inTerminal(`data-import import ${file}`, gate);
    while (!terminal.lines().some((line) => line.includes('window opens'))) await tick();
    gate.close();
    while (!terminal.lines().some((line) => /no answer since 0:0[2-9], trying again/.test(line))) await tick();
    await gate.open();
    await clientOf(gate).cancelImport(gate.code, 'B');
    const { code, lines } = await terminal.ended;
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/2 accounts: 1 imported, 0 had been before, 1 failed/);
  });

  it('that outlasts --patience ends with 2, the address and the cause', async () => {
    const gate = await aGate(await aKitSupplier());
    const running = start(['import', aFile([aLine(gate, 'A', inAnHour())]), '--patience', '2s'], gate);
    while (!running.stderr().includes('scheduled 1')) await tick();
    gate.close();
    const { code, stderr } = await running.ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`${gate.url} gave no answer for 0:02 (`);
    expect(stderr).toMatch(/connection (?:refused|reset).*Nothing is lost: run the same command again\.\n$/);
  });

  it('at the first contact is rather a wrong address: it is reported within seconds', async () => {
    const nowhere = await aGate(await aKitSupplier());
    nowhere.close();
    const { code, stderr } = await run(['import', aFile(['{}'])], nowhere);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `${nowhere.url} could not be reached (connection refused, ECONNREFUSED). Nothing is lost: run the same command again.\n`,
    );
  });

  it('--patience takes a time and nothing else', async () => {
    const { code, stderr } = await run(['import', 'x', '--patience', 'long'], await aKitSupplier());
    expect([code, stderr]).toEqual([2, '--patience takes a time such as 90s, 10m or 2h, not "long".\n']);
  });

  it('of single accounts inside the service: they are sent again until they are taken', async () => {
    const answers = ['FAILED', 'FAILED', 'FAILED', 'FAILED', 'FAILED', 'ALREADY_IMPORTED'];
    const { url, asked } = await scripted([
      ({ path }) => {
        if (!path.includes('/bulk/')) return { body: { status: 'COMPLETED', platform_account_number: 'A-1' } };
        const status = answers[Math.min(asked.filter((one) => one.path.includes('/bulk/')).length - 1, answers.length - 1)];
        return { body: `${JSON.stringify({ line: 1, external_account_number: 'A', status })}\n{"done":true,"lines":1}\n` };
      },
    ]);
    const supplier = { url, apiKey: 'sk_live_x', code: 'S' };
    const { code, stderr, stdout } = await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/1 accounts: 0 imported, 1 had been before, 0 failed/)]);
    expect(stderr).toContain('Sending 1 account again, which the service failed to take.');
  });
});

describe('a supplier that takes no accounts', () => {
  it.each([
    ['paused', 'Paused', /"[^"]+" is paused/],
    ['complete', 'Complete', /migration of "[^"]+" is complete/],
    ['unknown', undefined, /There is no import supplier "NOBODY"/],
  ])('%s: import and validate stop at once, with nothing to put right', async (_, status, words) => {
    const supplier = await aKitSupplier();
    const code = status ? supplier.code : 'NOBODY';
    if (status) await operator('PATCH', `suppliers/${code}/`, { status });
    const file = aFile(['A', 'B'].map((number) => aLine({ ...supplier, code }, number)));
    for (const command of ['import', 'validate']) {
      const ended = await run([command, file], supplier);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringMatching(words)]);
    }
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
    expect(existsSync(`${file}.receipt.csv`)).toBe(false);
  });
});

describe('the failed file', () => {
  const wrong = (supplier: KitSupplier, number: string) => aLine(supplier, number, { customers: [{ landline: '1' }] });

  it('is never written over: what somebody edited stays, and the next one is -2', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([wrong(supplier, 'A'), wrong(supplier, 'B')]);
    const failed = `${file}.failed.ndjson`;
    await run(['import', file], supplier);
    const edited = `${aLine(supplier, 'A')}\n${linesIn(failed)[1]}\n`;
    writeFileSync(failed, edited);
    const { stdout } = await run(['import', file], supplier);
    expect(readFileSync(failed, 'utf8')).toBe(edited);
    expect(stdout).toContain(`are in ${file}.failed-2.ndjson`);
    expect(linesIn(`${file}.failed-2.ndjson`)).toHaveLength(2);

    await run(['import', failed], supplier);
    expect(readFileSync(failed, 'utf8')).toBe(edited);
    expect(linesIn(`${file}.failed-3.ndjson`).map((line) => JSON.parse(line).external_account_number)).toEqual(['B']);
    expect(existsSync(`${failed}.failed.ndjson`)).toBe(false);
  });

  it('holds no account that is imported already, whatever is wrong with its line now', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A')])], supplier);
    const file = aFile([wrong(supplier, 'A'), aLine(supplier, 'B')]);
    const { code, stdout } = await run(['import', file], supplier);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 accounts: 1 imported, 1 had been before, 0 failed/)]);
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
  });
});

describe('the receipt', () => {
  it('names each account, its number on the platform and what became of it; mended accounts take their place in it', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([aLine(supplier, 'A'), aLine(supplier, 'B', { customers: [{ landline: '1' }] })]);
    await run(['import', file], supplier);
    const [head, first, second] = linesIn(`${file}.receipt.csv`);
    expect(head).toBe('import_supplier,external_account_number,platform_account_number,status');
    expect(first).toMatch(new RegExp(`^${supplier.code},A,A-[0-9A-F]{8},imported$`));
    expect(second).toBe(`${supplier.code},B,,failed`);

    writeFileSync(`${file}.failed.ndjson`, `${aLine(supplier, 'B')}\n`);
    expect((await run(['import', `${file}.failed.ndjson`], supplier)).code).toBe(0);
    expect(linesIn(`${file}.receipt.csv`)).toEqual([head, first, expect.stringMatching(/,B,A-[0-9A-F]{8},imported$/)]);
  });
});

describe('a receipt that cannot be written', () => {
  it('is reported in words; the accounts are imported all the same', async () => {
    const supplier = await aKitSupplier();
    const file = aFile([aLine(supplier, 'A'), aLine(supplier, 'B', { customers: [{ landline: '1' }] })]);
    const { code, stdout, stderr } = await run(['import', file, '--receipt', '/nonexistent/r.csv'], supplier);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^2 accounts: 1 imported, .* 1 failed/)]);
    expect(stderr).toMatch(
      /The receipt could not be written \(ENOENT.*\): name another place with --receipt and run the same command again\.\n$/,
    );
    expect(existsSync(`${file}.failed.ndjson`)).toBe(true);
  });
});

describe('what is read', () => {
  it('a line that names no supplier fails alone, however many lines there are', async () => {
    const supplier = await aKitSupplier();
    const lines = Array.from({ length: 250 }, (_, index) => aLine(supplier, `N-${index}`));
    const file = aFile([...lines, aLine({ ...supplier, code: '' }, 'X'), aLine({ ...supplier, code: '.' }, 'Y'.repeat(200))]);
    const { code, stdout } = await run(['import', file, '--json'], supplier);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { imported: 250, failed: 2 }]);
    expect(linesIn(`${file}.receipt.csv`)).toHaveLength(253);
  });

  it('is left at once by Ctrl-C, however long the file is', async () => {
    const supplier = await aKitSupplier();
    const line = aLine(supplier, 'A');
    const running = start(['validate', '-', '--offline', '--country', 'GB'], undefined, {}, `${line}\n`.repeat(300_000));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(/^Stopped\./);
  });

  it('gzip and stdin are files like any other', async () => {
    const supplier = await aKitSupplier();
    const folder = aFolder();
    writeFileSync(`${folder}/a.ndjson.gz`, gzipSync(`${aLine(supplier, 'A')}\n${aLine(supplier, 'B')}\n`));
    expect((await run(['import', `${folder}/a.ndjson.gz`], supplier)).code).toBe(0);
    const { code, stdout } = await run(['import', '-', '--json'], supplier, {}, `${aLine(supplier, 'B')}\n${aLine(supplier, 'C')}\n`);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { file: 'stdin', total: 2, imported: 1, already_imported: 1, receipt: null }]);
    expect(await imported(supplier)).toEqual(['A', 'B', 'C']);
  });

  it('a file that holds nothing is no success', async () => {
    const supplier = await aKitSupplier();
    const file = aFile(['', ' ']);
    for (const command of ['import', 'validate', 'notes']) {
      expect(await run([command, file], supplier)).toMatchObject({ code: 2, stderr: `${file} holds no record: nothing was sent.\n` });
    }
  });

  it('bytes that are no text are refused with their place, unless their encoding is named', async () => {
    const supplier = await aKitSupplier();
    const file = `${aFolder()}/a.ndjson`;
    writeFileSync(file, Buffer.from(`${aLine(supplier, 'A', { billing_name: 'Zoë' })}\n`, 'latin1'));
    const { code, stderr } = await run(['import', file], supplier);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not UTF-8 from line 1 .*--encoding windows-1252/)]);
    expect((await run(['import', file, '--encoding', 'windows-1252'], supplier)).code).toBe(0);
  });
});

describe('validate --offline', () => {
  it('without --country says what was not validated, and is no success', async () => {
    const file = aFile([aLine({ url: '', apiKey: '', code: 'S' }, 'A')]);
    const { code, stdout, stderr } = await run(['validate', file, '--offline']);
    expect([code, stdout]).toEqual([2, '1 accounts: 1 valid, 0 not\n']);
    expect(stderr).toContain('NOT VALIDATED: phone numbers');
    expect((await run(['validate', file, '--offline', '--country', 'GB'])).code).toBe(0);
  });
});

describe('on a terminal of 80 columns', () => {
  it('one line of progress says what matters, and a window that is to open says when', async () => {
    const supplier = await aKitSupplier();
    const terminal = inTerminal(`data-import import ${aFile([aLine(supplier, 'A'), aLine(supplier, 'B', inAnHour())])}`, supplier);
    while (!terminal.lines().some((line) => line.includes('window opens in 59:5'))) await tick();
    terminal.type('\u0003');
    const { code, lines } = await terminal.ended;
    expect(code).toBe(130);
    expect(lines.filter((line) => line.includes('%')).every((line) => line.length < 80)).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^█+░* +75 % {2}1\/2 {2}0 failed {2}window opens in /));
    expect(lines).toContainEqual(expect.stringMatching(/^Waiting for the window of 1 account; the next opens at 20\d\d-\S+Z\. They are/));
    expect(lines.join('\n')).toContain('nothing is doubled');
  });

  it('a list may be read by halves', async () => {
    const supplier = await aKitSupplier();
    const file = aFile(Array.from({ length: 3_000 }, (_, index) => aLine(supplier, `N-${index}`.padEnd(60, 'x'))));
    await run(['import', file, '--no-wait'], supplier);
    const { code, lines } = await inTerminal(`set -o pipefail; data-import lists all ${supplier.code} | head -1`, supplier).ended;
    expect([code, lines.length]).toEqual([0, 1]);
  });
});

describe('small things', () => {
  it('cancel ends what waits, and says why it cannot end what does not', async () => {
    const supplier = await aKitSupplier();
    await run(['import', aFile([aLine(supplier, 'A'), aLine(supplier, 'B', inAnHour())]), '--no-wait'], supplier);
    expect(await run(['cancel', supplier.code, 'B'], supplier)).toMatchObject({
      code: 0,
      stdout: `The import of ${supplier.code} B is cancelled.\n`,
    });
    expect((await run(['watch', supplier.code, 'A'], supplier)).code).toBe(0);
    const { code, stderr } = await run(['cancel', supplier.code, 'A'], supplier);
    expect([code, stderr]).toEqual([1, `The import of ${supplier.code} A is PROCESSED: only what is PENDING can be cancelled.\n`]);
    const unknown = await run(['cancel', supplier.code, 'X'], supplier);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining(`(cancel ${supplier.code} X not_found, request `)]);
  });

  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8'));
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});
