/**
 * The statements that end claimed processes: with what became of them, or because their tries ran out.
 */
import {
  and,
  db,
  eq,
  excluded,
  field,
  gte,
  importProcessEvents,
  importProcesses,
  importsPerMinute,
  inArray,
  insertSelect,
  isNotNull,
  lte,
  ne,
  or,
  prepared,
  type RowValues,
  rowsOf,
  sql,
  type Values,
  type Write,
} from '../db';
import { EVENT, type EventName, type Happening, STATUS, statusAfter } from './machine';
import type { ProcessError } from './process';
import { errorCode, isProcessOf, may, type ProcessKey, type ProcessKeys, processKeys } from './store-conditions';

/** How a claimed process ended. */
export type Outcome = ProcessKey &
  (
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

// D1 binds every number as a REAL, so what has to be whole is made so here.
const minuteOf = (instant: number): number => Math.floor(instant / 60_000);

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
    // The fence stands before it in the same transaction.
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

/** For each supplier, its first process and how many ended in each way. */
const countsOf = (outcomes: readonly Outcome[]) =>
  counts.value(
    [...Map.groupBy(outcomes, ({ supplierId }) => supplierId)].flatMap(([supplierId, members]) =>
      members.slice(0, 1).map(({ id }) => ({
        supplierId,
        id,
        processed: members.filter(({ status }) => status === 'PROCESSED').length,
        errored: members.filter(({ status }) => status === 'ERRORED').length,
      })),
    ),
  );

/** Puts the writes of created accounts between the fence that guards the claim and the outcomes of the processes. */
export function finishBatch(outcomes: readonly Outcome[], claim: number, now: number, accountWrites: readonly Write[]): Write[] {
  const rows = outcomes.map(endedRowOf);
  const value = ended.value(rows);
  return [
    FENCE({ ended: value, claim }),
    ...accountWrites,
    COUNT({ counts: countsOf(outcomes), minute: minuteOf(now) }),
    ...(rows.some(({ event }) => event !== null) ? [EVENTS({ ended: value, now })] : []),
    FINISH({ ended: value, now }),
  ];
}

interface GivenUp {
  readonly keys: ProcessKeys;
  readonly now: number;
  readonly sentAt: number;
  readonly failedSince: number;
}

/** True for a process that nobody holds and whose tries ran out. */
const isGivenUp = ($: Values<GivenUp>) =>
  and(
    isProcessOf(processKeys.row),
    may('gave_up', 'dry_run_gave_up'),
    or(ne(importProcesses.status, STATUS.IN_PROGRESS), lte(importProcesses.leaseUntil, $.now)),
    // Until it is claimed, `modified_at` is when its payload was staged: one that nothing has tried yet is not given up for another.
    lte(sql`iif(${importProcesses.attempts}, ${importProcesses.scheduledAt}, ${importProcesses.modifiedAt})`, $.sentAt),
    gte(sql`coalesce(${importProcesses.failedAt}, 0)`, $.failedSince),
  );

const GIVE_UP_EVENTS = prepared(($: Values<GivenUp & { error: string }>) =>
  insertSelect(
    importProcessEvents,
    { processId: sql`${importProcesses.id}`, occurredAt: $.now, event: EVENT.ERRORED, data: $.error },
    sql`FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isGivenUp($)}`,
  ).onConflictDoNothing(),
);

const GIVE_UP_COUNT = prepared(($: Values<GivenUp & { minute: number }>) =>
  insertSelect(
    importsPerMinute,
    { supplierId: sql`${importProcesses.supplierId}`, minute: $.minute, processed: 0, errored: sql`count(*)` },
    sql`FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses}
      WHERE ${and(isGivenUp($), eq(importProcesses.isDryRun, 0))} GROUP BY ${importProcesses.supplierId}`,
  ).onConflictDoUpdate({
    target: [importsPerMinute.supplierId, importsPerMinute.minute],
    set: { errored: sql`${importsPerMinute.errored} + ${excluded(importsPerMinute.errored)}` },
  }),
);

const GIVE_UP = prepared(($: Values<GivenUp & { error: string }>) =>
  db
    .update(importProcesses)
    .set({
      status: sql`iif(${importProcesses.isDryRun}, ${statusAfter('dry_run_gave_up')}, ${statusAfter('gave_up')})`,
      error: $.error,
      finishedAt: $.now,
      modifiedAt: $.now,
      claim: null,
      leaseUntil: null,
    })
    .from(processKeys.from($.keys))
    .where(isGivenUp($)),
);

/** The error of a process whose tries ran out. */
export const GAVE_UP: ProcessError = {
  code: 'account_import_process_failed',
  detail: 'The account could not be created by several tries. Create it again or ask the operator to retry it.',
};

/**
 * Ends processes nobody holds whose payload was staged by `sentAt`: their tries ran out. Each is ERRORED, or DRY_RUN_ERRORED if it was
 * a dry run. With `failedSince` only those that a consumer gave back as failed since then.
 */
export function giveUp(keys: readonly ProcessKey[], now: number, sentAt: number, failedSince = 0): readonly [Write, Write, Write] {
  const given = { keys: processKeys.value(keys), now, sentAt, failedSince };
  const error = JSON.stringify(GAVE_UP);
  return [GIVE_UP_EVENTS({ ...given, error }), GIVE_UP_COUNT({ ...given, minute: minuteOf(now) }), GIVE_UP({ ...given, error })];
}

const GIVEN_UP = prepared(($: Values<{ keys: ProcessKeys }>) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(
      and(
        isProcessOf(processKeys.row),
        inArray(importProcesses.status, [statusAfter('gave_up'), statusAfter('dry_run_gave_up')]),
        eq(errorCode(), GAVE_UP.code),
      ),
    ),
);

/** How many of these processes have ended because their tries ran out. */
export const countGivenUp = (keys: readonly ProcessKey[]) => GIVEN_UP({ keys: processKeys.value(keys) });
