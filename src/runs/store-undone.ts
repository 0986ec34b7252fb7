/**
 * The statements that read what became of accounts that were to be taken back.
 */

import { isAudited } from '../audit';
import { and, db, eq, importProcesses, prepared, type RowValues, rowsOf, type Values } from '../db';
import { isProcessOf, type ProcessKey, type ProcessKeys, processKeys, STATUS } from '../import-processes';

const named = rowsOf('named', {
  supplierId: importProcesses.supplierId,
  externalAccountNumber: importProcesses.externalAccountNumber,
});

/** Those of the accounts that the batch of this audit entry took back, by the numbers that stay theirs. */
const TAKEN_BACK = prepared(($: Values<{ named: RowValues<typeof named>; now: number; auditId: number }>) =>
  db
    .select({ id: importProcesses.id })
    .from(named.from($.named))
    .crossJoin(importProcesses)
    .where(
      and(
        eq(importProcesses.supplierId, named.row.supplierId),
        eq(importProcesses.externalAccountNumber, named.row.externalAccountNumber),
        eq(importProcesses.undoneAt, $.now),
        isAudited($.auditId),
      ),
    ),
);
export const takenBack = (
  rows: readonly { readonly supplierId: number; readonly externalAccountNumber: string }[],
  now: number,
  auditId: number,
) =>
  TAKEN_BACK({
    named: named.value(rows.map(({ supplierId, externalAccountNumber }) => ({ supplierId, externalAccountNumber }))),
    now,
    auditId,
  });

/** Those of the accounts that are still imported under their ids: {@link undoBatch} did not undo them. */
export const stillImported = prepared(($: Values<{ keys: ProcessKeys }>) =>
  db
    .select({ id: importProcesses.id })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.status, STATUS.PROCESSED))),
);

/** The accounts as a value of {@link stillImported}. */
export const undoKeys = (keys: readonly ProcessKey[]): ProcessKeys =>
  processKeys.value(keys.map(({ supplierId, id }) => ({ supplierId, id })));
