/** Runs the built program in a pseudo-terminal of 80 columns, as `script` of util-linux opens it. */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { environmentOf, PROGRAM } from './cli';
import type { KitSupplier } from './given';

export interface Screen {
  readonly code: number | null;
  /** Every line as it stood when the next one or a redraw began, without control characters. */
  readonly lines: readonly string[];
}

export interface Terminal {
  readonly ended: Promise<Screen>;
  readonly lines: () => readonly string[];
  readonly type: (keys: string) => void;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** `command` is what the shell of the terminal runs, with `data-import` for the program. */
export function inTerminal(command: string, given?: KitSupplier, env: Record<string, string> = {}): Terminal {
  const shell = `stty cols 80 rows 24; data-import() { ${quoted(PROGRAM)} "$@"; }; ${command}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', `bash -c ${quoted(shell)}`, '/dev/null'], {
    env: { ...environmentOf(given), ...env, TERM: 'xterm' },
  });
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  const lines = () =>
    output
      .split(/[\r\n]+/)
      .map((line) => stripVTControlCharacters(line))
      .filter((line) => line !== '');
  const ended = new Promise<Screen>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: lines() }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { ended, lines, type: (keys) => void child.stdin.write(keys) };
}
