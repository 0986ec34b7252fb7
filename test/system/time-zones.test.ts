/** §4.2: "today" of the open statement period is the date in the supplier's time zone. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { issueToken } from '../../src/tokens/token';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readRow, readValue } from '../support/tables';

const zoned = (time_zone: string | undefined) => aSupplier({ configuration: time_zone === undefined ? {} : { time_zone } });

/** The date on which a transaction of `date` lands that is posted at the moment `at`, where December is open and months are billed. */
async function landing(timeZone: string | undefined, at: string, date: string): Promise<{ status: number; date: string | undefined }> {
  const now = Date.parse(at);
  const supplier = await zoned(timeZone);
  const account = await anImportedAccount(supplier, { periodFrom: '2026-12-01' });
  const { token } = await issueToken(supplier, { current: env.TOKEN_SIGNING_KEY }, now);
  const body = {
    import_supplier: supplier.code,
    external_account_number: account.externalAccountNumber,
    transactions: [{ transaction_id: 'T', transaction_date: date, amount: 1, type: 'PAYMENT' }],
  };
  const app = appOf((bindings, context) => ({ ...depsFrom(bindings, context), now: () => now }));
  const request = new Request('https://import.test/v1/data-import/transactions/create/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${token}` },
    body: JSON.stringify(body),
  });
  const answer = await app.fetch(request, env, createExecutionContext());
  const { results } = await answer.json<{ results: { transaction_data: { transaction_date: string } }[] }>();
  const row = await readValue<string>('transaction_date', 'SELECT transaction_date FROM transactions WHERE account_id = ?', account.id);
  expect(row).toBe(results[0]?.transaction_data.transaction_date);
  return { status: answer.status, date: row ?? undefined };
}

describe('a transaction of the first of January', () => {
  it.each([
    // At eleven in the morning there, January has begun, whatever UTC says.
    ['Australia/Sydney', '2026-12-31T13:00:00Z', '2027-01-01'],
    ['Australia/Sydney', '2026-12-31T12:59:59Z', '2026-12-31'],
    ['Pacific/Auckland', '2026-12-31T11:00:00Z', '2027-01-01'],
    // In the evening there it is still December.
    ['America/Los_Angeles', '2027-01-01T07:59:59Z', '2026-12-31'],
    ['America/Los_Angeles', '2027-01-01T08:00:00Z', '2027-01-01'],
    ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
    [undefined, '2026-12-31T23:59:59Z', '2026-12-31'],
    [undefined, '2027-01-01T00:00:00Z', '2027-01-01'],
  ])('of a supplier in %s, posted at %s, is of %s', async (timeZone, at, expected) => {
    expect(await landing(timeZone, at, '2027-01-01')).toEqual({ status: 201, date: expected });
  });
});

describe('the first open day of a new account', () => {
  it.each([
    ['Australia/Sydney', '2026-12-31T13:00:00Z', '2027-01-01'],
    ['America/Los_Angeles', '2027-01-01T07:59:59Z', '2026-12-01'],
    [undefined, '2026-12-31T23:59:59Z', '2026-12-01'],
  ])('of a supplier in %s, created at %s, is %s', async (timeZone, at, expected) => {
    const supplier = await zoned(timeZone);
    const deps = aDeps();
    const { messages } = await stage(supplier, [aSmallAccount(supplier.code, 'a')], deps);
    deps.advance(Date.parse(at) - deps.now());
    await deliver(deps, messages);
    const row = await readRow('SELECT period_from FROM accounts WHERE supplier_id = ?', supplier.supplierId);
    expect(row).toEqual({ period_from: expected });
  });
});
