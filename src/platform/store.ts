/**
 * Accounts in commit order, and how much of each there is to read.
 */
import {
  accountCommits,
  accounts,
  and,
  asc,
  db,
  eq,
  gte,
  importProcesses,
  inArray,
  limitOf,
  notes,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  sql,
  statements,
  suppliers,
  transactions,
  type Values,
} from '../db';
import { TRANSACTION_SOURCE } from '../transactions';

/** Commits in their order, from that one on. */
export const commitsFrom = prepared(($: Values<{ commit: number; limit: number }>) =>
  db
    .select({ id: accountCommits.id, supplierId: accountCommits.supplierId, accountIds: accountCommits.accountIds })
    .from(accountCommits)
    .where(gte(accountCommits.id, $.commit))
    .orderBy(asc(accountCommits.id))
    .limit(limitOf($.limit)),
);

export type CommitRow = RowOfQuery<ReturnType<typeof commitsFrom>>;

export const supplierIdOf = prepared(($: Values<{ code: string }>) =>
  db.select({ id: suppliers.id }).from(suppliers).where(eq(suppliers.code, $.code)),
);

const wanted = rowsOf('wanted', { id: accounts.id });

/** About how many bytes an account is: its payload as it came, and what was posted since. */
export const sizesOf = prepared(($: Values<{ wanted: RowValues<typeof wanted> }>) =>
  db
    .select({
      id: accounts.id,
      bytes: sql<number>`${importProcesses.payloadBytes}
        + coalesce((SELECT sum(length(${transactions.imported})) FROM ${transactions}
          WHERE ${transactions.accountId} = ${accounts.id} AND ${transactions.source} = ${TRANSACTION_SOURCE.posted}), 0)
        + coalesce((SELECT sum(length(coalesce(${notes.body}, '')) + length(coalesce(${notes.documents}, ''))) FROM ${notes}
          WHERE ${notes.accountId} = ${accounts.id}), 0)
        + coalesce((SELECT sum(length(${statements.content})) FROM ${statements} WHERE ${statements.accountId} = ${accounts.id}), 0)`,
    })
    .from(accounts)
    .innerJoin(importProcesses, and(eq(importProcesses.supplierId, accounts.supplierId), eq(importProcesses.id, accounts.id)))
    .where(inArray(accounts.id, sql`(SELECT ${wanted.row.id} FROM ${wanted.from($.wanted)})`)),
);

/** The ids as a value of {@link sizesOf}. */
export const wantedIds = (ids: readonly number[]): RowValues<typeof wanted> => wanted.value(ids.map((id) => ({ id })));
