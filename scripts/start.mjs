/**
 * `npm start`: sets the local service up (secrets, tables, demo data), serves it and says how to talk to it.
 *
 *   npm start                     http://127.0.0.1:8787
 *   npm start -- --port 9000      or PORT=9000 npm start
 *
 * Everything here is harmless when repeated: a second start finds what the first one made.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { examples } from './examples.mjs';
import { isAlive, ROOT, readLocal, stop, writeLocal } from './local.mjs';

const SWEEP_SECONDS = 10;
const HOST = '127.0.0.1';

process.chdir(ROOT);
// wrangler otherwise asks the network for facts that a local service does not need.
const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' };
Object.assign(process.env, env);

const port = portOf();
await makeSureThePortIsFree(port);
writeSecrets();
applyMigrations();
const apiKey = await seedDemo();
const url = `http://${HOST}:${port}`;
const dev = serve(port);
await ready(url);
writeLocal({ apiKey, url, pid: process.pid });
console.log(examples(url, apiKey));
sweepForEver(url);

function portOf() {
  let given;
  try {
    given = parseArgs({ options: { port: { type: 'string' } } }).values.port ?? process.env.PORT ?? '8787';
  } catch (error) {
    stop(`${error.message}. The only option is --port NUMBER.`);
  }
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) stop(`"${given}" is no port: give a number from 1 to 65535.`);
  return number;
}

async function makeSureThePortIsFree(number) {
  const { pid, url: served } = readLocal();
  if (isAlive(pid)) stop(`The service of this folder is already running at ${served} (process ${pid}). Stop it first.`);
  await new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(number, HOST, () => probe.close(resolve));
  }).catch((error) => {
    const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${error.code})`;
    stop(`Port ${number} ${why}. Stop that program, or choose another port: npm start -- --port ${number === 65_535 ? 8787 : number + 1}`);
  });
}

/** Local secrets are made once and stay; real ones are set with `wrangler secret put`. */
function writeSecrets() {
  const file = join(ROOT, '.dev.vars');
  if (existsSync(file)) return;
  const secret = () => randomBytes(32).toString('base64url');
  const lines = [
    '# Local secrets, made by npm start. Never committed.',
    `TOKEN_SIGNING_KEY=${secret()}`,
    `OPERATOR_TOKEN=${secret()}`,
    '# The SANDBOX payment vendor answers only where this says on.',
    'SANDBOX_VENDOR=on',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  console.log('Made .dev.vars with random local secrets.');
}

function applyMigrations() {
  // With stdin ignored wrangler takes yes for the answer to its own question.
  const run = spawnSync('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  if (run.status === 0) return;
  process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}`);
  stop(`The local tables could not be brought up to date${run.error ? ` (${run.error.message})` : ''}. npm run reset makes them anew.`);
}

async function seedDemo() {
  const { newApiKey, seed } = await import('./seed.mjs');
  const key = readLocal().apiKey ?? newApiKey();
  writeLocal({ apiKey: key });
  await seed(key);
  return key;
}

function serve(number) {
  const child = spawn(
    'wrangler',
    ['dev', '--port', `${number}`, '--ip', HOST, '--inspector-port', '0', '--show-interactive-dev-session=false'],
    { stdio: ['ignore', 'inherit', 'inherit'], env },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm may die without passing its signal on; then wrangler must not stay behind on the port.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
  child.on('exit', (code) => process.exit(code ?? 0));
  child.on('error', (error) => stop(`wrangler could not be started (${error.message}). Run npm ci first.`));
  return child;
}

async function ready(base) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(150)) {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  dev.kill('SIGTERM');
  stop('The service did not answer within a minute; what it said stands above.');
}

/**
 * wrangler's local server never fires cron by itself. In production the sweep runs every minute; here more often, because the
 * local queue lives in memory and only the sweep sends again what a stopped service had not finished.
 */
async function sweepForEver(base) {
  for (let hasComplained = false; ; await sleep(SWEEP_SECONDS * 1_000)) {
    const answer = await fetch(`${base}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
    if (answer?.ok || hasComplained) continue;
    hasComplained = true;
    console.error(`The sweep failed (${answer?.status ?? 'no answer'}); it is tried again every ${SWEEP_SECONDS} s.`);
  }
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
