/** §4.1–4.3 on an account that came in by §4.6: what its payload brought is known, and its own period is open. */
import { expect, it, vi } from 'vitest';
import { errorsOf, post } from '../support/additions';
import { aDocument, aSupplier, call } from '../support/given';
import { aFullAccount } from '../support/payloads';
import { readRows } from '../support/tables';

const PATH = '/v1/data-import';
const endpoint = (name: string, list: string) => ({ path: `${PATH}/${name}/create/`, list, table: list });

it('knows the notes, transactions and statements of the payload, and keeps to the period it opened', async () => {
  const supplier = await aSupplier();
  const account = aFullAccount(supplier.code, 'EXT 1');
  for (const [, path = ''] of JSON.stringify(account).matchAll(/"(?:document_path|statement_path)":"([^"]+)"/g))
    await aDocument(`${supplier.code}/${path}`);
  expect((await call('POST', '/v2/data-import/accounts/', { token: supplier.token, body: account })).status).toBe(201);
  await vi.waitFor(
    async () => {
      const { body } = await call('GET', `${PATH}/account-transfer-status/${supplier.code}/EXT%201/`, { token: supplier.token });
      expect(body).toMatchObject({ status: 'COMPLETED' });
    },
    { timeout: 15_000, interval: 100 },
  );
  const [row] = await readRows('SELECT id FROM accounts WHERE supplier_id = ?', supplier.supplierId);
  const given = { supplier, account: { id: Number(row?.['id']), externalAccountNumber: 'EXT 1', accountNumber: '' } };
  const statuses = (body: unknown) =>
    JSON.stringify(body).match(/(?:NOTE|TRANSACTION)_(?:ALREADY_EXISTS|CREATION_SUCCESS|ADDED_TO_ACCOUNT)/g);

  const notes = await post(endpoint('notes', 'notes'), given, account.notes);
  expect([notes.status, new Set(statuses(notes.body))]).toEqual([201, new Set(['NOTE_ALREADY_EXISTS'])]);

  const transactions = endpoint('transactions', 'transactions');
  const imported = [...account.historical_statement_transactions, ...account.current_statement_transactions];
  const again = await post(transactions, given, imported, '?force_add_to_current_statement=false');
  expect([again.status, statuses(again.body)]).toEqual([201, imported.map(() => 'TRANSACTION_ALREADY_EXISTS')]);

  const statements = await post(endpoint('historical-statements', 'statements'), given, account.statements);
  expect([statements.status, statements.body]).toMatchObject([201, { statements: account.statements }]);
  const { statement_id } = account.statements[0] ?? {};
  const other = { statement_id, bill_period_from_date: '2020-01-01', bill_period_to_date: '2020-01-31', number: 'other' };
  const conflict = await post(endpoint('historical-statements', 'statements'), given, [other]);
  expect(errorsOf(conflict)).toEqual([['statements.0.statement_id', 'statement_already_exists']]);

  // Billed to 31 January, in months that begin on their third day.
  const payment = { amount: 1, type: 'PAYMENT' };
  const moved = await post(transactions, given, [
    { ...payment, transaction_id: 'before', transaction_date: '2026-01-31' },
    { ...payment, transaction_id: 'first', transaction_date: '2026-02-01' },
    { ...payment, transaction_id: 'after', transaction_date: '2999-12-31' },
  ]);
  expect(moved.body).toMatchObject({
    results: [
      { transaction_data: { transaction_date: '2026-02-01', note: expect.stringContaining('2026-01-31') } },
      { transaction_data: { transaction_date: '2026-02-01' } },
      { transaction_data: { transaction_date: expect.stringMatching(/-02$/) } },
    ],
  });
  expect(await readRows('SELECT count(*) AS n FROM notes WHERE account_id = ?', given.account.id)).toEqual([
    { n: account.notes.length + 1 },
  ]);
  expect(await readRows('SELECT count(*) AS n FROM statements WHERE account_id = ?', given.account.id)).toEqual([
    { n: account.statements.length },
  ]);
});
