/** §2.3, §10: the account support page of the console. */
import { expect, it } from 'vitest';
import { signedIn, visit } from '../support/console';
import { aSupplier } from '../support/given';
import { auditOf } from '../support/operator';
import { aWholeAccount } from '../support/whole-accounts';

it('shows an account whole with pinned notes on top, masked until it is revealed, which is audited', async () => {
  const { Cookie, form_token } = await signedIn();
  const account = await aWholeAccount(await aSupplier());
  const path = `/operator/accounts/${account.number}/`;
  const page = await visit(path, Cookie);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('Prefers to be called');
  expect(page.text).toContain('LATER-S');
  expect(page.text).toMatch(/first dated <s>2020-01-01<\/s>/);
  const revealed = await visit(`${path}reveal/`, Cookie, { form_token });
  expect(revealed.status).toBe(200);
  const at = (text: string) => revealed.text.indexOf(text);
  expect(at('Prefers to be called')).toBeGreaterThan(0);
  expect(at('Prefers to be called')).toBeLessThan(at('Customers'));
  expect(at('Meter is behind the oven.')).toBeGreaterThan(at('Customers'));
  expect(await auditOf(`account ${account.number}`)).toMatchObject([{ action: 'account.revealed' }]);
  expect((await visit(path, Cookie)).text).toContain('operator revealed an account');
});

it('opens documents from there, and the page of the import leads to it', async () => {
  const { Cookie } = await signedIn();
  const account = await aWholeAccount(await aSupplier());
  const page = await visit(`/operator/accounts/${account.number}/`, Cookie);
  const links = [...page.text.matchAll(/href="(\/operator\/accounts\/[^"]+\/documents\/[^"]+)"/g)].map(([, href = '']) => href);
  expect(links).toHaveLength(3);
  for (const href of links) {
    const document = await visit(href, Cookie);
    expect([document.status, document.text]).toEqual([200, '%PDF-1.4']);
    expect(document.headers.get('Content-Security-Policy')).toContain('sandbox');
    expect((await visit(href, '')).status).toBe(303);
  }
  expect((await visit(`/operator/accounts/${account.number}/documents/other/`, Cookie)).status).toBe(404);
  const process = `/operator/suppliers/${account.supplier.code}/processes/${encodeURIComponent(account.external)}/`;
  expect((await visit(process, Cookie)).text).toContain(`href="/operator/accounts/${account.number}/"`);
});

it('ends a payment instruction after a question, with a reason', async () => {
  const { Cookie, form_token } = await signedIn();
  const account = await aWholeAccount(await aSupplier());
  const end = `/operator/accounts/${account.number}/payment-instructions/CARD/end/`;
  expect((await visit(`/operator/accounts/${account.number}/`, Cookie)).text).toContain(`href="${end}"`);
  expect((await visit(end, Cookie)).text).toContain('Reason');
  expect((await visit(end, Cookie, { reason: 'asked' })).status).toBe(403);
  expect((await visit(end, Cookie, { form_token, reason: ' ' })).status).toBe(400);
  expect((await visit(end, Cookie, { form_token, reason: 'asked' })).status).toBe(303);
  expect((await visit(end, Cookie, { form_token, reason: 'asked' })).status).toBe(409);
  expect((await visit(`/operator/accounts/${account.number}/`, Cookie)).text).toContain('Ended');
});

it('is found from the search of every page, which lists what is not one account alone', async () => {
  const { Cookie } = await signedIn();
  const account = await aWholeAccount(await aSupplier());
  for (const path of ['/operator/', '/operator/audit/', '/operator/organisations/'])
    expect((await visit(path, Cookie)).text).toContain('action="/operator/accounts/"');
  for (const search of [account.external, account.number, account.identifier]) {
    const found = await visit(`/operator/accounts/?search=${encodeURIComponent(search)}`, Cookie);
    expect([found.status, found.headers.get('Location')]).toEqual([303, `/operator/accounts/${account.number}/`]);
  }
  await aWholeAccount(await aSupplier());
  const list = await visit('/operator/accounts/?search=W/', Cookie);
  expect([list.status, list.text.includes('What was found')]).toEqual([200, true]);
  for (const path of ['/operator/accounts/A-0BADCAFE/', '/operator/accounts/toString/'])
    expect((await visit(path, Cookie)).status).toBe(404);
});
