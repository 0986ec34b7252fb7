/**
 * The statements that read what creates are decided by: the processes of their pairs, and the suppliers they were validated by.
 */

import {
  and,
  apiKeys,
  db,
  eq,
  importProcesses,
  inArray,
  isNull,
  payloads,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { type Caller, isCallerActive } from '../../tokens';

/** What is read of the process of a pair. */
export const EXISTING = {
  supplierId: importProcesses.supplierId,
  id: importProcesses.id,
  externalAccountNumber: importProcesses.externalAccountNumber,
  status: importProcesses.status,
  payloadHash: importProcesses.payloadHash,
  isDryRun: importProcesses.isDryRun,
  modifiedAt: importProcesses.modifiedAt,
  sentAt: importProcesses.sentAt,
  accountNumber: importProcesses.accountNumber,
  runId: importProcesses.runId,
};

const named = rowsOf('named', { supplierCode: suppliers.code, externalAccountNumber: importProcesses.externalAccountNumber });

const PROCESSES_OF_CALLER = prepared(($: Values<{ apiKeyId: string; organisationId: string; named: RowValues<typeof named> }>) =>
  db
    .select(EXISTING)
    .from(apiKeys)
    .crossJoin(named.from($.named))
    .crossJoin(suppliers)
    .crossJoin(importProcesses)
    .where(
      and(
        isCallerActive($),
        eq(suppliers.code, named.row.supplierCode),
        eq(suppliers.organisationId, apiKeys.organisationId),
        eq(importProcesses.supplierId, suppliers.id),
        eq(importProcesses.externalAccountNumber, named.row.externalAccountNumber),
      ),
    ),
);

/** The process of a pair. */
export type ExistingRow = RowOfQuery<ReturnType<typeof PROCESSES_OF_CALLER>>;

/** The processes of pairs of this caller's suppliers. Pairs without a process, and of others' suppliers, have no row. */
export const processesOfCaller = (
  { apiKeyId, organisationId }: Caller,
  pairs: readonly { readonly supplierCode: string; readonly externalAccountNumber: string }[],
) => PROCESSES_OF_CALLER({ apiKeyId, organisationId, named: named.value(pairs) });

/** Suppliers, each with the version it was read in. */
export const versions = rowsOf('versions', { id: suppliers.id, version: suppliers.version });

/** The suppliers by which creates were validated, and the key of their caller. */
export interface Validated {
  readonly versions: RowValues<typeof versions>;
  readonly apiKeyId: string;
}

/** True for a supplier that is as it was when it was read, Ongoing, while the key is in force. Nothing is stored under any other. */
const isUnchanged = ($: Values<Validated>) =>
  and(
    eq(suppliers.id, versions.row.id),
    eq(suppliers.version, versions.row.version),
    eq(suppliers.status, 'Ongoing'),
    eq(apiKeys.id, $.apiKeyId),
    eq(apiKeys.organisationId, suppliers.organisationId),
    isNull(apiKeys.revokedAt),
  );

/** True while the supplier of a create is one of those that are unchanged. */
export const isUnderUnchanged = ($: Values<Validated>, supplierId: SQL<number>) =>
  inArray(
    supplierId,
    db.select({ id: suppliers.id }).from(versions.from($.versions)).crossJoin(suppliers).crossJoin(apiKeys).where(isUnchanged($)),
  );

/** The largest id given so far. Payload rows are never deleted, so `1 + position` past it is new, whatever was staged before. */
export const lastId = () => sql<number>`(SELECT coalesce(max(${payloads.id}), 0) FROM ${payloads})`;

/** The suppliers that are unchanged, each with the largest id of all before the batch. */
export const readUnchanged = prepared(($: Values<Validated>) =>
  db
    .select({ supplierId: suppliers.id, lastId: lastId() })
    .from(versions.from($.versions))
    .crossJoin(suppliers)
    .crossJoin(apiKeys)
    .where(isUnchanged($)),
);
