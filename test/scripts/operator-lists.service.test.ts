/** `npm run operator`: lists as CSV, documents, and several accounts at once. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { aKitSupplier, type KitSupplier } from '../kit/given';

const SCRIPT = join(import.meta.dirname, '../../scripts/operator.ts');

function runIn(cwd: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { url, operatorToken } = inject('service');
  const env = { ...process.env, OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env, cwd }, (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }));
  });
}

const run = (...args: string[]) => runIn(tmpdir(), ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });
const later = () => ({ task_params: { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() } });

async function send({ code, ...given }: KitSupplier, number: string, more: object = {}): Promise<void> {
  const account = { import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }], ...more };
  await clientOf({ code, ...given }).createAccount(account);
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('documents of an account', () => {
  const PDF = new Uint8Array(70_000).map((_, index) => index % 251);
  let given: KitSupplier;
  let number: string;
  beforeAll(async () => {
    given = await aKitSupplier();
    const client = clientOf(given);
    await client.uploadDocument(given.code, 'letters/zoë 1.pdf', PDF, { type: 'application/pdf' });
    await client.uploadDocument(given.code, 'bills/a.pdf', new Uint8Array(3));
    await client.uploadDocument(given.code, 'other.pdf', new Uint8Array(3));
    const statement = { statement_id: 'S-1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' };
    await send(given, 'D-1', {
      notes: [{ body: 'x', document_paths: [{ document_path: 'letters/zoë 1.pdf' }] }],
      statements: [{ ...statement, statement_path: 'bills/a.pdf' }],
    });
    await send(given, 'D-2');
    for (const external of ['D-1', 'D-2']) await client.waitForImport(given.code, external, { pollMilliseconds: 100 });
    number = (await json('account', given.code, 'D-1')).account_number;
  });

  it('are listed by their keys, which is audited', async () => {
    expect(await json('documents', 'list', number)).toEqual([
      { key: `${given.code}/letters/zoë 1.pdf`, of: 'a note' },
      { key: `${given.code}/bills/a.pdf`, of: 'statement S-1' },
    ]);
    expect((await run('documents', 'list', number, '--csv')).out).toBe(
      `key,of\r\n${given.code}/letters/zoë 1.pdf,a note\r\n${given.code}/bills/a.pdf,statement S-1\r\n`,
    );
    expect((await run('account', number)).out).toContain('account.revealed');
    const { account_number: other } = await json('account', given.code, 'D-2');
    expect((await run('documents', 'list', other)).out).toBe('It names no document.\n');
  });

  it('are saved byte by byte under their own name or another, audited, and never over a file', async () => {
    const folder = aFolder();
    const key = `${given.code}/letters/zoë 1.pdf`;
    expect(await runIn(folder, 'documents', 'download', number, key)).toEqual({ code: 0, out: 'zoë 1.pdf: 70,000 bytes.\n', err: '' });
    expect(new Uint8Array(readFileSync(join(folder, 'zoë 1.pdf')))).toEqual(PDF);
    expect((await run('account', number)).out).toContain('document.opened');
    expect(await runIn(folder, 'documents', 'download', number, key)).toEqual({
      code: 1,
      out: '',
      err: 'zoë 1.pdf exists: name another file with --out.\n',
    });
    expect((await runIn(folder, 'documents', 'download', number, key, '--out', 'b.pdf')).code).toBe(0);
    expect(new Uint8Array(readFileSync(join(folder, 'b.pdf')))).toEqual(PDF);
  });

  it('that the account does not name are not given, and leave no file', async () => {
    const folder = aFolder();
    const refused = { code: 1, out: '', err: 'Not found. (not_found)\n' };
    expect(await runIn(folder, 'documents', 'download', number, `${given.code}/other.pdf`)).toEqual(refused);
    expect(readdirSync(folder)).toEqual([]);
    const nowhere = await runIn(folder, 'documents', 'download', number, `${given.code}/bills/a.pdf`, '--out', 'none/a.pdf');
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('could not be saved') });
  });

  it('that are cut off leave no half file, and a key leads to no other folder', async () => {
    const service = createServer((request, response) => {
      response.writeHead(200, { 'Content-Length': '9' });
      response.write('half');
      if (request.url?.includes('whole')) response.end('whole');
      else setTimeout(() => request.socket.destroy(), 50);
    });
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void service.close());
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const folder = aFolder();
    const cut = await runIn(folder, 'documents', 'download', 'A-1', 'a/cut.pdf', '--url', url);
    expect([cut.code, cut.err, readdirSync(folder)]).toEqual([1, expect.stringContaining('could not be saved as cut.pdf'), []]);
    for (const key of ['whole/..', 'whole/..\\..\\x:y'])
      expect((await runIn(folder, 'documents', 'download', 'A-1', key, '--url', url)).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['.._.._x_y', 'document']);
  });
});

describe('lists as CSV', () => {
  it('of import processes are those of the console: a row for each field, whole, as they are filtered', async () => {
    const given = await aKitSupplier();
    await send(given, 'C-1', later());
    await send(given, '=1+1', later());
    await send(given, 'a,"b', later());
    await run('cancel', given.code, 'C-1');
    const { out } = await run('accounts', given.code, '--csv');
    const [head, ...rows] = out.split('\r\n').slice(0, -1);
    expect(head).toBe('external_account_number,status,account_number,dry_run,created_at,modified_at,error_code,attr,field_code,detail');
    expect(rows.map((row) => row.replace(/20\d\d-[^,]*/g, '…')).toSorted()).toEqual([
      '"a,""b",PENDING,,false,…,…,,,,',
      "'=1+1,PENDING,,false,…,…,,,,",
      'C-1,CANCELLED,,false,…,…,,,,',
    ]);
    const pending = (await run('accounts', given.code, '--status', 'PENDING', '--csv')).out;
    expect(pending.trimEnd().split('\r\n')).toHaveLength(3);
    expect((await run('accounts', given.code, '--csv', '--limit', '1')).out.trimEnd().split('\r\n')).toHaveLength(2);
    expect((await run('accounts', given.code, '--prefix', 'none', '--csv')).out).toBe(`${head}\r\n`);
    expect((await run('accounts', given.code, '--error-code', 'none')).out).toBe('No account matches.\n');
    expect((await run('find', 'a,"b', '--search', '--csv')).out).toMatch(new RegExp(`^supplier,.*\r\n${given.code},"a,""b",PENDING`));
  });

  it('are read to their end, page by page, with every error of an account', async () => {
    const row = (external_account_number: string, latest_error: object | null) => ({
      ...{ external_account_number, status: 'ERRORED', account_number: null, is_dry_run: true, created_at: 'then', modified_at: 'now' },
      latest_error,
    });
    const errors = ['a', 'b'].map((attr) => ({ attr, code: 'invalid', detail: `Mend ${attr}.` }));
    const pages = [[row('1', { code: 'failed', detail: 'Failed.', errors })], [row('2', { code: 'ours', detail: 'Ours.' })]];
    const asked: string[] = [];
    const service = createServer((request, response) => {
      const address = new URL(request.url ?? '', 'http://x');
      asked.push(address.search);
      if (!address.searchParams.has('cursor')) response.setHeader('Link', `<${address.pathname}${address.search}&cursor=1>; rel="next"`);
      response.end(JSON.stringify(pages[address.searchParams.has('cursor') ? 1 : 0]));
    });
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void service.close());
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { out } = await run('accounts', 'X', '--error-code', 'failed', '--csv', '--url', url);
    expect(out.split('\r\n').slice(1)).toEqual([
      '1,ERRORED,,true,then,now,failed,a,invalid,Mend a.',
      '1,ERRORED,,true,then,now,failed,b,invalid,Mend b.',
      '2,ERRORED,,true,then,now,ours,,,Ours.',
      '',
    ]);
    expect(asked).toEqual(['?error_code=failed&limit=500', '?error_code=failed&limit=500&cursor=1']);
  });

  it('every other list has it, too', async () => {
    const given = await aKitSupplier();
    const { out } = await run('suppliers', 'list', '--csv');
    expect(out).toMatch(/^code,name,status,imported,in_progress,errored,pending\r\n/);
    expect(out).toMatch(new RegExp(`\r\n${given.code},kit-[^,]+,Ongoing,0,0,0,0\r\n`));
    expect((await run('organisations', 'list', '--csv')).out).toMatch(/^id,name,keys,created\r\n/);
    expect((await run('audit', '--csv', '--supplier', given.code)).out).toMatch(/^when,who,action,subject\r\n(?:20[^\r]+\r\n)+$/);
    await clientOf(given).runs.put(given.code, 'wave', {});
    expect((await run('runs', 'list', given.code, '--csv')).out).toBe('run,state,expected,errors,refused\r\nwave,running,,0,0\r\n');
    expect((await run('runs', 'report', given.code, 'wave', '--csv')).out).toMatch(
      /^external_account_number,.*\r\n# the report is whole: 0 accounts\r\n$/,
    );
  });
});

describe('several accounts', () => {
  it('are cancelled one after the other; what cannot be is named with its reason, and the others go on', async () => {
    const given = await aKitSupplier();
    for (const number of ['M-1', 'M-2', 'M-3']) await send(given, number, later());
    expect(await run('cancel', given.code, 'M-1', 'M-2', 'M-1')).toEqual({ code: 0, out: '2 of 2 are cancelled.\n', err: '' });
    const again = await run('cancel', given.code, 'M-1', 'none', 'M-3');
    expect([again.code, again.err]).toEqual([1, '']);
    expect(again.out).toMatch(
      /^1 of 3 are cancelled\.\n\nexternal account number +why\nM-1 +.*CANCELLED.*\nnone +Not found\. \(not_found\)\n$/,
    );
    const statuses = await json('accounts', given.code);
    expect(statuses.map(({ status }: { status: string }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('are scheduled again, as many as are errored', async () => {
    const given = await aKitSupplier();
    await send(given, 'R-1', later());
    const { out, code } = await run('retry', given.code, 'R-1', 'R-2', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        changed: [],
        refused: [
          { external_account_number: 'R-1', detail: expect.stringContaining('invalid_transition') },
          { external_account_number: 'R-2', detail: 'Not found. (not_found)' },
        ],
      },
    ]);
    expect(await run('retry', given.code, 'R-1', 'R-2', '--code', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('--code') });
  });

  it('end where the service does, and say how far they came', async () => {
    let asked = 0;
    const service = createServer((_, response) => {
      if (++asked > 1) response.writeHead(503);
      response.end(JSON.stringify(asked > 1 ? { code: 'error', detail: 'Away.' } : {}));
    });
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void service.close());
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    expect(await run('retry', 'X', 'a', 'b', 'c', '--url', url)).toEqual({
      code: 1,
      out: '',
      err: 'Away. (error)\nIt ended at b. Before it 1 of 1 are scheduled again.\n',
    });
    expect(asked).toBe(2);
  });
});
