/** `npm run deploy` with the real wrangler, against a double of Cloudflare's own interface: its commands exist, and its answers are understood. */
import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as cloudflare from '../../../scripts/deploy/cloudflare';
import { aClone, remove } from './clone';

const NAME = 'account-data-import-staging';
const UUID = 'b5f2c1de-4a43-4b8f-9b1e-2d6f1c2a3b4c';
const missing = (code: number, message: string) => ({ success: false, errors: [{ code, message }], messages: [], result: null });
const done = (result: unknown) => ({ success: true, errors: [], messages: [], result });

/** An account with one database, and nothing else. */
const ANSWERS: readonly (readonly [RegExp, object])[] = [
  [/^GET .*\/d1\/database\?/, done([{ uuid: UUID, name: 'there', version: 'production' }])],
  [/^POST .*\/d1\/database$/, done({ uuid: UUID, name: NAME })],
  [/^GET .*\/d1\/database\/[^/]+\/time_travel\/bookmark/, done({ bookmark: '00000001-00000002-00000003-0123' })],
  [/^GET .*\/d1\/database\/[^/?]+/, done({ uuid: UUID, name: 'there', version: 'production' })],
  [/^GET .*\/r2\/buckets\//, missing(10006, 'The specified bucket does not exist.')],
  [/^POST .*\/r2\/buckets$/, done({})],
  [/^GET .*\/queues\?/, done([])],
  [/^POST .*\/queues$/, done({ queue_name: 'made', queue_id: 'q' })],
  [/^GET .*\/secrets/, missing(10007, 'This Worker does not exist on your account.')],
  [/^(?:PATCH|PUT) .*\/secrets-bulk|^PATCH .*\/settings/, done({})],
];

let clone: string;
let url: string;
const asked: { readonly call: string; readonly body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    const call = `${request.method} ${request.url}`;
    asked.push({ call, body });
    const [, answer] = ANSWERS.find(([shape]) => shape.test(call)) ?? [undefined, missing(1, `no answer to ${call}`)];
    response.writeHead('success' in answer && answer.success === true ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});

beforeAll(async () => {
  clone = aClone();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  remove(clone);
});

const environment = () => ({
  ...process.env,
  CLOUDFLARE_API_BASE_URL: url,
  CLOUDFLARE_API_TOKEN: 'a-token-of-the-double',
  CLOUDFLARE_ACCOUNT_ID: 'account-of-the-double',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG: 'log',
  NO_COLOR: '1',
});

async function wrangler(args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(clone, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: clone,
    env: environment(),
  });
  running.child.stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}\n${stderr}`);
  }
}

describe('the real wrangler', () => {
  it('says what is there and what is missing in words that a deploy understands', async () => {
    expect(await cloudflare.databaseId(wrangler, 'there')).toBe(UUID);
    expect(await cloudflare.databaseId(wrangler, NAME)).toBeUndefined();
    expect(await cloudflare.hasBucket(wrangler, 'documents', undefined)).toBe(false);
    expect(await cloudflare.hasQueue(wrangler, 'account-imports-staging')).toBe(false);
    expect(await cloudflare.hasWorker(wrangler, 'staging')).toBe(false);
    expect(await cloudflare.currentBookmark(wrangler, 'staging')).toBe('00000001-00000002-00000003-0123');
  });

  it('takes every command that makes something, asking nobody', async () => {
    for (const args of [
      cloudflare.makeDatabase(NAME, 'weur'),
      cloudflare.makeBucket('documents', undefined, 'weur'),
      cloudflare.makeBucket('documents', 'eu', undefined),
      cloudflare.makeQueue('account-imports-staging'),
    ])
      await wrangler(args);
    const made = asked.filter(({ call }) => call.startsWith('POST')).map(({ body }) => JSON.parse(body));
    expect(made).toEqual([
      expect.objectContaining({ name: NAME, primary_location_hint: 'weur' }),
      expect.objectContaining({ name: 'documents', locationHint: 'weur' }),
      expect.objectContaining({ name: 'documents' }),
      expect.objectContaining({ queue_name: 'account-imports-staging' }),
    ]);
  });

  it('takes secrets on its standard input', async () => {
    const before = asked.length;
    await wrangler(cloudflare.setSecrets('staging'), JSON.stringify({ OPERATOR_TOKEN: 'a value' })).catch(() => undefined);
    const sent = asked.slice(before).filter(({ body }) => body.includes('a value'));
    expect(sent.map(({ call }) => call)).toEqual([expect.stringContaining(`/scripts/${NAME}/`)]);
  });
});

describe('npm run deploy', () => {
  const run = (env: Record<string, string | undefined>, ...args: string[]) =>
    spawnSync('npm', ['--silent', 'run', 'deploy', '--', ...args], { cwd: clone, encoding: 'utf8', env: { ...environment(), ...env } });

  it('asks for an environment, and stops with what wrangler said where nobody is logged in', () => {
    expect(run({})).toMatchObject({ status: 1, stderr: expect.stringContaining('--env staging or --env production') });
    expect(run({}, '--env', 'nowhere').status).toBe(1);
    expect(run({}, '--env', 'production', '--dry-run')).toMatchObject({ status: 1, stdout: expect.stringMatching(/^REFUSED .*routes/m) });
    expect(run({}, '--env', 'staging', '--location', 'moon').status).toBe(1);
    const out = run(
      { CLOUDFLARE_API_TOKEN: undefined, CLOUDFLARE_ACCOUNT_ID: undefined, HOME: clone, CI: '1' },
      '--env',
      'staging',
      '--dry-run',
    );
    expect(out).toMatchObject({ status: 1, stderr: expect.stringContaining('CLOUDFLARE_API_TOKEN') });
    expect(out.stderr).toContain('it goes on from there');
  });
});
