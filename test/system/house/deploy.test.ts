/** `npm run deploy` against a double of wrangler: what it makes, in which order, and that it may be stopped anywhere. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../scripts/deploy/check';
import { withDatabaseId } from '../../../scripts/deploy/configuration';
import { deployTo, type Tools, type Wanted } from '../../../scripts/deploy/deploy';
import { readRoot } from '../../support/source';
import { aCloudflare, type Cloudflare } from './cloudflare';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { unstable_readConfig: readConfig }: { unstable_readConfig(options: { config: string; env: string }): Config } = createRequire(
  import.meta.url,
)('wrangler');

const STAGING: Wanted = { environment: 'staging', isDryRun: false, mayShowSecrets: true };
const NAMES = [
  'account-imports-staging',
  'webhook-deliveries-staging',
  'account-imports-dead-letters-staging',
  'webhook-deliveries-dead-letters-staging',
];

interface Deployer extends Tools {
  readonly cloud: Cloudflare;
  readonly said: string[];
  file(): string;
}

/** Somebody who deploys from a folder of his own, with this wrangler.toml. */
function aDeployer(cloud = aCloudflare(), source = readRoot('wrangler.toml')): Deployer {
  const file = join(mkdtempSync(join(tmpdir(), 'deploy-')), 'wrangler.toml');
  let text = source;
  let clock = Date.parse('2026-11-20T10:00:00Z');
  let secrets = 0;
  const said: string[] = [];
  return {
    cloud,
    said,
    file: () => text,
    wrangler: cloud.wrangler,
    get: cloud.get,
    say: (line) => void said.push(line),
    config: () => {
      writeFileSync(file, text);
      return readConfig({ config: file, env: 'staging' });
    },
    writeDatabaseId: (name, id) => {
      text = withDatabaseId(text, name, id);
    },
    secret: () => `secret-${cloud.calls.length}-${++secrets}-of-at-least-32-bytes`,
    pause: async (milliseconds) => {
      clock += milliseconds;
    },
    now: () => clock,
    targets: () => ['https://account-data-import-staging.north.workers.dev', 'schedule: * * * * *'],
  };
}

/** Only what changes something. */
const changes = (cloud: Cloudflare): string[] => cloud.calls.filter((call) => !/ (?:list|info|status|view) /.test(`${call} `));

const shownTokens = (said: readonly string[]): string[] => said.flatMap((line) => line.match(/secret-\S+/g) ?? []);

describe('npm run deploy', () => {
  it('makes all that is missing, in an order in which nothing lacks what it needs, and ends ready', async () => {
    const one = aDeployer();
    expect(await deployTo(STAGING, one)).toEqual({ kind: 'ready', url: 'https://account-data-import-staging.north.workers.dev' });
    expect(changes(one.cloud)).toEqual([
      'd1 create account-data-import-staging --update-config=false',
      'r2 bucket create account-data-import-documents-staging --update-config=false',
      ...NAMES.map((name) => `queues create ${name}`),
      'secret bulk --env staging',
      'd1 migrations apply DB --remote --env staging',
      'deploy --env staging',
    ]);
    const { calls } = one.cloud;
    const bookmark = calls.indexOf('d1 time-travel info DB --env staging --json');
    expect(bookmark).toBeGreaterThan(0);
    expect(bookmark).toBeLessThan(calls.indexOf('d1 migrations apply DB --remote --env staging'));
    expect(one.said.some((line) => line.includes('2026-11-20T10:00:00.000Z: bookmark 00000001-'))).toBe(true);
    expect(one.file()).toContain(
      `database_name = "account-data-import-staging"\ndatabase_id = "${one.cloud.databases.get('account-data-import-staging')}"`,
    );
    expect(one.file()).toContain('database_name = "account-data-import-production"\ndatabase_id = "00000000-');
    expect([...one.cloud.secrets.keys()]).toEqual(['TOKEN_SIGNING_KEY', 'OPERATOR_TOKEN']);
  });

  it('prints every command before it runs', async () => {
    const one = aDeployer();
    await deployTo(STAGING, one);
    const printed = one.said.filter((line) => line.startsWith('$ ')).map((line) => line.replace(/^\$ npx wrangler | {3}\(.*\)$/g, ''));
    expect(printed).toEqual(one.cloud.calls);
  });

  it('shows the operator token once, the signing key never, and gives no secret to a command line', async () => {
    const one = aDeployer();
    await deployTo(STAGING, one);
    expect(shownTokens(one.said)).toEqual([one.cloud.secrets.get('OPERATOR_TOKEN')]);
    expect(one.cloud.calls.join()).not.toContain('secret-');
    await deployTo(STAGING, one);
    expect(shownTokens(one.said)).toHaveLength(1);
  });

  it('makes nothing that is there: a second one applies migrations and deploys, no more', async () => {
    const one = aDeployer();
    await deployTo(STAGING, one);
    const [before, secrets] = [changes(one.cloud).length, new Map(one.cloud.secrets)];
    expect((await deployTo(STAGING, one)).kind).toBe('ready');
    expect(changes(one.cloud).slice(before)).toEqual(['d1 migrations apply DB --remote --env staging', 'deploy --env staging']);
    expect(one.cloud.secrets).toEqual(secrets);
  });

  it.each(['before', 'after'] as const)('goes on where it was stopped, %s the effect of any call', async (moment) => {
    const whole = aDeployer();
    await deployTo(STAGING, whole);
    expect(whole.cloud.calls.length).toBeGreaterThan(12);
    for (let call = 1; call <= whole.cloud.calls.length; call++) {
      const one = aDeployer(aCloudflare({ call, moment }));
      await expect(deployTo(STAGING, one).then(({ kind }) => kind)).rejects.toThrow('the network');
      expect((await deployTo(STAGING, one)).kind, `stopped ${moment} call ${call}`).toBe('ready');
      const { made, secrets } = one.cloud;
      expect(made, `stopped ${moment} call ${call}`).toEqual(whole.cloud.made);
      const shown = shownTokens(one.said);
      const isLost = moment === 'after' && one.cloud.failed === 'secret bulk --env staging';
      expect(shown).toEqual(isLost ? [] : [secrets.get('OPERATOR_TOKEN')]);
      if (isLost) expect(one.said.join()).toContain('npx wrangler secret put OPERATOR_TOKEN --env staging sets another');
    }
  });

  it('changes nothing with --dry-run, and says each thing that it would do', async () => {
    const one = aDeployer();
    expect(await deployTo({ ...STAGING, isDryRun: true, mayShowSecrets: false }, one)).toEqual({ kind: 'planned' });
    expect(changes(one.cloud)).toEqual([]);
    expect(one.file()).toBe(readRoot('wrangler.toml'));
    const would = one.said.filter((line) => line.startsWith('would run')).map((line) => line.replace('would run  npx wrangler ', ''));
    const real = aDeployer();
    await deployTo(STAGING, real);
    expect(would.filter((line) => !line.includes('time-travel'))).toEqual(changes(real.cloud));
    expect(shownTokens(one.said)).toEqual([]);
  });

  it('refuses before it changes anything', async () => {
    const one = aDeployer(undefined, readRoot('wrangler.toml').replaceAll('invocation_logs = false', 'invocation_logs = true'));
    expect(await deployTo(STAGING, one)).toEqual({ kind: 'refused', reasons: [expect.stringContaining('invocation_logs')] });
    expect(changes(one.cloud)).toEqual([]);
  });

  it('refuses what wrangler.toml alone says before it asks anybody, logged in or not', async () => {
    const one = aDeployer(aCloudflare({ isLoggedOut: true }), readRoot('wrangler.toml').replace('crons = ["* * * * *"]', 'crons = []'));
    expect(await deployTo(STAGING, one)).toEqual({ kind: 'refused', reasons: [expect.stringContaining('cron')] });
    expect(one.cloud.calls).toEqual([]);
  });

  it('makes no operator token where what it shows would stay in a log', async () => {
    const one = aDeployer();
    expect(await deployTo({ ...STAGING, mayShowSecrets: false }, one)).toEqual({
      kind: 'refused',
      reasons: [expect.stringContaining('OPERATOR_TOKEN')],
    });
    expect(changes(one.cloud)).toEqual([]);
    await deployTo(STAGING, one);
    expect((await deployTo({ ...STAGING, mayShowSecrets: false }, one)).kind).toBe('ready');
  });

  it('refuses another account: its databases are not those of wrangler.toml', async () => {
    const one = aDeployer();
    await deployTo(STAGING, one);
    const elsewhere = aDeployer(aCloudflare(), one.file());
    expect(await deployTo(STAGING, elsewhere)).toEqual({ kind: 'refused', reasons: [expect.stringContaining('Is it the right account?')] });
    expect(changes(elsewhere.cloud)).toEqual([]);
    elsewhere.cloud.databases.set('account-data-import-staging', '11111111-2222-3333-4444-555555555555');
    expect(await deployTo(STAGING, elsewhere)).toMatchObject({ reasons: [expect.stringContaining('Which is right?')] });
  });

  it('fails where wrangler fails for another reason than that something is missing', async () => {
    const one = aDeployer(aCloudflare({ isLoggedOut: true }));
    await expect(deployTo(STAGING, one)).rejects.toThrow('CLOUDFLARE_API_TOKEN');
    expect(changes(one.cloud)).toEqual([]);
  });

  it('makes database and bucket where it is asked to', async () => {
    const one = aDeployer();
    await deployTo({ ...STAGING, location: 'weur' }, one);
    expect(changes(one.cloud).slice(0, 2)).toEqual([
      'd1 create account-data-import-staging --update-config=false --location weur',
      'r2 bucket create account-data-import-documents-staging --update-config=false --location weur',
    ]);
  });

  it('waits for the first sweep, and asks /readyz, never /healthz', async () => {
    const one = aDeployer(aCloudflare({ notReady: { times: 30, name: 'sweep' } }));
    expect((await deployTo(STAGING, one)).kind).toBe('ready');
    expect(one.said.filter((line) => line.startsWith('not ready'))).toEqual([expect.stringContaining('sweep')]);
    expect(new Set(one.cloud.asked)).toEqual(new Set(['https://account-data-import-staging.north.workers.dev/readyz']));
  });

  it('ends not ready with the reasons, after two minutes', async () => {
    const one = aDeployer(aCloudflare({ notReady: { times: 1_000, name: 'write' } }));
    const began = one.now();
    expect(await deployTo(STAGING, one)).toMatchObject({ kind: 'not_ready', reasons: [expect.stringContaining('write')] });
    expect(one.now() - began).toBe(120_000);
  });

  it('asks the address that it is given, and says so where there is none', async () => {
    const one = aDeployer();
    expect(await deployTo({ ...STAGING, url: 'https://import.north.test/' }, one)).toEqual({
      kind: 'ready',
      url: 'https://import.north.test/',
    });
    expect(one.cloud.asked.at(-1)).toBe('https://import.north.test/readyz');
    expect(await deployTo(STAGING, { ...one, targets: () => [] })).toMatchObject({
      kind: 'not_ready',
      reasons: [expect.stringContaining('--url')],
    });
  });
});

describe('the id of a database', () => {
  it('is put below its name alone, and nowhere where the two are not together', () => {
    const text = 'database_name = "a"\ndatabase_id = "0"\n\ndatabase_name = "b"\ndatabase_id = "0"\n';
    expect(withDatabaseId(text, 'b', '1')).toBe('database_name = "a"\ndatabase_id = "0"\n\ndatabase_name = "b"\ndatabase_id = "1"\n');
    expect(() => withDatabaseId('database_name = "a"\n', 'a', '1')).toThrow('put in 1');
    expect(() => withDatabaseId(text, 'c', '1')).toThrow('put in 1');
  });
});
