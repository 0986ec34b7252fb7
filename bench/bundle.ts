/** The parts of the product that run in plain Node, and the size and startup of the whole. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from '../scripts/local.ts';
import { runSync } from '../scripts/programs.ts';
import { startupMilliseconds } from '../scripts/startup.ts';

const CACHE = join(ROOT, 'node_modules/.cache');

/** What `pure.ts` takes from the product; it is bundled, because the modules of `src` are none that Node could load by itself. */
export interface Pure {
  smallAccount(supplier: string, number: string): object;
  fullAccount(supplier: string, number: string): object;
  issueToken(
    caller: { readonly organisationId: string; readonly apiKeyId: string },
    keys: { readonly current: string },
    now: number,
  ): Promise<{ readonly token: string }>;
  /** What is wrong with a parsed payload of an account. */
  accountErrors(payload: unknown, now: number): readonly object[];
  /** What is wrong with a parsed body of transactions. */
  transactionErrors(body: unknown): readonly object[];
}

export async function pureParts(): Promise<Pure> {
  mkdirSync(CACHE, { recursive: true });
  const outfile = join(CACHE, 'bench-pure.mjs');
  await build({ entryPoints: [join(ROOT, 'bench/pure.ts')], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'warning' });
  const { pure }: { pure: Pure } = await import(pathToFileURL(outfile).href);
  return pure;
}

/** KiB of the upload, gzip, and the CPU milliseconds of evaluating it. */
export function bundleSizes(): { kibibytes: number; startup: number } {
  const outdir = join(CACHE, 'bench-bundle');
  const { status, stderr } = runSync('wrangler', ['deploy', '--dry-run', '--outdir', outdir], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const bundle = join(outdir, 'worker.js');
  return { kibibytes: gzipSync(readFileSync(bundle), { level: 9 }).length / 1024, startup: startupMilliseconds(bundle, 15) };
}
