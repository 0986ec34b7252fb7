/** Runs the built program as a user does: by its own first line, with the `node` of the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { KitSupplier } from './given';

export const PROGRAM = join(import.meta.dirname, '../../dist/cli/data-import.js');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Run>;
  /** What it has said so far. */
  readonly stderr: () => string;
  readonly stdout: () => string;
}

/** Of a user who has set nothing but the access to `given`. */
export function environmentOf(given?: KitSupplier): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(DATA_IMPORT_|XDG_|PATH$)/.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const access = given ? { DATA_IMPORT_URL: given.url, DATA_IMPORT_API_KEY: given.apiKey } : {};
  return { ...Object.fromEntries(inherited), PATH: path.join(delimiter), XDG_CONFIG_HOME: '/nonexistent', ...access };
}

/** Without a supplier the program knows no service; `env` comes on top. */
export function start(
  args: readonly string[],
  given?: KitSupplier,
  env: Record<string, string> = {},
  input: string | Uint8Array = '',
): Running {
  const child = spawn(PROGRAM, args, { env: { ...environmentOf(given), ...env } });
  // A program that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { process: child, ended, stderr: () => stderr, stdout: () => stdout };
}

export const run = (
  args: readonly string[],
  given?: KitSupplier,
  env?: Record<string, string>,
  input?: string | Uint8Array,
): Promise<Run> => start(args, given, env, input).ended;

/** A folder of the test's own. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file of a folder of its own, with these lines. */
export function aFile(lines: readonly string[], name = 'accounts.ndjson'): string {
  const file = join(aFolder(), name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

export const linesIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
