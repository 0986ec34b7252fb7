/**
 * `npm run check`: all that must hold before a change lands, cheapest first. `--without-tests` leaves the tests to the caller.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './local.ts';
import { commandOf } from './programs.ts';
import { PROJECTS } from './projects.ts';
import { startupMilliseconds } from './startup.ts';

const MAX_BUNDLE_BYTES = 300 * 1024;
const MAX_STARTUP_MILLISECONDS = 60;
const BUNDLE = join(ROOT, 'dist', 'worker.js');
/** A file of the same size and kind, and what it takes on the machine that the bound of a start is for. */
const REFERENCE = { file: join(ROOT, 'node_modules', 'axe-core', 'axe.js'), milliseconds: 42 };

process.chdir(ROOT);
Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });

let failures = 0;

step('format', () => run('biome', ['check', '.']));
for (const project of PROJECTS) step(`types ${project}`, () => run('tsc', ['-p', project]));
step('lint', () => run('oxlint', ['--type-aware', 'src', 'test', 'scripts', 'bench', 'docs/examples']));
step('openapi', () => run('redocly', ['lint', 'public/openapi.json']));
step('build', () => run('wrangler', ['deploy', '--dry-run', '--outdir', 'dist']));
step('kit', () => run('node', ['scripts/build.ts']));
step('bundle', bundleSize);
step('startup', startupCpu);
step('dead code', () => run('knip', ['--no-config-hints']));
step('kill test', () => run('node', ['scripts/kill-test.ts', '--kills', '2', '--hurry']));
if (!process.argv.includes('--without-tests')) step('tests', () => run('vitest', ['run'], 'inherit'));
process.exit(failures === 0 ? 0 : 1);

/** Runs one step and goes on after a failure: one run reports all that is wrong. */
function step(name: string, work: () => string | undefined) {
  const started = Date.now();
  try {
    const report = work();
    console.log(`ok      ${name.padEnd(20)} ${((Date.now() - started) / 1000).toFixed(1)} s${report ? `   ${report}` : ''}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name.padEnd(20)} ${error instanceof Error ? error.message : error}`);
  }
}

function run(program: string, args: readonly string[], stdio: 'pipe' | 'inherit' = 'pipe'): undefined {
  const [command, all] = program === 'node' ? [process.execPath, args] : commandOf(program, args);
  const { status, stdout, stderr, error } = spawnSync(command, all, { stdio: ['ignore', stdio, stdio] });
  if (status === 0) return;
  process.stdout.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  throw new Error(`${program} ${args.join(' ')}`);
}

function bundleSize() {
  const bytes = gzipSync(readFileSync(BUNDLE), { level: 9 }).length;
  const report = `${(bytes / 1024).toFixed(1)} KiB gzip of ${MAX_BUNDLE_BYTES / 1024} allowed`;
  if (bytes > MAX_BUNDLE_BYTES) throw new Error(report);
  return report;
}

/**
 * The bound is for a machine that evaluates the reference in its time: on a slower one it is higher, on a faster one lower. On a machine with
 * more work than cores even the least of many tries says nothing, so there it is reported but not asserted.
 */
function startupCpu() {
  const [least = 0, reference = 0] = startupMilliseconds([BUNDLE, REFERENCE.file], 30);
  const allowed = MAX_STARTUP_MILLISECONDS * (reference / REFERENCE.milliseconds);
  const found = `${least.toFixed(0)} ms CPU of ${allowed.toFixed(0)} allowed (the reference takes ${reference.toFixed(0)} of ${REFERENCE.milliseconds})`;
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  if (load > 1.2) return `${found}; not asserted, the machine is busy (load ${load.toFixed(1)} a core)`;
  if (least > allowed) throw new Error(found);
  return found;
}
