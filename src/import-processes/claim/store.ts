/**
 * The statements by which the consumer claims processes (compare-and-set), renews its lease, and gives processes back.
 */
import {
  and,
  db,
  eq,
  exists,
  importProcesses,
  lt,
  lte,
  or,
  payloads,
  prepared,
  type RowOfQuery,
  runs,
  SUPPLIER,
  serviceKeys,
  sql,
  suppliers,
  type Values,
} from '../../db';
import { MEBIBYTE } from '../../shared/sizes';
import { ALONE_FROM_EXPIRIES, LEASE_MILLISECONDS, STATUS, statusAfter } from '../machine';
import {
  expiries,
  idsOf,
  isProcessOf,
  may,
  mayStart,
  ofRun,
  type ProcessKey,
  type ProcessKeys,
  processKeys,
  type SupplierIds,
  supplierIds,
} from '../store-conditions';

/** Bodies read by one claim; parsed, validated and made rows of, they take several times that, and the isolate has 128 MB for all it does. */
export const MAX_SLICE_BYTES = 4 * MEBIBYTE;

/** Processes, and the claim that holds them. */
interface Claimed {
  readonly keys: ProcessKeys;
  readonly claim: number;
}

/** True while the claim holds the process. */
const isHeld = ($: Values<Claimed>) =>
  and(isProcessOf(processKeys.row), eq(importProcesses.claim, $.claim), eq(importProcesses.status, STATUS.IN_PROGRESS));

const CLAIM = prepared(($: Values<Claimed & { now: number; maxDocuments: number }>) => {
  // What may kill its isolate is claimed alone or not at all.
  const mayTravel = or(lt(expiries(), ALONE_FROM_EXPIRIES), sql`json_array_length(${$.keys}) = 1`);
  const soFar = (column: typeof importProcesses.payloadBytes | typeof importProcesses.documents) =>
    sql<number>`sum(${column}) OVER (ORDER BY ${processKeys.position})`;
  const startable = db
    .select({
      supplierId: importProcesses.supplierId,
      id: importProcesses.id,
      payloadBytes: importProcesses.payloadBytes,
      bytesSoFar: soFar(importProcesses.payloadBytes).as('bytes_so_far'),
      documentsSoFar: soFar(importProcesses.documents).as('documents_so_far'),
    })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .crossJoin(suppliers)
    .where(and(isProcessOf(processKeys.row), eq(suppliers.id, importProcesses.supplierId), mayStart($), mayTravel))
    .as('startable');
  const fits = and(
    or(lte(startable.bytesSoFar, MAX_SLICE_BYTES), eq(startable.bytesSoFar, startable.payloadBytes)),
    lte(startable.documentsSoFar, $.maxDocuments),
  );
  const chosen = db.select({ supplierId: startable.supplierId, id: startable.id }).from(startable).where(fits).as('chosen');
  return db
    .update(importProcesses)
    .set({
      status: statusAfter('claim'),
      claim: $.claim,
      leaseUntil: sql`${$.now} + ${LEASE_MILLISECONDS}`,
      startedAt: $.now,
      modifiedAt: $.now,
      attempts: sql`${importProcesses.attempts} + 1`,
    })
    .from(chosen)
    .where(and(eq(importProcesses.supplierId, chosen.supplierId), eq(importProcesses.id, chosen.id), may('claim')));
});

const READ_CLAIMED = prepared(($: Values<Claimed>) =>
  db
    .select({
      supplierId: importProcesses.supplierId,
      id: importProcesses.id,
      externalAccountNumber: importProcesses.externalAccountNumber,
      isDryRun: importProcesses.isDryRun,
      payloadBytes: importProcesses.payloadBytes,
      documents: importProcesses.documents,
      runId: importProcesses.runId,
      run: ofRun(runs.name),
      body: payloads.body,
    })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .crossJoin(payloads)
    .where(and(isHeld($), eq(payloads.id, importProcesses.id))),
);

export type ClaimedRow = RowOfQuery<ReturnType<typeof READ_CLAIMED>>;

const READ_SUPPLIERS = prepared(($: Values<{ owners: SupplierIds }>) =>
  db.select({ supplier: SUPPLIER }).from(supplierIds.from($.owners)).innerJoin(suppliers, eq(suppliers.id, supplierIds.row.id)),
);

const READ_NUMBER_KEY = prepared(() =>
  db.select({ value: serviceKeys.value }).from(serviceKeys).where(eq(serviceKeys.name, 'account_number')),
);

/** Claims what may start now, up to 4 MiB of bodies and `maxDocuments` documents, and reads it, its suppliers, and the key of account numbers. */
export function claimBatch(given: readonly ProcessKey[], claim: number, now: number, maxDocuments: number) {
  const keys = processKeys.value(given);
  return [
    CLAIM({ keys, claim, now, maxDocuments }),
    READ_CLAIMED({ keys, claim }),
    READ_SUPPLIERS({ owners: idsOf([...new Set(given.map(({ supplierId }) => supplierId))]) }),
    READ_NUMBER_KEY({}),
  ] as const;
}

const RENEW = prepared(($: Values<Claimed & { now: number }>) =>
  db
    .update(importProcesses)
    .set({ leaseUntil: sql`${$.now} + ${LEASE_MILLISECONDS}` })
    .from(processKeys.from($.keys))
    .where(isHeld($)),
);

/** Begins the lease of what the claim still holds anew. */
export const renewLease = (keys: readonly ProcessKey[], claim: number, now: number) => RENEW({ keys: processKeys.value(keys), claim, now });

const FORGET_EXPIRY = prepared(($: Values<Claimed>) => {
  const claims = sql`json_each(${importProcesses.expiredClaims}) AS expired`;
  return db
    .update(importProcesses)
    .set({ expiredClaims: sql`(SELECT nullif(json_group_array(expired.value), '[]') FROM ${claims} WHERE expired.value <> ${$.claim})` })
    .from(processKeys.from($.keys))
    .where(and(isProcessOf(processKeys.row), exists(sql`(SELECT 1 FROM ${claims} WHERE expired.value = ${$.claim})`)));
});

const HELD = prepared(($: Values<Claimed>) =>
  db
    .select({ id: importProcesses.id })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.claim, $.claim))),
);

/** Takes the claim out of those that ran out, and reads what it still holds. */
export function heldBatch(given: readonly ProcessKey[], claim: number) {
  const keys = processKeys.value(given);
  return [FORGET_EXPIRY({ keys, claim }), HELD({ keys, claim })] as const;
}

const RELEASE = prepared(($: Values<Claimed & { now: number; isFailed: number }>) =>
  db
    .update(importProcesses)
    .set({
      status: statusAfter('given_back'),
      claim: null,
      leaseUntil: null,
      startedAt: null,
      sentAt: $.now,
      modifiedAt: $.now,
      failedAt: sql`iif(${$.isFailed}, ${$.now}, ${importProcesses.failedAt})`,
    })
    .from(processKeys.from($.keys))
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.claim, $.claim), may('given_back'))),
);

/** Why a process is given back: its account could not be decided or stored, or the database failed all of them alike. */
export type Release = 'failed' | 'interrupted';

/** Gives claimed processes back: PENDING again, to be tried with the message's next delivery. */
export const releaseClaim = (keys: readonly ProcessKey[], claim: number, now: number, why: Release) =>
  RELEASE({ keys: processKeys.value(keys), claim, now, isFailed: why === 'failed' ? 1 : 0 });
