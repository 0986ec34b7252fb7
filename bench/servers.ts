/**
 * The servers under test: a bundle as it would be uploaded, run by Miniflare itself. Each has one workerd with its Worker, database,
 * bucket and queue, and nothing in front of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { ROOT } from '../scripts/local.ts';
import { type Pure, uploadOf } from './bundle.ts';
import { workerds } from './cpu.ts';
import { SIGNING_KEY, seedCaller } from './seeding.ts';

process.env.WRANGLER_SEND_METRICS = 'false';

/** What is filled before anything is measured. */
export interface Seeding {
  readonly DB: D1Database;
  /** How many suppliers were made. */
  suppliers: number;
}

/** What answers requests. */
export interface Origin {
  readonly origin: string;
  readonly token: string;
  readonly pids: readonly number[];
  readonly isFloor: boolean;
  close(): Promise<void>;
}

export interface Server extends Origin, Seeding {
  readonly DOCUMENTS: { put(key: string, value: string): Promise<unknown> };
  /** Does the minute's work once. */
  everyMinute(): Promise<void>;
}

export interface Supplier {
  readonly id: number;
  readonly code: string;
}

/** Which Worker is started: a `wrangler.toml` below the folder of a checkout. */
export interface Source {
  readonly configPath: string;
  readonly folder?: string;
  readonly isFloor?: boolean;
}

export async function startServer({ configPath, folder = ROOT, isFloor = false }: Source, issueToken: Pure['issueToken']): Promise<Server> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(folder, configPath));
  // Pages are no part of what is measured, and what serves them stands in front of each request.
  const { assets: _, bindings, ...options } = workerOptions;
  const upload = uploadOf(folder, configPath);
  const before = new Set(workerds());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      modules: upload.map(({ path, contents }) => ({ type: 'ESModule', path, contents })),
      modulesRoot: dirname(upload[0].path),
      bindings: Object.assign({ TOKEN_SIGNING_KEY: SIGNING_KEY, WEBHOOK_SIGNING_KEY: SIGNING_KEY }, bindings),
      // Stands for whatever webhooks call.
      outboundService: () => new Response(null, { status: 204 }),
    }),
  );
  const origin = (await miniflare.ready).origin;
  const [DB, DOCUMENTS] = [await miniflare.getD1Database('DB'), await miniflare.getR2Bucket('DOCUMENTS')] as const;
  await migrate(DB, join(folder, 'migrations'));
  return {
    origin,
    DB,
    DOCUMENTS,
    token: await seedCaller(DB, issueToken),
    pids: workerds().filter((pid) => !before.has(pid)),
    isFloor,
    suppliers: 0,
    async everyMinute() {
      const worker = await miniflare.getWorker();
      await worker.scheduled({ cron: '* * * * *' });
    },
    close: () => miniflare.dispose(),
  };
}

async function migrate(DB: D1Database, folder: string): Promise<void> {
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, file), 'utf8'));
    await DB.batch(statements.map((statement) => DB.prepare(statement)));
  }
}

export async function request(
  server: Pick<Origin, 'origin' | 'token'>,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { body, type = 'application/json' }: { readonly body?: string; readonly type?: string } = {},
): Promise<string> {
  const options = {
    method,
    headers: {
      Authorization: `Token ${server.token}`,
      'Accept-Encoding': 'identity',
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body }),
  };
  const url = `${server.origin}${path}`;
  // A connection that idled may be closed just when it is used again; all that is sent here may be sent twice.
  const response = await fetch(url, options).catch(() => fetch(url, options));
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}
