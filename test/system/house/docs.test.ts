/** What the documents name is there. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readRoot } from '../../support/source';

const ROOT = join(import.meta.dirname, '../../..');
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...markdownIn('docs'), ...markdownIn('test')];

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
}

it.each(documents)('%s leads to files that exist', (document) => {
  const links = [...readRoot(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link);
  // A guide leads to pages of the reference, too.
  const fileOf = (link: string) =>
    link.startsWith('/docs/') ? join(ROOT, 'public', link, 'index.html') : join(ROOT, dirname(document), link);
  // The page of tools is made by the build.
  expect(links.filter((link) => link !== '/tools/' && !existsSync(fileOf(link)))).toEqual([]);
});

it('every npm script that a document names exists', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readRoot('package.json'));
  const named = documents.flatMap((document) =>
    [...readRoot(document).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  );
  expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([]);
});
