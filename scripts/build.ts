/**
 * `npm run build`: the importer's kit in `dist`, as it is published. The client has no dependency, the CLI is one file; both run
 * on Node 20.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeTools } from './kit/tools.ts';
import { ROOT, stop } from './local.ts';
import { runSync } from './programs.ts';

process.chdir(ROOT);
const COMMON = { bundle: true, format: 'esm', target: 'node20', logLevel: 'warning', legalComments: 'none' } as const;
const CLI = 'dist/cli/data-import.js';

await writeWireTypes();
for (const folder of ['dist/client', 'dist/cli']) rmSync(folder, { recursive: true, force: true });
await build({ ...COMMON, entryPoints: ['src/kit/client/index.ts'], platform: 'neutral', outfile: 'dist/client/index.js' });
await build({
  ...COMMON,
  entryPoints: ['src/kit/cli/main.ts'],
  platform: 'node',
  outfile: CLI,
  banner: { js: '#!/usr/bin/env node' },
  minifyWhitespace: true,
  minifySyntax: true,
  define: { VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
});
chmodSync(CLI, 0o755);
writeDeclarations();
writeTools();

/**
 * Printed where it differs only, so that a build leaves a clean tree clean. In a bundle, because the schemas of `src` are no modules
 * that Node could load by itself.
 */
async function writeWireTypes() {
  const bundle = join(ROOT, 'node_modules/.cache/wire-types.mjs');
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const contents = "export { wireText } from './wire.ts';";
  await build({ ...COMMON, stdin: { contents, resolveDir: 'scripts/kit' }, platform: 'node', outfile: bundle });
  const { wireText }: { wireText(): string } = await import(pathToFileURL(bundle).href);
  const file = 'src/kit/client/wire.ts';
  const text = wireText();
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text !== before) writeFileSync(file, text);
}

function writeDeclarations() {
  const args = [
    '--ignoreConfig',
    'src/kit/client/index.ts',
    '--outDir',
    'dist/client',
    '--declaration',
    '--emitDeclarationOnly',
    '--strict',
  ];
  const like = ['--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', '@cloudflare/workers-types,node'];
  const run = runSync('tsc', [...args, ...like, '--skipLibCheck'], { encoding: 'utf8' });
  if (run.status !== 0) stop(`The declarations could not be written.\n${run.stdout}${run.stderr}`);
  // Node's own resolution wants the ending that the bundler does not.
  for (const file of readdirSync('dist/client').filter((name) => name.endsWith('.d.ts'))) {
    const path = join('dist/client', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from\s+'\.\/[\w-]+)'/g, "$1.js'"));
  }
}
