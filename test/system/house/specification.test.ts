/** The specification is whole and shown: every promise has its test, every test that is named is there, every § leads somewhere. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/shared/error-codes';
import { PAYMENT_TYPES, REASONS } from '../../../src/transactions/schema';
import { readRoot, readSources } from '../../support/source';

const ROOT = join(import.meta.dirname, '../../..');
const specification = readRoot('docs/specification.md');
const index = readRoot('test/README.md');

/** `4.6-3`, in the order of the document: `**4.6-3**` at the start of a sentence or in the first cell of a row. */
const promises = [...specification.matchAll(/^(?:- |\| )\*\*(\d+(?:\.\d+)?-\d+)\*\*/gm)].map(([, id = '']) => id);

const shown = [...index.matchAll(/^\| (\d+(?:\.\d+)?-\d+) \| (.+) \|$/gm)].map(([, id = '', tests = '']) => ({
  id,
  tests: tests.split('<br>').map((test) => {
    const [, file = '', title = ''] = /^`([\w/.-]+)` (.+)$/.exec(test) ?? [];
    return { file, title };
  }),
}));

it('names each promise once, in its own section', () => {
  expect(promises.length).toBeGreaterThan(300);
  expect(promises.filter((id, position) => promises.indexOf(id) !== position)).toEqual([]);
  const section = new Map<string, string>();
  let heading = '';
  for (const line of specification.split('\n')) {
    heading = /^##+ (\d+(?:\.\d+)?)[. ]/.exec(line)?.[1] ?? heading;
    const id = /^(?:- |\| )\*\*(\d+(?:\.\d+)?)-\d+\*\*/.exec(line)?.[1];
    if (id !== undefined) section.set(line, `${id} ${heading}`);
  }
  expect([...section.values()].filter((pair) => pair.split(' ')[0] !== pair.split(' ')[1])).toEqual([]);
});

it('refers to promises that are there', () => {
  const named = [...specification.matchAll(/§(\d+(?:\.\d+)?-\d+)/g)].map(([, id = '']) => id);
  expect(named.filter((id) => !promises.includes(id))).toEqual([]);
});

it('has a test for every promise', () => {
  const listed = shown.map(({ id }) => id);
  expect(promises.filter((id) => !listed.includes(id))).toEqual([]);
  expect(listed.filter((id) => !promises.includes(id))).toEqual([]);
  expect(listed.filter((id, position) => listed.indexOf(id) !== position)).toEqual([]);
});

it('names tests that exist', () => {
  const files = new Map<string, string | undefined>();
  const textOf = (file: string): string | undefined => {
    if (!files.has(file)) {
      const path = [`test/${file}.test.ts`, `test/${file}.ts`].find((one) => existsSync(join(ROOT, one)));
      files.set(file, path === undefined ? undefined : readRoot(path).replaceAll("\\'", "'"));
    }
    return files.get(file);
  };
  const missing = shown.flatMap(({ id, tests }) =>
    tests
      .filter(({ file, title }) => {
        const text = textOf(file);
        return (
          title === '' ||
          text === undefined ||
          !["'", '"', '`'].some((quote) => text.includes(quote + title) || text.includes(title + quote))
        );
      })
      .map(({ file, title }) => `${id}: ${file} ${title}`),
  );
  expect(missing).toEqual([]);
});

it('has every section that the code and the documents point to', () => {
  const sections = new Set([...specification.matchAll(/^##+ (\d+(?:\.\d+)?)[. ]/gm)].map(([, number]) => number));
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const texts = [
    ...[...readSources().values()].map(({ path, text }) => [`src/${path}`, text] as const),
    ...documents.map((file) => [`docs/${file}`, readRoot(`docs/${file}`)] as const),
  ];
  const dangling = texts.flatMap(([path, text]) =>
    [...text.matchAll(/§(\d+(?:\.\d+)?)/g)].filter(([, number]) => !sections.has(number)).map(([reference]) => `${path}: ${reference}`),
  );
  expect(dangling).toEqual([]);
});

it('lists the sets of §2.4 as the code has them', () => {
  const rows = [...specification.matchAll(/^\| \*\*2\.4-\d+\*\*° \| (reasons|payment types) of (\w+) \| ([A-Z_, ]+) \|$/gm)];
  const listed = rows.map(([, kind = '', type = '', words = '']) => [kind, type, words.split(', ')]);
  const known = [
    ...Object.entries(REASONS).map(([type, words]) => ['reasons', type, [...words]]),
    ...Object.entries(PAYMENT_TYPES).map(([type, words]) => ['payment types', type, [...words]]),
  ];
  expect(listed).toEqual(known);
});

it('names every error code of the reference, and no other', () => {
  const named = new Set([...specification.matchAll(/`([a-z_]+|PT-CT-\d+)`/g)].map(([, code]) => code));
  const codes = ERROR_CODES.map(({ code }): string => code);
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
  const [, list = ''] = specification.split('### 7.3 Error codes');
  const listed = (list.split('\n## ')[0] ?? '').split('\n').flatMap((line) => {
    const row = /^\| \*\*[\d.]+-\d+\*\*°? \| (.+?) \| .+ \|$/.exec(line)?.[1];
    const sentence = /^- \*\*7\.3-[2-9]\*\*/.test(line) ? line : '';
    return [...(row ?? sentence).matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code);
  });
  expect(listed.length).toBeGreaterThan(40);
  expect(listed.filter((code) => !codes.includes(code))).toEqual([]);
});
