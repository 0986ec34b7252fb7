/** The overview, the chart and the lists in a real browser: what is searched, sorted, hovered, ticked and typed there. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aKitSupplier, type KitSupplier, operator } from '../kit/given';
import { aContext, barriers, CHROMIUM, LOOKS, launch, shoot, signIn, stage } from './browser';

const LONG = `Northern-${'interconnected'.repeat(12)}`;
const TOMORROW = Date.now() + 86_400_000;

describe.skipIf(CHROMIUM === undefined)('the console of many suppliers', () => {
  let browser: Browser;
  let troubled: KitSupplier;
  let waiting: KitSupplier;

  beforeAll(async () => {
    browser = await launch();
    [troubled, waiting] = [await aKitSupplier(), await aKitSupplier()];
    await operator('PATCH', `suppliers/${waiting.code}/`, { name: LONG });
    const startsAt = Date.now() + 2_000;
    await stage(troubled, ['BAD-1', 'BAD-2', 'BAD-3', 'BAD-4'], startsAt);
    await stage(waiting, ['LATER-1', 'LATER-2'], TOMORROW);
    await operator('PATCH', `suppliers/${troubled.code}/`, { configuration: { default_country: 'US' } });
    await new Promise((resume) => setTimeout(resume, Math.max(0, startsAt - Date.now())));
    await operator('PATCH', `suppliers/${troubled.code}/`, { status: 'Paused' });
    await operator('PATCH', `suppliers/${troubled.code}/`, { status: 'Ongoing' });
  });
  afterAll(() => browser?.close());

  async function signedIn(look = {}) {
    const { context, troubles } = await aContext(browser, { ...LOOKS.light, ...look });
    return { context, troubles, page: await signIn(context) };
  }

  const errored = (page: Page) => page.locator(`#errored-${troubled.code}`, { hasText: '4' }).waitFor();
  const shownCodes = (page: Page) => page.locator('[data-list] tbody tr:visible code').allInnerTexts();

  /** Most is waiting first, and this test's two among the suppliers of others, which may wait with more. */
  async function expectMostWaitingFirst(page: Page) {
    const column = (await page.locator('[data-list] th').allInnerTexts()).findIndex((name) => name.includes('Waiting'));
    const cells = await page.locator(`[data-list] tbody td:nth-child(${column + 1})`).allInnerTexts();
    const figures = cells.map((text) => Number(text.replace(/\D/g, '')));
    expect(figures.length).toBeGreaterThan(1);
    expect(figures).toEqual(figures.toSorted((a, b) => b - a));
    const codes = await shownCodes(page);
    expect(figures[codes.indexOf(waiting.code)]).toBe(2);
    expect(codes.indexOf(troubled.code)).toBeGreaterThan(codes.indexOf(waiting.code));
  }

  it('puts what needs attention first and says so, and keeps search, filter and order through each look at the numbers', async () => {
    const { context, page, troubles } = await signedIn();
    await errored(page);
    // Other tests have suppliers in trouble, too.
    const headline = await page.locator('.headline').innerText();
    expect(headline).toMatch(/^\d+ of \d+ suppliers needs? attention: .*\d+ with errors/);
    expect((await shownCodes(page)).slice(0, Number.parseInt(headline, 10))).toContain(troubled.code);
    await page.locator('#wanted').fill(waiting.code.toLowerCase());
    expect(await shownCodes(page)).toEqual([waiting.code]);
    await page.locator('#shown', { hasText: /^1 of \d+ shown$/ }).waitFor();
    const looked = page.waitForResponse((answer) => answer.url().endsWith('/operator/'));
    await looked;
    await page.waitForTimeout(200);
    expect(await shownCodes(page)).toEqual([waiting.code]);
    await page.locator('#wanted').fill('');
    await page.locator('#show').selectOption('attention');
    const inTrouble = await shownCodes(page);
    expect([inTrouble.includes(troubled.code), inTrouble.includes(waiting.code)]).toEqual([true, false]);
    await page.locator('#show').selectOption('');
    await page.getByRole('button', { name: 'Waiting' }).click();
    await expectMostWaitingFirst(page);
    expect(await page.locator('th[aria-sort]').innerText()).toContain('Waiting');
    await page.reload();
    await expectMostWaitingFirst(page);
    await page.getByRole('button', { name: 'Supplier', exact: true }).press('Enter');
    const names = await page.locator('[data-list] tbody a.main').allInnerTexts();
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('shows the values of a bar on hover and by keyboard, for an hour, a day and all, drawn from what the figures came with', async () => {
    const { context, page, troubles } = await signedIn();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/operator/suppliers/${troubled.code}/`);
    await page.locator('#chart-told', { hasText: '0 imported and 4 errored in the last hour; a bar is a minute.' }).waitFor();
    const box = (await page.locator('#chart .u-over').boundingBox()) ?? expect.fail();
    await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2);
    await page.locator('.tip', { hasText: /imported, \d errored$/ }).waitFor();
    await page.getByText('24 h', { exact: true }).click();
    await page.locator('#chart-told', { hasText: '4 errored in the last 24 hours; a bar is 15 minutes.' }).waitFor();
    await page.getByText('all', { exact: true }).click();
    await page.locator('#chart-told', { hasText: 'since the first import' }).waitFor();
    await page.locator('#chart').focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.tip', { hasText: /0 imported, \d errored$/ }).waitFor();
    expect(asked.filter((path) => path.includes('chart'))).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('leads from an error at a place to its accounts, downloads them, and retries those that are ticked', async () => {
    const { context, page, troubles } = await signedIn();
    await page.goto(`/operator/suppliers/${troubled.code}/`);
    await page.getByRole('link', { name: 'invalid_phone_number at customers.0.landline' }).click();
    await page.locator('#total', { hasText: '4 accounts' }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()]);
    expect(file.suggestedFilename()).toBe(`${troubled.code}.csv`);
    expect((await readFile(await file.path(), 'utf8')).match(/^BAD-\d,ERRORED/gm)).toHaveLength(4);
    await page.getByLabel('All on this page').check();
    expect(await page.locator('input[name="external"]:checked').count()).toBe(4);
    await page.getByLabel('Select BAD-1').uncheck();
    await page.getByLabel('Select BAD-2').uncheck();
    await page.getByRole('button', { name: 'Retry selected' }).click();
    await page.getByText('2 accounts scheduled again.').waitFor();
    await page.goto(`/operator/suppliers/${waiting.code}/processes/`);
    await page.getByLabel('Select LATER-2').check();
    await page.getByRole('button', { name: 'Cancel selected…' }).click();
    await page.getByRole('button', { name: 'Cancel 1 import' }).click();
    await page.getByText('1 import cancelled.').waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('leads to the search of every page with one key, which is a letter like others where something is typed', async () => {
    const { context, page } = await signedIn();
    await page.locator('[aria-keyshortcuts="/"]').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('search');
    await page.keyboard.type('A/B');
    expect(await page.locator('.search input').inputValue()).toBe('A/B');
    await context.close();
  });

  it.each(Object.entries(LOOKS))('has no barrier and no line that is too wide: %s', async (name, look) => {
    const { context, page, troubles } = await signedIn(look);
    await errored(page);
    for (const [shot, path] of Object.entries({
      suppliers: '',
      'supplier-errors': `suppliers/${troubled.code}/`,
      'supplier-window': `suppliers/${waiting.code}/`,
      'list-errors': `suppliers/${troubled.code}/processes/?field_code=invalid_phone_number&attr=customers.0.landline`,
    })) {
      await page.goto(`/operator/${path}`);
      if (shot.startsWith('supplier-')) await page.locator('.u-wrap canvas').waitFor();
      expect([shot, await shoot(page, `${shot}-${name}`)]).toEqual([shot, 0]);
      expect([shot, await barriers(page)]).toEqual([shot, []]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
});
