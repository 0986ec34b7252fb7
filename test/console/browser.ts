/** A real browser on the console: how it is found, signed in and looked at. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { KitSupplier } from '../kit/given';

const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The machine's Chromium, or undefined where there is none. `.ci/run` installs it. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM ?? '', chromiumSandbox: false });

/** How people look at the console. */
export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>;

/** A browser of its own, and what went wrong in its pages: blocked by policy, thrown, or not found. */
export async function aContext(browser: Browser, look: BrowserContextOptions = LOOKS.light) {
  const context = await browser.newContext({ ...look, baseURL: inject('service').url, timezoneId: 'Australia/Sydney', locale: 'en-GB' });
  context.setDefaultTimeout(30_000);
  const troubles: string[] = [];
  context.on('weberror', (error) => troubles.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  return { context, troubles };
}

/** Signs in through the form, with the keyboard. */
export async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/operator/');
  await page.keyboard.type(inject('service').operatorToken);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Suppliers' }).waitFor();
  return page;
}

const SHOTS = join(import.meta.dirname, '../../dist/screenshots');

/** Keeps a picture of the whole page, and answers how far the page is wider than its window. */
export async function shoot(page: Page, name: string): Promise<number> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
}

/** Marks a page; the mark is gone after a reload. */
export const mark = (page: Page): Promise<unknown> => page.evaluate('window.isStillThere = true');
export const isMarked = (page: Page): Promise<boolean> => page.evaluate<boolean>('window.isStillThere === true');

/** Waits until an element of the page says exactly this. */
export const says = (page: Page, id: string, text: string) =>
  page.locator(`#${id}`, { hasText: new RegExp(`^\\s*${text}\\s*$`) }).waitFor();

/** What axe finds that keeps somebody out, by rule and element. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Stages accounts that may start in a moment. */
export async function stage(supplier: KitSupplier, numbers: readonly string[], startsAt: number): Promise<void> {
  const query = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
  const answer = await fetch(`${supplier.url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { key: supplier.apiKey } }),
  });
  const { data } = await answer.json<{ data: { obtainPlatformToken: { token: string } } }>();
  const lines = numbers.map((external_account_number) =>
    JSON.stringify({
      import_supplier: supplier.code,
      external_account_number,
      customers: [{ given_name: 'Ada', family_name: 'Byron', landline: '020 7946 0018' }],
      task_params: { schedule_window_start: new Date(startsAt).toISOString() },
    }),
  );
  const bulk = await fetch(`${supplier.url}/v2/data-import/accounts/bulk/?mode=create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${data.obtainPlatformToken.token}` },
    body: lines.join('\n'),
  });
  const said = await bulk.text();
  if (!said.includes(`"lines":${numbers.length}`)) throw new Error(said);
}
