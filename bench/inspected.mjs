/**
 * The real bundle under `wrangler dev`, on tables of its own in a temporary folder, with V8's inspector open: what the isolate of
 * the Worker holds, by itself, without the database that shares its process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { ROOT } from '../scripts/local.mjs';
import { commandOf } from '../scripts/programs.mjs';
import { Inspector, pause } from './inspector.mjs';
import { SIGNING_KEY, seedCaller, workerds } from './servers.mjs';

const HOST = '127.0.0.1';
const READY_MILLISECONDS = 60_000;
/** Of V8's old space, for each isolate; half of what the platform gives one for everything. Past it workerd ends. */
export const HEAP_MEGABYTES = 64;

/** A server as `startServer` makes it, but with `inspector` in place of its bindings. `seed` gets what `newSupplier` needs, and fills the tables before it runs. */
export async function startInspected(issueToken, seed) {
  const state = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  const env = { ...process.env, MINIFLARE_WORKERD_V8_FLAGS: `--max-old-space-size=${HEAP_MEGABYTES}` };
  const wrangler = (...args) => commandOf('wrangler', [...args, '--persist-to', state]);
  let dev;
  const close = async () => {
    if (dev?.exitCode === null && dev.signalCode === null) {
      const ended = new Promise((resolve) => dev.once('exit', resolve));
      dev.kill('SIGTERM');
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
    return { origin, token, inspector, pids: workerds().filter((pid) => !before.has(pid)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two processes must not write one database at the same time, so the tables are filled before the server starts. */
async function seeded(state, issueToken, seed) {
  const proxy = await getPlatformProxy({ configPath: join(ROOT, 'wrangler.toml'), persist: { path: join(state, 'v3') } });
  try {
    const { DB } = proxy.env;
    const token = await seedCaller(DB, issueToken);
    await seed({ DB, suppliers: 0 });
    return token;
  } finally {
    await proxy.dispose();
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, HOST, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(origin, dev) {
  for (const deadline = Date.now() + READY_MILLISECONDS; Date.now() < deadline && dev.exitCode === null; await pause(150)) {
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('wrangler dev did not answer');
}
