/** Every page of the console as people look at it: light, dark, at 390 px, and by the eyes of axe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { aKitSupplier, operator } from '../kit/given';
import { aContext, barriers, CHROMIUM, LOOKS, launch, shoot, signIn } from './browser';

/** As the map of the console writes the paths of its pages. */
function pagesOfTheMap(): string[] {
  const map = readFileSync(join(import.meta.dirname, '../../src/console/route.tsx'), 'utf8');
  const nouns = new Map([...map.matchAll(/^const (\w+) = [`'](.*?)[`'];$/gm)].map(([, name = '', path = '']) => [name, path]));
  const whole = (path: string): string => path.replace(/\$\{(\w+)\}/g, (_, name: string) => whole(nouns.get(name) ?? ''));
  return [...map.matchAll(/\.get\((?:[`']([^`']+)[`']|(\w+)),/g)].map(([, path, name]) => whole(path ?? nouns.get(name ?? '') ?? ''));
}

/** What is no page: files, and what answers whatever the map does not name. */
const NO_PAGES = [
  '/operator/assets/:file/',
  '/operator/suppliers/:code/refusals/download/',
  '/operator/suppliers/:code/export/',
  '/operator/suppliers/:code/runs/:run/report/',
  '/operator/accounts/:number/documents/:digest/',
  '/operator/*',
];

type Made = Readonly<Record<'supplier' | 'number' | 'organisation' | 'key' | 'token' | 'address', string>>;

/** A name that no line has room for. */
const LONG = `Northern-${'interconnected'.repeat(6)}`;

/** Something for each page to show: what is imported, errored, waiting and refused, a run, and what has names. */
async function made(): Promise<Made> {
  // Another one, so that a search finds several.
  await aKitSupplier();
  const { url, apiKey, code } = await aKitSupplier();
  const client = new DataImportClient({ baseUrl: url, apiKey });
  const account = (number: string, more: object = {}) => ({
    import_supplier: code,
    external_account_number: number,
    customers: [{ given_name: 'Ada', family_name: LONG }],
    ...more,
  });
  await operator('PATCH', `suppliers/${code}/`, { name: LONG });
  await client.createAccount(account('DONE-1', { notes: [{ body: 'Prefers letters.', is_pinned: true }] }));
  await client.waitForImport(code, 'DONE-1', { pollMilliseconds: 100 });
  const { platform_account_number: number } = await client.getTransferStatus(code, 'DONE-1');
  await client.runs.put(code, 'wave 1', { is_held: true, expected: { accounts: 2 } });
  const later = { schedule_window_start: new Date(Date.now() + 86_400_000).toISOString() };
  await client.createAccount(account('WAITS-1', { task_params: { ...later, run: 'wave 1' } }));
  await client.createAccount(account('WRONG-1', { billing_email: 'nobody' })).catch(() => undefined);
  const mine = await operator<{ organisation_id: string }>('GET', `suppliers/${code}/`, undefined);
  const [key] = await operator<{ id: string }[]>('GET', `organisations/${mine.organisation_id}/api-keys/`, undefined);
  const name = `${code}-${LONG}`.slice(0, 64);
  const token = await operator<{ id: string }>('POST', 'operator-tokens/', { name, role: 'operate' });
  const address = await operator<{ id: string }>('POST', 'alert-addresses/', { url: `https://alerts.example.com/${LONG}/${code}` });
  return {
    supplier: code,
    number: number ?? '',
    organisation: mine.organisation_id,
    key: key?.id ?? '',
    token: token.id,
    address: address.id,
  };
}

/** Where each page is, with what to look at. */
function addressesOf({ supplier, number, organisation, key, token, address }: Made): Readonly<Record<string, string>> {
  const [ofSupplier, account] = [`/operator/suppliers/${supplier}/`, `/operator/accounts/${number}/`];
  const [run, process] = [`${ofSupplier}runs/wave%201/`, `${ofSupplier}processes/WAITS-1/`];
  return {
    '/operator/': '/operator/',
    '/operator/new-supplier/': '/operator/new-supplier/',
    '/operator/suppliers/:code/': ofSupplier,
    '/operator/suppliers/:code/settings/': `${ofSupplier}settings/`,
    '/operator/suppliers/:code/status/': `${ofSupplier}status/?to=Complete`,
    '/operator/suppliers/:code/retry-errored/': `${ofSupplier}retry-errored/?error_code=import_process_failed_validation`,
    '/operator/suppliers/:code/refusals/': `${ofSupplier}refusals/`,
    '/operator/suppliers/:code/processes/': `${ofSupplier}processes/`,
    '/operator/suppliers/:code/processes/:external/': process,
    '/operator/suppliers/:code/processes/:external/cancel/': `${process}cancel/`,
    '/operator/suppliers/:code/processes/:external/erase/': `${process}erase/`,
    '/operator/suppliers/:code/runs/': `${ofSupplier}runs/`,
    '/operator/suppliers/:code/runs/:run/': run,
    '/operator/suppliers/:code/runs/:run/:verb/': `${run}release/`,
    '/operator/suppliers/:code/runs/:run/:verb{undo}/': `${run}undo/`,
    '/operator/accounts/': '/operator/accounts/?search=kit-',
    '/operator/accounts/:number/': account,
    '/operator/accounts/:number/erase/': `${account}erase/`,
    '/operator/accounts/:number/payment-instructions/:type/end/': `${account}payment-instructions/CARD/end/`,
    '/operator/organisations/': '/operator/organisations/',
    '/operator/organisations/:id/': `/operator/organisations/${organisation}/`,
    '/operator/keys/:id/revoke/': `/operator/keys/${key}/revoke/?organisation=${organisation}`,
    '/operator/operator-tokens/': '/operator/operator-tokens/',
    '/operator/operator-tokens/:id/revoke/': `/operator/operator-tokens/${token}/revoke/`,
    '/operator/alerts/': '/operator/alerts/',
    '/operator/alert-addresses/:id/remove/': `/operator/alert-addresses/${address}/remove/`,
    '/operator/audit/': '/operator/audit/',
    '/operator/dead-letters/': '/operator/dead-letters/',
    // Last: whoever is signed in is sent on from here.
    '/operator/sign-in/': '/operator/sign-in/',
  };
}

const shotOf = (pattern: string): string =>
  pattern
    .replace('/operator/', '')
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'overview';

describe.skipIf(CHROMIUM === undefined)('every page of the console', () => {
  let browser: Browser;
  let addresses: Readonly<Record<string, string>>;
  beforeAll(async () => {
    browser = await launch();
    addresses = addressesOf(await made());
  });
  afterAll(() => browser?.close());

  it('is among those that are looked at', () => {
    expect(Object.keys(addresses).toSorted()).toEqual(
      pagesOfTheMap()
        .filter((path) => !NO_PAGES.includes(path))
        .toSorted(),
    );
  });

  it.each(Object.entries(LOOKS))('has no barrier and no line that is too wide: %s', async (name, look) => {
    const { context, troubles } = await aContext(browser, look);
    const page = await signIn(context);
    // All of the navigation is there to be seen, none of it behind an edge.
    const places = await page.locator('.nav a').evaluateAll((links) => links.map((link) => link.getBoundingClientRect().right));
    expect(places).toHaveLength(6);
    expect(Math.max(...places)).toBeLessThanOrEqual(await page.locator('.nav').evaluate((nav) => nav.getBoundingClientRect().right + 1));
    for (const [pattern, address] of Object.entries(addresses)) {
      if (pattern === '/operator/sign-in/') {
        await page.goto('/operator/');
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByText('You are signed out.').waitFor();
      } else {
        const answer = await page.goto(address);
        expect([pattern, answer?.status(), new URL(page.url()).pathname]).toEqual([pattern, 200, address.replace(/\?.*/, '')]);
        if (pattern === '/operator/suppliers/:code/') await page.locator('.u-wrap canvas').waitFor();
      }
      expect([pattern, await shoot(page, `${shotOf(pattern)}-${name}`)]).toEqual([pattern, 0]);
      expect([pattern, await barriers(page)]).toEqual([pattern, []]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
});
