/**
 * What brings a restore to its end. The row of `restores` and the empty payload past the ids that may have been given come together.
 */
import { type AuditValues, auditing, isAudited } from '../../audit';
import {
  alias,
  and,
  db,
  eq,
  gte,
  importProcesses,
  insertSelect,
  max,
  notExists,
  payloads,
  prepared,
  refreshTokens,
  restores,
  sql,
  suppliers,
  type Values,
  type Write,
} from '../../db';

/** The largest id given. */
export const lastId = prepared(() => db.select({ lastId: max(payloads.id) }).from(payloads));

/** When the newest process of any supplier was staged first: ids are in commit order, so that of its largest id. */
export const newestStaged = prepared(() => {
  const own = alias(importProcesses, 'own');
  const newest = db
    .select({ id: max(own.id) })
    .from(own)
    .where(eq(own.supplierId, suppliers.id));
  return db
    .select({ createdAt: max(importProcesses.createdAt) })
    .from(suppliers)
    .crossJoin(importProcesses)
    .where(and(eq(importProcesses.supplierId, suppliers.id), eq(importProcesses.id, newest)));
});

/** The audit entry of a restore's end: written until one of that epoch was brought to its end. */
export const auditRestore = prepared(($: Values<AuditValues & { epoch: number }>) =>
  auditing($, notExists(db.select({ epoch: restores.epoch }).from(restores).where(gte(restores.epoch, $.epoch)))),
);

interface FinishedRestore {
  readonly auditId: number;
  readonly epoch: number;
  readonly restoredTo: number;
  readonly finishedAt: number;
  readonly lastId: number;
}

const INSERT_RESTORE = prepared(($: Values<FinishedRestore>) =>
  insertSelect(
    restores,
    { epoch: $.epoch, restoredTo: $.restoredTo, finishedAt: $.finishedAt, lastId: $.lastId },
    sql`WHERE ${isAudited($.auditId)}`,
  ).onConflictDoNothing({ target: restores.epoch }),
);

const INSERT_LAST_PAYLOAD = prepared(($: Values<FinishedRestore>) =>
  insertSelect(payloads, { id: $.lastId, body: '', reducedAt: $.finishedAt }, sql`WHERE ${isAudited($.auditId)}`).onConflictDoNothing({
    target: payloads.id,
  }),
);

/** More changes than a supplier has seen in its life. */
const VERSIONS = 1_000_000;

const RAISE_VERSIONS = prepared(($: Values<FinishedRestore>) =>
  db
    .update(suppliers)
    .set({ version: sql`${suppliers.version} + ${VERSIONS}` })
    .where(isAudited($.auditId)),
);

const FORGET_REFRESH_TOKENS = prepared(($: Values<FinishedRestore>) => db.delete(refreshTokens).where(isAudited($.auditId)));

/**
 * Raises the ids; raises the versions of suppliers, because isolates remember those that were counted before and would meet them
 * again; and forgets the refresh tokens, because those spent since the moment restored to would be good again.
 */
export const finishRestore = (restore: FinishedRestore): readonly [Write, Write, Write, Write] => [
  INSERT_RESTORE(restore),
  INSERT_LAST_PAYLOAD(restore),
  RAISE_VERSIONS(restore),
  FORGET_REFRESH_TOKENS(restore),
];
