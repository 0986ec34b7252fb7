/**
 * The published document is what the code says. `npm run openapi` writes it anew.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import published from '../../../public/openapi.json';
import { openapiDocument } from '../../../src/openapi/document';
import { referenceFiles } from '../../../src/openapi/site/pages';
import { ERROR_CODES } from '../../../src/shared/error-codes';
import { strictlyRefused } from '../../support/openapi';

it('is published as the code builds it', async () => {
  await expect(`${JSON.stringify(openapiDocument(), null, 2)}\n`).toMatchFileSnapshot('../../../public/openapi.json');
});

const ROOT = join(import.meta.dirname, '../../..');
const GUIDES = [
  { path: 'guides/first-import/', file: 'guides/first-import.md' },
  { path: 'guides/errors-and-retries/', file: 'guides/errors-and-retries.md' },
  { path: 'guides/following/', file: 'guides/following.md' },
  { path: 'guides/documents/', file: 'documents.md' },
].map(({ path, file }) => ({ path, file, text: readFileSync(join(ROOT, 'docs', file), 'utf8') }));
const files = referenceFiles(openapiDocument(), GUIDES);
const pages = [...files].filter(([name]) => name.endsWith('.html'));

it.each([...files])('has %s in its reference, as code and guides make it', async (name, text) => {
  await expect(text).toMatchFileSnapshot(`../../../public/docs/${name}`);
});

it('has no file in its reference that nothing makes', () => {
  const folder = join(ROOT, 'public/docs');
  const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
  expect(there.toSorted()).toEqual([...files.keys(), 'reference.css', 'reference.js'].toSorted());
});

it('leads every link of the reference somewhere', () => {
  const ids = new Map(pages.map(([name, text]) => [name, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const lost = pages.flatMap(([name, text]) =>
    [...text.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^\/(?:favicon\.ico|openapi\.json|operator\/assets\/\S+|docs\/reference\.(?:css|js))$/.test(href)) return [];
      if (/^https:\/\/(?:developers\.cloudflare\.com|rclone\.org)\//.test(href)) return [];
      const [path = '', id] = href.split('#');
      if (files.has(path.replace('/docs/', '')) && path.endsWith('.json')) return [];
      const page = path === '' ? name : `${path.replace('/docs/', '')}index.html`;
      return ids.has(page) && (id === undefined || ids.get(page)?.has(id)) ? [] : [`${name}: ${href}`];
    }),
  );
  expect(lost).toEqual([]);
});

it('finds every operation and every error code by the search, at a place that is there', () => {
  const entries: [string, string, string][] = JSON.parse(files.get('search.json') ?? '[]');
  const words = new Set(entries.flat());
  for (const { code } of ERROR_CODES) expect(words).toContain(code);
  for (const [path, item] of Object.entries(published.paths))
    for (const method of Object.keys(item)) expect(words).toContain(`${method.toUpperCase()} ${path}`);
  for (const [title, , href] of entries) {
    const [path = '', id] = href.split('#');
    const page = files.get(`${path.replace('/docs/', '')}index.html`) ?? '';
    expect([title, page.includes('<main'), id === undefined || page.includes(` id="${id}"`)]).toEqual([title, true, true]);
  }
});

it('shows an audience nothing but its own operations', () => {
  const paths = (audience: string) => Object.keys(JSON.parse(files.get(`openapi-${audience}.json`) ?? '{}').paths);
  expect(paths('operator').filter((path) => !path.startsWith('/operator/v1/'))).toEqual([]);
  expect(paths('importer').filter((path) => /^\/(?:operator|platform)\//.test(path))).toEqual([]);
  expect([...paths('importer'), ...paths('platform'), ...paths('operator')].toSorted()).toEqual(Object.keys(published.paths).toSorted());
});

it('has no example for operators that changes the supplier people try things with', () => {
  const commands = pages
    .filter(([name]) => name.startsWith('operator/'))
    .flatMap(([, text]) => [...text.matchAll(/<code>(curl [^<]+)/g)].map(([, command = '']) => command));
  expect(commands.length).toBeGreaterThan(20);
  expect(
    commands.filter((command) => !/^curl -s &quot;/.test(command) || command.includes('-d ')).filter((command) => command.includes('DEMO')),
  ).toEqual([]);
});

it('explains every error code once', () => {
  const explained = ERROR_CODES.map(({ code }) => code);
  expect(explained).toEqual([...new Set(explained)]);
});

const bodies = Object.entries(published.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]: [string, { requestBody?: { content: object } }]) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap((content: { examples?: Record<string, { value: unknown }> }) =>
      Object.entries(content.examples ?? {}).map(([name, { value }]) => ({ method: method.toUpperCase(), path, name, value })),
    ),
  ),
);

it.each(bodies)('$method $path: the example "$name" is what its schema allows, no field misspelt', ({ method, path, value }) => {
  expect(strictlyRefused(method, path, value)).toBeUndefined();
});

describe('what a payload requires beyond its single fields', () => {
  const PAIR = { import_supplier: 'DEMO', external_account_number: 'A' };
  const account = (more: object) => ['/v2/data-import/accounts/', { ...PAIR, ...more }] as const;
  const notes = (note: object) => ['/v1/data-import/notes/create/', { ...PAIR, notes: [note] }] as const;
  const transactions = (type: string, more: object) =>
    [
      '/v1/data-import/transactions/create/',
      { ...PAIR, transactions: [{ transaction_id: 'T', transaction_date: '2026-01-01', amount: 1, type, ...more }] },
    ] as const;
  const item = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: '1' };
  const supplied = (more: object) => account({ supply_addresses: [{ customer_at_supply_address_from_date: '2026-01-01', ...more }] });

  it.each<[string, readonly [string, object], readonly [string, object]]>([
    ['a note says something', notes({ is_pinned: true }), notes({ body: 'x' })],
    ['a blank body says nothing', notes({ body: ' ', document_paths: [] }), notes({ body: ' ', document_paths: [{ document_path: 'a' }] })],
    ['a customer has a name', account({ customers: [{ title: 'Dr' }] }), account({ customers: [{ family_name: 'x' }] })],
    [
      'an unknown occupier has no customers',
      account({ unknown_occupier: true, customers: [{ given_name: 'x' }] }),
      account({ unknown_occupier: true, customers: [] }),
    ],
    [
      'an address has one form',
      account({ billing_address: { country: 'GB' }, billing_postcode: 'x' }),
      account({ billing_address: { country: 'GB' }, billing_postcode: '' }),
    ],
    ['a supply address, too', supplied({ supply_address: { country: 'GB' }, supply_address1: 'x' }), supplied({ supply_address1: 'x' })],
    ['a country is one of ISO 3166-1', account({ billing_address: { country: 'ZZ' } }), account({ billing_address: { country: 'ZW' } })],
    [
      'a meter point has an identifier',
      supplied({ meter_points: [{ supply_start_date: '2026-01-01' }] }),
      supplied({ meter_points: [{ supply_start_date: '2026-01-01', mpxn: '1' }] }),
    ],
    ['a charge has a reason', transactions('CHARGE', {}), transactions('CHARGE', { reason: 'DEFAULT' })],
    ['a credit has a reason', transactions('CREDIT', { reason: '' }), transactions('CREDIT', { reason: 'DEPOSIT' })],
    ['a payment is more than nothing', transactions('PAYMENT', { amount: '-1.00' }), transactions('PAYMENT', { amount: '0.10' })],
    ['a repayment is more than nothing', transactions('REPAYMENT', { amount: 0 }), transactions('REPAYMENT', { amount: 0.1 })],
    [
      'a payment has a reason of its own',
      transactions('PAYMENT', { reason: 'DEFAULT' }),
      transactions('PAYMENT', { reason: 'BILL_ISSUED' }),
    ],
    [
      'a repayment has payment types of its own',
      transactions('REPAYMENT', { payment_type: 'CASH' }),
      transactions('REPAYMENT', { payment_type: 'BPAY' }),
    ],
    [
      'a supply charge has lines',
      transactions('SUPPLY_CHARGE', { product_code: 'x' }),
      transactions('SUPPLY_CHARGE', { product_code: 'x', line_items: [item] }),
    ],
    [
      'a supply charge has a product',
      transactions('SUPPLY_CHARGE', { product_code: ' ', line_items: [item] }),
      transactions('SUPPLY_CHARGE', { product_code: 'x', line_items: [item] }),
    ],
    ['an amount has two decimals', transactions('PAYMENT', { amount: '1.005' }), transactions('PAYMENT', { amount: '1.050' })],
    [
      'a line starts on a day',
      transactions('SUPPLY_CHARGE', { product_code: 'x', line_items: [{ ...item, start_date: '2026-02-30' }] }),
      transactions('SUPPLY_CHARGE', { product_code: 'x', line_items: [{ ...item, start_date: '2026-02-28' }] }),
    ],
    [
      'a preference is yes or no',
      account({ customers: [{ given_name: 'x', customer_preferences: { a: 'yes' } }] }),
      account({ customers: [{ given_name: 'x', customer_preferences: { a: true } }] }),
    ],
    [
      'a path stays below its root',
      notes({ document_paths: [{ document_path: 'a/../b' }] }),
      notes({ document_paths: [{ document_path: '/a/..b' }] }),
    ],
  ])('%s', (_, [path, wrong], [, right]) => {
    expect(strictlyRefused('POST', path, wrong)).toBeDefined();
    expect(strictlyRefused('POST', path, right)).toBeUndefined();
  });

  it('a configuration has known settings only', () => {
    const supplier = { organisation_id: 'o', code: 'C', name: 'n', configuration: { default_country: 'GB' } };
    expect(published.paths['/operator/v1/suppliers/'].post.requestBody.content['application/json'].schema).toHaveProperty(
      'properties.configuration.additionalProperties',
      false,
    );
    expect(strictlyRefused('POST', '/operator/v1/suppliers/', supplier)).toBeUndefined();
  });
});
