/** The account support page in a real browser, with the keyboard alone and as people look at it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aKitSupplier, type KitSupplier } from '../kit/given';
import { aContext, CHROMIUM, LOOKS, launch, shoot, signIn } from './browser';

async function send(supplier: KitSupplier, token: string, path: string, body?: unknown) {
  const answer = await fetch(`${supplier.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Token ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const value = await answer.json<Record<string, unknown>>();
  expect(answer.ok, JSON.stringify(value)).toBe(true);
  return value;
}

/** An imported account with pinned and other notes, transactions, statements and payment instructions; its platform number. */
async function anAccount(supplier: KitSupplier, external: string): Promise<string> {
  const query = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
  const { data } = await send(supplier, '', '/v1/graphql/', { query, variables: { key: supplier.apiKey } });
  const { obtainPlatformToken } = data as { obtainPlatformToken: { token: string } };
  const { token } = obtainPlatformToken;
  const pair = { import_supplier: supplier.code, external_account_number: external };
  await send(supplier, token, '/v2/data-import/accounts/', {
    ...pair,
    billing_name: 'Ada Byron',
    customers: [{ given_name: 'Ada', family_name: 'Byron', landline: '020 7946 0018', email: 'ada@example.com' }],
    notes: [
      { body: 'Depends on medical equipment: never disconnect.', is_pinned: true },
      { body: 'Prefers letters to e-mails, in large print, and to be called after five where a call cannot be avoided.' },
    ],
    historical_statement_transactions: [
      { transaction_id: 'CHG-0001', transaction_date: '2026-01-15', amount: '84.20', type: 'CHARGE', reason: 'IMPORTED_CHARGE' },
    ],
    statements: [
      {
        statement_id: 'S-2026-01',
        number: '1',
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
        issued_date: '2026-02-01',
        gross_amount: 8_420,
      },
    ],
    payment_instructions: [
      { vendor: 'STRIPE', type: 'CARD', reference: 'pm_1', card: { last_digits: '4242', expiry_month: 12, expiry_year: 2029 } },
    ],
  });
  for (;;) {
    const path = `/v1/data-import/account-transfer-status/${supplier.code}/${external}/`;
    const { platform_account_number: number } = await send(supplier, token, path);
    if (number) {
      await send(supplier, token, '/v1/data-import/transactions/create/', {
        ...pair,
        transactions: [{ transaction_id: 'PAY-0001', transaction_date: '2020-01-01', amount: 12.5, type: 'PAYMENT' }],
      });
      return String(number);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
}

describe.skipIf(CHROMIUM === undefined)('the account support page in a browser', () => {
  let browser: Browser;
  let number: string;
  beforeAll(async () => {
    browser = await launch();
    number = await anAccount(await aKitSupplier(), 'SUPPORT-1');
  });
  afterAll(() => browser.close());

  it.each(Object.entries(LOOKS))('is found by the keyboard from any page, revealed, and fits: %s', async (name, look) => {
    const { context, troubles } = await aContext(browser, look);
    const page = await signIn(context);
    await page.goto('/operator/audit/');
    await page.keyboard.press('/');
    await page.keyboard.type('SUPPORT-1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: number }).waitFor();
    expect(await page.getByText('never disconnect').count()).toBe(0);
    await page.waitForLoadState();
    expect(await shoot(page, `support-masked-${name}`)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Reveal personal data' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('never disconnect').waitFor();
    await page.waitForLoadState();
    expect(await shoot(page, `support-${name}`)).toBeLessThanOrEqual(0);
    await page.goto('/operator/accounts/?search=S');
    expect(await shoot(page, `search-${name}`)).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
