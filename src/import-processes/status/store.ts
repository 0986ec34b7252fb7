/**
 * The statement of status reads: one trip, by key.
 */

import { and, apiKeys, db, eq, importProcesses, prepared, type RowOfQuery, suppliers, type Values } from '../../db';
import { type Caller, isCallerActive } from '../../tokens';

const PROCESS = {
  id: importProcesses.id,
  status: importProcesses.status,
  createdAt: importProcesses.createdAt,
  scheduledAt: importProcesses.scheduledAt,
  finishedAt: importProcesses.finishedAt,
  modifiedAt: importProcesses.modifiedAt,
  accountNumber: importProcesses.accountNumber,
  error: importProcesses.error,
  undoneAt: importProcesses.undoneAt,
};

const READ = prepared(($: Values<{ apiKeyId: string; organisationId: string; supplierCode: string; externalAccountNumber: string }>) =>
  db
    .select({ process: PROCESS })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.supplierCode), eq(suppliers.organisationId, apiKeys.organisationId)))
    .leftJoin(
      importProcesses,
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, $.externalAccountNumber)),
    )
    .where(isCallerActive($)),
);

/** The columns a status is made of. */
export type ProcessRow = NonNullable<RowOfQuery<ReturnType<typeof READ>>['process']>;

/** No row: the key is revoked. A row without a process: there is none of this name for this caller. */
export const readProcess = ({ apiKeyId, organisationId }: Caller, supplierCode: string, externalAccountNumber: string) =>
  READ({ apiKeyId, organisationId, supplierCode, externalAccountNumber });
