/**
 * What an operator does to import processes: cancel, retry, reveal a payload. Each is audited in the batch that does it.
 */
import { type AuditEntry, auditEntry, auditId, auditValues } from '../../audit';
import { commit, query, type Write } from '../../db';
import type { Deps } from '../../deps';
import {
  cancelProcess,
  type LeftOutRow,
  leftOutWithCode,
  type ProcessKey,
  retryProcess,
  retryProcesses,
  type Status,
  sendNow,
  statusOf,
} from '../../import-processes';
import type { StoredSupplier } from '../../suppliers';
import { readStoredSupplier } from '../suppliers/read';
import { auditCancellation, auditRetries, auditRetry, auditReveal, type ProcessRow, processByNumber } from './store';
import { newestWithCode, retryable, retryableCount } from './store-errors';

export type Transition = { readonly kind: 'done' } | { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly detail: string };

/** PENDING → CANCELLED. */
export async function cancel(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber({ supplierCode, externalAccountNumber }));
  if (!row) return { kind: 'not_found' };
  const { supplierId } = row;
  const entry = entryOf(deps, actor, supplierCode, row, 'PENDING', 'CANCELLED');
  const audit = auditCancellation({ ...auditValues(entry), supplierId, externalAccountNumber });
  const writes = cancelProcess(supplierId, externalAccountNumber, deps.now());
  return (await transit(deps, supplierCode, entry, audit, writes)) ? { kind: 'done' } : notIn('PENDING', row);
}

/** ERRORED → PENDING with the staged payload, and sent at once. What has no window or no payload any more is refused. */
export async function retry(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Transition> {
  const supplier = await readStoredSupplier(deps, supplierCode);
  const [row] = await query(deps.databaseOf(supplierCode), processByNumber({ supplierCode, externalAccountNumber }));
  if (!supplier || !row) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const now = deps.now();
  const { supplierId, id } = row;
  const entry = entryOf(deps, actor, supplierCode, row, 'ERRORED', 'PENDING');
  const audit = auditRetry({ ...auditValues(entry), supplierId, externalAccountNumber, now });
  const writes = retryProcess(supplierId, externalAccountNumber, now);
  if (!(await transit(deps, supplierCode, entry, audit, writes))) {
    return (await isComplete(deps, supplierCode)) ? completed : notRetried(row, now);
  }
  deps.afterReply('send_imports', sendNow(deps, deps.databaseOf(supplierCode), [{ supplierId, id }]));
  return { kind: 'done' };
}

const isComplete = async (deps: Deps, supplierCode: string): Promise<boolean> =>
  (await readStoredSupplier(deps, supplierCode))?.status === 'Complete';

const notIn = (status: Status, row: ProcessRow): Transition => ({
  kind: 'refused',
  detail: `The import process is ${statusOf(row.status)}, not ${status}.`,
});

/** Why the database refused the retry, by what was read before. */
function notRetried(row: ProcessRow, now: number): Transition {
  if (statusOf(row.status) === 'ERRORED') {
    if (row.windowEnd !== null && row.windowEnd <= now)
      return { kind: 'refused', detail: 'The schedule window of the import is over: create the account again with another one.' };
    if (row.erasedAt !== null) return { kind: 'refused', detail: 'The payload was erased: create the account again.' };
    if (row.body === '') return { kind: 'refused', detail: 'Retention has emptied the payload: create the account again.' };
  }
  return notIn('ERRORED', row);
}

const completed = { kind: 'refused', detail: 'The supplier is Complete: make it Ongoing first.' } as const;

const entryOf = (
  deps: Deps,
  actor: string,
  supplierCode: string,
  row: ProcessRow,
  from: Status,
  to: 'CANCELLED' | 'PENDING',
): AuditEntry => ({
  id: auditId(deps),
  occurredAt: deps.now(),
  actor,
  action: to === 'CANCELLED' ? 'import_process.cancelled' : 'import_process.retried',
  subject: `import process ${supplierCode} ${row.externalAccountNumber}`,
  supplier: supplierCode,
  before: { status: from, ...(row.error === null ? {} : { error_code: JSON.parse(row.error).code }) },
  after: { status: to },
});

/** Answers whether the entry was written, and so the transition made. */
async function transit(deps: Deps, supplierCode: string, { id }: AuditEntry, audit: Write, writes: readonly Write[]): Promise<boolean> {
  const results = await commit(deps.databaseOf(supplierCode), [audit, ...writes, auditEntry({ auditId: id })]);
  return Boolean(results.at(-1)?.length);
}

export type RetriedAll =
  /** `left` are for another call: one retries a bounded number. `leftOut` cannot be retried by any. */
  | { readonly kind: 'done'; readonly retried: number; readonly left: number; readonly leftOut: LeftOutRow | undefined }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Processes of one batch, and batches of one call. */
const [SLICE, MAX_SLICES] = [2_000, 25];

/**
 * ERRORED processes of the supplier whose latest error has the code → PENDING, and sent at once; what cannot start is left out and
 * counted. It goes by ids up to the newest that there is when it begins, so that what fails again meanwhile is not retried without end.
 */
export async function retryWithCode(deps: Deps, actor: string, supplierCode: string, errorCode: string): Promise<RetriedAll> {
  const supplier = await readStoredSupplier(deps, supplierCode);
  if (!supplier) return { kind: 'not_found' };
  if (supplier.status === 'Complete') return completed;
  const db = deps.databaseOf(supplierCode);
  const [[newest], [leftOut]] = await commit(db, [
    newestWithCode({ supplierId: supplier.id, code: errorCode }),
    leftOutWithCode({ supplierId: supplier.id, code: errorCode, now: deps.now() }),
  ]);
  const range = { supplierId: supplier.id, code: errorCode, after: 0, upTo: newest?.id ?? 0, now: deps.now() };
  const retried: ProcessKey[] = [];
  for (let slice = 0; slice < MAX_SLICES && range.after < range.upTo; slice++) {
    const ids = (await query(db, retryable({ ...range, limit: SLICE }))).map(({ id }) => id);
    const done = ids.length > 0 ? await retrySlice(deps, actor, supplier, errorCode, ids) : [];
    if (done === 'complete') {
      if (retried.length === 0) return completed;
      break;
    }
    retried.push(...done);
    range.after = ids.length < SLICE ? range.upTo : (ids.at(-1) ?? range.upTo);
  }
  if (retried.length > 0) deps.afterReply('send_imports', sendNow(deps, db, retried));
  const [left] = range.after < range.upTo ? await query(db, retryableCount(range)) : [];
  return { kind: 'done', retried: retried.length, left: left?.count ?? 0, leftOut };
}

/** Those of the processes that were retried: all that were not changed meanwhile; none, if the supplier was completed meanwhile. */
async function retrySlice(
  deps: Deps,
  actor: string,
  supplier: StoredSupplier,
  code: string,
  ids: readonly number[],
): Promise<ProcessKey[] | 'complete'> {
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'import_processes.retried',
    subject: `supplier ${supplier.code}`,
    supplier: supplier.code,
    after: { error_code: code, processes: ids.length },
  } as const;
  const [, , rows, audited] = await commit(deps.databaseOf(supplier.code), [
    auditRetries({ ...auditValues(entry), supplierId: supplier.id }),
    ...retryProcesses({ auditId: entry.id, supplierId: supplier.id, ids, code }, deps.now()),
    auditEntry({ auditId: entry.id }),
  ]);
  if (audited.length === 0) return 'complete';
  return rows.map(({ id }) => ({ supplierId: supplier.id, id }));
}

export type Revealed = { readonly kind: 'revealed'; readonly payload: unknown } | { readonly kind: 'not_found' };

/** The payload as it was staged, personal data and all. The audit trail records who looked at it. */
export async function revealPayload(deps: Deps, actor: string, supplierCode: string, externalAccountNumber: string): Promise<Revealed> {
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'payload.revealed',
    subject: `import process ${supplierCode} ${externalAccountNumber}`,
    supplier: supplierCode,
  } as const;
  const [, [row]] = await commit(deps.databaseOf(supplierCode), [
    auditReveal({ ...auditValues(entry), supplierCode, externalAccountNumber }),
    processByNumber({ supplierCode, externalAccountNumber }),
  ]);
  return row && row.body !== '' ? { kind: 'revealed', payload: JSON.parse(row.body) } : { kind: 'not_found' };
}
