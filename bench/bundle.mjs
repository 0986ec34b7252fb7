/** The parts of the product that run in plain Node, and the size and startup of the whole. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from '../scripts/local.mjs';
import { runSync } from '../scripts/programs.mjs';
import { startupMilliseconds } from '../scripts/startup.mjs';

const CACHE = join(ROOT, 'node_modules/.cache');

export async function pureParts() {
  mkdirSync(CACHE, { recursive: true });
  const outfile = join(CACHE, 'bench-pure.mjs');
  await build({ entryPoints: [join(ROOT, 'bench/pure.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'warning' });
  return import(pathToFileURL(outfile).href);
}

/** KiB of the upload, gzip, and the CPU milliseconds of evaluating it. */
export function bundleFacts() {
  const outdir = join(CACHE, 'bench-bundle');
  const { status, stderr } = runSync('wrangler', ['deploy', '--dry-run', '--outdir', outdir], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const bundle = join(outdir, 'worker.js');
  return { kibibytes: gzipSync(readFileSync(bundle), { level: 9 }).length / 1024, startup: startupMilliseconds(bundle, 15) };
}
