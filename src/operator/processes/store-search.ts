/**
 * Import processes of all suppliers by what their external account number begins with.
 */
import { and, asc, db, eq, gt, gte, importProcesses, indexedBy, limitOf, lt, or, prepared, suppliers, type Values } from '../../db';
import { LISTED } from './store-pages';

interface Search {
  readonly prefix: string;
  /** Where no other external account number that begins with the prefix can follow. */
  readonly end: string;
  /** The pair of the last one of the page before; `''` for the first page. */
  readonly afterCode: string;
  readonly afterNumber: string;
  readonly limit: number;
}

/** In the order of supplier codes and, within a supplier, of external account numbers. */
export const searchPage = prepared(($: Values<Search>) =>
  db
    .select({ supplierCode: suppliers.code, ...LISTED })
    .from(suppliers)
    .crossJoin(indexedBy(importProcesses, 'import_processes_pair'))
    .where(
      and(
        gte(suppliers.code, $.afterCode),
        eq(importProcesses.supplierId, suppliers.id),
        gte(importProcesses.externalAccountNumber, $.prefix),
        lt(importProcesses.externalAccountNumber, $.end),
        or(gt(suppliers.code, $.afterCode), gt(importProcesses.externalAccountNumber, $.afterNumber)),
      ),
    )
    .orderBy(asc(suppliers.code), asc(importProcesses.externalAccountNumber))
    .limit(limitOf($.limit)),
);

/** Finds the process of a pair. */
export const searchNamed = prepared(($: Values<{ code: string; externalAccountNumber: string }>) =>
  db
    .select({ id: importProcesses.id })
    .from(suppliers)
    .innerJoin(
      importProcesses,
      and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.externalAccountNumber, $.externalAccountNumber)),
    )
    .where(eq(suppliers.code, $.code)),
);
