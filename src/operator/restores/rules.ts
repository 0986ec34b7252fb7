/**
 * Past which id a restored database goes on, so that no id, and so no account number, is given twice. Pure.
 */

/** Account numbers have 32 bits. */
export const MAX_ID = 0xffffffff;

/** Each id leaves at least this many bytes behind for good, so a database can never have held more ids than fit into it. */
export const BYTES_OF_AN_ID = 150;

/** For what was staged after the last id was noted, by requests that were under way. */
const LATE_IDS = 100_000;

/** Clocks of the Workers that stage and of the moment that is restored to may differ by as much. */
const SKEW_MILLISECONDS = 60_000;

export interface RestoreState {
  /** The largest id of the restored database. */
  readonly lastId: number;
  /** Epoch of its latest restore; 0 without one. */
  readonly epoch: number;
  /** When the newest account was staged, in Unix milliseconds. */
  readonly newestStagedAt: number | undefined;
}

export interface RestoreRequest {
  readonly epochWanted: number;
  readonly restoredTo: number;
  /** The largest id before the restore, if it was noted. */
  readonly notedLastId: number | undefined;
  readonly limitBytes: number;
}

export type RestoreDecision =
  /** Ids are given past `lastId`. */
  { readonly kind: 'finish'; readonly lastId: number } | { readonly kind: 'refused'; readonly detail: string };

/**
 * Without a noted id: past all that a database could have given since its latest restore, once for each restore that the database no
 * longer knows of, because those raised its ids, too.
 */
export function decideRestore(state: RestoreState, request: RestoreRequest): RestoreDecision {
  const { epochWanted, restoredTo, notedLastId, limitBytes } = request;
  if (epochWanted <= state.epoch)
    return refused('Nothing is to be finished. Before a restore raise DATABASE_EPOCH and deploy, so that no account is staged meanwhile.');
  if ((state.newestStagedAt ?? 0) > restoredTo + SKEW_MILLISECONDS)
    return refused('The database holds accounts that were staged after that moment: restore it to that moment first.');
  const skipped = notedLastId === undefined ? Math.ceil(limitBytes / BYTES_OF_AN_ID) * (epochWanted - state.epoch) : LATE_IDS;
  const lastId = Math.max(state.lastId, notedLastId ?? 0) + skipped;
  if (lastId >= MAX_ID)
    return refused('Too few account numbers are left to skip so many: give last_id, the largest id before the restore.');
  return { kind: 'finish', lastId };
}

const refused = (detail: string): RestoreDecision => ({ kind: 'refused', detail });
