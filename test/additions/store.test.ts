import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { accountStateOf, isGuardHeld, loadAccountState, stateAgain, unchangedOf } from '../../src/account-state';
import { commit, commitPart, joined, query } from '../../src/db';
import { insertNotes, NOTE_SOURCE, noteRowsOf } from '../../src/notes';
import { addingNotes } from '../../src/notes/store';
import { storeActive } from '../../src/payment-instructions/store';
import { insertStatements, statementRowsOf } from '../../src/statements';
import { addingStatements } from '../../src/statements/store';
import { insertTransactions, TRANSACTION_SOURCE, transactionRowsOf } from '../../src/transactions';
import { addingPostings } from '../../src/transactions/store';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier } from '../support/given';
import { readRows } from '../support/tables';

const keyOf = (path: string) => `root/${path}`;
const rows = async (sql: string, ...params: (string | number)[]) => await readRows(sql, ...params);

it('stores additions of several accounts in one batch, and the same once when the batch is repeated', async () => {
  const supplier = await aSupplier();
  const [one, two] = [await anImportedAccount(supplier), await anImportedAccount(supplier)];
  const notes = [one, two].flatMap(({ id }) =>
    noteRowsOf(
      id,
      [{ body: `é "quoted"\n`, is_pinned: true }, { document_paths: [{ document_path: 'a.pdf' }] }],
      keyOf,
      5,
      NOTE_SOURCE.payload,
    ),
  );
  const line = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: '1.50', net_amount: 1.5 };
  const transactions = [one, two].flatMap(({ id }) =>
    transactionRowsOf(
      id,
      [
        {
          transaction_id: '7',
          transaction_date: '2026-01-31',
          amount: '12.5',
          type: 'SUPPLY_CHARGE',
          product_code: 'P',
          line_items: [line],
        },
      ],
      { source: TRANSACTION_SOURCE.current, ledger: 1 },
      6,
    ),
  );
  const statement = { statement_id: '1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', gross_amount: 10.5 };
  const statements = [one, two].flatMap(({ id }) => statementRowsOf(id, [statement, { ...statement, statement_path: 'a.pdf' }], keyOf, 7));
  const batch = [...insertNotes(notes), ...insertTransactions(transactions), ...insertStatements(statements)];
  expect(batch).toHaveLength(3);
  await commit(env.DB, batch);
  await commit(env.DB, batch);
  for (const { id } of [one, two]) {
    expect(
      await rows('SELECT created_at, body, documents, is_pinned, unpin_at, source FROM notes WHERE account_id = ? ORDER BY body', id),
    ).toEqual([
      { created_at: 5, body: null, documents: '[{"document_path":"a.pdf","key":"root/a.pdf"}]', is_pinned: 0, unpin_at: null, source: 0 },
      { created_at: 5, body: `é "quoted"\n`, documents: null, is_pinned: 1, unpin_at: null, source: 0 },
    ]);
    expect(await rows('SELECT * FROM transactions WHERE account_id = ?', id)).toEqual([
      {
        account_id: id,
        transaction_id: '7',
        addition: 0,
        source: 1,
        ledger: 1,
        transaction_date: '2026-01-31',
        amount_minor: 1250,
        type: 'SUPPLY_CHARGE',
        note: null,
        imported: JSON.stringify(transactions[0]?.imported),
        created_at: 6,
      },
    ]);
    expect(await rows('SELECT statement_id, content, document_key, created_at FROM statements WHERE account_id = ?', id)).toEqual([
      { statement_id: '1', content: JSON.stringify(statement), document_key: null, created_at: 7 },
    ]);
  }
});

it.each([
  ['erased', (id: number) => env.DB.prepare('UPDATE import_processes SET erased_at = 1 WHERE id = ?').bind(id)],
  ['gone', (id: number) => env.DB.prepare('DELETE FROM accounts WHERE id = ?').bind(id)],
])('to an account that is %s meanwhile adds nothing, and to another of the same write what is right', async (_, change) => {
  const [given, deps] = [await aSupplier(), aDeps()];
  const [lost, other] = [await anImportedAccount(given), await anImportedAccount(given)];
  const targetOf = async (externalAccountNumber: string) => {
    const { supplier, account } = await loadAccountState(deps, given, given.code, externalAccountNumber);
    if (!supplier || !account) throw new Error('not found');
    return { caller: given, supplier, account };
  };
  const targets = [await targetOf(lost.externalAccountNumber), await targetOf(other.externalAccountNumber)];
  await change(lost.id).run();
  const statement = { statement_id: '1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' };
  const payment = { transaction_id: '7', transaction_date: '2026-01-31', amount: 1, type: 'PAYMENT' } as const;
  const notes = targets.map((target) => ({
    target,
    notes: noteRowsOf(target.account.id, [{ body: 'Late.' }], keyOf, 5, NOTE_SOURCE.posted).map((row) => ({
      row,
      isDated: false,
      movedBody: null,
    })),
    now: 5,
  }));
  const statements = targets.map((target) => ({ target, rows: statementRowsOf(target.account.id, [statement], keyOf, 7), now: 7 }));
  const postings = targets.map((target) => ({
    target,
    posting: {
      checks: true,
      moves: true,
      request: target.account.id,
      createdAt: 5,
      rows: transactionRowsOf(target.account.id, [payment], { source: TRANSACTION_SOURCE.posted, ledger: null }, 6),
      barred: [],
      moved: [{ transactionId: '7', line: 'moved' }],
    },
  }));
  const [unchanged] = await commitPart(
    env.DB,
    joined(
      unchangedOf(
        given,
        targets.map((target) => ({ target })),
      ),
      joined(addingNotes(given, notes), joined(addingStatements(given, statements), addingPostings(given, postings))),
    ),
  );
  for (const target of targets)
    await storeActive(deps, target, { accountId: target.account.id, type: 'CARD', vendor: 'V', reference: 'r', details: {}, createdAt: 5 });
  const stored = { notes: 2, statements: 1, transactions: 1, payment_instructions: 1 };
  for (const [table, count] of Object.entries(stored)) {
    expect(await rows(`SELECT * FROM ${table} WHERE account_id = ?`, lost.id)).toEqual([]);
    expect(await rows(`SELECT * FROM ${table} WHERE account_id = ?`, other.id)).toHaveLength(count);
  }
  const recorded = await rows(
    "SELECT json_extract(data, '$.external_account_number') AS number FROM events WHERE supplier_id = ?",
    given.supplierId,
  );
  expect(recorded.filter(({ number }) => number === lost.externalAccountNumber)).toEqual([]);
  // So that the requests are validated again, and find no account.
  expect([...unchanged]).toEqual([other.id]);
  const held = await Promise.all(
    targets.map(async (target) => isGuardHeld(accountStateOf(await query(env.DB, stateAgain(target))), target.supplier, target.account)),
  );
  expect(held).toEqual([false, true]);
});
