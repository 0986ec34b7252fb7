/** What `wrangler.toml` holds in every environment, and what a deploy refuses. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../../../scripts/deploy/ask';
import { type Asked, type Config, check, missingSecrets } from '../../../scripts/deploy/check';
import { ORGANISATION_REQUESTS, RATE_PERIOD_SECONDS } from '../../../src/http/failed-credentials';
import { readRoot } from '../../support/source';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { unstable_readConfig: readConfig }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');

const SOURCE = readRoot('wrangler.toml');
const ENVIRONMENTS = [undefined, 'staging', 'production'] as const;

/** The part of an environment's configuration that is asserted here. */
interface Whole extends Config {
  readonly d1_databases: readonly { readonly binding: string; readonly database_id: string; readonly database_name: string }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly queues: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly ratelimits: readonly { readonly name: string; readonly namespace_id: string; readonly simple: object }[];
  readonly logpush?: boolean;
}

const configOf = (env: string | undefined, source = SOURCE): Whole => {
  const file = join(mkdtempSync(join(tmpdir(), 'wrangler-')), 'wrangler.toml');
  writeFileSync(file, source);
  return readConfig({ config: file, ...(env === undefined ? {} : { env }) });
};

describe.each(ENVIRONMENTS)('wrangler.toml, environment %s', (env) => {
  const config = configOf(env);

  it('writes no invocation logs: they hold addresses, and addresses hold account numbers', () => {
    expect(config.observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } });
    expect(config.observability).not.toHaveProperty('traces');
    expect(config.logpush ?? false).toBe(false);
  });

  it('has every binding and variable of the others', () => {
    const local = configOf(undefined);
    const namesOf = (one: typeof config) => ({
      databases: one.d1_databases.map(({ binding }) => binding),
      buckets: one.r2_buckets.map(({ binding }) => binding),
      producers: one.queues.producers.map(({ binding }) => binding),
      limits: one.ratelimits.map(({ name, simple }) => [name, simple]),
      consumers: one.queues.consumers.map(({ queue: _, dead_letter_queue, ...rest }) => [Boolean(dead_letter_queue), rest]),
      variables: Object.keys(one.vars),
      crons: one.triggers.crons,
    });
    expect(namesOf(config)).toEqual(namesOf(local));
    expect(config.ratelimits.find(({ name }) => name === 'ORGANISATION_RATE')?.simple).toEqual({
      limit: ORGANISATION_REQUESTS,
      period: RATE_PERIOD_SECONDS,
    });
  });

  it('shares no namespace of a limit, no database and no bucket with another', () => {
    const idsOf = (one: typeof config) => [
      ...one.ratelimits.map(({ namespace_id }) => namespace_id),
      ...one.r2_buckets.map(({ bucket_name }) => bucket_name),
      ...one.d1_databases.map(({ database_name }) => database_name),
    ];
    const others = ENVIRONMENTS.filter((other) => other !== env).flatMap((other) => idsOf(configOf(other)));
    expect(idsOf(config).filter((id) => others.includes(id))).toEqual([]);
  });

  it('leaves what Cloudflare Access is to the operator: an empty line would overwrite it at each deploy', () => {
    expect(Object.keys(config.vars).filter((name) => name.startsWith('ACCESS_'))).toEqual([]);
  });
});

/** A file that is ready to be deployed. */
const READY = SOURCE.replace(
  /(name = "account-data-import-production"\nworkers_dev = false\n)/,
  '$1routes = [{ pattern = "import.north.test", custom_domain = true }]\n',
).replace(/(database_name = "account-data-import-production"\ndatabase_id = ")[^"]+/, '$1b5f2c1de-4a43-4b8f-9b1e-2d6f1c2a3b4c');

const ASKED: Asked = {
  secrets: ['TOKEN_SIGNING_KEY', 'OPERATOR_TOKEN'],
  deployed: [
    { type: 'plain_text', name: 'STRIPE_API_BASE', text: 'https://api.stripe.com' },
    { type: 'secret_text', name: 'TOKEN_SIGNING_KEY' },
  ],
  tooShort: [],
};

const findings = (source: string, asked: Partial<Asked> = {}, env = 'production') =>
  check(configOf(env, source), env, { ...ASKED, ...asked });

describe('what a deploy refuses', () => {
  it('lets a file pass that is ready, with the secrets in place', () => {
    expect(findings(READY)).toEqual({ refused: [], notAsked: [] });
  });

  it('refuses this repository’s own file for production: it has no address yet', () => {
    expect(findings(SOURCE).refused).toEqual([expect.stringContaining('routes')]);
    expect(findings(SOURCE, {}, 'staging').refused).toEqual([]);
  });

  const line = (text: string) => READY.replace('[env.production.vars]\n', `[env.production.vars]\n${text}\n`);

  it.each<readonly [string, string, Partial<Asked>]>([
    ['routes', READY.replace('import.north.test', 'import.example.com'), {}],
    ['TOKEN_SIGNING_KEY is shorter than 32 bytes', READY, { tooShort: ['TOKEN_SIGNING_KEY'] }],
    ['TOKEN_SIGNING_KEY_PREVIOUS is shorter than 32 bytes', READY, { tooShort: ['TOKEN_SIGNING_KEY_PREVIOUS'] }],
    ['TOKEN_SIGNING_KEY is in [vars]', line('TOKEN_SIGNING_KEY = "in plain sight"'), {}],
    ['LOCAL_SIGN_IN_SHA256', line('LOCAL_SIGN_IN_SHA256 = "0"'), {}],
    ['LOCAL_SIGN_IN_SHA256', READY, { secrets: [...(ASKED.secrets ?? []), 'LOCAL_SIGN_IN_SHA256'] }],
    ['SANDBOX_VENDOR', line('SANDBOX_VENDOR = "on"'), {}],
    ['SANDBOX_VENDOR', READY, { secrets: [...(ASKED.secrets ?? []), 'SANDBOX_VENDOR'] }],
    ['ACCESS_AUDIENCE is empty', line('ACCESS_TEAM_DOMAIN = "north.cloudflareaccess.com"\nACCESS_AUDIENCE = ""'), {}],
    ['ACCESS_AUDIENCE is missing', line('ACCESS_TEAM_DOMAIN = "north.cloudflareaccess.com"'), {}],
    [
      'ACCESS_TEAM_DOMAIN is a variable of the deployed Worker',
      READY,
      {
        deployed: [
          { type: 'plain_text', name: 'ACCESS_TEAM_DOMAIN', text: 'north.cloudflareaccess.com' },
          { type: 'plain_text', name: 'ACCESS_AUDIENCE', text: 'a' },
        ],
      },
    ],
    [
      'ACCESS_AUDIENCE is another',
      line('ACCESS_TEAM_DOMAIN = "north.cloudflareaccess.com"\nACCESS_AUDIENCE = "b"'),
      { deployed: [{ type: 'plain_text', name: 'ACCESS_AUDIENCE', text: 'a' }] },
    ],
    ['DATABASE_EPOCH', READY, { deployed: [{ type: 'plain_text', name: 'DATABASE_EPOCH', text: '2' }] }],
    ['invocation_logs', READY.replace('invocation_logs = false', 'invocation_logs = true'), {}],
    ['cron', READY.replace('crons = ["* * * * *"]', 'crons = []'), {}],
  ])('refuses: %s', (words, source, asked) => {
    const { refused } = findings(source, asked);
    expect(refused).toEqual([expect.stringContaining(words)]);
  });

  it('takes Access for the operator token, as variables or as secrets', () => {
    const access = 'ACCESS_TEAM_DOMAIN = "north.cloudflareaccess.com"\nACCESS_AUDIENCE = "a"';
    const missing = (source: string, secrets: string[]) => missingSecrets(configOf('production', source), secrets);
    expect(findings(line(access), { secrets: ['TOKEN_SIGNING_KEY'] }).refused).toEqual([]);
    expect(missing(line(access), ['TOKEN_SIGNING_KEY'])).toEqual([]);
    expect(missing(READY, ['TOKEN_SIGNING_KEY', 'ACCESS_TEAM_DOMAIN', 'ACCESS_AUDIENCE'])).toEqual([]);
    expect(missing(READY, ['ACCESS_AUDIENCE'])).toEqual(['TOKEN_SIGNING_KEY', 'OPERATOR_TOKEN']);
    expect(missing(READY, ['OPERATOR_TOKEN'])).toEqual(['TOKEN_SIGNING_KEY']);
  });

  it('says what could not be asked, and refuses nothing for it', () => {
    const { refused, notAsked } = findings(READY, { secrets: undefined, deployed: undefined, tooShort: undefined });
    expect(refused).toEqual([]);
    expect(notAsked).toEqual([
      expect.stringContaining('secrets are set'),
      expect.stringContaining('long enough'),
      expect.stringContaining('variables'),
    ]);
  });
});

describe('what a deploy asks first', () => {
  const said: Record<string, string> = {
    'secret list --env production --format json': JSON.stringify([{ name: 'TOKEN_SIGNING_KEY', type: 'secret_text' }]),
    'deployments status --env production --json': JSON.stringify({ versions: [{ version_id: 'v1', percentage: 100 }] }),
    'versions view v1 --env production --json': JSON.stringify({ resources: { bindings: [{ type: 'plain_text', name: 'A', text: 'b' }] } }),
  };
  const wrangler = async (args: readonly string[]) => said[args.join(' ')] ?? Promise.reject(new Error('not logged in'));
  const readyz = (status: number, body: object) => async () => new Response(JSON.stringify(body), { status });

  it('reads secrets by name, the deployed variables, and short secrets from /readyz', async () => {
    const reasons = [
      { name: 'operator_token', detail: '' },
      { name: 'sweep', detail: '' },
    ];
    expect(await ask('production', 'https://import.north.test', wrangler, readyz(503, { reasons }))).toEqual({
      secrets: ['TOKEN_SIGNING_KEY'],
      deployed: [{ type: 'plain_text', name: 'A', text: 'b' }],
      tooShort: ['OPERATOR_TOKEN'],
    });
    expect((await ask('production', 'https://import.north.test', wrangler, readyz(200, { status: 'ready' }))).tooShort).toEqual([]);
  });

  it('leaves out what nobody answers: not logged in, never deployed, an older version, no address', async () => {
    const mute = () => Promise.reject(new Error('not logged in'));
    const nothing = { secrets: undefined, deployed: undefined, tooShort: undefined };
    expect(await ask('production', 'https://import.north.test', mute, mute)).toEqual(nothing);
    expect((await ask('production', 'https://import.north.test', wrangler, readyz(404, { code: 'not_found' }))).tooShort).toBeUndefined();
    expect((await ask('production', undefined, wrangler, mute)).tooShort).toBeUndefined();
  });
});
