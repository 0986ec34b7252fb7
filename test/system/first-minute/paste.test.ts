/** What the README and `npm run try` say to paste does the same in bash, zsh and sh, against `npm start`. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf } from './blocks';
import { aClone, remove, type Started, start } from './clone';
import { ALL, missing, paste, type Shell } from './shells';

const isForShells = ({ language }: Block): boolean => language === 'sh';
const commands = [...blocksOf('README.md'), ...blocksOf('docs/importing.md')].filter(isForShells);
/** Headings of what is pasted while `npm start` runs. */
const LOCAL = new Set(['The first import', 'With the command line', 'From a spreadsheet', 'With curl']);
/** Those that are not for a local service: they are pasted with programs that only write down how they were called. */
const others = [
  ...commands.filter(({ heading }) => !LOCAL.has(heading)),
  ...blocksOf('CONTRIBUTING.md').filter(isForShells),
  ...blocksOf('docs/operating.md').filter(isForShells),
];

let clone: string;
let service: Started;
beforeAll(async () => {
  clone = aClone();
  service = await start(clone);
  await service.says('npm run demo');
});
afterAll(async () => {
  await service.stop();
  remove(clone);
});

/** The numbers of accounts become the shell's own, so that each makes accounts of its own; the address becomes that of this start. */
const ownOf = (text: string, shell: Shell): string =>
  text
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${service.port}`)
    .replace(/\b(?:ACC|CLI|FIRST)-/g, (prefix) => `${shell.toUpperCase()}-${prefix}`)
    .replace('--accounts 10000 --seed 1', `--accounts 300 --seed ${1 + ALL.indexOf(shell)}`);

/** Takes away what the shell before has imported: an import never writes over the receipt or the failed accounts of an earlier one. */
function forgetImports(folder: string): void {
  for (const name of readdirSync(folder)) if (/\.ndjson(?:\.|$)/.test(name)) rmSync(join(folder, name));
}

/** Programs that only write down how they were called. */
function recorders(folder: string): { readonly path: string; calls(): string[] } {
  const [path, file] = [join(folder, 'recorders'), join(folder, 'calls')];
  mkdirSync(path, { recursive: true });
  rmSync(file, { force: true });
  for (const name of ['npm', 'npx', 'node', 'openssl', 'rclone', 'curl']) {
    // The words of a call, each on its own: a comment that a shell takes for words shows.
    writeFileSync(join(path, name), `#!/bin/sh\nprintf '[${name}]' >> '${file}'\nprintf ' <%s>' "$@" >> '${file}'\necho >> '${file}'\n`);
    chmodSync(join(path, name), 0o755);
  }
  const calls = (): string[] => {
    const made = readFileSync(file, 'utf8').trim().split('\n');
    rmSync(file);
    return made;
  };
  return { path, calls };
}

it('has every shell that people paste into', () => {
  const gone = ALL.map(missing).filter((why) => why !== undefined);
  // On a machine of one's own the tests below leave it out; in CI nothing is left out.
  if (process.env['CI']) expect(gone).toEqual([]);
});

it('has no comments in what is pasted: an interactive zsh takes them for arguments', () => {
  expect([...commands, ...others].filter(({ text }) => /(?:^|\s)#/m.test(text)).map(({ text }) => text)).toEqual([]);
});

describe.each(ALL)('pasted into %s', (shell) => {
  describe.skipIf(missing(shell) !== undefined)('', () => {
    it('the first import of the README imports an account', () => {
      const blocks = commands.filter(({ heading }) => heading === 'The first import');
      const { stdout, complaints } = paste(shell, ownOf(blocks.map(({ text }) => text).join('\n'), shell), clone);
      expect(complaints).toEqual([]);
      expect(stdout).toContain(': 1 imported, 0 had been before, 0 failed');
      expect(stdout).toMatch(/^PROCESSED /m);
    });

    it('the way through with the command line imports accounts', () => {
      const blocks = commands.filter(({ heading }) => heading === 'With the command line' || heading === 'From a spreadsheet');
      expect(blocks.length).toBeGreaterThan(2);
      forgetImports(clone);
      const { stdout, complaints } = paste(shell, ownOf(blocks.map(({ text }) => text).join('\n'), shell), clone);
      expect(complaints).toEqual([]);
      // The second account is wrong on purpose, and 2 % of the 300.
      expect(stdout).toContain(`line 2  ${shell.toUpperCase()}-CLI-2  invalid_phone_number at customers.0.landline`);
      expect(stdout).toContain('2 accounts: 1 imported, 0 had been before, 1 failed');
      expect(stdout).toMatch(/^PROCESSED /m);
      expect(stdout).toContain('300 accounts: 294 imported, 0 had been before, 6 failed');
      expect(stdout).toContain('6 accounts: 6 imported, 0 had been before, 0 failed');
    });

    it('the way through with curl is answered without one error', () => {
      const blocks = commands.filter(({ heading }) => heading === 'With curl');
      const { stdout, complaints } = paste(shell, ownOf(blocks.map(({ text }) => text).join('\n'), shell), clone);
      expect(complaints).toEqual([]);
      const answers = answersIn(stdout);
      expect(answers).toHaveLength(22);
      expect(answers.filter((answer) => /"(?:code|errors|detail)":"/.test(JSON.stringify(answer)))).toEqual([]);
      expect(answers[2]).toMatchObject({ status: 'PROCESSED' });
      expect(answers.at(-1)).toContainEqual(expect.objectContaining({ external_account_number: `${shell.toUpperCase()}-ACC-1` }));
    });

    it('what npm run try prints is answered as it says', () => {
      const said = spawnSync('npm', ['run', '--silent', 'try'], { cwd: clone, encoding: 'utf8' });
      expect([said.status, said.stderr]).toEqual([0, '']);
      const lines = commandsIn(said.stdout).map((command) => (command.startsWith('TOKEN=') ? command : `${command}; echo`));
      expect(lines).toHaveLength(6);
      const { stdout, complaints } = paste(shell, lines.join('\n').replaceAll(/TRY-(\w+)/g, `TRY-$1-${shell}`), clone);
      expect(complaints).toEqual([]);
      const answers = answersIn(stdout);
      expect(answers).toEqual([
        {},
        expect.objectContaining({ errors: [expect.objectContaining({ attr: 'customers.0.landline' })] }),
        {},
        expect.objectContaining({ status: expect.any(String) }),
        expect.anything(),
      ]);
    });

    it.each(others.map(({ heading, text }) => [heading, text]))('the commands under "%s" are understood as a script is', (_, text) => {
      const folder = join(clone, `recorded-${shell}`);
      const { path, calls } = recorders(folder);
      writeFileSync(join(folder, '.dev.vars.example'), '');
      spawnSync('sh', ['-c', text], { cwd: folder, env: { ...process.env, PATH: `${path}:${process.env['PATH']}` } });
      const asScript = calls();
      expect(asScript.length).toBeGreaterThan(0);
      const { complaints } = paste(shell, text, folder, [path]);
      expect(complaints).toEqual([]);
      expect(calls()).toEqual(asScript);
    });
  });
});

/** The JSON answers among the lines that a shell showed. */
const answersIn = (stdout: string): unknown[] =>
  stdout
    .split('\n')
    .filter((line) => /^[[{]/.test(line))
    .map((line) => JSON.parse(line));

/** The command of each step: after its title and what it is for, before its answer. */
const commandsIn = (said: string): string[] =>
  said.split(/^\d of 6 /m).flatMap((step) => {
    const [, , command] = step.split('\n\n');
    return command === undefined || !/^ {2}(?:curl|TOKEN=)/.test(command) ? [] : [command.trim()];
  });
