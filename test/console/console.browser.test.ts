/** The console in a real browser, on the whole service over HTTP. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { aKitSupplier, type KitSupplier, operator } from '../kit/given';
import { aContext, barriers, CHROMIUM, isMarked, LOOKS, launch, mark, says, shoot, signIn, stage } from './browser';

const until = (moment: number) => new Promise((resume) => setTimeout(resume, Math.max(0, moment - Date.now())));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const badge = (page: Page, words: string) => page.locator('main .badge', { hasText: words }).first();

describe.skipIf(CHROMIUM === undefined)('the console in a browser', () => {
  let browser: Browser;
  let supplier: KitSupplier;
  const all: string[] = [];
  beforeAll(async () => {
    browser = await launch();
    supplier = await aKitSupplier();
  });
  afterAll(async () => {
    expect(all).toEqual([]);
    await browser.close();
  });

  async function operatorAt() {
    const { context, troubles } = await aContext(browser);
    const page = await signIn(context);
    return {
      context,
      page,
      close: async () => {
        all.push(...troubles);
        await context.close();
      },
    };
  }

  it('refuses a wrong token in plain words', async () => {
    const { context } = await aContext(browser);
    const page = await context.newPage();
    await page.goto('/operator/audit/');
    await page.getByLabel('Operator token').fill('wrong');
    await button(page, 'Sign in').click();
    await page.getByText('This is not the operator token.').waitFor();
    await context.close();
  });

  it('watches 200 accounts go from pending to imported without a reload, while they are paused and resumed by keyboard', async () => {
    const { context, page, close } = await operatorAt();
    const watching = await context.newPage();
    await watching.goto(`/operator/suppliers/${supplier.code}/`);
    await mark(watching);
    const startsAt = Date.now() + 4_000;
    await stage(
      supplier,
      Array.from({ length: 200 }, (_, i) => `ACC-${1000 + i}`),
      startsAt,
    );
    await says(watching, 'n-pending', '200');

    await page.goto(`/operator/suppliers/${supplier.code}/`);
    await page.getByRole('link', { name: 'Pause…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('200 accounts pending will wait').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').fill('looking at something');
    await page.keyboard.press('Enter');
    await badge(page, 'Paused').waitFor();
    await until(startsAt);
    await says(watching, 'n-pending', '200');

    await page.waitForLoadState('load');
    await page.getByRole('link', { name: 'Resume…' }).press('Enter');
    await page.getByRole('dialog').getByText('200 accounts pending can start at once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).press('Enter');
    await badge(page, 'Ongoing').waitFor();
    await says(watching, 'n-imported', '200');
    await says(watching, 'n-pending', '0');
    expect(await isMarked(watching)).toBe(true);
    await close();
  });

  it('finds an errored account by its code, mends the setting behind it and retries it to imported', async () => {
    const { page, close } = await operatorAt();
    const other = await aKitSupplier();
    const startsAt = Date.now() + 1_500;
    await stage(other, ['WRONG-1'], startsAt);
    const settings = async (country: string) => {
      await page.goto(`/operator/suppliers/${other.code}/settings/`);
      await page.getByLabel('Default country').fill(country);
      await button(page, 'Save settings').click();
      await page.getByText('Saved.').waitFor();
    };
    await settings('US');
    await until(startsAt);
    await operator('PATCH', `suppliers/${other.code}/`, { status: 'Paused' });
    await operator('PATCH', `suppliers/${other.code}/`, { status: 'Ongoing' });
    await page.getByRole('link', { name: 'import_process_failed_validation' }).click();
    await page.getByRole('link', { name: 'WRONG-1' }).click();
    await page.getByText('Some fields did not hold').waitFor();
    await page.locator('.note.bad li', { hasText: 'customers.0.landline' }).waitFor();
    expect(await page.locator('.payload').textContent()).not.toContain('Byron');
    await button(page, 'Reveal personal data').click();
    await page.locator('.payload', { hasText: 'Byron' }).waitFor();

    await settings('GB');
    await page.goto(`/operator/suppliers/${other.code}/processes/WRONG-1/`);
    await button(page, 'Retry').click();
    await page.getByText('Scheduled again.').waitFor();
    await mark(page);
    await badge(page, 'Imported').waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.goto('/operator/audit/');
    await page.getByText('revealed a payload').locator('visible=true').first().waitFor();
    await close();
  });

  it('creates a key that is shown once and can be copied, and revokes it', async () => {
    const { context, page, close } = await operatorAt();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/operator/organisations/');
    await page.getByLabel('Name').fill('Browser Energy');
    await button(page, 'Create').click();
    await page.getByText('No API key yet').waitFor();
    await page.getByLabel('New key for').fill('browser');
    await button(page, 'Create key').click();
    const key = (await page.locator('#fresh-key').textContent()) ?? '';
    expect(key).toMatch(/^sk_live_[\w-]{43}$/);
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
    await page.getByRole('link', { name: 'Revoke… browser' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key is revoked.').waitFor();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await close();
  });

  it('shows times in the zone of the viewer, UTC on hover', async () => {
    const { page, close } = await operatorAt();
    await page.goto('/operator/audit/');
    const time = page.locator('time[data-local]').first();
    const [shown, title] = [await time.textContent(), await time.getAttribute('title')];
    const moment = new Date((await time.getAttribute('datetime')) ?? '');
    expect(title).toBe(`${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    expect(shown).toContain(moment.toLocaleTimeString('en-GB', { timeZone: 'Australia/Sydney' }));
    await close();
  });

  it.each(Object.entries(LOOKS))('looks right: %s', async (name, look) => {
    const { context, troubles } = await aContext(browser, look);
    const page = await signIn(context);
    const [{ id } = { id: '' }] =
      (await (
        await fetch(`${inject('service').url}/operator/v1/organisations/`, {
          headers: { Authorization: `Bearer ${inject('service').operatorToken}` },
        })
      ).json<{ id: string }[]>()) ?? [];
    const operate = (path: string, body: object) =>
      fetch(`${inject('service').url}/operator/v1/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${inject('service').operatorToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await operate('operator-tokens/', { name: `Ada Lovelace, North Energy migration ${name}`, role: 'operate' });
    await operate('alert-addresses/', { url: `https://alerts.example.com/teams/north-energy/migration/${name}` });
    const pages = {
      overview: '',
      supplier: `suppliers/${supplier.code}/`,
      accounts: `suppliers/${supplier.code}/processes/`,
      account: `suppliers/${supplier.code}/processes/ACC-1000/`,
      settings: `suppliers/${supplier.code}/settings/`,
      complete: `suppliers/${supplier.code}/status/?to=Complete`,
      'new-supplier': 'new-supplier/',
      find: 'accounts/',
      organisations: 'organisations/',
      organisation: `organisations/${id}/`,
      audit: 'audit/',
      'dead-letters': 'dead-letters/',
      alerts: 'alerts/',
      'operator-tokens': 'operator-tokens/',
    };
    for (const [page_, path] of Object.entries(pages)) {
      await page.goto(`/operator/${path}`);
      if (page_ === 'supplier') await page.locator('.u-wrap canvas').waitFor();
      expect(await shoot(page, `${page_}-${name}`), `${page_} is wider than the window`).toBeLessThanOrEqual(0);
      expect([page_, await barriers(page)]).toEqual([page_, []]);
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await shoot(page, `sign-in-${name}`);
    expect(await barriers(page)).toEqual([]);
    all.push(...troubles);
    await context.close();
  });
});
