/** The link of `npm start` in a real browser. */
import { describe, expect, inject, it } from 'vitest';
import { aContext, CHROMIUM, LOOKS, launch, shoot } from './browser';

describe.skipIf(CHROMIUM === undefined)('the sign-in link', () => {
  it('opens the console with one click, goes on opening it for who is signed in, and answers everybody else that it was used', async () => {
    const browser = await launch();
    const link = `/operator/sign-in/?code=${inject('service').signInCode}`;
    const { context, troubles } = await aContext(browser);
    const page = await context.newPage();
    for (const _ of ['once', 'again']) {
      await page.goto(link);
      await page.getByRole('heading', { name: 'Suppliers' }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/operator/');
    }
    expect(troubles).toEqual([]);
    for (const [name, look] of Object.entries(LOOKS)) {
      const { context: stranger } = await aContext(browser, look);
      const other = await stranger.newPage();
      expect((await other.goto(link))?.status()).toBe(401);
      await other.getByRole('alert').getByText('That link was used already').waitFor();
      expect(await shoot(other, `sign-in-link-used-${name}`)).toBeLessThanOrEqual(0);
    }
    await browser.close();
  });
});
