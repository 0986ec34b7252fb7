/**
 * The statements that let processes of runs start: the steps of a pace, the first so many of a run, and what a step let go.
 */
import {
  alias,
  aliasIndexedBy,
  and,
  asc,
  db,
  eq,
  gt,
  importProcesses,
  inArray,
  indexedBy,
  isNotNull,
  isNull,
  limitOf,
  lt,
  lte,
  notInArray,
  prepared,
  runs,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { STATUS } from '../machine';
import { due, isDue } from '../send/store';
import { isOpenEntry, OPEN_INDEX } from '../store-conditions';

/** Runs that one minute's work lets take a step, and waiting processes that a step looks at: those of other runs may lie between. */
const [MAX_RUNS, LOOKS] = [200, 200_000];

const PACED_INDEX = 'runs_paced';
const isPaced = () => and(isNotNull(runs.pacePerMinute), isNull(runs.heldReason));

/** Runs whose pace has a step to take in this minute, under Ongoing suppliers. */
export const pacedRuns = prepared(($: Values<{ minute: number }>) =>
  db
    .select({ id: runs.id, supplierId: runs.supplierId, releasedTo: runs.releasedTo, pace: sql<number>`${runs.pacePerMinute}` })
    .from(indexedBy(runs, PACED_INDEX))
    .crossJoin(suppliers)
    .where(and(isPaced(), lt(runs.pacedMinute, $.minute), eq(suppliers.id, runs.supplierId), eq(suppliers.status, 'Ongoing')))
    .limit(MAX_RUNS),
);

/** A run, and how far it was released. */
export interface PacedRow {
  readonly id: number;
  readonly supplierId: number;
  readonly releasedTo: number;
}

/** A run whose pace has a step to take: processes a minute. */
export interface PacedRun extends PacedRow {
  readonly pace: number;
}

/**
 * Moves the watermark of a run past the next processes that wait, as many as its pace allows: once a minute, however often it is sent.
 * Answers how far it is now.
 */
export const stepOfPace = prepared(($: Values<{ id: number; pace: number; minute: number; now: number }>) => {
  const waiting = alias(importProcesses, 'waiting');
  const looked = db
    .select({ id: sql<number>`${waiting.id}`.as('looked_id'), runId: sql<number | null>`${waiting.runId}`.as('looked_run_id') })
    .from(aliasIndexedBy(importProcesses, waiting, OPEN_INDEX))
    .where(and(isOpenEntry(waiting, sql`${runs.supplierId}`, STATUS.PENDING), gt(waiting.id, runs.releasedTo)))
    .orderBy(asc(waiting.id))
    .limit(LOOKS);
  const next = sql`(SELECT looked_id FROM ${looked} WHERE looked_run_id = ${runs.id} ORDER BY looked_id LIMIT 1 OFFSET ${limitOf($.pace)} - 1)`;
  const end = sql`(SELECT max(looked_id) FROM ${looked})`;
  return db
    .update(runs)
    .set({
      releasedTo: sql`coalesce(${next}, ${end}, ${runs.releasedTo})`,
      releasedAt: $.now,
      pacedMinute: $.minute,
      version: sql`${runs.version} + 1`,
    })
    .where(and(eq(runs.id, $.id), eq(runs.pacePerMinute, $.pace), isPaced(), lt(runs.pacedMinute, $.minute)))
    .returning({ releasedTo: runs.releasedTo });
});

/** What will not start again by itself is none of the first so many. */
const ENDED = [STATUS.CANCELLED, STATUS.DRY_RUN_SUCCEEDED, STATUS.DRY_RUN_ERRORED];

/** The id of the last of the first `count` processes of a run, in commit order; null where it has none. */
export const lastOfFirst = prepared(($: Values<{ id: number; count: number }>) => {
  const first = db
    .select({ id: sql<number>`${importProcesses.id}`.as('first_ids') })
    .from(runs)
    .crossJoin(importProcesses)
    .where(and(eq(runs.id, $.id), isOfRun(), notInArray(importProcesses.status, ENDED)))
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.count))
    .as('first');
  return sql<{ id: number | null }>`SELECT max(first_ids) AS "id" FROM ${first}`;
});

/** Processes of the run, by the key of its supplier, between its first and its last id. */
const isOfRun = () =>
  and(
    eq(importProcesses.supplierId, runs.supplierId),
    sql`${importProcesses.id} >= ${runs.firstId}`,
    lte(importProcesses.id, runs.lastId),
    eq(importProcesses.runId, runs.id),
  );

/** Of the next `looks` waiting processes of the supplier past `after`, up to `upTo`: each with whether it is to be sent. */
export const waitingBetween = prepared(($: Values<{ supplierId: number; after: number; upTo: number; looks: number; now: number }>) => {
  const next = alias(importProcesses, 'next');
  const ids = db
    .select({ id: sql<number>`${next.id}` })
    .from(aliasIndexedBy(importProcesses, next, OPEN_INDEX))
    .where(and(isOpenEntry(next, $.supplierId, STATUS.PENDING), gt(next.id, $.after), lte(next.id, $.upTo)))
    .orderBy(asc(next.id))
    .limit(limitOf($.looks));
  return db
    .select({ ...due(), isDue: sql<boolean>`${isDue($)}`.mapWith(Boolean) })
    .from(suppliers)
    .crossJoin(importProcesses)
    .where(and(eq(suppliers.id, $.supplierId), eq(importProcesses.supplierId, suppliers.id), inArray(importProcesses.id, ids)))
    .orderBy(asc(importProcesses.id));
});
