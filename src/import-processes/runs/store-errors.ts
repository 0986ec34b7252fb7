/**
 * A run stops by itself: errors are counted on its row in the batch that ends its processes, and the one that reaches the limit holds it.
 */
import {
  and,
  db,
  eq,
  importProcesses,
  isNotNull,
  prepared,
  type RowValues,
  rowsOf,
  runs,
  type SQL,
  sql,
  type Values,
  type Write,
} from '../../db';
import { isProcessOf, may, type ProcessKey } from '../store-conditions';

/** What so many errors more make of a run. What was claimed before goes on to its end. */
const withErrors = (errors: SQL<number>, now: SQL<number>) => {
  const isReached = sql`${runs.errors} + ${errors} >= ${runs.stopAfterErrors}`;
  return {
    errors: sql`${runs.errors} + ${errors}`,
    heldReason: sql`iif(${isReached}, 'errors', ${runs.heldReason})`,
    releasedTo: sql`iif(${isReached}, 0, ${runs.releasedTo})`,
    version: sql`${runs.version} + 1`,
    modifiedAt: sql`${now}`,
  };
};

const erring = rowsOf('erring', { runId: runs.id, supplierId: importProcesses.supplierId, id: importProcesses.id, errors: runs.errors });

// A batch ends all its processes or none, so the first one of a run says for all whether they were counted before.
const COUNT_ERRORS = prepared(($: Values<{ erring: RowValues<typeof erring>; now: number }>) =>
  db
    .update(runs)
    .set(withErrors(erring.row.errors, $.now))
    .from(sql`${erring.from($.erring)} CROSS JOIN ${importProcesses}`)
    .where(and(eq(runs.id, erring.row.runId), isProcessOf(erring.row), may('failed'))),
);

/** Counts those of the processes that end as ERRORED, run by run. Comes before what ends them in the batch; nothing where none is in a run. */
export function countErrors(errored: readonly (ProcessKey & { readonly runId: number })[], now: number): readonly Write[] {
  if (errored.length === 0) return [];
  const rows = [...Map.groupBy(errored, ({ runId }) => runId)].flatMap(([runId, members]) =>
    members.slice(0, 1).map(({ supplierId, id }) => ({ runId, supplierId, id, errors: members.length })),
  );
  return [COUNT_ERRORS({ erring: erring.value(rows), now })];
}

/** The same of processes that a condition finds, real imports of any run: what is given up. */
export const countErrorsWhere = ($: Values<{ now: number }>, from: SQL, condition: SQL | undefined) => {
  const counted = db
    .select({ runId: sql<number>`${importProcesses.runId}`.as('counted_run_id'), count: sql<number>`count(*)`.as('counted') })
    .from(from)
    .crossJoin(importProcesses)
    .where(and(condition, isNotNull(importProcesses.runId), eq(importProcesses.isDryRun, 0)))
    .groupBy(importProcesses.runId)
    .as('by_run');
  return db
    .update(runs)
    .set(withErrors(sql`${counted.count}`, $.now))
    .from(counted)
    .where(eq(runs.id, counted.runId));
};
