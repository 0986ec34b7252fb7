/**
 * The statements that read runs and change them. A change names the version it was decided by, so the database decides races.
 */
import { type AuditValues, auditing } from '../audit';
import {
  alias,
  and,
  apiKeys,
  asc,
  db,
  desc,
  eq,
  exists,
  gt,
  insertSelect,
  isNull,
  limitOf,
  lt,
  or,
  prepared,
  type RowOfQuery,
  runs,
  SUPPLIER,
  sql,
  suppliers,
  type Values,
} from '../db';
import { isCallerActive } from '../tokens';
import type { HeldReason } from './rules';

const RUN = {
  id: runs.id,
  supplierId: runs.supplierId,
  name: runs.name,
  heldReason: runs.heldReason,
  releasedTo: runs.releasedTo,
  pacePerMinute: runs.pacePerMinute,
  stopAfterErrors: runs.stopAfterErrors,
  errors: runs.errors,
  refused: runs.refused,
  expected: runs.expected,
  firstId: runs.firstId,
  lastId: runs.lastId,
  version: runs.version,
  createdAt: runs.createdAt,
  modifiedAt: runs.modifiedAt,
};

interface OfCaller {
  readonly apiKeyId: string;
  readonly organisationId: string;
}

/** The caller's supplier and its run, each null where there is none. No row: the key is not in force. */
export const runOfCaller = prepared(($: Values<OfCaller & { code: string; name: string }>) =>
  db
    .select({ supplier: SUPPLIER, run: RUN })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.code), eq(suppliers.organisationId, apiKeys.organisationId)))
    .leftJoin(runs, and(eq(runs.supplierId, suppliers.id), eq(runs.name, $.name)))
    .where(isCallerActive($)),
);

/** The same for an operator. No row: there is no such supplier. */
export const runOfSupplier = prepared(($: Values<{ code: string; name: string }>) =>
  db
    .select({ supplier: SUPPLIER, run: RUN })
    .from(suppliers)
    .leftJoin(runs, and(eq(runs.supplierId, suppliers.id), eq(runs.name, $.name)))
    .where(eq(suppliers.code, $.code)),
);

export type RunRow = NonNullable<RowOfQuery<ReturnType<typeof runOfCaller>>['run']>;

interface Listed {
  readonly code: string;
  /** The name that a page begins after; '' for the first. */
  readonly after: string;
  readonly limit: number;
}

/** The caller's supplier, if it is one. No row: the key is not in force. */
export const supplierOfRuns = prepared(($: Values<OfCaller & { code: string }>) =>
  db
    .select({ supplierId: suppliers.id })
    .from(apiKeys)
    .leftJoin(suppliers, and(eq(suppliers.code, $.code), eq(suppliers.organisationId, apiKeys.organisationId)))
    .where(isCallerActive($)),
);

/** The supplier, for an operator. No row: there is none. */
export const supplierByCode = prepared(($: Values<{ code: string }>) =>
  db
    .select({ supplierId: sql<number | null>`${suppliers.id}` })
    .from(suppliers)
    .where(eq(suppliers.code, $.code)),
);

/** Runs of a supplier in the order of their names. */
export const runsAfter = prepared(($: Values<Listed>) =>
  db
    .select(RUN)
    .from(suppliers)
    .innerJoin(runs, eq(runs.supplierId, suppliers.id))
    .where(and(eq(suppliers.code, $.code), gt(runs.name, $.after)))
    .orderBy(asc(runs.name))
    .limit(limitOf($.limit)),
);

/** Runs of a supplier, newest first, after the one that the cursor names; from the newest where that is null. */
export const newestRuns = prepared(($: Values<{ code: string; cursor: string | null; limit: number }>) => {
  const last = alias(runs, 'last');
  const lastId = db
    .select({ id: last.id })
    .from(last)
    .where(and(eq(last.supplierId, suppliers.id), eq(last.name, $.cursor)));
  return db
    .select(RUN)
    .from(suppliers)
    .crossJoin(runs)
    .where(and(eq(suppliers.code, $.code), eq(runs.supplierId, suppliers.id), or(isNull($.cursor), lt(runs.id, lastId))))
    .orderBy(desc(runs.id))
    .limit(limitOf($.limit));
});

/** A run of a supplier by its name. */
export const runNamed = prepared(($: Values<{ code: string; name: string }>) =>
  db
    .select({ id: runs.id })
    .from(suppliers)
    .crossJoin(runs)
    .where(and(eq(suppliers.code, $.code), eq(runs.supplierId, suppliers.id), eq(runs.name, $.name))),
);

/** Who changes a run: an importer by its key, an operator by none. */
interface By {
  readonly apiKeyId: string | null;
  readonly organisationId: string | null;
}

const mayChange = ($: Values<By>) =>
  or(
    isNull($.apiKeyId),
    exists(
      db
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(and(eq(apiKeys.id, $.apiKeyId), eq(apiKeys.organisationId, $.organisationId), isNull(apiKeys.revokedAt))),
    ),
  );

interface Given {
  readonly heldReason: HeldReason | null;
  readonly releasedTo: number;
  readonly pacePerMinute: number | null;
  readonly stopAfterErrors: number | null;
  readonly errors: number;
  readonly expected: string | null;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Makes a run; nothing if it is there. */
export const insertRun = prepared(($: Values<By & Given & { supplierId: number; name: string }>) =>
  insertSelect(
    runs,
    {
      supplierId: $.supplierId,
      name: $.name,
      heldReason: $.heldReason,
      releasedTo: $.releasedTo,
      releasedAt: $.now,
      pacePerMinute: $.pacePerMinute,
      pacedMinute: 0,
      stopAfterErrors: $.stopAfterErrors,
      errors: 0,
      expected: $.expected,
      version: 1,
      createdAt: $.now,
      modifiedAt: $.now,
    },
    sql`WHERE ${mayChange($)}`,
  ).onConflictDoNothing(),
);

/** Changes a run that is as it was read. Answers a row if it was. */
export const updateRun = prepared(($: Values<By & Given & { id: number; version: number }>) =>
  db
    .update(runs)
    .set({
      heldReason: $.heldReason,
      releasedTo: $.releasedTo,
      releasedAt: sql`iif(${$.releasedTo} > ${runs.releasedTo} OR ${$.heldReason} IS NULL, ${$.now}, ${runs.releasedAt})`,
      pacePerMinute: $.pacePerMinute,
      stopAfterErrors: $.stopAfterErrors,
      errors: $.errors,
      expected: $.expected,
      version: sql`${runs.version} + 1`,
      modifiedAt: $.now,
    })
    .where(and(eq(runs.id, $.id), eq(runs.version, $.version), mayChange($)))
    .returning({ id: runs.id }),
);

/** The audit entry of a change of a run that is as it was read: {@link updateRun} follows it. */
export const auditRun = prepared(($: Values<AuditValues & { id: number; version: number }>) =>
  auditing(
    $,
    exists(
      db
        .select({ id: runs.id })
        .from(runs)
        .where(and(eq(runs.id, $.id), eq(runs.version, $.version))),
    ),
  ),
);
