/**
 * The published document is what the code says. `npm run openapi` writes it anew.
 */
import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/openapi/codes';
import { openapiDocument } from '../../src/openapi/document';
import { referencePage } from '../../src/openapi/page/page';
import { readSources } from '../support/source';

it('is published as the code builds it', async () => {
  await expect(`${JSON.stringify(openapiDocument(), null, 2)}\n`).toMatchFileSnapshot('../../public/openapi.json');
});

it('has a reference page of its own', async () => {
  await expect(referencePage(openapiDocument())).toMatchFileSnapshot('../../public/docs/index.html');
});

it('leads every link of the page somewhere', () => {
  const page = referencePage(openapiDocument());
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id))).toEqual([]);
  expect([...page.matchAll(/(?:src|href)="(?:https?:)?\/\/[^"]+"/g)]).toEqual([]);
});

it('explains every error code that the code can answer, each once', () => {
  // The importer's kit has codes of its own for what no answer told.
  const codes = [...readSources().values()]
    .filter(({ path }) => !/^(?:openapi|client|cli)\//.test(path))
    .flatMap(({ text }) => [
      ...text.matchAll(/\bcode: '([a-z_]+)'|fieldError\([^;]*?\],\s*'([a-z_]+)'|refused\('[a-z]+', '([a-z_]+)'|\('(PT-CT-\d+)'/g),
    ])
    .map((match) => match.slice(1).find((code) => code !== undefined));
  const explained = ERROR_CODES.map(({ code }) => code);
  expect(explained).toEqual([...new Set(explained)]);
  expect([...new Set(codes)].filter((code) => code !== undefined && code !== 'custom' && !explained.includes(code)).sort()).toEqual([]);
});
