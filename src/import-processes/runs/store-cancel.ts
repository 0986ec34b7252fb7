/**
 * The statements that cancel what of a run is PENDING, a slice of its key at a time.
 */
import {
  and,
  asc,
  db,
  eq,
  gt,
  importProcessEvents,
  importProcesses,
  indexedBy,
  insertSelect,
  limitOf,
  lte,
  prepared,
  sql,
  type Values,
} from '../../db';
import { type CancelReason, recordCount, recordImports } from '../../events';
import { EVENT, STATUS, statusAfter } from '../machine';
import { foundKey, importOfEvent, isOpenEntry, may, OPEN_INDEX } from '../store-conditions';

interface Slice {
  readonly supplierId: number;
  readonly runId: number;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  readonly now: number;
}

const pendingOf = ($: Values<Slice>) =>
  db
    .select(foundKey())
    .from(indexedBy(importProcesses, OPEN_INDEX))
    .where(
      and(
        isOpenEntry(importProcesses, $.supplierId, STATUS.PENDING),
        gt(importProcesses.id, $.after),
        lte(importProcesses.id, $.upTo),
        eq(importProcesses.runId, $.runId),
        may('cancel'),
      ),
    )
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.limit))
    .as('pending');

const RECORD = prepared(($: Values<Slice>) => {
  const pending = pendingOf($);
  return recordImports(
    $,
    'account_imports.cancelled',
    sql`SELECT ${importProcesses.supplierId}, ${importProcesses.id}, ${importOfEvent()} AS import FROM ${pending} CROSS JOIN ${importProcesses}
      WHERE ${and(eq(importProcesses.supplierId, pending.supplierId), eq(importProcesses.id, pending.id))}`,
    sql`json_object('reason', ${'run' satisfies CancelReason})`,
  );
});

const CANCEL_EVENTS = prepared(($: Values<Slice>) => {
  const pending = pendingOf($);
  return insertSelect(
    importProcessEvents,
    { processId: sql`${pending.id}`, occurredAt: $.now, event: EVENT.CANCELLED },
    sql`FROM ${pending} WHERE true`,
  ).onConflictDoNothing();
});

const CANCEL = prepared(($: Values<Slice>) => {
  const pending = pendingOf($);
  return db
    .update(importProcesses)
    .set({ status: statusAfter('cancel'), finishedAt: $.now, modifiedAt: $.now })
    .from(pending)
    .where(and(eq(importProcesses.supplierId, pending.supplierId), eq(importProcesses.id, pending.id)))
    .returning({ id: importProcesses.id });
});

/** PENDING → CANCELLED for the next `limit` of a run past `after`, up to `upTo`. The third statement answers their ids. */
export const cancelOfRun = (slice: Slice, run: string) =>
  [
    RECORD(slice),
    CANCEL_EVENTS(slice),
    CANCEL(slice),
    recordCount({ supplierId: slice.supplierId, now: slice.now, type: 'run.cancelled', data: { run } }),
  ] as const;
