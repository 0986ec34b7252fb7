/**
 * The real bundle under `wrangler dev`, on tables of its own in a temporary folder, with V8's inspector open: what the isolate of
 * the Worker holds, by itself, without the database that shares its process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { ROOT } from '../scripts/local.ts';
import { commandOf } from '../scripts/programs.ts';
import type { Pure } from './bundle.ts';
import { workerds } from './cpu.ts';
import { Inspector, pause } from './inspector.ts';
import { SIGNING_KEY, seedCaller } from './seeding.ts';
import type { Origin, Seeding } from './servers.ts';

const HOST = '127.0.0.1';
const READY_MILLISECONDS = 60_000;
/** Of V8's old space, for each isolate; half of what the platform gives one for everything. Past it workerd ends. */
export const HEAP_MEGABYTES = 64;

type Seed = (tables: Seeding) => Promise<void>;

export interface Inspected extends Origin {
  readonly inspector: Inspector;
}

/** A server as `startServer` makes it, but with `inspector` in place of its bindings. `seed` gets what `newSupplier` needs, and fills the tables before it runs. */
export async function startInspected(issueToken: Pure['issueToken'], seed: Seed): Promise<Inspected> {
  const state = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  const env = { ...process.env, MINIFLARE_WORKERD_V8_FLAGS: `--max-old-space-size=${HEAP_MEGABYTES}` };
  const wrangler = (...args: string[]) => commandOf('wrangler', [...args, '--persist-to', state]);
  let dev: ChildProcess | undefined;
  const close = async () => {
    const running = dev;
    if (running?.exitCode === null && running.signalCode === null) {
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await ended;
    }
    rmSync(state, { recursive: true, force: true });
  };
  // Whatever ends this process must leave nothing behind.
  process.once('exit', () => {
    dev?.kill('SIGTERM');
    rmSync(state, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    const migrated = spawnSync(...wrangler('d1', 'migrations', 'apply', 'DB', '--local'), { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    if (migrated.status !== 0) throw new Error(`${migrated.stdout}${migrated.stderr}`);
    const token = await seeded(state, issueToken, seed);
    const [port, inspectorPort] = [await freePort(), await freePort()];
    const before = new Set(workerds());
    const ports = ['--ip', HOST, '--port', `${port}`, '--inspector-port', `${inspectorPort}`];
    const quiet = ['--show-interactive-dev-session=false', '--log-level', 'error', '--var', `TOKEN_SIGNING_KEY:${SIGNING_KEY}`];
    dev = spawn(...wrangler('dev', ...ports, ...quiet), { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const origin = `http://${HOST}:${port}`;
    await untilReady(origin, dev);
    const inspector = await Inspector.connect(`ws://${HOST}:${inspectorPort}/ws`, () =>
      fetch(`${origin}/healthz`).then((answer) => answer.text()),
    );
    return { origin, token, inspector, pids: workerds().filter((pid) => !before.has(pid)), isFloor: false, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two processes must not write one database at the same time, so the tables are filled before the server starts. */
async function seeded(state: string, issueToken: Pure['issueToken'], seed: Seed): Promise<string> {
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath: join(ROOT, 'wrangler.toml'),
    persist: { path: join(state, 'v3') },
  });
  try {
    const { DB } = proxy.env;
    const token = await seedCaller(DB, issueToken);
    await seed({ DB, suppliers: 0 });
    return token;
  } finally {
    await proxy.dispose();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, () => resolve()));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

async function untilReady(origin: string, dev: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + READY_MILLISECONDS; Date.now() < deadline && dev.exitCode === null; await pause(150)) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('wrangler dev did not answer');
}
