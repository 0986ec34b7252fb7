/**
 * What becomes of a process whose account is taken back: it is marked first, and everything behind the mark in the batch goes by it. Then it
 * moves to a new id, the next of all.
 */
import { and, db, eq, importProcesses, type SQL, sql, type Values } from '../../db';
import { statusAfter } from '../machine';
import { lastId } from '../stage/store-known';
import { isProcessOf, may, type ProcessKeys, processKeys } from '../store-conditions';

interface Marked {
  readonly keys: ProcessKeys;
  readonly now: number;
}

/** True for a process that may be undone at all. */
export const isImported = (): SQL => may('undo');

/** Marks those of the keys for which the condition holds. */
export const markingUndone = ($: Values<Marked>, condition: SQL) =>
  db
    .update(importProcesses)
    .set({ undoneAt: $.now })
    .from(processKeys.from($.keys))
    .where(and(isProcessOf(processKeys.row), may('undo'), condition));

export const isMarkedUndone = ($: Values<Marked>) => and(isProcessOf(processKeys.row), may('undo'), eq(importProcesses.undoneAt, $.now));

/** The id that a process moves to: they are given in the order of the keys, past all that were given. */
export const idAfterUndo = () => sql<number>`${lastId()} + 1 + ${processKeys.position}`;

/** PROCESSED → CANCELLED for what is marked, under its new id. */
export const movingUndone = ($: Values<Marked>) =>
  db
    .update(importProcesses)
    .set({
      status: statusAfter('undo'),
      id: idAfterUndo(),
      accountNumber: null,
      startedAt: null,
      finishedAt: $.now,
      modifiedAt: $.now,
      claim: null,
      leaseUntil: null,
    })
    .from(processKeys.from($.keys))
    .where(isMarkedUndone($));
