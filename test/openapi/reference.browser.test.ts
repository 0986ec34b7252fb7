/** The reference in a real browser: as people look at it, with its search, by keyboard, and without anything that axe calls serious. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aContext, barriers, CHROMIUM, LOOKS, launch, shoot } from '../console/browser';

/** A page of each kind; in one look every page is looked at. */
const PAGES = [
  '/docs/',
  '/docs/accounts/',
  '/docs/errors/',
  '/docs/shapes/',
  '/docs/guides/webhooks/',
  '/docs/operator/suppliers/',
  '/tools/',
];

async function allPages(page: Page): Promise<string[]> {
  await page.goto('/docs/');
  const links = await page
    .locator('#contents a[href^="/docs/"]')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  const pages = [...links, '/tools/'];
  expect(pages).toEqual(expect.arrayContaining(PAGES));
  return pages;
}

describe.skipIf(CHROMIUM === undefined)('the reference', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(LOOKS))('is read without a barrier and without scrolling sideways: %s', async (name, look) => {
    const { context, troubles } = await aContext(browser, look);
    const page = await context.newPage();
    for (const path of name === 'light' ? await allPages(page) : PAGES) {
      await page.goto(path);
      expect([path, await barriers(page)]).toEqual([path, []]);
      expect([path, await shoot(page, `reference-${name}${path.replaceAll('/', '-')}`)]).toEqual([path, 0]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('begins with the tools, which lead to what this service gives', async () => {
    const { context } = await aContext(browser);
    const page = await context.newPage();
    await page.goto('/docs/');
    await page.locator('main a').first().click();
    await page.waitForURL('**/tools/');
    await page.getByRole('link', { name: 'data-import.mjs' }).waitFor();
    expect(await page.locator('pre').first().innerText()).toContain(`${new URL(page.url()).origin}/tools/data-import.mjs`);
    await context.close();
  });

  it('shows where one is', async () => {
    const { context } = await aContext(browser);
    const page = await context.newPage();
    await page.goto('/docs/accounts/');
    await expect(page.locator('nav [aria-current="page"]').innerText()).resolves.toBe('Accounts');
    await context.close();
  });

  it('finds an error code with the keyboard alone', async () => {
    const { context, troubles } = await aContext(browser);
    const page = await context.newPage();
    await page.goto('/docs/');
    await page.keyboard.press('/');
    await page.keyboard.type('sort_code');
    await page.locator('#found [role="option"]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#found').waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('document_not_found');
    await page.locator('#found [role="option"]', { hasText: 'document_not_found' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors/#code-document_not_found');
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('gives examples with the address of the page itself', async () => {
    const { context } = await aContext(browser);
    const page = await context.newPage();
    await page.goto('/docs/');
    await expect(page.locator('pre code').first().innerText()).resolves.toContain(`BASE=${new URL(page.url()).origin}\n`);
    await context.close();
  });

  it('has its contents in a drawer on a phone', async () => {
    const { context } = await aContext(browser, LOOKS.phone);
    const page = await context.newPage();
    await page.goto('/docs/accounts/');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Contents' }).click();
    await contents.waitFor();
    await contents.getByRole('link', { name: 'Error codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Error codes' }).waitFor();
    await contents.waitFor({ state: 'hidden' });
    await context.close();
  });
});
