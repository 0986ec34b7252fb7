import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { commit } from '../../src/db';
import { insertPaymentInstructions } from '../../src/payment-instructions';
import { anImportedAccount, aSupplier } from '../support/given';
import { readRows } from '../support/tables';

it('stores instructions of several accounts in one statement, and repeating it changes nothing', async () => {
  const supplier = await aSupplier();
  const accounts = [await anImportedAccount(supplier), await anImportedAccount(supplier)];
  const rows = accounts.flatMap(({ id }) => [
    { accountId: id, type: 'CARD', position: 1, vendor: 'STRIPE', reference: 'pm_1', details: { last_four: '4242' }, createdAt: 5 },
    { accountId: id, type: 'BPAY', position: 1, vendor: 'BANK', reference: null, details: {}, createdAt: 5 },
  ]);
  const writes = insertPaymentInstructions(rows);
  expect(writes).toHaveLength(1);
  await commit(env.DB, [...writes, ...insertPaymentInstructions(rows.map((row) => ({ ...row, reference: 'pm_2' })))]);
  const stored = await readRows(
    `SELECT account_id AS accountId, type, position, vendor, reference, details, created_at AS createdAt
     FROM payment_instructions WHERE account_id IN (?, ?) ORDER BY account_id, type DESC`,
    ...accounts.map(({ id }) => id),
  );
  expect(stored).toEqual(rows.map((row) => ({ ...row, details: JSON.stringify(row.details) })));
});

it('makes no statement of no rows', () => {
  expect(insertPaymentInstructions([])).toEqual([]);
});
