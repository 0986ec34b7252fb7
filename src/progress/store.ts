/**
 * How far migrations are, as their importer reads it: suppliers with counts, and import processes by status.
 */
import {
  and,
  apiKeys,
  asc,
  db,
  eq,
  gt,
  importProcesses,
  importsPerMinute,
  inArray,
  indexedBy,
  isNull,
  limitOf,
  ne,
  or,
  prepared,
  type RowOfQuery,
  SUPPLIER,
  sql,
  suppliers,
  type Values,
} from '../db';
import { STATUS } from '../import-processes';
import { isCallerActive } from '../tokens';

interface OfCaller {
  readonly apiKeyId: string;
  readonly organisationId: string;
}

/** The first of a supplier's PENDING processes, in the order of their first create. */
const oldestPending = () => sql<number | null>`(SELECT ${importProcesses.scheduledAt}
  FROM ${indexedBy(importProcesses, 'import_processes_open')}
  WHERE ${importProcesses.supplierId} = ${suppliers.id} AND ${importProcesses.status} = ${STATUS.PENDING}
    AND ${importProcesses.status} <> ${STATUS.PROCESSED} ORDER BY ${importProcesses.id} LIMIT 1)`;

/** The caller's suppliers in the order of their codes; the one with that code, if `code` is not null. No row at all: the key is not in force. */
export const suppliersOfCaller = prepared(($: Values<OfCaller & { code: string | null }>) =>
  db
    .select({ supplier: SUPPLIER, pausedAt: suppliers.pausedAt, oldestPendingAt: oldestPending() })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.organisationId, apiKeys.organisationId), or(isNull($.code), eq(suppliers.code, $.code))))
    .where(isCallerActive($))
    .orderBy(asc(suppliers.code)),
);

/** How many processes of each status the same suppliers have. PROCESSED is a sum over minutes: accounts are never counted one by one. */
export const countsOfCaller = prepared(($: Values<OfCaller & { code: string | null }>) => {
  const own = () =>
    db
      .select({ id: suppliers.id })
      .from(apiKeys)
      .innerJoin(suppliers, and(eq(suppliers.organisationId, apiKeys.organisationId), or(isNull($.code), eq(suppliers.code, $.code))))
      .where(isCallerActive($));
  return db
    .select({ supplierId: importProcesses.supplierId, status: importProcesses.status, count: sql<number>`count(*)`.as('count') })
    .from(importProcesses)
    .where(and(inArray(importProcesses.supplierId, own()), ne(importProcesses.status, STATUS.PROCESSED)))
    .groupBy(importProcesses.supplierId, importProcesses.status)
    .unionAll(
      db
        .select({
          supplierId: importsPerMinute.supplierId,
          status: sql<number>`${STATUS.PROCESSED}`.as('status'),
          count: sql<number>`sum(${importsPerMinute.processed})`.as('count'),
        })
        .from(importsPerMinute)
        .where(inArray(importsPerMinute.supplierId, own()))
        .groupBy(importsPerMinute.supplierId),
    );
});

interface OfSupplier extends OfCaller {
  readonly code: string;
  /** The external account number that a page begins after; null for the first. */
  readonly cursor: string | null;
}

/** The supplier, and the process that a cursor names: `afterId` is null if it names none. No row: the key is not in force. */
export const openProcesses = prepared(($: Values<OfSupplier>) =>
  db
    .select({ supplierId: suppliers.id, afterId: afterCursor($) })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.code), eq(suppliers.organisationId, apiKeys.organisationId)))
    .where(isCallerActive($)),
);

const afterCursor = ($: Values<OfSupplier>) => sql<
  number | null
>`iif(${$.cursor} IS NULL, 0, (SELECT ${importProcesses.id} FROM ${importProcesses}
  WHERE ${importProcesses.supplierId} = ${suppliers.id} AND ${importProcesses.externalAccountNumber} = ${$.cursor}))`;

const LISTED = {
  externalAccountNumber: importProcesses.externalAccountNumber,
  status: importProcesses.status,
  accountNumber: importProcesses.accountNumber,
  modifiedAt: importProcesses.modifiedAt,
  error: importProcesses.error,
};

interface Page {
  readonly supplierId: number;
  readonly afterId: number;
  readonly limit: number;
}

/** Processes of one supplier past one of them, in the order of their first create. */
export const processesAfter = prepared(($: Values<Page>) =>
  db
    .select(LISTED)
    .from(importProcesses)
    .where(and(eq(importProcesses.supplierId, $.supplierId), gt(importProcesses.id, $.afterId)))
    .orderBy(importProcesses.id)
    .limit(limitOf($.limit)),
);

export type ListedProcess = RowOfQuery<ReturnType<typeof processesAfter>>;

/** The same in one status but PROCESSED: entries of the open index. */
export const openProcessesAfter = prepared(($: Values<Page & { status: number }>) =>
  db
    .select(LISTED)
    .from(indexedBy(importProcesses, 'import_processes_open'))
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        eq(importProcesses.status, $.status),
        ne(importProcesses.status, STATUS.PROCESSED),
        gt(importProcesses.id, $.afterId),
      ),
    )
    .orderBy(importProcesses.id)
    .limit(limitOf($.limit)),
);
