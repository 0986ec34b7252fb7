/** The scripts run on every system: npm gives them to `cmd.exe` on Windows, where there is no `exec`, no `$NAME` and no program without its ending. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRoot } from '../../support/source';

const ROOT = join(import.meta.dirname, '../../..');
const sources = ['scripts', 'bench'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !/\.wrangler|node_modules/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readRoot('package.json'));

describe('scripts of package.json', () => {
  it.each(Object.entries(scripts))('%s needs no shell', (_, command) => {
    expect(command).toMatch(/^(?:node (?:scripts|bench)\/[\w-]+\.ts|vitest run)(?: [\w./:-]+)*$/);
  });
});

it('are TypeScript, all of them', () => {
  expect(sources.filter((file) => !file.endsWith('.ts'))).toEqual([]);
});

describe.each(sources)('%s', (file) => {
  const text = readRoot(file);

  it('starts programs by the Node that runs it, never by a name that ends otherwise elsewhere', () => {
    const started = [...text.matchAll(/(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync|exec|execSync)\(\s*(?!\.\.\.)([^,\s)]+)/g)].map(
      ([, name]) => name,
    );
    expect(started.filter((name) => !['process.execPath', 'command', "'taskkill'"].includes(name ?? ''))).toEqual([]);
    expect(text).not.toMatch(/shell: true|node_modules\/\.bin/);
  });

  it('takes paths for paths and addresses for addresses', () => {
    expect(text).not.toMatch(/new URL\([^)]*import\.meta\.url\)\.pathname/);
    expect(
      [...text.matchAll(/\bimport\(([^)]+)\)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !/^['"]|pathToFileURL|process\.argv/.test(name)),
    ).toEqual([]);
  });
});
