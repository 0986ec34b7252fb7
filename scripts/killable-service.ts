/**
 * The whole service in a process that can be killed: on a port and a state of its own, which outlive it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './local.ts';
import { commandOf, runSync } from './programs.ts';

const HOST = '127.0.0.1';
const ENV = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' };

export interface KillableService {
  /** The same in each of its lives. */
  readonly url: string;
  readonly operatorToken: string;
  readonly platformToken: string;
  /** Resolves once it answers. */
  start(): Promise<void>;
  /** SIGKILL to it and all it has started. Resolves once it is gone; harmless if it was. */
  kill(): Promise<void>;
  /** Kills it and deletes its state. */
  remove(): Promise<void>;
}

/** With its tables, but not yet started. */
export async function killableService(): Promise<KillableService> {
  const port = await freePort();
  const state = mkdtempSync(join(tmpdir(), 'killable-service-'));
  const variables = {
    TOKEN_SIGNING_KEY: randomUUID(),
    OPERATOR_TOKEN: randomUUID(),
    PLATFORM_TOKEN: randomUUID(),
    SANDBOX_VENDOR: 'on',
    RETRY_BASE_SECONDS: '1',
  };
  const url = `http://${HOST}:${port}`;
  let running: ChildProcess | undefined;

  async function start() {
    running = spawn(
      ...commandOf('wrangler', [
        ...['dev', '--port', `${port}`, '--ip', HOST, '--persist-to', state, '--inspector-port', '0', '--log-level', 'error'],
        ...['--show-interactive-dev-session=false', ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`])],
      ]),
      // In a process group of its own, so that nothing of it survives its death.
      { stdio: 'ignore', detached: true, env: ENV, cwd: ROOT },
    );
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(100)) {
      const answer = await fetch(`${url}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error('the service did not answer within a minute');
  }

  async function kill() {
    if (!running?.pid || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running?.once('exit', resolve));
    // Windows has no groups of processes, and ends a tree by a program of its own.
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${running.pid}`, '/t', '/f']);
    else process.kill(-running.pid, 'SIGKILL');
    await gone;
  }

  async function remove() {
    await kill();
    rmSync(state, { recursive: true, force: true });
  }

  migrate(state);
  return { url, operatorToken: variables.OPERATOR_TOKEN, platformToken: variables.PLATFORM_TOKEN, start, kill, remove };
}

function migrate(state: string) {
  const { status, stderr } = runSync('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ENV,
    cwd: ROOT,
  });
  if (status !== 0) throw new Error(`the tables could not be made: ${stderr}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, HOST, () => {
        const address = probe.address();
        probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port is free'))));
      });
  });
}
