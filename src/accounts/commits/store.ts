/**
 * Accounts in commit order: what lets a reader go on from a place and miss nothing.
 */
import { accountCommits, accounts, db, prepared, sql, type Values } from '../../db';

/** Past every id that was given before, by the clock where that is further: also after a restore took earlier ids back. */
const nextId = ($: Values<{ now: number }>) =>
  sql<number>`max(${$.now}, coalesce((SELECT max(${accountCommits.id}) FROM ${accountCommits}), 0) + 1)`;

/**
 * Lists the accounts of one supplier that a batch creates; comes before the accounts in it. `firstId` is one of them: a batch creates
 * all of them or none, so this one shows whether they are there already.
 */
export const insertCommit = prepared(($: Values<{ now: number; supplierId: number; firstId: number; accountIds: string }>) =>
  db
    .insert(accountCommits)
    .select(
      sql`SELECT ${nextId($)}, ${$.supplierId}, ${$.accountIds} WHERE NOT EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${$.firstId})`,
    ),
);

/** Accounts of one row at most, and accounts that one call lists. */
const [SLICE, AT_ONCE] = [500, 5_000];

const unlisted = () =>
  sql`SELECT ${accounts.id}, ${accounts.supplierId} FROM ${accounts} INDEXED BY accounts_unlisted WHERE ${accounts.isListed} = 0
    ORDER BY ${accounts.id} LIMIT ${AT_ONCE}`;

/** Lists accounts that code of an earlier release created, in the order of their ids. */
export const insertUnlisted = prepared(
  ($: Values<{ now: number }>) => sql`INSERT INTO ${accountCommits}
    SELECT ${nextId($)} + row_number() OVER (ORDER BY min(id)), supplier_id, json_group_array(id ORDER BY id)
    FROM (SELECT id, supplier_id, (row_number() OVER (PARTITION BY supplier_id ORDER BY id) - 1) / ${SLICE} AS slice FROM (${unlisted()}))
    GROUP BY supplier_id, slice`,
);

/** Marks the same accounts as listed; follows {@link insertUnlisted} in its batch. Answers each of them. */
export const markListed = prepared(
  () => sql<{ id: number }>`UPDATE ${accounts} SET is_listed = 1 WHERE id IN (SELECT id FROM (${unlisted()})) RETURNING id`,
);
