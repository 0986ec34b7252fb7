/** The project as a newcomer has it after `npm ci`: no secrets, no state. And `npm start` in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const LEFT_OUT = /^(?:\.git|\.wrangler|\.dev\.vars|node_modules|coverage|reports|dist[\\/]screenshots)(?:[\\/]|$)/;
const PATIENCE = 120_000;

/** A folder of its own, with the dependencies that are installed here. */
export function aClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'first-minute-'));
  cpSync(ROOT, folder, { recursive: true, filter: (file) => !LEFT_OUT.test(relative(ROOT, file)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export interface Started {
  readonly port: number;
  readonly npm: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once this has been said, on either of the two. */
  says(words: string | RegExp): Promise<void>;
  /** Ends npm by a signal and resolves once nothing listens on the port any more. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** `npm start` on a free port, as soon as it runs. */
export async function start(folder: string, ...options: string[]): Promise<Started> {
  const port = await freePort();
  const npm = spawn('npm', ['start', '--', '--port', `${port}`, ...options], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  npm.stdout.on('data', (part) => {
    stdout += part;
  });
  npm.stderr.on('data', (part) => {
    stderr += part;
  });
  const ended = new Promise<void>((resolve) => npm.on('exit', () => resolve()));
  return {
    port,
    npm,
    stdout: () => stdout,
    stderr: () => stderr,
    async says(words) {
      const isSaid = (): boolean => [stdout, stderr].some((text) => (typeof words === 'string' ? text.includes(words) : words.test(text)));
      await until(isSaid, () => `npm start never said ${words}:\n${stdout}\n${stderr}`);
    },
    async stop(signal = 'SIGTERM') {
      npm.kill(signal);
      await ended;
      await until(
        () => isFree(port),
        () => `port ${port} is still open after ${signal}`,
      );
    },
  };
}

async function until(holds: () => boolean | Promise<boolean>, why: () => string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; !(await holds()); await pause(50)) if (Date.now() > deadline) throw new Error(why());
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Listens for a moment; answers the port, or undefined if it is taken. 0: any. */
const listen = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(undefined))
      .listen(port, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
      });
  });

const isFree = async (port: number): Promise<boolean> => (await listen(port)) !== undefined;

async function freePort(): Promise<number> {
  const port = await listen(0);
  if (port === undefined) throw new Error('no port is free');
  return port;
}
