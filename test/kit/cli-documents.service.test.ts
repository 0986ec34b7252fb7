/** Documents by the client and the command line: checked before accounts are sent, uploaded in parallel, resumed by their digests. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiError, DataImportClient, type StoredDocument } from '../../src/kit/client';
import { aFile, aFolder, run, start } from './cli';
import { aKitSupplier, type KitSupplier, operator } from './given';
import { scripted } from './scripted';
import { inTerminal } from './terminal';

const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });
const MIB = 1_048_576;

async function listed(given: KitSupplier, prefix?: string): Promise<StoredDocument[]> {
  const found = [];
  for await (const document of clientOf(given).listDocuments(given.code, prefix === undefined ? { pageSize: 2 } : { prefix }))
    found.push(document);
  return found;
}

/** A folder with these files in it. */
function aFolderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = aFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** How many documents there are. */
async function countOf(given: KitSupplier): Promise<number> {
  let count = 0;
  for await (const _ of clientOf(given).listDocuments(given.code)) count++;
  return count;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('the client', () => {
  it('uploads bytes, blobs and streams that open anew for each try, with their length', async () => {
    const given = await aKitSupplier();
    const client = clientOf(given);
    const text = 'x'.repeat(300_000);
    const bytes = Buffer.from(text);
    const stream = () => new Blob([bytes]).stream();
    const first = await client.uploadDocument(given.code, 'a/é %2F?.pdf', bytes, { type: 'application/pdf' });
    expect(first).toEqual({ document_path: 'a/é %2F?.pdf', size: 300_000, etag: md5(text), isNew: true });
    expect((await client.uploadDocument(given.code, 'b.pdf', new Blob([bytes]))).isNew).toBe(true);
    expect((await client.uploadDocument(given.code, 'c.pdf', { size: 300_000, stream })).isNew).toBe(true);
    expect((await client.uploadDocument(given.code, 'c.pdf', { size: 300_000, stream })).isNew).toBe(false);
    expect((await listed(given)).map(({ document_path }) => document_path)).toEqual(['a/é %2F?.pdf', 'b.pdf', 'c.pdf']);
    expect(await listed(given, 'a/')).toHaveLength(1);
    const check = { import_supplier: given.code, document_paths: ['b.pdf', 'none.pdf', '../b.pdf'] };
    expect(await client.checkDocuments(check)).toEqual({ found: 1, missing: ['none.pdf'], invalid: ['../b.pdf'] });
  });

  it('distinguishes refusals by their codes', async () => {
    const given = await aKitSupplier();
    const client = clientOf(given);
    await client.uploadDocument(given.code, 'a.pdf', new Uint8Array(3));
    const refusal = (sending: Promise<unknown>) =>
      sending.then(
        () => undefined,
        (error: unknown) => (error instanceof ApiError ? error : undefined),
      );
    expect(await refusal(client.uploadDocument(given.code, 'a.pdf', new Uint8Array(4)))).toMatchObject({
      status: 409,
      code: 'document_already_exists',
    });
    const wrong = await refusal(client.uploadDocument(given.code, 'b.pdf', new Uint8Array(4), { sha256: `${'A'.repeat(43)}=` }));
    expect(wrong?.errors).toMatchObject([{ code: 'digest_mismatch', attr: 'Repr-Digest' }]);
    expect((await refusal(client.uploadDocument(given.code, '../b.pdf', new Uint8Array(4))))?.errors).toMatchObject([
      { code: 'invalid_document_path' },
    ]);
    expect(await refusal(client.uploadDocument('NOBODY', 'b.pdf', new Uint8Array(4)))).toMatchObject({ status: 404 });
  });

  it('sends a stream again, from its beginning, where an answer was lost', async () => {
    const server = await scripted([
      { status: 500, body: {} },
      { status: 201, body: { document_path: 'a', size: 3, etag: 'e' } },
    ]);
    const client = new DataImportClient({ baseUrl: server.url, apiKey: 'sk_live_test', retries: { baseMilliseconds: 1 } });
    let opened = 0;
    const stream = () => {
      opened++;
      return new Blob(['abc']).stream();
    };
    expect(await client.uploadDocument('S', 'a', { size: 3, stream })).toMatchObject({ isNew: true });
    expect(opened).toBe(2);
    expect(server.asked.map(({ headers }) => headers['content-length'])).toEqual(['3', '3']);
  });

  it.each([0, 2, 4])('does not send a stream of %i bytes that said it had three', async (size) => {
    const given = await aKitSupplier();
    const stream = () => new Blob([new Uint8Array(size)]).stream();
    const client = new DataImportClient({ baseUrl: given.url, apiKey: given.apiKey, retries: { attempts: 1 } });
    await expect(client.uploadDocument(given.code, 'a.bin', { size: 3, stream })).rejects.toThrow('could not be reached');
    expect(await listed(given)).toEqual([]);
  });

  it('uploads a hundred megabytes with constant memory', async () => {
    const given = await aKitSupplier();
    const part = new Uint8Array(MIB).fill(1);
    const size = 100 * MIB;
    const stream = () => {
      let left = 100;
      return new ReadableStream<Uint8Array>({ pull: (controller) => (left-- > 0 ? controller.enqueue(part) : controller.close()) });
    };
    const before = process.memoryUsage().rss;
    const document = await clientOf(given).uploadDocument(given.code, 'large.bin', { size, stream });
    expect(document).toMatchObject({ size, isNew: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * MIB);
    const larger = { size: size + 1, stream: () => new Blob([new Uint8Array(size + 1)]).stream() };
    await expect(clientOf(given).uploadDocument(given.code, 'larger.bin', larger)).rejects.toThrow('413 payload_too_large');
    expect((await listed(given)).map(({ document_path }) => document_path)).toEqual(['large.bin']);
  });
});

describe('documents check', () => {
  const record = ({ code }: KitSupplier, number: string, paths: string[], statements: string[] = []) =>
    JSON.stringify({
      import_supplier: code,
      external_account_number: number,
      notes: [{ document_paths: paths.map((document_path) => ({ document_path })) }],
      statements: statements.map((statement_path) => ({ statement_path })),
    });

  it('says which documents of a file are missing, and where they are named; 1 where some are, else 0', async () => {
    const given = await aKitSupplier();
    await clientOf(given).uploadDocument(given.code, 'letters/a.pdf', new Uint8Array(1));
    await clientOf(given).uploadDocument(given.code, 'statements/1.pdf', new Uint8Array(1));
    const lines = [
      record(given, 'A-1', ['letters/a.pdf', 'letters/b.pdf'], ['statements/1.pdf']),
      record(given, 'A-2', ['/letters/a.pdf', '../up.pdf']),
      record(given, 'A-3', ['letters/b.pdf']),
      '{"no": "documents"}',
      'no JSON',
    ];
    const { code, stdout, stderr } = await run(['documents', 'check', aFile(lines)], given);
    expect(stdout.split('\n')).toEqual([
      'missing  letters/b.pdf  (line 1, A-1)',
      'invalid  ../up.pdf  (line 2, A-2)',
      '5 records name 5 documents: 3 found, 1 missing, 1 that no document can have',
      '',
    ]);
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('Error')]);
    const good = await run(['documents', 'check', aFile(lines.slice(3)), '--json'], given);
    expect([good.code, JSON.parse(good.stdout)]).toMatchObject([0, { total: 2, documents: 0, found: 0, missing: 0 }]);
  });

  it('reads CSV, payloads, requests of notes and of several suppliers, and looks at 25,000 documents in batches', async () => {
    const [given, other] = [await aKitSupplier(), await aKitSupplier()];
    await clientOf(given).uploadDocument(given.code, '00007.pdf', new Uint8Array(1));
    const paths = Array.from({ length: 25_000 }, (_, index) => `${String(index).padStart(5, '0')}.pdf`);
    const lines = Array.from({ length: 250 }, (_, index) => record(given, `A-${index}`, paths.slice(index * 100, index * 100 + 100)));
    const wrapped = JSON.stringify({ payload: JSON.parse(record(given, 'W', ['00007.pdf', '00008.pdf'])) });
    const { code, stdout } = await run(['documents', 'check', aFile([...lines, wrapped]), '--json'], given);
    const shown = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(shown.at(-1)).toMatchObject({ total: 251, missing: expect.any(Number), invalid: 0 });
    expect(new Set(shown.slice(0, -1).map(({ document_path }) => document_path))).toEqual(
      new Set(paths.filter((path) => path !== '00007.pdf')),
    );
    expect(shown[0]).toEqual({
      status: 'missing',
      import_supplier: given.code,
      document_path: '00000.pdf',
      line: 1,
      external_account_number: 'A-0',
    });

    const csv = aFile(['import_supplier,external_account_number,statements.0.statement_path', `${given.code},C-1,none.pdf`], 'a.csv');
    expect((await run(['documents', 'check', csv], given)).stdout).toContain('missing  none.pdf  (row 2, C-1)');
    const theirs = await run(['documents', 'check', aFile([record(other, 'B', ['x.pdf'])])], given);
    expect([theirs.code, theirs.stderr]).toEqual([
      2,
      expect.stringContaining(`There is no import supplier "${other.code}" that this key opens`),
    ]);
  });

  it('asks in halves where documents lie too far apart for one request', async () => {
    const tooMany = {
      status: 400,
      body: { detail: '', code: 'validation_error', errors: [{ code: 'max_length', attr: 'document_paths', detail: '' }] },
    };
    const some = (missing: string[]) => ({ body: { found: 0, missing, invalid: [] } });
    const server = await scripted([tooMany, some(['a', 'b']), some(['c'])]);
    const given = { url: server.url, apiKey: 'sk_live_test', code: 'S' };
    const { stdout } = await run(['documents', 'check', aFile([record(given, 'A', ['a', 'b', 'c'])])], given);
    expect(stdout).toContain('1 records name 3 documents: 0 found, 3 missing');
  });

  it('ends with 2 for a paused supplier, an empty file and one that is not there', async () => {
    const given = await aKitSupplier();
    await operator('PATCH', `suppliers/${given.code}/`, { status: 'Paused' });
    const paused = await run(['documents', 'check', aFile([record(given, 'A', ['a.pdf'])])], given);
    expect([paused.code, paused.stderr]).toEqual([2, expect.stringContaining('is paused')]);
    for (const file of [aFile([]), 'none.ndjson']) expect((await run(['documents', 'check', file], given)).code).toBe(2);
  });
});

describe('documents upload', () => {
  it('uploads a folder with all below it; the second run finds it there and sends nothing', async () => {
    const given = await aKitSupplier();
    const files = {
      'a.pdf': 'one',
      'letters/e\u0301 ü.pdf': 'two',
      'letters/deep/er/100 %.TXT': 'three',
      'empty.bin': '',
      '.DS_Store': 'x',
      '.git/config': 'x',
    };
    const folder = aFolderOf(files);
    symlinkSync(join(folder, 'a.pdf'), join(folder, 'link.pdf'));
    symlinkSync(folder, join(folder, 'circle'));
    const first = await run(['documents', 'upload', folder, given.code], given);
    expect([first.code, first.stdout]).toEqual([
      0,
      '5 documents: 5 uploaded, 0 there already, 0 failed\nLeft out, because their names begin with a dot: 2\n',
    ]);
    const found = [
      ['a.pdf', 'one'],
      ['empty.bin', ''],
      ['letters/deep/er/100 %.TXT', 'three'],
      ['letters/é ü.pdf', 'two'],
      ['link.pdf', 'one'],
    ].map(([document_path = '', text = '']) => ({ document_path, size: text.length, etag: md5(text) }));
    expect(await listed(given)).toEqual(found);
    const second = await run(['documents', 'upload', folder, given.code, '--json'], given);
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { total: 5, uploaded: 0, there: 5, failed: 0, hidden: 2 }]);
  });

  it('names conflicts and what cannot be uploaded, goes on with the rest, and ends with 1', async () => {
    const given = await aKitSupplier();
    await clientOf(given).uploadDocument(given.code, 'same size.pdf', Buffer.from('ONE'));
    await clientOf(given).uploadDocument(given.code, 'other size.pdf', Buffer.from('other'));
    const folder = aFolderOf({
      'same size.pdf': 'one',
      'other size.pdf': 'one',
      'good.pdf': 'good',
      'a\\b.pdf': 'x',
      'large.bin': new Uint8Array(100 * MIB + 1),
    });
    const { code, stdout } = await run(['documents', 'upload', folder, given.code], given);
    expect(code).toBe(1);
    expect(stdout.split('\n').sort()).toEqual(
      [
        '',
        '        1  invalid_document_path',
        '        1  payload_too_large',
        '        2  document_already_exists',
        '5 documents: 1 uploaded, 0 there already, 4 failed',
        'document_already_exists  other size.pdf  Another document is at this path.',
        'document_already_exists  same size.pdf  Another document is at this path.',
        'invalid_document_path  a\\b.pdf  Enter a path relative to the document root: no empty, "." or ".." segment, no backslash or control character.',
        'payload_too_large  large.bin  Larger than 100 MiB: split it, or make it smaller.',
      ].sort(),
    );
    expect((await listed(given)).map(({ document_path, size }) => [document_path, size])).toEqual([
      ['good.pdf', 4],
      ['other size.pdf', 5],
      ['same size.pdf', 3],
    ]);
  });

  it('goes on where it was stopped, by Ctrl-C or by kill -9', async () => {
    const given = await aKitSupplier();
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.bin`, new Uint8Array(20_000).fill(index)]));
    const folder = aFolderOf(files);
    const stopped = start(['documents', 'upload', folder, given.code], given);
    while ((await countOf(given)) < 5) await new Promise((resume) => setTimeout(resume, 20));
    stopped.process.kill('SIGINT');
    expect(await stopped.ended).toMatchObject({ code: 130 });
    const killed = start(['documents', 'upload', folder, given.code], given);
    const before = await countOf(given);
    while ((await countOf(given)) < before + 5) await new Promise((resume) => setTimeout(resume, 20));
    killed.process.kill('SIGKILL');
    await killed.ended;
    const { code, stdout } = await run(['documents', 'upload', folder, given.code, '--json'], given);
    const { uploaded, there } = JSON.parse(stdout);
    expect([code, uploaded + there, there >= 10, uploaded > 0]).toEqual([0, 600, true, true]);
    const stored = await listed(given, '');
    expect(stored).toHaveLength(600);
    for (const { document_path, etag } of stored) {
      expect(etag).toBe(
        createHash('md5')
          .update(readFileSync(join(folder, document_path)))
          .digest('hex'),
      );
    }
  });

  it('shows its progress in a terminal', async () => {
    const given = await aKitSupplier();
    const { code, lines } = await inTerminal(
      `data-import documents upload ${aFolderOf({ 'a.pdf': 'x', 'b.pdf': 'y' })} ${given.code}`,
      given,
    ).ended;
    expect(code).toBe(0);
    expect(lines.some((line) => /█+ {2}100 % {2}2\/2 {2}0 failed/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe('2 documents: 2 uploaded, 0 there already, 0 failed');
  });

  it('ends with 2 where nothing can be uploaded: no folder, nothing in it, a supplier that is unknown or paused', async () => {
    const given = await aKitSupplier();
    const folder = aFolderOf({ 'a.pdf': 'x' });
    const asked = [
      ['none', given.code, 'There is no folder none.'],
      [aFolder(), given.code, 'holds no file'],
      [folder, 'NOBODY', 'There is no import supplier "NOBODY"'],
    ];
    for (const [where = '', code = '', words] of asked) {
      const ended = await run(['documents', 'upload', where, code], given);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words ?? '')]);
    }
    await operator('PATCH', `suppliers/${given.code}/`, { status: 'Paused' });
    expect((await run(['documents', 'upload', folder, given.code], given)).code).toBe(2);
    expect(await listed(given)).toEqual([]);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('reports a file that cannot be read, where somebody but root runs it', async () => {
    const given = await aKitSupplier();
    const folder = aFolderOf({ 'a.pdf': 'x', 'b.pdf': 'y' });
    symlinkSync(join(folder, 'gone.pdf'), join(folder, 'broken.pdf'));
    chmodSync(join(folder, 'a.pdf'), 0o644);
    const { code, stdout } = await run(['documents', 'upload', folder, given.code], given);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/unreadable {2}broken\.pdf {2}ENOENT/)]);
    expect(await listed(given)).toHaveLength(2);
  });
});

it('documents --help and its commands say how they are used', async () => {
  expect((await run(['documents', '--help'])).stdout).toMatch(/check[\s\S]*upload/);
  expect((await run(['documents', 'upload', '--help'])).stdout).toContain('data-import documents upload');
  expect(await run(['documents'])).toMatchObject({ code: 2 });
  expect(await run(['documents', 'none'])).toMatchObject({ code: 2 });
  expect(await run(['documents', 'upload', 'a', 'b', '--nope'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--nope') });
});
