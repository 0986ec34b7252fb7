/** What a deployment gives its importers: files that work where nothing else of this project is. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import published from '../../public/openapi.json';
import { aKitSupplier, type KitSupplier } from '../kit/given';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { createTestHarness }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');
const run = promisify(execFile);
const { url } = inject('service');
const get = (path: string) => fetch(`${url}/tools/${path}`);

let folder = '';
let supplier: KitSupplier;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tools-'));
  supplier = await aKitSupplier();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Uses the client as a program does that knows its package only. */
const PROGRAM = `
import { DataImportClient } from 'data-import-client';
export async function use({ url, apiKey, code }, number) {
  const client = new DataImportClient({ baseUrl: url, apiKey });
  const account = { import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }] };
  const statuses = [];
  for await (const { status } of client.bulk([account, '{}'])) statuses.push(status);
  await client.waitForImport(code, number, { pollMilliseconds: 50 });
  const notes = { import_supplier: code, external_account_number: number, notes: [{ body: 'x' }] };
  for await (const answer of client.addNotesInBulk([notes, {}])) statuses.push(answer.error?.status ?? answer.result[0].status);
  return statuses;
}`;
const USED = ['SCHEDULED', 'INVALID', 'NOTE_CREATION_SUCCESS', 400];

it('every file has the SHA-256 that is listed for it', async () => {
  const sums = (await (await get('SHA256SUMS')).text()).trim().split('\n');
  const page = await get('');
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=UTF-8']);
  const text = await page.text();
  expect(text).toContain(`curl -fsS -O ${url}/tools/data-import.mjs`);
  const types = new Map<string, string | null>();
  for (const sum of sums) {
    const [sha256 = '', name = ''] = sum.split('  ');
    const answer = await get(name);
    types.set(name, answer.headers.get('Content-Type'));
    expect(
      createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256);
    expect(text).toContain(sha256);
  }
  expect([...types]).toEqual([
    ['data-import.mjs', 'text/javascript; charset=utf-8'],
    ['data-import-client.tgz', 'application/gzip'],
    ['data-import.postman_collection.json', 'application/json'],
  ]);
  for (const name of ['index.html', 'none', '__proto__', '..%2Fopenapi.json']) expect((await get(name)).status).toBe(404);
});

it('the client is installed into an empty folder, and used by plain Node and in a Worker', async () => {
  const size = (await (await get('data-import-client.tgz')).arrayBuffer()).byteLength;
  expect(size).toBeLessThan(100_000);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const cache = join(folder, 'cache');
  const options = ['--no-audit', '--no-fund', '--cache', cache, '--registry', 'http://127.0.0.1:9'];
  await run('npm', ['install', `${url}/tools/data-import-client.tgz`, ...options], { cwd: folder });
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/data-import-client/package.json'), 'utf8'));
  expect([installed.dependencies, installed.scripts]).toEqual([undefined, undefined]);
  expect(readFileSync(join(folder, 'node_modules/data-import-client/index.d.ts'), 'utf8')).toContain('DataImportClient');

  const [program, worker] = [join(folder, 'use.mjs'), join(folder, 'worker.mjs')];
  writeFileSync(program, PROGRAM);
  const main = `import { use } from './use.mjs'; console.log(JSON.stringify(await use(JSON.parse(process.env.GIVEN), 'NODE')));`;
  const given = JSON.stringify(supplier);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', main], {
    cwd: folder,
    env: { ...process.env, GIVEN: given },
  });
  expect(JSON.parse(stdout)).toEqual(USED);

  writeFileSync(
    worker,
    `import { use } from './use.mjs'; export default { fetch: async () => Response.json(await use(${given}, 'WORKER')) };`,
  );
  const configPath = join(folder, 'wrangler.toml');
  writeFileSync(configPath, 'name = "importer"\nmain = "worker.mjs"\ncompatibility_date = "2026-09-15"\n');
  const server = createTestHarness({ workers: [{ configPath }] });
  try {
    const { url: address } = await server.listen();
    expect(await (await fetch(address)).json()).toEqual(USED);
  } finally {
    await server.close();
  }
});

it('the command line is one file that runs anywhere', async () => {
  const file = join(folder, 'data-import.mjs');
  writeFileSync(file, Buffer.from(await (await get('data-import.mjs')).arrayBuffer()));
  const accounts = join(folder, 'accounts.ndjson');
  writeFileSync(
    accounts,
    JSON.stringify({ import_supplier: supplier.code, external_account_number: 'CLI', customers: [{ given_name: 'Ada' }] }),
  );
  const env = { ...process.env, DATA_IMPORT_URL: supplier.url, DATA_IMPORT_API_KEY: supplier.apiKey };
  const { stdout } = await run(process.execPath, [file, 'import', accounts, '--json'], { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ imported: 1, failed: 0 });
});

interface PostmanItem {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly path: string[] };
    readonly body?: { readonly raw?: string };
  };
}

it('the Postman collection has every request of an importer', async () => {
  const collection: { item: { name: string; item: PostmanItem[] }[] } = await (await get('data-import.postman_collection.json')).json();
  const items = collection.item.flatMap(({ item }) => item);
  const had = items.map(({ request }) => `${request.method} ${request.url.raw.replace('{{base_url}}', '').replace(/:(\w+)/g, '{$1}')}`);
  const asked = Object.entries(published.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security.some((one: object) => 'token' in one) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
  expect(had.toSorted()).toEqual(['POST /v1/graphql/', ...asked].toSorted());
  // The token request, as Postman sends it, opens the service.
  const token = items.find(({ request }) => request.url.raw.endsWith('/graphql/'));
  const body = token?.request.body?.raw?.replace('{{api_key}}', supplier.apiKey) ?? '';
  const answer = await fetch(`${url}/v1/graphql/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(await answer.json()).toMatchObject({ data: { obtainPlatformToken: { token: expect.any(String) } } });
});
