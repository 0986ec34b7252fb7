/**
 * The statements by which a create replaces what the process of its pair holds, and the rows in which accounts are staged.
 */
import {
  and,
  db,
  eq,
  gte,
  importProcessEvents,
  importProcesses,
  inArray,
  insertSelect,
  ne,
  or,
  prepared,
  type Query,
  type RowValues,
  rowsOf,
  sql,
  type Values,
} from '../../db';
import { EVENT, SCHEDULABLE_AGAIN, STATUS, statusAfter } from '../machine';
import { isProcessOf, may } from '../store-conditions';
import type { Payload } from './rules';
import { type ExistingRow, isUnderUnchanged, type Validated } from './store-known';

/** An account on its way into the table. */
export interface StagedAccount extends Payload {
  readonly externalAccountNumber: string;
  /** JSON text. Its digest is the payload's hash. */
  readonly body: string;
  readonly bodyBytes: number;
  /** Unix milliseconds. */
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
  /** How many documents it names. */
  readonly documents: number;
  /** What it brings, for the totals of its run (JSON); null outside a run. */
  readonly totals?: string | null;
  /** Its run held all that comes in when this was read: there is no message to send. */
  readonly isHeld?: boolean;
}

/** A payload that is to be stored, and the process whose payload it replaces: none, if the pair has no process. */
export interface StagingWrite {
  readonly supplierId: number;
  readonly account: StagedAccount;
  readonly replaced: ExistingRow | undefined;
  /** Unix milliseconds: the instant of the change; of a new process now, else later than that of any change before it. */
  readonly at: number;
  /** The instant of its message: now, or 0 if its window is yet to open. */
  readonly sentAt: number;
}

/** What a process takes of an account. */
export const STAGED = {
  supplierId: importProcesses.supplierId,
  payloadHash: importProcesses.payloadHash,
  payloadBytes: importProcesses.payloadBytes,
  isDryRun: importProcesses.isDryRun,
  windowStart: importProcesses.windowStart,
  windowEnd: importProcesses.windowEnd,
  documents: importProcesses.documents,
  runId: importProcesses.runId,
  totals: importProcesses.totals,
};
export const stagedRowOf = ({ supplierId, account }: StagingWrite) => ({
  supplierId,
  payloadHash: account.payloadHash,
  payloadBytes: account.bodyBytes,
  isDryRun: account.isDryRun ? 1 : 0,
  windowStart: account.windowStart ?? null,
  windowEnd: account.windowEnd ?? null,
  documents: account.documents,
  runId: account.runId ?? null,
  totals: account.totals ?? null,
});

const replacing = rowsOf('replacing', {
  ...STAGED,
  id: importProcesses.id,
  at: importProcesses.modifiedAt,
  sentAt: importProcesses.sentAt,
  statusBefore: importProcesses.status,
  hashBefore: importProcesses.payloadHash,
  modifiedBefore: importProcesses.modifiedAt,
});
type Replacing = Validated & { readonly replacing: RowValues<typeof replacing> };

/** True while what is replaced is what it was when the create was decided. A dry run never takes the place of a real import that waits. */
const isReplaceable = ($: Values<Replacing>) =>
  and(
    isProcessOf(replacing.row),
    eq(importProcesses.status, replacing.row.statusBefore),
    eq(importProcesses.payloadHash, replacing.row.hashBefore),
    eq(importProcesses.modifiedAt, replacing.row.modifiedBefore),
    may('create_again'),
    or(inArray(importProcesses.status, SCHEDULABLE_AGAIN), gte(importProcesses.isDryRun, replacing.row.isDryRun)),
    isUnderUnchanged($, replacing.row.supplierId),
  );

// Before the staging: what it will schedule again.
const EVENT_OF_RECREATED = prepared(($: Values<Replacing>) =>
  insertSelect(
    importProcessEvents,
    { processId: sql`${importProcesses.id}`, occurredAt: replacing.row.at, event: EVENT.CREATED },
    sql`FROM ${replacing.from($.replacing)} CROSS JOIN ${importProcesses}
      WHERE ${and(isReplaceable($), ne(importProcesses.status, STATUS.PENDING))}`,
  ).onConflictDoNothing(),
);

const REPLACE = prepared(($: Values<Replacing>) =>
  db
    .update(importProcesses)
    .set({
      status: statusAfter('create_again'),
      payloadHash: replacing.row.payloadHash,
      payloadBytes: replacing.row.payloadBytes,
      isDryRun: replacing.row.isDryRun,
      windowStart: replacing.row.windowStart,
      windowEnd: replacing.row.windowEnd,
      scheduledAt: sql`iif(${eq(importProcesses.status, STATUS.PENDING)}, ${importProcesses.scheduledAt}, ${replacing.row.at})`,
      sentAt: replacing.row.sentAt,
      startedAt: null,
      finishedAt: null,
      modifiedAt: replacing.row.at,
      claim: null,
      leaseUntil: null,
      attempts: 0,
      error: null,
      documents: replacing.row.documents,
      expiredClaims: null,
      runId: replacing.row.runId,
      totals: replacing.row.totals,
      undoneAt: null,
      erasedAt: null,
    })
    .from(replacing.from($.replacing))
    .where(isReplaceable($))
    .returning({ id: importProcesses.id }),
);

const replacingRowOf = (write: StagingWrite, replaced: ExistingRow) => ({
  ...stagedRowOf(write),
  id: replaced.id,
  at: write.at,
  sentAt: write.sentAt,
  statusBefore: replaced.status,
  hashBefore: replaced.payloadHash,
  modifiedBefore: replaced.modifiedAt,
});

/** Replaces what was read of the processes of their pairs; nothing where no write replaces anything. */
export function replaceBatch(writes: readonly StagingWrite[], validated: Validated): readonly Query<{ id: number }>[] {
  const rows = writes.flatMap((write) => (write.replaced ? [replacingRowOf(write, write.replaced)] : []));
  if (rows.length === 0) return [];
  const given = { ...validated, replacing: replacing.value(rows) };
  return [EVENT_OF_RECREATED(given), REPLACE(given)];
}
