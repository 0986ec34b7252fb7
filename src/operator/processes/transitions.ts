/**
 * What an operator does to import processes: cancel, retry, reveal a payload. Each is audited in the batch that does it.
 */
import { type AuditAction, auditId, auditWrite } from '../../audit';
import { commit, query, type Statement, type Write } from '../../db';
import type { Deps } from '../../deps';
import {
  cancelProcess,
  type LeftOutRow,
  leftOutWithCode,
  type ProcessKey,
  RETRY_SLICE,
  retryableProcess,
  retryProcess,
  retryProcessesWithCode,
  type Status,
  sendNow,
  statusOf,
} from '../../import-processes';
import { readSupplier } from '../suppliers/read';
import { auditKept } from '../suppliers/store';
import { erroredWithCode, keptPayload, type ProcessRow, processByNumber, processInStatus } from './store';

export type Transition = { readonly kind: 'done' } | { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly detail: string };

/** PENDING → CANCELLED. */
export async function cancel(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber(supplierCode, externalAccountNumber));
  if (!row) return { kind: 'not_found' };
  const writes = cancelProcess(row.supplier_id, externalAccountNumber, deps.now());
  const isPending = processInStatus(row.supplier_id, externalAccountNumber, 'PENDING');
  const isDone = await transit(deps, actor, supplierCode, row, 'PENDING', 'import_process.cancelled', isPending, writes);
  return isDone ? { kind: 'done' } : notIn('PENDING', row);
}

/** ERRORED → PENDING with the staged payload, and sent at once. What has no window or no payload any more is refused. */
export async function retry(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const supplier = await readSupplier(deps, supplierCode);
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber(supplierCode, externalAccountNumber));
  if (!supplier || !row) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const now = deps.now();
  const writes = retryProcess(row.supplier_id, externalAccountNumber, now);
  const isRetryable = retryableProcess(row.supplier_id, externalAccountNumber, now);
  if (!(await transit(deps, actor, supplierCode, row, 'ERRORED', 'import_process.retried', isRetryable, writes)))
    return notRetried(row, now);
  deps.afterReply('send_imports', sendNow(deps, deps.databaseOf(supplierCode), [{ supplierId: row.supplier_id, id: row.id }]));
  return { kind: 'done' };
}

const notIn = (status: Status, row: ProcessRow): Transition => ({
  kind: 'refused',
  detail: `The import process is ${statusOf(row.status)}, not ${status}.`,
});

/** Why the database refused the retry, by what was read before. */
function notRetried(row: ProcessRow, now: number): Transition {
  if (statusOf(row.status) === 'ERRORED') {
    if (row.window_end !== null && row.window_end <= now)
      return { kind: 'refused', detail: 'The schedule window of the import is over: create the account again with another one.' };
    if (row.body === '') return { kind: 'refused', detail: 'Retention has emptied the payload: create the account again.' };
  }
  return notIn('ERRORED', row);
}

const completed = { kind: 'refused', detail: 'The supplier is Complete: make it Ongoing first.' } as const;

async function transit(
  deps: Deps,
  actor: string,
  supplierCode: string,
  row: ProcessRow,
  from: Status,
  action: AuditAction,
  condition: Statement,
  writes: readonly Write[],
): Promise<boolean> {
  const id = auditId(deps);
  const entry = {
    id,
    occurredAt: deps.now(),
    actor,
    action,
    subject: `import process ${supplierCode} ${row.external_account_number}`,
    before: { status: from, ...(row.error === null ? {} : { error_code: JSON.parse(row.error).code }) },
    after: { status: from === 'PENDING' ? 'CANCELLED' : 'PENDING' },
  };
  const results = await commit(deps.databaseOf(supplierCode), [auditWrite(entry, condition), ...writes, auditKept(id)]);
  return Boolean(results.at(-1)?.length);
}

export type RetriedAll =
  | { readonly kind: 'done'; readonly retried: number; readonly leftOut: LeftOutRow | undefined }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Slices one call retries; more errored processes than that take another call. */
const MAX_SLICES = 25;

/** All ERRORED processes of the supplier whose latest error has the code → PENDING, and sent at once; what cannot start is left out and counted. */
export async function retryWithCode(deps: Deps, actor: string, supplierCode: string, errorCode: string): Promise<RetriedAll> {
  const supplier = await readSupplier(deps, supplierCode);
  if (!supplier) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const db = deps.databaseOf(supplierCode);
  const [[found], [leftOut]] = await commit(db, [
    erroredWithCode(supplier.id, errorCode),
    leftOutWithCode(supplier.id, errorCode, deps.now()),
  ]);
  // Counted before, so that what fails again meanwhile is not retried without end.
  let left = Math.min((found?.count ?? 0) - countOf(leftOut), MAX_SLICES * RETRY_SLICE);
  const retried: ProcessKey[] = [];
  while (left > 0) {
    const entry = {
      id: auditId(deps),
      occurredAt: deps.now(),
      actor,
      action: 'import_processes.retried',
      subject: `supplier ${supplierCode}`,
      after: { error_code: errorCode, processes: Math.min(left, RETRY_SLICE) },
    } as const;
    const [, , rows] = await commit(db, [auditWrite(entry), ...retryProcessesWithCode(supplier.id, errorCode, deps.now())]);
    retried.push(...rows.map(({ id }) => ({ supplierId: supplier.id, id })));
    left -= RETRY_SLICE;
    if (rows.length < RETRY_SLICE) break;
  }
  deps.afterReply('send_imports', sendNow(deps, db, retried));
  return { kind: 'done', retried: retried.length, leftOut };
}

const countOf = (leftOut: LeftOutRow | undefined): number => (leftOut?.window_over ?? 0) + (leftOut?.payload_emptied ?? 0);

export type Revealed = { readonly kind: 'revealed'; readonly payload: unknown } | { readonly kind: 'not_found' };

/** The payload as it was staged, personal data and all. That it was looked at is kept. */
export async function revealPayload(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Revealed> {
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'payload.revealed',
    subject: `import process ${supplierCode} ${externalAccountNumber}`,
  } as const;
  const [, [row]] = await commit(deps.databaseOf(supplierCode), [
    auditWrite(entry, keptPayload(supplierCode, externalAccountNumber)),
    processByNumber(supplierCode, externalAccountNumber),
  ]);
  return row && row.body !== '' ? { kind: 'revealed', payload: JSON.parse(row.body) } : { kind: 'not_found' };
}
