/**
 * Import processes of suppliers, counted by status.
 */
import {
  and,
  type Column,
  count,
  db,
  eq,
  importProcesses,
  importsPerMinute,
  inArray,
  ne,
  prepared,
  type RowOfQuery,
  type RowValues,
  rowsOf,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { STATUS } from '../../import-processes';

// PROCESSED is a sum over minutes, never a count of accounts; all other statuses are entries of the open index.
const countsOf = (isMeant: (supplierId: Column) => SQL | undefined) =>
  db
    .select({ supplierId: importProcesses.supplierId, status: importProcesses.status, count: count() })
    .from(importProcesses)
    .where(and(ne(importProcesses.status, STATUS.PROCESSED), isMeant(importProcesses.supplierId)))
    .groupBy(importProcesses.supplierId, importProcesses.status)
    .unionAll(
      db
        .select({
          supplierId: importsPerMinute.supplierId,
          status: sql<number>`${STATUS.PROCESSED}`,
          count: sql<number>`sum(${importsPerMinute.processed})`,
        })
        .from(importsPerMinute)
        .where(isMeant(importsPerMinute.supplierId))
        .groupBy(importsPerMinute.supplierId),
    );

export const allCounts = prepared(() => countsOf(() => undefined));

export type CountRow = RowOfQuery<ReturnType<typeof allCounts>>;

export const countsByCode = prepared(($: Values<{ code: string }>) =>
  countsOf((supplierId) => eq(supplierId, db.select({ id: suppliers.id }).from(suppliers).where(eq(suppliers.code, $.code)))),
);

const named = rowsOf('named', { id: suppliers.id });

const COUNTS_OF_SUPPLIERS = prepared(($: Values<{ ids: RowValues<typeof named> }>) =>
  countsOf((supplierId) => inArray(supplierId, db.select({ id: named.row.id }).from(named.from($.ids)))),
);

export const countsOfSuppliers = (ids: readonly number[]) => COUNTS_OF_SUPPLIERS({ ids: named.value(ids.map((id) => ({ id }))) });
