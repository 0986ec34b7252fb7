/**
 * The statements by which a run comes to its end: nothing of it is PENDING or IN_PROGRESS any more. The minute's work looks, so that no
 * account costs a row more for it.
 */
import {
  alias,
  aliasIndexedBy,
  and,
  db,
  eq,
  gte,
  importProcesses,
  indexedBy,
  isNotNull,
  isNull,
  lte,
  prepared,
  type RowValues,
  rowsOf,
  runs,
  type SQL,
  sql,
  type Values,
} from '../../db';
import { recordFound } from '../../events';
import { STATUS, STATUSES } from '../machine';
import { isOpenEntry, OPEN_INDEX } from '../store-conditions';

/** Runs that one minute's work brings to their end at most. */
const MAX_RUNS = 20;

const UNFINISHED_INDEX = 'runs_unfinished';

/** True while a process of the run has this status, one of those without an account. */
function hasAny(status: number): SQL {
  const waiting = alias(importProcesses, 'waiting');
  return sql`EXISTS (SELECT 1 FROM ${aliasIndexedBy(importProcesses, waiting, OPEN_INDEX)} WHERE ${and(
    isOpenEntry(waiting, sql`${runs.supplierId}`, status),
    sql`${waiting.id} >= ${runs.firstId}`,
    lte(waiting.id, runs.lastId),
    eq(waiting.runId, runs.id),
  )})`;
}

const isAtItsEnd = () =>
  and(isNull(runs.finishedAt), isNotNull(runs.firstId), sql`NOT ${hasAny(STATUS.PENDING)}`, sql`NOT ${hasAny(STATUS.IN_PROGRESS)}`);

/** Runs that came to their end since the minute before. */
export const endedRuns = prepared(() =>
  db.select({ id: runs.id }).from(indexedBy(runs, UNFINISHED_INDEX)).where(isAtItsEnd()).limit(MAX_RUNS),
);

const given = rowsOf('given', { id: runs.id });

interface Finished {
  readonly given: RowValues<typeof given>;
  readonly now: number;
}

const isGiven = () => and(eq(runs.id, given.row.id), isAtItsEnd());

/** How many processes of the run have each status, as JSON. */
function countsByStatus(): SQL<string> {
  const names = sql.join(
    STATUSES.map((status) => sql`WHEN ${STATUS[status]} THEN ${status}`),
    sql` `,
  );
  const counted = db
    .select({
      status: sql<string>`CASE ${importProcesses.status} ${names} END`.as('counted_status'),
      count: sql<number>`count(*)`.as('counted'),
    })
    .from(importProcesses)
    .where(
      and(
        eq(importProcesses.supplierId, runs.supplierId),
        gte(importProcesses.id, runs.firstId),
        lte(importProcesses.id, runs.lastId),
        eq(importProcesses.runId, runs.id),
      ),
    )
    .groupBy(importProcesses.status)
    .as('by_status');
  return sql<string>`(SELECT json_group_object(${counted.status}, ${counted.count}) FROM ${counted})`;
}

const RECORD = prepared(($: Values<Finished>) =>
  recordFound(
    $,
    {
      supplierId: runs.supplierId,
      type: 'run.finished',
      data: sql`json_object('run', ${runs.name}, 'counts', json(${countsByStatus()}))`,
    },
    sql`FROM ${given.from($.given)} CROSS JOIN ${runs} WHERE ${isGiven()}`,
  ),
);

const FINISH = prepared(($: Values<Finished>) => db.update(runs).set({ finishedAt: $.now }).from(given.from($.given)).where(isGiven()));

/** Brings those of these runs to their end of which still nothing waits, each with its event. */
export function finishRuns(ids: readonly number[], now: number) {
  const values = { given: given.value(ids.map((id) => ({ id }))), now };
  return [RECORD(values), FINISH(values)] as const;
}
