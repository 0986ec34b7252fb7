/**
 * Reads how far the migrations of an importer are.
 */
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { STATUS, type Status, statusOf } from '../import-processes';
import { type StoredSupplier, storedSupplierOf } from '../suppliers';
import type { Caller } from '../tokens';
import {
  countsOfCaller,
  type ListedProcess,
  openProcesses,
  openProcessesAfter,
  processesAfter,
  processesOfRun,
  suppliersOfCaller,
} from './store';

export interface Progress {
  readonly supplier: StoredSupplier;
  /** Unix milliseconds; null unless the supplier is Paused, or was paused before this was noted. */
  readonly pausedAt: number | null;
  /** Unix milliseconds; null if nothing is PENDING. */
  readonly oldestPendingAt: number | null;
  readonly counts: ReadonlyMap<Status, number>;
}

/** The caller's suppliers, or the one with that code; undefined if the key is not in force. */
export async function readProgress(deps: Deps, caller: Caller, code?: string): Promise<Progress[] | undefined> {
  const values = { apiKeyId: caller.apiKeyId, organisationId: caller.organisationId, code: code ?? null };
  const [rows, counts] = await commit(deps.databaseOf(code), [suppliersOfCaller(values), countsOfCaller(values)]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ supplier: fields, pausedAt, oldestPendingAt }) => {
    const supplier = storedSupplierOf(fields);
    const own = counts.filter(({ supplierId }) => supplierId === supplier?.id);
    return supplier
      ? [{ supplier, pausedAt, oldestPendingAt, counts: new Map(own.map(({ status, count }) => [statusOf(status), count])) }]
      : [];
  });
}

export interface ProcessesWanted {
  readonly supplierCode: string;
  readonly status: Status | undefined;
  /** The name of a run. */
  readonly run: string | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export type ProcessPage =
  | { readonly kind: 'unauthenticated' | 'not_found' | 'unknown_cursor' | 'unknown_run' }
  /** `cursor`: the external account number after which the next page begins; undefined on the last. */
  | { readonly kind: 'page'; readonly processes: readonly ListedProcess[]; readonly cursor: string | undefined };

/** Processes looked at for one page where those in a status are sought among all: what a page costs at most, however few there are. */
const MAX_LOOKS = 10_000;

/** One page of a supplier's import processes, in the order of the lists (§4.9). */
export async function readProcesses(deps: Deps, caller: Caller, wanted: ProcessesWanted): Promise<ProcessPage> {
  const db = deps.databaseOf(wanted.supplierCode);
  const { apiKeyId, organisationId } = caller;
  const [opened] = await query(
    db,
    openProcesses({ apiKeyId, organisationId, code: wanted.supplierCode, cursor: wanted.cursor ?? null, run: wanted.run ?? null }),
  );
  if (!opened) return { kind: 'unauthenticated' };
  const { supplierId, afterId, run } = opened;
  if (supplierId === null) return { kind: 'not_found' };
  if (afterId === null) return { kind: 'unknown_cursor' };
  const page = { supplierId, afterId, limit: wanted.limit + 1 };
  if (wanted.run !== undefined) {
    if (!run) return { kind: 'unknown_run' };
    const status = wanted.status === undefined ? null : STATUS[wanted.status];
    const inRange = { afterId: Math.max(afterId, (run.firstId ?? 1) - 1), upTo: run.lastId ?? 0 };
    return pageOf(await query(db, processesOfRun({ ...page, ...inRange, runId: run.id, status })), wanted.limit);
  }
  switch (wanted.status) {
    case undefined:
      return pageOf(await query(db, processesAfter(page)), wanted.limit);
    case 'PROCESSED':
      return pageOfProcessed(await query(db, processesAfter({ ...page, limit: MAX_LOOKS })), wanted.limit);
    default:
      return pageOf(await query(db, openProcessesAfter({ ...page, status: STATUS[wanted.status] })), wanted.limit);
  }
}

function pageOf(found: readonly ListedProcess[], limit: number): ProcessPage {
  const processes = found.slice(0, limit);
  return { kind: 'page', processes, cursor: found.length > limit ? processes.at(-1)?.externalAccountNumber : undefined };
}

/** A page may hold fewer than asked for, or none, and lead on all the same: the index of PROCESSED would cost a row an account. */
function pageOfProcessed(looked: readonly ListedProcess[], limit: number): ProcessPage {
  const processed = looked.filter(({ status }) => status === STATUS.PROCESSED);
  const page = pageOf(processed, limit);
  const isCut = page.kind === 'page' && page.cursor === undefined && looked.length === MAX_LOOKS;
  return isCut ? { ...page, cursor: looked.at(-1)?.externalAccountNumber } : page;
}
