/** `npm start` in a folder that nobody has started anything in. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blocksOf } from './blocks';
import { aClone, remove, type Started, start } from './clone';

const READY = 'npm run demo';

/** A start of a test's own. */
async function aStart(prepare: (folder: string) => void = () => {}, ...options: string[]): Promise<Started> {
  const folder = aClone();
  prepare(folder);
  const service = await start(folder, ...options);
  onTestFinished(async () => {
    await service.stop();
    remove(folder);
  });
  return service;
}

/** What npm start says, without npm's own words above it. */
const saidBy = (service: Started): string[] => {
  const lines = service.stdout().split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('The service answers')));
};

const run = (folder: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('npm', ['--silent', ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('npm start', () => {
  let folder: string;
  let service: Started;
  beforeAll(async () => {
    folder = aClone();
    service = await start(folder);
    await service.says(READY);
  });
  afterAll(async () => {
    await service.stop();
    remove(folder);
  });

  it('says ten lines, those of the README, and nothing before them', () => {
    expect(service.stderr()).toBe('');
    const npms = service.stdout().split('The service answers')[0] ?? '';
    expect(npms.split('\n').filter((line) => line !== '' && !line.startsWith('> '))).toEqual([]);
    const lines = saidBy(service).slice(0, 10);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const [block] = blocksOf('README.md').filter(({ heading, language }) => heading === 'The first minute' && language === 'text');
    const general = lines
      .join('\n')
      .replaceAll(`:${service.port}`, ':8787')
      .replace(/code=[\w-]{16}$/m, 'code=…')
      .replace(/sk_live_[\w-]{43}$/m, 'sk_live_…');
    expect(general).toBe(block?.text);
  });

  it('opens the console by its link, once, and leaves no part of the code in the log', async () => {
    const [link = '', code = ''] = /http\S+code=([\w-]+)/.exec(service.stdout()) ?? [];
    const first = await fetch(link, { redirect: 'manual' });
    expect([first.status, first.headers.get('Location')]).toEqual([303, '/operator/']);
    const Cookie = first.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const console = await fetch(new URL('/operator/', link), { headers: { Cookie } });
    expect(await console.text()).toContain('Demo supplier');
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
    expect(readFileSync(join(folder, '.wrangler/start.log'), 'utf8')).not.toContain(code);
  });

  it('sums the requests of each second, and has each in the log', async () => {
    expect(run(folder, 'run', 'demo', '--', '--count', '40').status).toBe(0);
    await service.says(/\d requests?: /);
    // What is under way is said within a second.
    await new Promise((resume) => setTimeout(resume, 1_500));
    const said = saidBy(service)
      .slice(10)
      .filter((line) => line !== '');
    expect(said.filter((line) => !/^\d\d:\d\d:\d\d {2}\d+ requests?: \d+ × \d{3}(?:, \d+ × \d{3})*; slowest \d+ ms$/.test(line))).toEqual(
      [],
    );
    const sum = said.reduce((total, line) => total + Number(/(\d+) request/.exec(line)?.[1]), 0);
    const logged =
      readFileSync(join(folder, '.wrangler/start.log'), 'utf8').match(
        /^\[wrangler:info\] (?:GET|POST|PUT|PATCH|DELETE) \/(?!healthz|cdn-cgi|operator\/(?!v1\/)).*$/gm,
      ) ?? [];
    expect(sum).toBeGreaterThan(80);
    expect(sum).toBe(logged.length);
    expect(said.length).toBeLessThan(sum / 4);
  });

  it('shows what fails as it is: code that cannot be built', async () => {
    const broken = await aStart((one) => appendFileSync(join(one, 'src/worker.ts'), '\nconst = broken;\n'));
    await broken.says('src/worker.ts');
    expect(broken.stderr()).toMatch(/ERROR.*Build failed|Expected identifier/);
    expect(broken.stdout()).not.toContain('The service answers');
  });

  it('shows every line with --verbose, never changes secrets that are there but adds those that lack, and leaves nothing on its port', async () => {
    const secrets = `TOKEN_SIGNING_KEY=${'k'.repeat(40)}\nOPERATOR_TOKEN=${'o'.repeat(40)}\n#SANDBOX_VENDOR=on`;
    let file = '';
    const prepare = (one: string) => {
      file = join(one, '.dev.vars');
      writeFileSync(file, secrets);
    };
    const verbose = await aStart(prepare, '--verbose');
    await verbose.says(READY);
    expect(verbose.stdout()).toContain('Your Worker has access to the following bindings');
    expect((await fetch(`http://127.0.0.1:${verbose.port}/docs/`)).status).toBe(200);
    await verbose.says('GET /docs/ 200 OK');
    expect(verbose.stdout()).not.toContain('1 request');
    const written = readFileSync(file, 'utf8');
    expect(written.slice(0, secrets.length + 1)).toBe(`${secrets}\n`);
    expect(written.slice(secrets.length + 1).replace(/=[\w-]{43}$/gm, '=…')).toBe(
      'PLATFORM_TOKEN=…\nWEBHOOK_SIGNING_KEY=…\n# Webhooks and alerts may go to http://127.0.0.1:port where this says on.\nWEBHOOK_ALLOW_LOCAL=on\n',
    );
    await verbose.stop('SIGTERM');
  });

  it('leaves nothing on its port when npm is killed', async () => {
    const killed = await aStart();
    await killed.says(READY);
    await killed.stop('SIGKILL');
  });

  it('says in plain words what stands in its way: another start, a port in use, a port that is none', async () => {
    expect(run(folder, 'start')).toMatchObject({ status: 1, stderr: expect.stringContaining('is already running at') });
    expect(run(folder, 'run', 'reset')).toMatchObject({ status: 1, stderr: expect.stringContaining('Stop it first.') });
    const other = aClone();
    onTestFinished(() => remove(other));
    const taken = run(other, 'start', '--', '--port', String(service.port));
    expect(taken).toMatchObject({ status: 1, stderr: expect.stringContaining('is taken by another program') });
    expect(run(other, 'start', '--', '--port', 'many')).toMatchObject({ status: 1, stderr: expect.stringContaining('is no port') });
    expect(run(other, 'start', '--', '--nonsense')).toMatchObject({ status: 1, stderr: expect.stringContaining('The options are') });
    expect(existsSync(join(other, '.dev.vars'))).toBe(false);
  });
});

describe('npm run try and npm run demo', () => {
  it.each(['try', 'demo', 'api-key'])('npm run %s says what to start first', (script) => {
    const folder = aClone();
    onTestFinished(() => remove(folder));
    const { status, stdout, stderr } = run(folder, 'run', script);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('npm start');
  });
});
