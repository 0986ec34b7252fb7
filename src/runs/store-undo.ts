/**
 * The statements that take the accounts of a run back, a slice at a time: what may be undone is marked first, and everything behind it in
 * the batch goes by the mark. The process moves to a new id, the next of all, because the platform account number is made of the id: an
 * account that is created again has another number, and nothing of the old one is found under the new.
 */
import { type AuditValues, auditing, isAudited } from '../audit';
import {
  accounts,
  and,
  asc,
  customers,
  db,
  eq,
  exists,
  gt,
  gte,
  importProcessEvents,
  importProcesses,
  importsPerMinute,
  insertSelect,
  limitOf,
  lte,
  ne,
  notExists,
  notes,
  payloads,
  paymentInstructions,
  prepared,
  type RowOfQuery,
  runs,
  type SQL,
  sql,
  statements,
  transactions,
  type Values,
  type Write,
} from '../db';
import { recordImports } from '../events';
import {
  EVENT,
  idAfterUndo,
  isImported,
  isMarkedUndone,
  isProcessOf,
  lastId,
  markingUndone,
  movingUndone,
  type ProcessKey,
  type ProcessKeys,
  processKeys,
  STATUS,
} from '../import-processes';
import { NOTE_SOURCE } from '../notes';
import { TRANSACTION_SOURCE } from '../transactions';
import { STATEMENTS_TOTAL } from './rules-totals';
import type { Page } from './store-totals';

/** True for an account of a process to which something was added since it was created. */
const hasAdditions = () => {
  const own = (accountId: typeof notes.accountId | typeof transactions.accountId) => sql`${accountId} = ${importProcesses.id}`;
  const statementsNow = sql`(SELECT count(*) FROM ${statements} WHERE ${statements.accountId} = ${importProcesses.id})`;
  return sql`(EXISTS (SELECT 1 FROM ${notes} WHERE ${and(own(notes.accountId), ne(notes.source, NOTE_SOURCE.payload))})
    OR EXISTS (SELECT 1 FROM ${transactions} WHERE ${and(own(transactions.accountId), eq(transactions.source, TRANSACTION_SOURCE.posted))})
    OR EXISTS (SELECT 1 FROM ${paymentInstructions} WHERE ${paymentInstructions.accountId} = ${importProcesses.id} AND ${paymentInstructions.position} <= 0)
    OR ${statementsNow} <> coalesce(${importProcesses.totals} ->> ${STATEMENTS_TOTAL}, 0))`;
};

/** Imported accounts of a run in the order of its key, each with what keeps it from being undone. `since`: what was imported before is too old. */
export const undoPage = prepared(($: Values<Page & { since: number }>) =>
  db
    .select({
      supplierId: importProcesses.supplierId,
      id: importProcesses.id,
      externalAccountNumber: importProcesses.externalAccountNumber,
      isTooLate: sql<boolean>`${importProcesses.finishedAt} < ${$.since}`.mapWith(Boolean),
      hasAdditions: sql<boolean>`${hasAdditions()}`.mapWith(Boolean),
    })
    .from(importProcesses)
    .where(
      and(
        eq(importProcesses.supplierId, $.supplierId),
        gt(importProcesses.id, $.after),
        lte(importProcesses.id, $.upTo),
        eq(importProcesses.runId, $.runId),
        eq(importProcesses.status, STATUS.PROCESSED),
      ),
    )
    .orderBy(asc(importProcesses.id))
    .limit(limitOf($.limit)),
);

export type UndoRow = RowOfQuery<ReturnType<typeof undoPage>>;

interface Undone {
  readonly keys: ProcessKeys;
  readonly runId: number;
  readonly since: number;
  readonly now: number;
  readonly auditId: number;
}

const isUndoable = ($: Values<Undone>) =>
  and(
    isProcessOf(processKeys.row),
    isImported(),
    eq(importProcesses.runId, $.runId),
    gte(importProcesses.finishedAt, $.since),
    sql`NOT ${hasAdditions()}`,
  );

/** Accounts that are marked. */
const marked = ($: Values<Undone>) =>
  sql`(SELECT ${importProcesses.id} FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isMarkedUndone($)})`;

const AUDIT = prepared(($: Values<Undone & AuditValues>) =>
  auditing($, exists(db.select({ id: importProcesses.id }).from(processKeys.from($.keys)).crossJoin(importProcesses).where(isUndoable($)))),
);

const MARK = prepared(($: Values<Undone>) => markingUndone($, sql`${isUndoable($)} AND ${isAudited($.auditId)}`));

const RECORD = prepared(($: Values<Undone>) =>
  recordImports(
    $,
    'account_imports.undone',
    sql`SELECT ${importProcesses.supplierId}, ${importProcesses.id}, json_object('external_account_number', ${importProcesses.externalAccountNumber},
        'platform_account_number', ${importProcesses.accountNumber}) AS import
      FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isMarkedUndone($)}`,
  ),
);

const deleting = (table: Parameters<typeof db.delete>[0], accountId: SQL) =>
  prepared(($: Values<Undone>) => db.delete(table).where(sql`${accountId} IN ${marked($)}`));

const DELETE_ROWS = [
  deleting(customers, sql`${customers.accountId}`),
  deleting(notes, sql`${notes.accountId}`),
  deleting(transactions, sql`${transactions.accountId}`),
  deleting(statements, sql`${statements.accountId}`),
  deleting(paymentInstructions, sql`${paymentInstructions.accountId}`),
  deleting(accounts, sql`${accounts.id}`),
];

// They are counted in the minute in which they were imported.
const COUNT_DOWN = prepared(($: Values<Undone>) => {
  const minute = sql`(${importProcesses.finishedAt} / 60000)`;
  const counted = db
    .select({
      supplierId: sql<number>`${importProcesses.supplierId}`.as('counted_supplier_id'),
      minute: sql<number>`${minute}`.as('counted_minute'),
      count: sql<number>`count(*)`.as('counted'),
    })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(isMarkedUndone($))
    .groupBy(importProcesses.supplierId, minute)
    .as('by_minute');
  return db
    .update(importsPerMinute)
    .set({ processed: sql`${importsPerMinute.processed} - ${counted.count}` })
    .from(counted)
    .where(and(eq(importsPerMinute.supplierId, counted.supplierId), eq(importsPerMinute.minute, counted.minute)));
});

const MOVE_EVENTS = prepared(($: Values<Undone>) =>
  db
    .update(importProcessEvents)
    .set({ processId: idAfterUndo() })
    .from(sql`${processKeys.from($.keys)} CROSS JOIN ${importProcesses}`)
    .where(and(isMarkedUndone($), eq(importProcessEvents.processId, importProcesses.id))),
);

const EVENTS = prepared(($: Values<Undone>) =>
  insertSelect(
    importProcessEvents,
    { processId: idAfterUndo(), occurredAt: $.now, event: EVENT.UNDONE },
    sql`FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isMarkedUndone($)}`,
  ).onConflictDoNothing(),
);

const WIDEN = prepared(($: Values<{ runId: number; count: number }>) =>
  db
    .update(runs)
    .set({ lastId: sql`max(${runs.lastId}, ${lastId()} + 1 + ${$.count})` })
    .where(eq(runs.id, $.runId)),
);

const MOVE = prepared(($: Values<Undone>) => movingUndone($));

// Before the old payload goes: the largest id is known by the payloads.
const EMPTY_PAYLOADS = prepared(($: Values<Undone>) => {
  const isMoved = and(
    eq(importProcesses.supplierId, processKeys.row.supplierId),
    sql`${importProcesses.id} = ${idAfterUndo()}`,
    eq(importProcesses.undoneAt, $.now),
    eq(importProcesses.runId, $.runId),
  );
  return insertSelect(
    payloads,
    { id: sql`${importProcesses.id}`, body: sql`''`, reducedAt: $.now },
    sql`FROM ${processKeys.from($.keys)} CROSS JOIN ${importProcesses} WHERE ${isMoved}`,
  ).onConflictDoNothing();
});

const DELETE_PAYLOADS = prepared(($: Values<Undone>) => {
  const atOldId = db.select({ id: importProcesses.id }).from(importProcesses).where(isProcessOf(processKeys.row));
  return db
    .delete(payloads)
    .where(
      sql`${payloads.id} IN (SELECT ${processKeys.row.id} FROM ${processKeys.from($.keys)} WHERE ${and(isAudited($.auditId), notExists(atOldId))})`,
    );
});

/** Those of the accounts that are still imported under their ids: {@link undoBatch} did not undo them. */
export const stillImported = prepared(($: Values<{ keys: ProcessKeys }>) =>
  db
    .select({ id: importProcesses.id })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.status, STATUS.PROCESSED))),
);

/** The accounts as a value of {@link stillImported}. */
export const undoKeys = (keys: readonly ProcessKey[]): ProcessKeys =>
  processKeys.value(keys.map(({ supplierId, id }) => ({ supplierId, id })));

/**
 * Takes these accounts back: PROCESSED → CANCELLED, those of the run that may still be undone. Sent again, it does nothing more.
 */
export function undoBatch(audit: AuditValues, runId: number, keys: readonly ProcessKey[], since: number): Write[] {
  const given = { keys: undoKeys(keys), runId, since, now: audit.occurredAt, auditId: audit.auditId };
  return [
    AUDIT({ ...audit, ...given }),
    MARK(given),
    RECORD(given),
    ...DELETE_ROWS.map((statement) => statement(given)),
    COUNT_DOWN(given),
    MOVE_EVENTS(given),
    EVENTS(given),
    WIDEN({ runId, count: keys.length }),
    MOVE(given),
    EMPTY_PAYLOADS(given),
    DELETE_PAYLOADS(given),
  ];
}
