/**
 * `npm run deploy -- --env staging`: makes what is missing (database, bucket, queues, secrets), applies the migrations, deploys, and asks the
 * deployed service whether it is ready. Stopped anywhere, it goes on when it is run again. Every command of wrangler is printed.
 *
 *   npm run deploy -- --env staging --dry-run       what it would do, and what speaks against it
 *   npm run deploy -- --env production
 *   npm run deploy -- --env staging --location weur --url https://import.example.com
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { withDatabaseId } from './deploy/configuration.ts';
import { deployTo } from './deploy/deploy.ts';
import { ROOT, stop } from './local.ts';
import { commandOf } from './programs.ts';
import { withoutColours } from './start/output.ts';

const ENVIRONMENTS = ['staging', 'production'];
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'];
const FILE = join(ROOT, 'wrangler.toml');

const { env: environment, location, url, 'dry-run': isDryRun } = options();
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const outputPath = join(folder, 'output.ndjson');
process.env.WRANGLER_SEND_METRICS = 'false';

// What `/tools/` serves is built, not committed.
if (!isDryRun) execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: 'inherit' });

const outcome = await deployTo(
  { environment, isDryRun, location, url, mayShowSecrets: process.stdout.isTTY === true },
  {
    wrangler,
    get: fetch,
    say: console.log,
    config: () => readConfig({ config: FILE, env: environment }),
    writeDatabaseId: (name, id) => writeFileSync(FILE, withDatabaseId(readFileSync(FILE, 'utf8'), name, id)),
    secret: () => randomBytes(32).toString('base64url'),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    now: Date.now,
    targets,
  },
).catch((error: Error) =>
  stop(`\n${error.message.trim()}\n\nStopped. Put that right and run the same command again: it goes on from there.`),
);

switch (outcome.kind) {
  case 'ready':
    console.log(`${environment} is deployed and ready at ${outcome.url}`);
    break;
  case 'planned':
    console.log(`Nothing speaks against a deploy of ${environment}.`);
    break;
  case 'refused':
    for (const reason of outcome.reasons) console.log(`REFUSED    ${reason}`);
    process.exit(1);
    break;
  case 'not_ready':
    stop(`${environment} is deployed, and not ready${outcome.url ? ` at ${outcome.url}` : ''}:\n${outcome.reasons.join('\n')}`);
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        env: { type: 'string' },
        location: { type: 'string' },
        url: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const { env, location } = values;
    if (env === undefined || !ENVIRONMENTS.includes(env)) stop(`Which environment? Say --env ${ENVIRONMENTS.join(' or --env ')}.`);
    if (location !== undefined && !LOCATIONS.includes(location)) stop(`--location is one of ${LOCATIONS.join(', ')}.`);
    return { ...values, env };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}. The options are --env, --dry-run, --location and --url.`);
  }
}

/** Without a terminal wrangler asks nothing: it takes its own answers. */
function wrangler(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    // With less, wrangler would not even print the JSON that it is asked for.
    const env = { ...process.env, WRANGLER_LOG: 'log', WRANGLER_OUTPUT_FILE_PATH: outputPath, NO_COLOR: '1' };
    const child = execFile(...commandOf('wrangler', args), { cwd: ROOT, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(withoutColours(`${stdout}\n${stderr}`)));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

/** Where wrangler has deployed to, as it writes for programs. */
function targets(): string[] {
  if (!existsSync(outputPath)) return [];
  const entries: { type: string; targets?: string[] }[] = readFileSync(outputPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return entries.flatMap(({ type, targets: all }) => (type === 'deploy' ? (all ?? []) : []));
}
