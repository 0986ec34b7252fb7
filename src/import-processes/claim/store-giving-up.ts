/**
 * The statements that end processes whose tries ran out.
 */
import {
  and,
  db,
  eq,
  excluded,
  gte,
  importProcessEvents,
  importProcesses,
  importsPerMinute,
  inArray,
  insertSelect,
  lte,
  ne,
  or,
  prepared,
  sql,
  type Values,
  type Write,
} from '../../db';
import { recordImports } from '../../events';
import { minuteOf } from '../../shared/dates';
import { EVENT, STATUS, type Status, statusAfter } from '../machine';
import type { ProcessError } from '../process';
import { countErrorsWhere, recordHeldWhere } from '../runs/store-errors';
import { errorCode, importOfEvent, isProcessOf, may, type ProcessKey, type ProcessKeys, processKeys } from '../store-conditions';

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

const GIVE_UP_HELD = prepared(($: Values<GivenUp>) => recordHeldWhere($, processKeys.from($.keys), isGivenUp($)));
const GIVE_UP_RUNS = prepared(($: Values<GivenUp>) => countErrorsWhere($, processKeys.from($.keys), isGivenUp($)));
const [ENDED, DRY_RUN_ENDED]: readonly [Status, Status] = ['ERRORED', 'DRY_RUN_ERRORED'];

const RECORD = prepared(($: Values<GivenUp>) =>
  recordImports(
    $,
    'account_imports.finished',
    sql`SELECT ${importProcesses.supplierId}, ${importProcesses.id}, ${importOfEvent(
      sql`, 'status', iif(${importProcesses.isDryRun}, ${DRY_RUN_ENDED}, ${ENDED}), 'code', ${GAVE_UP.code}`,
    )} AS import
      FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isGivenUp($)}`,
  ),
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
export function giveUp(
  keys: readonly ProcessKey[],
  now: number,
  sentAt: number,
  failedSince = 0,
): readonly [Write, Write, Write, Write, Write, Write] {
  const given = { keys: processKeys.value(keys), now, sentAt, failedSince };
  const error = JSON.stringify(GAVE_UP);
  return [
    RECORD(given),
    GIVE_UP_EVENTS({ ...given, error }),
    GIVE_UP_COUNT({ ...given, minute: minuteOf(now) }),
    GIVE_UP_HELD(given),
    GIVE_UP_RUNS(given),
    GIVE_UP({ ...given, error }),
  ];
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
