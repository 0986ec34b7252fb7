/** What reading accounts writes: the order of commits, and the end of payment instructions, under repeats and races. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { auditEnd, endInstruction } from '../../src/account-reading/store-changes';
import { insertCommit, insertUnlisted, markListed } from '../../src/accounts/commits/store';
import { auditEntry, auditValues } from '../../src/audit';
import { commit } from '../../src/db';
import { anImportedAccount, aSupplier } from '../support/given';
import { readRow, readRows } from '../support/tables';

const commitsOf = async (supplierId: number) =>
  await readRows<{ id: number; account_ids: string }>(
    'SELECT id, account_ids FROM account_commits WHERE supplier_id = ? ORDER BY id',
    supplierId,
  );
const lastId = async () => (await readRow<{ id: number | null }>('SELECT max(id) AS id FROM account_commits'))?.id ?? 0;

describe('the order of commits', () => {
  it('a batch that is repeated after it was committed lists its accounts once', async () => {
    const { supplierId } = await aSupplier();
    const id = 900_000_000 + supplierId;
    const batch = [
      insertCommit({ now: Date.now(), supplierId, firstId: id, accountIds: JSON.stringify([id]) }),
      {
        sql: `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day, is_listed)
          VALUES (?, ?, 1, '2026-01-01', 1, 1, 1, 1) ON CONFLICT DO NOTHING`,
        params: [id, supplierId],
        read: undefined,
      },
    ];
    for (let time = 0; time < 3; time++) await commit(env.DB, batch);
    expect(await commitsOf(supplierId)).toMatchObject([{ account_ids: JSON.stringify([id]) }]);
  });

  it('slices that are committed at once, by clocks that agree, run ahead or run behind, never share a place', async () => {
    const { supplierId } = await aSupplier();
    const before = await lastId();
    const clocks = [0, 0, 0, -3_600_000, 5_000, -1, 0, 5_000];
    await Promise.all(
      clocks.map((skew, index) =>
        commit(env.DB, [insertCommit({ now: Date.now() + skew, supplierId, firstId: -1 - index, accountIds: `[${index}]` })]),
      ),
    );
    const rows = await commitsOf(supplierId);
    expect(rows).toHaveLength(clocks.length);
    expect(rows.every(({ id }) => id > before)).toBe(true);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(clocks.length);
  });

  it('what an earlier release created is listed once, by several at once, each supplier in the order of its ids', async () => {
    const suppliers = [await aSupplier(), await aSupplier()];
    const ids: number[][] = [];
    for (const supplier of suppliers)
      ids.push([(await anImportedAccount(supplier, { isListed: false })).id, (await anImportedAccount(supplier, { isListed: false })).id]);
    await Promise.all(Array.from({ length: 4 }, () => commit(env.DB, [insertUnlisted({ now: Date.now() }), markListed({})])));
    for (const [index, { supplierId }] of suppliers.entries())
      expect(await commitsOf(supplierId)).toMatchObject([{ account_ids: JSON.stringify(ids[index]) }]);
  });
});

describe('the end of a payment instruction', () => {
  const active = (accountId: number, reference: string, createdAt: number) =>
    env.DB.prepare(
      `INSERT INTO payment_instructions (account_id, type, position, vendor, reference, details, created_at) VALUES (?, 'CARD', 0, 'SANDBOX', ?, '{}', ?)`,
    )
      .bind(accountId, reference, createdAt)
      .run();
  const positions = async (accountId: number) =>
    await readRows('SELECT reference, position FROM payment_instructions WHERE account_id = ? ORDER BY position DESC', accountId);
  const row = (accountId: number, reference: string, createdAt: number) => ({
    accountId,
    type: 'CARD',
    vendor: 'SANDBOX',
    reference,
    createdAt,
  });
  const endBatch = (accountId: number, reference: string, createdAt: number, auditId: number) =>
    [
      auditEnd({
        ...auditValues({ id: auditId, occurredAt: 1, actor: 'a', action: 'payment_instruction.ended', subject: 'account x' }),
        ...row(accountId, reference, createdAt),
      }),
      endInstruction({ accountId, type: 'CARD', createdAt, now: 5, auditId }),
      auditEntry({ auditId }),
    ] as const;

  it('repeated after another has taken its place, ends that one not', async () => {
    const { id } = await anImportedAccount(await aSupplier());
    await active(id, 'first', 1);
    const batch = endBatch(id, 'first', 1, 9_000_000_000_001 + id);
    expect((await commit(env.DB, batch))[2]).toHaveLength(1);
    await active(id, 'second', 2);
    expect((await commit(env.DB, batch))[2]).toHaveLength(1);
    expect(await positions(id)).toEqual([
      { reference: 'second', position: 0 },
      { reference: 'first', position: -1 },
    ]);
  });

  it('that was not read as it is, changes and audits nothing', async () => {
    const { id } = await anImportedAccount(await aSupplier());
    await active(id, 'second', 2);
    for (const [reference, createdAt] of [
      ['first', 2],
      ['second', 1],
    ] as const)
      expect((await commit(env.DB, endBatch(id, reference, createdAt, 9_100_000_000_000 + id + createdAt)))[2]).toEqual([]);
    expect(await positions(id)).toEqual([{ reference: 'second', position: 0 }]);
  });
});
