/**
 * The statements that end claimed processes with what became of them.
 */
import {
  and,
  db,
  eq,
  excluded,
  field,
  importProcessEvents,
  importProcesses,
  importsPerMinute,
  insertSelect,
  isNotNull,
  jsonText,
  prepared,
  type RowValues,
  rowsOf,
  sql,
  type Values,
  type Write,
} from '../../db';
import { type FinishedImport, recordFound } from '../../events';
import { minuteOf } from '../../shared/dates';
import { EVENT, type EventName, type Happening, statusAfter } from '../machine';
import { platformIdentifierOf } from '../number';
import type { ProcessError } from '../process';
import { countErrors } from '../runs/store-errors';
import { isProcessOf, may, type ProcessKey } from '../store-conditions';

/** How a claimed process ended. */
export type Outcome = ProcessKey & {
  readonly externalAccountNumber: string;
  /** The run that it is in; absent or null: none. */
  readonly runId?: number | null;
  /** Its name. */
  readonly run?: string | null;
} & (
    | { readonly status: 'PROCESSED'; readonly accountNumber: string }
    | { readonly status: 'DRY_RUN_SUCCEEDED' }
    | { readonly status: 'ERRORED' | 'DRY_RUN_ERRORED'; readonly error: ProcessError }
  );

const HAPPENED: Readonly<Record<Outcome['status'], Happening>> = {
  PROCESSED: 'created',
  ERRORED: 'failed',
  DRY_RUN_SUCCEEDED: 'dry_run_succeeded',
  DRY_RUN_ERRORED: 'dry_run_failed',
};
const mayEnd = () => may(...Object.values(HAPPENED));

const ended = rowsOf('ended', {
  supplierId: importProcesses.supplierId,
  id: importProcesses.id,
  status: importProcesses.status,
  accountNumber: importProcesses.accountNumber,
  error: importProcesses.error,
  event: field<EventName | null>(),
});
type Ended = RowValues<typeof ended>;

/** What the error of a batch says whose claim no longer holds: the service's own name for it, in place of a path of JSON. */
const LOST_CLAIM = 'the_claim_is_lost';

// A claim that no longer holds all its processes makes the whole batch fail: its name is no path. Finished ones keep their claim, so
// repeating a batch that was committed passes here and then changes nothing.
const FENCE = prepared(($: Values<{ ended: Ended; claim: number }>) => {
  const held = db
    .select({ count: sql<number>`count(*)` })
    .from(ended.from($.ended))
    .crossJoin(importProcesses)
    .where(and(isProcessOf(ended.row), eq(importProcesses.claim, $.claim)));
  return sql`SELECT json_extract('{}', iif(${held} = json_array_length(${$.ended}), '$', ${LOST_CLAIM}))`;
});

/** True for the error {@link finishBatch} fails with when the claim no longer holds. */
export const isLostClaim = (error: unknown): boolean => error instanceof Error && error.message.includes(LOST_CLAIM);

const counts = rowsOf('counts', {
  supplierId: importsPerMinute.supplierId,
  id: importProcesses.id,
  processed: importsPerMinute.processed,
  errored: importsPerMinute.errored,
});

// A batch ends all its processes or none, so the first one of a supplier says for all whether they were counted before.
const COUNT = prepared(($: Values<{ counts: RowValues<typeof counts>; minute: number }>) =>
  insertSelect(
    importsPerMinute,
    { supplierId: counts.row.supplierId, minute: $.minute, processed: counts.row.processed, errored: counts.row.errored },
    sql`FROM ${counts.from($.counts)} CROSS JOIN ${importProcesses} WHERE ${and(isProcessOf(counts.row), mayEnd())}`,
  ).onConflictDoUpdate({
    target: [importsPerMinute.supplierId, importsPerMinute.minute],
    set: {
      processed: sql`${importsPerMinute.processed} + ${excluded(importsPerMinute.processed)}`,
      errored: sql`${importsPerMinute.errored} + ${excluded(importsPerMinute.errored)}`,
    },
  }),
);

const finished = rowsOf('finished', { supplierId: importProcesses.supplierId, id: importProcesses.id, data: jsonText() });

const RECORD = prepared(($: Values<{ finished: RowValues<typeof finished>; now: number }>) =>
  recordFound(
    $,
    { supplierId: finished.row.supplierId, type: 'account_imports.finished', data: finished.row.data },
    sql`FROM ${finished.from($.finished)} CROSS JOIN ${importProcesses} WHERE ${and(isProcessOf(finished.row), mayEnd())}`,
  ),
);

const EVENTS = prepared(($: Values<{ ended: Ended; now: number }>) =>
  insertSelect(
    importProcessEvents,
    { processId: ended.row.id, occurredAt: $.now, event: sql`${ended.row.event}`, data: ended.row.error },
    sql`FROM ${ended.from($.ended)} WHERE ${isNotNull(ended.row.event)}`,
  ).onConflictDoNothing(),
);

const FINISH = prepared(($: Values<{ ended: Ended; now: number }>) =>
  db
    .update(importProcesses)
    .set({
      status: ended.row.status,
      accountNumber: ended.row.accountNumber,
      error: ended.row.error,
      finishedAt: $.now,
      modifiedAt: $.now,
      leaseUntil: null,
    })
    .from(ended.from($.ended))
    // The fence comes before it in the same transaction.
    .where(and(isProcessOf(ended.row), mayEnd())),
);

function eventOf(outcome: Outcome): EventName | null {
  if (outcome.status === 'PROCESSED') return null;
  return outcome.status === 'DRY_RUN_SUCCEEDED' ? EVENT.DRY_RUN_SUCCEEDED : EVENT.ERRORED;
}

const endedRowOf = (outcome: Outcome) => ({
  supplierId: outcome.supplierId,
  id: outcome.id,
  status: statusAfter(HAPPENED[outcome.status]),
  accountNumber: outcome.status === 'PROCESSED' ? outcome.accountNumber : null,
  error: 'error' in outcome ? JSON.stringify(outcome.error) : null,
  event: eventOf(outcome),
});

/** Those that count against their run. */
const erringOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ supplierId, id, status, runId }) => (status === 'ERRORED' && runId ? [{ supplierId, id, runId }] : []));

/** What `rowOf` makes of each supplier's outcomes, with the first of its processes. */
const bySupplier = <Row>(outcomes: readonly Outcome[], rowOf: (members: readonly Outcome[]) => Row) =>
  [...Map.groupBy(outcomes, ({ supplierId }) => supplierId)].flatMap(([supplierId, members]) =>
    members.slice(0, 1).map(({ id }) => ({ supplierId, id, ...rowOf(members) })),
  );

/** For each supplier, its first process and how many ended in each way. */
const countsOf = (outcomes: readonly Outcome[]) =>
  counts.value(
    bySupplier(outcomes, (members) => ({
      processed: members.filter(({ status }) => status === 'PROCESSED').length,
      errored: members.filter(({ status }) => status === 'ERRORED').length,
    })),
  );

/** For each supplier, its first process and the event of all of them. */
const finishedOf = (outcomes: readonly Outcome[]) =>
  finished.value(bySupplier(outcomes, (members) => ({ data: JSON.stringify({ imports: members.map(importOf) }) })));

const importOf = (outcome: Outcome): FinishedImport => ({
  external_account_number: outcome.externalAccountNumber,
  status: outcome.status,
  ...(outcome.status === 'PROCESSED'
    ? { platform_account_number: outcome.accountNumber, platform_identifier: platformIdentifierOf(outcome.accountNumber) }
    : {}),
  ...('error' in outcome ? { code: outcome.error.code } : {}),
  ...(outcome.run ? { run: outcome.run } : {}),
});

/** Puts the writes of created accounts between the fence that guards the claim and the outcomes of the processes. */
export function finishBatch(outcomes: readonly Outcome[], claim: number, now: number, accountWrites: readonly Write[]): Write[] {
  const rows = outcomes.map(endedRowOf);
  const value = ended.value(rows);
  return [
    FENCE({ ended: value, claim }),
    ...accountWrites,
    COUNT({ counts: countsOf(outcomes), minute: minuteOf(now) }),
    ...countErrors(erringOf(outcomes), now),
    RECORD({ finished: finishedOf(outcomes), now }),
    ...(rows.some(({ event }) => event !== null) ? [EVENTS({ ended: value, now })] : []),
    FINISH({ ended: value, now }),
  ];
}
