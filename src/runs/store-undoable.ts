/**
 * The statements that read which accounts of a run may be taken back.
 */
import {
  and,
  asc,
  db,
  eq,
  gt,
  importProcesses,
  limitOf,
  lte,
  ne,
  notes,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  sql,
  statements,
  transactions,
  type Values,
} from '../db';
import { STATUS } from '../import-processes';
import { NOTE_SOURCE } from '../notes';
import { TRANSACTION_SOURCE } from '../transactions';
import { STATEMENTS_TOTAL } from './rules-totals';
import type { Page } from './store-totals';

/** True for an account of a process to which something was added since it was created. */
export const hasAdditions = () => {
  const own = (accountId: typeof notes.accountId | typeof transactions.accountId) => sql`${accountId} = ${importProcesses.id}`;
  const statementsNow = sql`(SELECT count(*) FROM ${statements} WHERE ${statements.accountId} = ${importProcesses.id})`;
  return sql`(EXISTS (SELECT 1 FROM ${notes} WHERE ${and(own(notes.accountId), ne(notes.source, NOTE_SOURCE.payload))})
    OR EXISTS (SELECT 1 FROM ${transactions} WHERE ${and(own(transactions.accountId), eq(transactions.source, TRANSACTION_SOURCE.posted))})
    OR EXISTS (SELECT 1 FROM ${paymentInstructions} WHERE ${paymentInstructions.accountId} = ${importProcesses.id} AND ${paymentInstructions.position} <= 0)
    OR ${statementsNow} <> coalesce(${importProcesses.totals} ->> ${STATEMENTS_TOTAL}, 0))`;
};

/** Imported accounts of a run in the order of its key, each with what keeps it from being undone. `since`: what was imported before is too old. */
export const undoPage = prepared(($: Values<Page & { since: number }>) =>
  db
    .select({
      supplierId: importProcesses.supplierId,
      id: importProcesses.id,
      externalAccountNumber: importProcesses.externalAccountNumber,
      isTooLate: sql<boolean>`${importProcesses.finishedAt} < ${$.since}`.mapWith(Boolean),
      hasAdditions: sql<boolean>`${hasAdditions()}`.mapWith(Boolean),
    })
    .from(importProcesses)
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        gt(importProcesses.id, $.after),
        lte(importProcesses.id, $.upTo),
        eq(importProcesses.runId, $.runId),
        eq(importProcesses.status, STATUS.PROCESSED),
      ),
    )
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.limit)),
);

export type UndoRow = RowOfQuery<ReturnType<typeof undoPage>>;
