/**
 * The statements that schedule ERRORED processes again because an operator asks for it. The condition is in the write, so the database
 * decides.
 */
import { isAudited } from '../../audit';
import {
  and,
  db,
  eq,
  exists,
  gt,
  importProcessEvents,
  importProcesses,
  inArray,
  indexedBy,
  insertSelect,
  isNull,
  ne,
  or,
  payloads,
  prepared,
  type RowOfQuery,
  type SQL,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { EVENT, statusAfter } from '../machine';
import { ERRORED_INDEX, errorCode, foundKey, isWithoutAccount, may, OPEN_INDEX, type ProcessKeys, processKeys } from '../store-conditions';

// A retry has to have a window to start in and a payload to start with.
const isInTime = (now: SQL<number>) => sql<number>`ifnull(${gt(importProcesses.windowEnd, now)}, 1)`;
const hasPayload = () =>
  exists(
    db
      .select({ id: payloads.id })
      .from(payloads)
      .where(and(eq(payloads.id, importProcesses.id), ne(payloads.body, ''))),
  );

/** True for a process that, if it is ERRORED, can start again at `now`. */
export const mayStartAgain = (now: SQL<number>) => and(isInTime(now), hasPayload());

/** True while the supplier is not Complete: then nothing is retried, though it may have been completed since it was read. */
export const isNotComplete = (supplierId: SQL<number> | typeof importProcesses.supplierId) =>
  exists(
    db
      .select({ id: suppliers.id })
      .from(suppliers)
      .where(and(eq(suppliers.id, supplierId), ne(suppliers.status, 'Complete'))),
  );

interface OfSupplier {
  readonly supplierId: number;
}
interface Retried extends OfSupplier {
  readonly now: number;
}
interface ByNumber extends Retried {
  readonly externalAccountNumber: string;
}
interface ByIds extends Retried {
  readonly keys: ProcessKeys;
}
interface Audited extends ByIds {
  readonly code: string | null;
  readonly auditId: number;
}

const isErrored = ($: Values<OfSupplier>) =>
  and(eq(importProcesses.supplierId, $.supplierId), may('retry'), isWithoutAccount(importProcesses));

const isRetryable = ($: Values<ByNumber>) =>
  and(
    isErrored($),
    eq(importProcesses.externalAccountNumber, $.externalAccountNumber),
    mayStartAgain($.now),
    isNotComplete(importProcesses.supplierId),
  );
const byNumber = ($: Values<ByNumber>) => db.select(foundKey()).from(importProcesses).where(isRetryable($));

// The index is named: the planner would walk the whole supplier by its key, because the ids are wanted in order.
const byOpenIndex = () => indexedBy(importProcesses, OPEN_INDEX);
const isOneOf = ($: Values<ByIds>) =>
  and(isErrored($), inArray(importProcesses.id, db.select({ id: processKeys.row.id }).from(processKeys.from($.keys))));
const byIds = ($: Values<Audited>) =>
  db
    .select(foundKey())
    .from(byOpenIndex())
    .where(and(isOneOf($), or(isNull($.code), eq(errorCode(), $.code)), mayStartAgain($.now), isAudited($.auditId)));

type Chosen = ReturnType<typeof byNumber> | ReturnType<typeof byIds>;

function retryEvents($: Values<Retried>, query: Chosen) {
  const chosen = query.as('chosen');
  return insertSelect(
    importProcessEvents,
    { processId: sql`${chosen.id}`, occurredAt: $.now, event: EVENT.CREATED },
    sql`FROM ${chosen} WHERE true`,
  ).onConflictDoNothing();
}

function retry($: Values<Retried>, query: Chosen) {
  const chosen = query.as('chosen');
  return db
    .update(importProcesses)
    .set({
      status: statusAfter('retry'),
      scheduledAt: $.now,
      sentAt: 0,
      startedAt: null,
      finishedAt: null,
      modifiedAt: $.now,
      claim: null,
      leaseUntil: null,
      attempts: 0,
      expiredClaims: null,
      error: null,
    })
    .from(chosen)
    .where(and(eq(importProcesses.supplierId, chosen.supplierId), eq(importProcesses.id, chosen.id)))
    .returning({ id: importProcesses.id, payloadBytes: importProcesses.payloadBytes });
}

const RETRY_EVENT = prepared(($: Values<ByNumber>) => retryEvents($, byNumber($)));
const RETRY = prepared(($: Values<ByNumber>) => retry($, byNumber($)));
const RETRY_EVENTS_BY_ID = prepared(($: Values<Audited>) => retryEvents($, byIds($)));
const RETRY_BY_ID = prepared(($: Values<Audited>) => retry($, byIds($)));

function leftOut($: Values<Retried>, processes: SQL, isChosen: SQL | undefined) {
  const chosen = db
    .select({ isInTime: isInTime($.now).as('is_in_time'), hasPayload: sql`${hasPayload()}`.as('has_payload') })
    .from(processes)
    .where(isChosen)
    .as('chosen');
  return db
    .select({
      windowOver: sql<number>`count(*) FILTER (WHERE NOT ${chosen.isInTime})`,
      payloadEmptied: sql<number>`count(*) FILTER (WHERE ${chosen.isInTime} AND NOT ${chosen.hasPayload})`,
    })
    .from(chosen);
}

/** What a retry by code leaves out. */
export const leftOutWithCode = prepared(($: Values<Retried & { code: string }>) =>
  leftOut(
    $,
    indexedBy(importProcesses, ERRORED_INDEX),
    and(eq(importProcesses.supplierId, $.supplierId), may('retry'), eq(errorCode(), $.code)),
  ),
);

const LEFT_OUT_OF = prepared(($: Values<ByIds>) => leftOut($, byOpenIndex(), isOneOf($)));

/** ERRORED processes that cannot be retried, each counted once: their window has closed, or retention has emptied their payload. */
export type LeftOutRow = RowOfQuery<ReturnType<typeof LEFT_OUT_OF>>;

const keysOf = (supplierId: number, ids: readonly number[]) => processKeys.value(ids.map((id) => ({ supplierId, id })));

/** What a retry of these processes leaves out. */
export const leftOutOf = (supplierId: number, ids: readonly number[], now: number) =>
  LEFT_OUT_OF({ supplierId, now, keys: keysOf(supplierId, ids) });

/** ERRORED → PENDING with the staged payload, where its window is not over and retention has left the payload. The second statement answers a row if it happened. */
export function retryProcess(supplierId: number, externalAccountNumber: string, now: number) {
  const given = { supplierId, externalAccountNumber, now };
  return [RETRY_EVENT(given), RETRY(given)] as const;
}

/** Errored processes of one supplier that an operator wants tried again. */
export interface Retry {
  /** The entry in the same batch: without it nothing is retried. */
  readonly auditId: number;
  readonly supplierId: number;
  readonly ids: readonly number[];
  /** Only those whose latest error has this code. */
  readonly code: string | undefined;
}

/** The same for those of many that are ERRORED and may still start: their window is not over. */
export function retryProcesses({ auditId, supplierId, ids, code }: Retry, now: number) {
  const given = { supplierId, now, keys: keysOf(supplierId, ids), code: code ?? null, auditId };
  return [RETRY_EVENTS_BY_ID(given), RETRY_BY_ID(given)] as const;
}
