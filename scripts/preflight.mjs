/**
 * `npm run preflight -- --env production`: what must hold before an environment is deployed, and what could not be asked. Ends with 1
 * where something has to change first.
 *
 *   npm run preflight -- --env production
 *   npm run preflight -- --env staging --url https://account-data-import-staging.north.workers.dev
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { ROOT, stop } from './local.mjs';
import { ask } from './preflight/ask.ts';
import { check, patternsOf } from './preflight/check.ts';

const ENVIRONMENTS = ['staging', 'production'];

const { values } = parseArgs({ options: { env: { type: 'string' }, url: { type: 'string' } } });
const { env } = values;
if (!ENVIRONMENTS.includes(env)) stop(`Which environment? Say --env ${ENVIRONMENTS.join(' or --env ')}.`);

process.env.WRANGLER_SEND_METRICS = 'false';
const config = readConfig({ config: join(ROOT, 'wrangler.toml'), env });
const [address] = patternsOf(config);
const url = values.url ?? (address ? `https://${address.replace(/\/\*?$/, '')}` : undefined);

async function wrangler(args) {
  const { stdout } = await promisify(execFile)('npx', ['wrangler', ...args], { cwd: ROOT });
  return stdout;
}

const { refused, notAsked } = check(config, env, await ask(env, url, wrangler));
for (const reason of refused) console.log(`REFUSED    ${reason}`);
for (const gap of notAsked) console.log(`not asked  ${gap}`);
if (refused.length === 0)
  console.log(notAsked.length === 0 ? `${env} is ready to be deployed.` : `Nothing else speaks against a deploy of ${env}.`);
process.exit(refused.length === 0 ? 0 : 1);
