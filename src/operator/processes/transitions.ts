/**
 * What an operator does to import processes: cancel, retry, reveal a payload. Each is audited in the batch that does it.
 */
import { type AuditAction, auditId, auditWrite } from '../../audit';
import { commit, query, type Write } from '../../db';
import type { Deps } from '../../deps';
import { cancelProcess, RETRY_SLICE, retryProcess, retryProcessesWithCode, type Status, statusOf, sweep } from '../../import-processes';
import { readSupplier } from '../suppliers/read';
import { auditKept } from '../suppliers/store';
import { erroredWithCode, keptPayload, type ProcessRow, processByNumber, processInStatus } from './store';

export type Transition = { readonly kind: 'done' } | { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly detail: string };

/** PENDING → CANCELLED. */
export async function cancel(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber(supplierCode, externalAccountNumber));
  if (!row) return { kind: 'not_found' };
  const writes = cancelProcess(row.supplier_id, externalAccountNumber, deps.now());
  return transit(deps, actor, supplierCode, row, 'PENDING', 'import_process.cancelled', writes);
}

/** ERRORED → PENDING with the staged payload, and sent at once. */
export async function retry(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const supplier = await readSupplier(deps, supplierCode);
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber(supplierCode, externalAccountNumber));
  if (!supplier || !row) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const writes = retryProcess(row.supplier_id, externalAccountNumber, deps.now());
  const transition = await transit(deps, actor, supplierCode, row, 'ERRORED', 'import_process.retried', writes);
  if (transition.kind === 'done') deps.afterReply('sweep', sweep(deps));
  return transition;
}

const completed = { kind: 'refused', detail: 'The supplier is Complete: make it Ongoing first.' } as const;

async function transit(
  deps: Deps,
  actor: string,
  supplierCode: string,
  row: ProcessRow,
  from: Status,
  action: AuditAction,
  writes: readonly Write[],
): Promise<Transition> {
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
  const results = await commit(deps.databaseOf(supplierCode), [
    auditWrite(entry, processInStatus(row.supplier_id, row.external_account_number, from)),
    ...writes,
    auditKept(id),
  ]);
  if (results.at(-1)?.length) return { kind: 'done' };
  return { kind: 'refused', detail: `The import process is ${statusOf(row.status)}, not ${from}.` };
}

export type RetriedAll =
  | { readonly kind: 'done'; readonly retried: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Slices one call retries; more errored processes than that take another call. */
const MAX_SLICES = 25;

/** All ERRORED processes of the supplier whose latest error has the code → PENDING, and sent at once. */
export async function retryWithCode(deps: Deps, actor: string, supplierCode: string, errorCode: string): Promise<RetriedAll> {
  const supplier = await readSupplier(deps, supplierCode);
  if (!supplier) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const db = deps.databaseOf(supplierCode);
  const [found] = await query(db, erroredWithCode(supplier.id, errorCode));
  // Counted before, so that what fails again meanwhile is not retried without end.
  let left = Math.min(found?.count ?? 0, MAX_SLICES * RETRY_SLICE);
  let retried = 0;
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
    retried += rows.length;
    left -= RETRY_SLICE;
    if (rows.length < RETRY_SLICE) break;
  }
  if (retried > 0) deps.afterReply('sweep', sweep(deps));
  return { kind: 'done', retried };
}

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
