/**
 * May new accounts come in? Not while the database has little room left, and not between a restore and its end (docs/operating.md).
 */
import { query, sizeOf } from '../db';
import type { Deps } from '../deps';
import { readRoom } from './room';
import { latestRestore } from './store';

export type Intake = 'open' | 'full' | 'restore_unfinished';

/** What is remembered of a database is asked anew after this long. */
const FRESH_MILLISECONDS = 10_000;

const isStale = (readAt: number): boolean => Date.now() - readAt > FRESH_MILLISECONDS;

/** The latest restore that each database is known to have come through. */
const epochs = new WeakMap<D1Database, { readonly epoch: number; readonly readAt: number }>();

/** The epoch of the database that this deployment asks for; 0 if there never was a restore. */
export const epochWanted = (deps: Deps): number => Number(deps.env.DATABASE_EPOCH ?? 0);

/**
 * Costs no trip while the database has room and was never restored. A size that refuses must be fresh; a database that had room at
 * the last trip has some now. One that was restored once is asked for its epoch every few seconds.
 */
export async function intakeOf(deps: Deps, db: D1Database): Promise<Intake> {
  const wanted = epochWanted(deps);
  const isFullOfOld = readRoom(deps, db)?.level === 'full' && isStale(sizeOf(db)?.readAt ?? 0);
  let known = epochs.get(db);
  if (isFullOfOld || (wanted > 0 && (!known || known.epoch < wanted || isStale(known.readAt)))) {
    const [restore] = await query(db, latestRestore({}));
    known = { epoch: restore?.epoch ?? 0, readAt: Date.now() };
    epochs.set(db, known);
  }
  if (wanted > (known?.epoch ?? 0)) return 'restore_unfinished';
  return readRoom(deps, db)?.level === 'full' ? 'full' : 'open';
}
