/**
 * One import process as the operator reads it: state, every event, the latest error in full, the payload masked.
 */
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { EVENT, type ProcessError, type Status, statusOf } from '../../import-processes';
import { maskPersonalData } from './rules';
import { type EventRow, eventsOf, type ProcessRow, processByNumber } from './store';

export interface ProcessEvent {
  readonly event: string;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly error: ProcessError | undefined;
}

export interface ProcessDetails {
  readonly row: ProcessRow;
  readonly status: Status;
  readonly error: ProcessError | undefined;
  /** Oldest first. */
  readonly events: readonly ProcessEvent[];
  /** Masked; undefined once retention has emptied it. */
  readonly payload: unknown;
}

export async function readProcess(deps: Deps, supplierCode: string, externalAccountNumber: string): Promise<ProcessDetails | undefined> {
  const [[row], events] = await commit(deps.databaseOf(supplierCode), [
    processByNumber({ supplierCode, externalAccountNumber }),
    eventsOf({ supplierCode, externalAccountNumber }),
  ]);
  if (!row) return undefined;
  return {
    row,
    status: statusOf(row.status),
    error: errorOf(row.error),
    events: eventLog(row, events),
    payload: row.body === '' ? undefined : maskPersonalData(JSON.parse(row.body)),
  };
}

/** A stored error, or undefined where there is none. */
export function errorOf(json: string | null): ProcessError | undefined {
  if (json === null) return undefined;
  const error: ProcessError = JSON.parse(json);
  return error;
}

/** The happy path's events are columns of the process, all others rows. */
function eventLog(row: ProcessRow, rows: readonly EventRow[]): ProcessEvent[] {
  const log = rows.map(({ event, occurredAt, data }) => ({ event, occurredAt, error: errorOf(data) }));
  const created = { event: EVENT.CREATED, occurredAt: row.createdAt, error: undefined };
  const processedAt = statusOf(row.status) === 'PROCESSED' ? row.finishedAt : null;
  const processed = processedAt === null ? [] : [{ event: EVENT.PROCESSED, occurredAt: processedAt, error: undefined }];
  return [created, ...log, ...processed];
}
