/** The parts of the product that run in plain Node, and the size and startup of the whole. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from '../scripts/local.mjs';

const CACHE = join(ROOT, 'node_modules/.cache');

export async function pureParts() {
  mkdirSync(CACHE, { recursive: true });
  const outfile = join(CACHE, 'bench-pure.mjs');
  await build({ entryPoints: [join(ROOT, 'bench/pure.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'warning' });
  return import(outfile);
}

/** KiB of the upload, gzip, and the least CPU milliseconds of evaluating it in five tries. */
export function bundleFacts() {
  const outdir = join(CACHE, 'bench-bundle');
  const { status, stderr } = spawnSync('npx', ['wrangler', 'deploy', '--dry-run', '--outdir', outdir], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const bundle = join(outdir, 'worker.js');
  const script = `const before = process.cpuUsage(); await import(process.argv[1]); const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
  const tries = Array.from({ length: 5 }, () =>
    Number(spawnSync(process.execPath, ['--input-type=module', '-e', script, bundle], { encoding: 'utf8' }).stdout),
  );
  return { kibibytes: gzipSync(readFileSync(bundle), { level: 9 }).length / 1024, startupMilliseconds: Math.min(...tries) };
}
