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
import { recordFound } from '../../events';
import { isProcessOf, may, type ProcessKey } from '../store-conditions';

/** So many errors more are as many as the run may have. */
const isReached = (errors: SQL<number>) => sql`${runs.errors} + ${errors} >= ${runs.stopAfterErrors}`;

/** What so many errors more make of a run. What was claimed before goes on to its end. */
const withErrors = (errors: SQL<number>, now: SQL<number>) => {
  const isHeld = isReached(errors);
  return {
    errors: sql`${runs.errors} + ${errors}`,
    heldReason: sql`iif(${isHeld}, 'errors', ${runs.heldReason})`,
    releasedTo: sql`iif(${isHeld}, 0, ${runs.releasedTo})`,
    version: sql`${runs.version} + 1`,
    modifiedAt: sql`${now}`,
  };
};

/** The events of runs that so many errors more hold: those that errors hold already had theirs. */
const recordHeld = ($: Values<{ now: number }>, errors: SQL<number>, from: SQL, condition: SQL | undefined) =>
  recordFound(
    $,
    {
      supplierId: runs.supplierId,
      type: 'run.held',
      data: sql`json_object('run', ${runs.name}, 'held_by', 'errors', 'errors', ${runs.errors} + ${errors})`,
    },
    sql`FROM ${from} WHERE ${and(condition, sql`${runs.heldReason} IS NOT 'errors'`, isReached(errors))}`,
  );

const erring = rowsOf('erring', { runId: runs.id, supplierId: importProcesses.supplierId, id: importProcesses.id, errors: runs.errors });

// A batch ends all its processes or none, so the first one of a run says for all whether they were counted before.
const isCounted = () => and(eq(runs.id, erring.row.runId), isProcessOf(erring.row), may('failed'));

const RECORD_HELD = prepared(($: Values<{ erring: RowValues<typeof erring>; now: number }>) =>
  recordHeld($, erring.row.errors, sql`${erring.from($.erring)} CROSS JOIN ${importProcesses} CROSS JOIN ${runs}`, isCounted()),
);

const COUNT_ERRORS = prepared(($: Values<{ erring: RowValues<typeof erring>; now: number }>) =>
  db
    .update(runs)
    .set(withErrors(erring.row.errors, $.now))
    .from(sql`${erring.from($.erring)} CROSS JOIN ${importProcesses}`)
    .where(isCounted()),
);

/** Counts those of the processes that end as ERRORED, run by run. Comes before what ends them in the batch; nothing where none is in a run. */
export function countErrors(errored: readonly (ProcessKey & { readonly runId: number })[], now: number): readonly Write[] {
  if (errored.length === 0) return [];
  const rows = [...Map.groupBy(errored, ({ runId }) => runId)].flatMap(([runId, members]) =>
    members.slice(0, 1).map(({ supplierId, id }) => ({ runId, supplierId, id, errors: members.length })),
  );
  const values = { erring: erring.value(rows), now };
  return [RECORD_HELD(values), COUNT_ERRORS(values)];
}

/** Real imports of any run that a condition finds, run by run. */
const countedOf = (from: SQL, condition: SQL | undefined) =>
  db
    .select({ runId: sql<number>`${importProcesses.runId}`.as('counted_run_id'), count: sql<number>`count(*)`.as('counted') })
    .from(from)
    .crossJoin(importProcesses)
    .where(and(condition, isNotNull(importProcesses.runId), eq(importProcesses.isDryRun, 0)))
    .groupBy(importProcesses.runId)
    .as('by_run');

/** The same of processes that a condition finds, real imports of any run: what is given up. */
export const countErrorsWhere = ($: Values<{ now: number }>, from: SQL, condition: SQL | undefined) => {
  const counted = countedOf(from, condition);
  return db
    .update(runs)
    .set(withErrors(sql`${counted.count}`, $.now))
    .from(counted)
    .where(eq(runs.id, counted.runId));
};

/** Stands before {@link countErrorsWhere}: the events of runs that those hold. */
export const recordHeldWhere = ($: Values<{ now: number }>, from: SQL, condition: SQL | undefined) => {
  const counted = countedOf(from, condition);
  return recordHeld($, sql`${counted.count}`, sql`${counted} CROSS JOIN ${runs}`, eq(runs.id, counted.runId));
};
