/**
 * `node scripts/copy-assets.ts`: copies what the operator console serves of other packages into `public/operator/assets/`.
 * Run it after one of them changes; the copies are committed, so that serving needs no build.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './local.ts';

const { resolve } = createRequire(import.meta.url);
const TARGET = join(ROOT, 'public', 'operator', 'assets');

const COPIES = [
  ['htmx.org', 'dist/htmx.min.js', 'htmx.min.js'],
  ['uplot', 'dist/uPlot.iife.min.js', 'uplot.min.js'],
  ['uplot', 'dist/uPlot.min.css', 'uplot.min.css'],
  ['@fontsource-variable/inter', 'files/inter-latin-wght-normal.woff2', 'inter.woff2'],
] as const;

const lines = ['Copied by scripts/copy-assets.ts; console.js and console.css are our own.', ''];
for (const [name, file, as] of COPIES) {
  const home = resolve(`${name}/package.json`).replace(/package\.json$/, '');
  const { version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  copyFileSync(join(home, file), join(TARGET, as));
  lines.push(`${as.padEnd(16)} ${name} ${version}, ${license}`);
}
writeFileSync(join(TARGET, 'SOURCES.txt'), `${lines.join('\n')}\n`);
