/** The parts of the product that run in plain Node, and the size and startup of the whole. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

/** A module of an upload. */
interface Module {
  readonly path: string;
  readonly contents: string;
}

/** The modules that would be uploaded of a Worker, the one that is started first. The folder is that of a checkout. */
export function uploadOf(folder: string, configPath: string): readonly [Module, ...Module[]] {
  const outdir = join(folder, 'node_modules/.cache/bench-bundle', configPath.replaceAll('/', '-'));
  rmSync(outdir, { recursive: true, force: true });
  const { status, stderr } = runSync('wrangler', ['deploy', '--dry-run', '--config', configPath, '--outdir', outdir], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const modules = readdirSync(outdir)
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => ({ path: join(outdir, name), contents: readFileSync(join(outdir, name), 'utf8') }));
  const main = modules.find(({ path }) => path.endsWith('worker.js'));
  if (!main) throw new Error(`${outdir} has no worker.js`);
  return [main, ...modules.filter((one) => one !== main)];
}

/** KiB of the upload, gzip, and the CPU milliseconds of evaluating it. */
export function bundleSizes(): { kibibytes: number; startup: number } {
  const [main] = uploadOf(ROOT, 'wrangler.toml');
  return { kibibytes: gzipSync(main.contents, { level: 9 }).length / 1024, startup: startupMilliseconds([main.path], 15)[0] ?? 0 };
}
