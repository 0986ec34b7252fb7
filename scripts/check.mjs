/**
 * `npm run check`: all that must hold before a change lands, cheapest first. `--without-tests` leaves the tests to the caller.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './local.mjs';
import { commandOf } from './programs.mjs';
import { startupMilliseconds } from './startup.mjs';

const MAX_BUNDLE_BYTES = 256 * 1024;
const MAX_STARTUP_MILLISECONDS = 60;
/** Each has a `tsconfig.json` of its own: the tests and scripts, and the programs of `src`, each with the globals it runs with. */
const PROJECTS = ['.', 'src', 'src/shared', 'src/kit', 'src/kit/client', 'src/openapi'];
const BUNDLE = join(ROOT, 'dist', 'worker.js');

process.chdir(ROOT);
Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });

let failures = 0;

step('format', () => run('biome', ['check', '.']));
for (const project of PROJECTS) step(`types ${project}`, () => run('tsc', ['-p', project]));
step('lint', () => run('oxlint', ['--type-aware', 'src', 'test']));
step('openapi', () => run('redocly', ['lint', 'public/openapi.json']));
step('build', () => run('wrangler', ['deploy', '--dry-run', '--outdir', 'dist']));
step('kit', () => run('node', ['scripts/build.mjs']));
step('bundle', bundleSize);
step('startup', startupCpu);
step('dead code', () => run('knip', ['--no-config-hints']));
step('kill test', () => run('node', ['scripts/kill-test.mjs', '--kills', '2', '--hurry']));
if (!process.argv.includes('--without-tests')) step('tests', () => run('vitest', ['run'], 'inherit'));
process.exit(failures === 0 ? 0 : 1);

/** Runs one step and goes on after a failure: one run tells all that is wrong. */
function step(name, work) {
  const started = Date.now();
  try {
    const told = work();
    console.log(`ok      ${name.padEnd(20)} ${((Date.now() - started) / 1000).toFixed(1)} s${told ? `   ${told}` : ''}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name.padEnd(20)} ${error.message}`);
  }
}

function run(program, args, stdio = 'pipe') {
  const [command, all] = program === 'node' ? [process.execPath, args] : commandOf(program, args);
  const { status, stdout, stderr, error } = spawnSync(command, all, { stdio: ['ignore', stdio, stdio] });
  if (status === 0) return;
  process.stdout.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  throw new Error(`${program} ${args.join(' ')}`);
}

function bundleSize() {
  const bytes = gzipSync(readFileSync(BUNDLE), { level: 9 }).length;
  const told = `${(bytes / 1024).toFixed(1)} KiB gzip of ${MAX_BUNDLE_BYTES / 1024} allowed`;
  if (bytes > MAX_BUNDLE_BYTES) throw new Error(told);
  return told;
}

/** On a machine with more work than cores even the least of many tries says nothing, so there it is told but not judged. */
function startupCpu() {
  const least = startupMilliseconds(BUNDLE, 15);
  const told = `${least.toFixed(0)} ms CPU of ${MAX_STARTUP_MILLISECONDS} allowed`;
  const load = loadavg()[0] / availableParallelism();
  if (load > 1.2) return `${told}; not judged, the machine is busy (load ${load.toFixed(1)} a core)`;
  if (least > MAX_STARTUP_MILLISECONDS) throw new Error(told);
  return told;
}
