/**
 * `npm start`: sets the local service up (secrets, tables, demo data), serves it and says how to talk to it.
 *
 *   npm start                     http://127.0.0.1:8787
 *   npm start -- --port 9000      or PORT=9000 npm start
 *   npm start -- --verbose        every line of wrangler, which otherwise is in .wrangler/start.log
 *
 * Everything here is harmless when repeated: a second start finds what the first one made.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { isAlive, ROOT, readLocal, STATE, stop, writeLocal } from './local.ts';
import { commandOf, runSync } from './programs.ts';
import { greeting } from './start/greeting.ts';
import { watch } from './start/watch.ts';

const SWEEP_SECONDS = 10;
const HOST = '127.0.0.1';
const LOG = join(STATE, 'start.log');

process.chdir(ROOT);
// wrangler otherwise asks the network for facts that a local service does not need.
// Its log file is whole, whatever this shell has set.
const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'log' };
Object.assign(process.env, env);

const { port, isVerbose } = options();
await makeSureThePortIsFree(port);
say('Setting up the local service …');
writeSecrets();
applyMigrations();
const apiKey = await seedDemo();
const url = `http://${HOST}:${port}`;
const signInCode = randomBytes(12).toString('base64url');
const { child: dev, lastLines } = serve(port);
await ready(url);
writeLocal({ apiKey, url, pid: process.pid });
say('');
console.log(`${greeting({ url, apiKey, signInCode, log: relative(ROOT, LOG) })}\n`);
await sweepForEver(url);

function options() {
  const values = optionsGiven();
  const given = values.port ?? process.env.PORT ?? '8787';
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) stop(`"${given}" is no port: give a number from 1 to 65535.`);
  return { port: number, isVerbose: values.verbose };
}

function optionsGiven() {
  try {
    return parseArgs({ options: { port: { type: 'string' }, verbose: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}. The options are --port NUMBER and --verbose.`);
  }
}

/** Says what is being done on a terminal, on a line that the next words take. */
function say(words: string) {
  if (process.stderr.isTTY && !isVerbose) process.stderr.write(`\r\u001b[K${words}`);
}

async function makeSureThePortIsFree(number: number) {
  const { pid, url: served } = readLocal();
  if (isAlive(pid)) stop(`The service of this folder is already running at ${served} (process ${pid}). Stop it first.`);
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(number, HOST, () => probe.close(() => resolve()));
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${error.code})`;
    stop(`Port ${number} ${why}. Stop that program, or choose another port: npm start -- --port ${number === 65_535 ? 8787 : number + 1}`);
  });
}

/**
 * Local secrets are made once and stay; real ones are made by `npm run deploy`. What a later release needs is added, unless it is there or commented out.
 */
function writeSecrets() {
  const file = join(ROOT, '.dev.vars');
  const secret = () => randomBytes(32).toString('base64url');
  const variables = [
    ['TOKEN_SIGNING_KEY', secret()],
    ['OPERATOR_TOKEN', secret()],
    ['PLATFORM_TOKEN', secret()],
    ['WEBHOOK_SIGNING_KEY', secret()],
    ['WEBHOOK_ALLOW_LOCAL', 'on', 'Alerts may go to http://127.0.0.1:port where this says on.'],
    ['SANDBOX_VENDOR', 'on', 'The SANDBOX payment vendor answers only where this says on.'],
  ];
  const given = existsSync(file) ? readFileSync(file, 'utf8') : '# Local secrets, made by npm start. Never committed.\n';
  const lines = variables
    .filter(([name]) => !new RegExp(`^[#\\s]*(?:export\\s+)?${name}\\s*=`, 'm').test(given))
    .flatMap(([name, value, about]) => [...(about ? [`# ${about}`] : []), `${name}=${value}`]);
  if (lines.length === 0) return;
  const separator = given === '' || given.endsWith('\n') ? '' : '\n';
  writeFileSync(file, `${given}${separator}${lines.join('\n')}\n`, { mode: 0o600 });
}

function applyMigrations() {
  // With stdin ignored wrangler takes yes for the answer to its own question.
  const run = runSync('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  if (run.status === 0) return;
  process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}`);
  stop(`The local tables could not be brought up to date${run.error ? ` (${run.error.message})` : ''}. npm run reset makes them anew.`);
}

async function seedDemo() {
  // Read by wrangler as it is loaded: it has nothing to say here but what went wrong.
  process.env.WRANGLER_LOG = 'error';
  const { newApiKey, seed } = await import('./seed.ts');
  const key = readLocal().apiKey ?? newApiKey();
  writeLocal({ apiKey: key });
  await seed(key);
  return key;
}

function serve(number: number) {
  mkdirSync(STATE, { recursive: true });
  // The digest alone: other users of this machine can read the arguments of a program.
  const digest = createHash('sha256').update(signInCode).digest('hex');
  const child = spawn(
    ...commandOf('wrangler', [
      ...['dev', '--port', `${number}`, '--ip', HOST, '--inspector-port', '0', '--show-interactive-dev-session=false'],
      ...['--var', `LOCAL_SIGN_IN_SHA256:${digest}`],
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'], env },
  );
  const unseen = watch([child.stdout, child.stderr], LOG, isVerbose);
  let isStopped = false;
  const end = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  // npm may die without passing its signal on; then wrangler must not stay behind on the port.
  const parents = parentsOf();
  setInterval(() => {
    if (parentsOf() !== parents) end('SIGTERM');
  }, 500).unref();
  child.on('close', (code) => {
    if (isStopped || code === 0) process.exit(code ?? 0);
    say('');
    console.error(`${unseen()}\n`);
    stop(`wrangler ended by itself${code === null ? '' : ` (${code})`}; what it said last is above, all of it in ${relative(ROOT, LOG)}.`);
  });
  child.on('error', (error) => stop(`wrangler could not be started (${error.message}). Run npm ci first.`));
  return { child, lastLines: unseen };
}

/** Who waits for this: npm, or a shell and npm behind it (a shell outlives the npm that was killed). On Windows nobody knows. */
function parentsOf() {
  const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
  try {
    const [, next] = isRunByNpm ? (/\) \S (\d+)/.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8')) ?? []) : [];
    return `${process.ppid} ${next}`;
  } catch {
    // macOS has no /proc, and its shell becomes what it runs.
    return `${process.ppid}`;
  }
}

async function ready(base: string) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(150)) {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  dev.removeAllListeners('close');
  dev.kill('SIGTERM');
  console.error(`\n${lastLines()}\n`);
  stop(`The service did not answer within a minute; what wrangler said last is above, all of it in ${relative(ROOT, LOG)}.`);
}

/**
 * wrangler's local server never fires cron by itself. In production the sweep runs every minute; here more often, because the
 * local queue lives in memory and only the sweep sends again what a stopped service had not finished.
 */
async function sweepForEver(base: string) {
  for (let hasComplained = false; ; await sleep(SWEEP_SECONDS * 1_000)) {
    const answer = await fetch(`${base}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
    if (answer?.ok || hasComplained) continue;
    hasComplained = true;
    console.error(`The sweep failed (${answer?.status ?? 'no answer'}); it is tried again every ${SWEEP_SECONDS} s.`);
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
