import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { PROJECTS, WORKERS } from './test/support/projects.ts';
import { queryNames } from './test/support/query-names.ts';

// wrangler and workerd say what goes well, too; a run shows what fails.
process.env['WRANGLER_LOG'] ??= 'error';

const migrations = await readD1Migrations('./migrations');

const settings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
// How many histories the simulation runs, and for how long; see scripts/simulate.ts.
const simulation = settings('SIMULATION_SEED', 'SIMULATION_SEEDS', 'SIMULATION_SECONDS', 'SIMULATION_EXHAUSTIVE');
// Which bad inputs are tried; see scripts/fuzz.ts.
const fuzz = settings('FUZZ_SEED', 'FUZZ_INPUTS');

// No test waits for time; these only end what hangs, on the slowest machine.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

// `.ci/run` names the file that its last line is counted from.
const results = process.env['TEST_RESULTS'];

export default defineConfig({
  test: {
    // One file a core: each waits for its own workerd most of the time.
    maxWorkers: '100%',
    // What the service logs is shown with the test that fails, and how long a test took where that is out of the ordinary.
    slowTestThreshold: 60_000,
    silent: 'passed-only',
    reporters: [
      'default',
      './test/support/coverage-reporter.ts',
      './test/support/plans-reporter.ts',
      ...(results ? [['json', { outputFile: results }] as ['json', object]] : []),
    ],
    projects: [
      {
        // Pure rules and architecture: plain Node, and nothing that one file could leave for another.
        test: { ...patience, name: 'rules', isolate: false, include: [...PROJECTS.rules] },
      },
      {
        // Everything that touches D1, R2, Queues or HTTP: inside workerd.
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // Stands in for the limit of an organisation where a test shows what happens beyond it.
              ratelimits: { SMALL_RATE: { namespace_id: '9001', simple: { limit: 5, period: 60 } } },
              bindings: {
                MIGRATIONS: migrations,
                TOKEN_SIGNING_KEY: 'test-signing-key-of-at-least-32-bytes',
                OPERATOR_TOKEN: 'test-operator-token-of-at-least-32-bytes',
                PLATFORM_TOKEN: 'test-platform-token-of-at-least-32-bytes',
                WEBHOOK_SIGNING_KEY: 'test-webhook-key-of-at-least-32-bytes',
                WEBHOOK_ALLOW_LOCAL: 'on',
                SANDBOX_VENDOR: 'on',
                RETRY_BASE_SECONDS: '1',
                STRIPE_API_KEY: 'sk_test_of_the_vendor_double',
                STRIPE_API_BASE: inject('vendorUrl'),
                GOCARDLESS_ACCESS_TOKEN: 'sandbox_of_the_vendor_double',
                GOCARDLESS_API_BASE: inject('vendorUrl'),
              },
            },
          })),
          queryNames(),
        ],
        test: {
          ...patience,
          name: 'workers',
          ...WORKERS,
          globalSetup: ['test/support/vendor-double.ts'],
          setupFiles: ['test/support/migrate.ts', 'test/support/sent-queries.ts'],
        },
      },
      {
        // The importer's kit and others against the whole service over HTTP, from plain Node.
        test: {
          ...patience,
          name: 'service',
          include: [...PROJECTS.service],
          globalSetup: ['test/support/service.ts'],
        },
      },
      {
        // `npm start` as a newcomer meets it, and what the README tells to paste.
        test: {
          ...patience,
          name: 'first-minute',
          include: [...PROJECTS['first-minute']],
          globalSetup: ['test/system/first-minute/build.ts'],
        },
      },
      {
        // The operator console in the machine's Chromium, if it has one.
        test: {
          ...patience,
          name: 'browser',
          include: [...PROJECTS.browser],
          globalSetup: ['test/support/service.ts'],
        },
      },
      {
        // Random histories and failures; `npm run simulate`.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                MIGRATIONS: migrations,
                TOKEN_SIGNING_KEY: 'test-signing-key-of-at-least-32-bytes',
                OPERATOR_TOKEN: 'test-operator-token-of-at-least-32-bytes',
                PLATFORM_TOKEN: 'test-platform-token-of-at-least-32-bytes',
                WEBHOOK_SIGNING_KEY: 'test-webhook-key-of-at-least-32-bytes',
                WEBHOOK_ALLOW_LOCAL: 'on',
                SANDBOX_VENDOR: 'on',
                RETRY_BASE_SECONDS: '5',
                ...simulation,
              },
            },
          }),
        ],
        test: { ...patience, name: 'simulation', include: [...PROJECTS.simulation], setupFiles: ['test/support/migrate.ts'] },
      },
      {
        // Bad input at every endpoint; `npm run fuzz`.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                MIGRATIONS: migrations,
                TOKEN_SIGNING_KEY: 'test-signing-key-of-at-least-32-bytes',
                OPERATOR_TOKEN: 'test-operator-token-of-at-least-32-bytes',
                PLATFORM_TOKEN: 'test-platform-token-of-at-least-32-bytes',
                WEBHOOK_SIGNING_KEY: 'test-webhook-key-of-at-least-32-bytes',
                WEBHOOK_ALLOW_LOCAL: 'on',
                SANDBOX_VENDOR: 'on',
                ...fuzz,
              },
            },
          }),
        ],
        test: { ...patience, name: 'fuzz', include: [...PROJECTS.fuzz], setupFiles: ['test/support/migrate.ts'] },
      },
    ],
  },
});
