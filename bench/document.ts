/** Puts what was measured into docs/performance.md, between the marks of its section; the words around it are written by hand. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../scripts/local.ts';

const FILE = join(ROOT, 'docs/performance.md');

export function writeSection(name: string, text: string): void {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '# Performance\n';
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  const section = `${begin}\n${text}\n${end}`;
  writeFileSync(FILE, from < 0 || to < 0 ? `${before}\n${section}\n` : before.slice(0, from) + section + before.slice(to + end.length));
}
