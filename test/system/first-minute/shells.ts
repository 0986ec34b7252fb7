/** The shells that people paste into, as they are when somebody sits before them: interactive, with nobody's own settings. */
import { spawnSync } from 'node:child_process';

/** How each is started, and how it is had where it is missing. */
const SHELLS = {
  bash: { args: ['--norc', '--noprofile', '-i', '-s'], package: 'bash' },
  zsh: { args: ['-f', '-i', '-s', '-o', 'nopromptsp'], package: 'zsh' },
  sh: { args: ['-i', '-s'], package: 'dash' },
} as const;

export type Shell = keyof typeof SHELLS;
export const ALL = Object.keys(SHELLS) as readonly Shell[];

const isThere = (shell: Shell): boolean => spawnSync(shell, ['-c', ':']).status === 0;

/** Why a test in this shell cannot run here; undefined if it can. */
export const missing = (shell: Shell): string | undefined =>
  isThere(shell)
    ? undefined
    : `There is no ${shell} here: apt-get install ${SHELLS[shell].package} (or brew install ${SHELLS[shell].package}).`;

export interface Pasted {
  readonly stdout: string;
  /** What the shell itself did not understand. */
  readonly complaints: readonly string[];
}

const COMPLAINT =
  /command not found|not found$|no matches found|parse error|syntax error|unexpected|bad (?:pattern|substitution|option)|event not found|unmatched/i;

/** Pastes text into the shell, in a folder; `path` comes before what the machine finds programs in. */
export function paste(shell: Shell, text: string, cwd: string, path: readonly string[] = []): Pasted {
  const { stdout, stderr, error } = spawnSync(shell, SHELLS[shell].args, {
    cwd,
    input: `${text}\n`,
    encoding: 'utf8',
    timeout: 100_000,
    env: {
      ...process.env,
      PATH: [...path, process.env['PATH']].join(':'),
      PS1: '',
      PS2: '',
      PROMPT: '',
      PROMPT2: '',
      HISTFILE: '',
      TERM: 'dumb',
      CI: '',
    },
  });
  if (error) throw error;
  return { stdout, complaints: stderr.split('\n').filter((line) => COMPLAINT.test(line)) };
}
