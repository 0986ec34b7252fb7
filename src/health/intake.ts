/**
 * May new accounts come in? Not while the database has little room left, and not between a restore and its end (docs/operating.md).
 */
import { query, sizeOf } from '../db';
import type { Deps } from '../deps';
import { readRoom } from './room';
import { latestRestore } from './store';

export type Intake = 'open' | 'full' | 'restore_unfinished';

/** A refusal needs a size no older than this; a database that had room a moment ago has some now. */
const FRESH_MILLISECONDS = 10_000;

/** The latest restore each database is known to have come through. A later one takes another version of the Worker. */
const epochs = new WeakMap<D1Database, number>();

/** The epoch of the database that this deployment asks for; 0 if there never was a restore. */
export const epochWanted = (deps: Deps): number => Number(deps.env.DATABASE_EPOCH ?? 0);

/** Costs no trip while new accounts come in, but for the first of an isolate whose database was once restored. */
export async function intakeOf(deps: Deps, db: D1Database): Promise<Intake> {
  const wanted = epochWanted(deps);
  const isStale = readRoom(deps, db)?.level === 'full' && Date.now() - (sizeOf(db)?.readAt ?? 0) > FRESH_MILLISECONDS;
  if (isStale || wanted > (epochs.get(db) ?? 0)) {
    const [restore] = await query(db, latestRestore());
    epochs.set(db, restore?.epoch ?? 0);
  }
  if (wanted > (epochs.get(db) ?? 0)) return 'restore_unfinished';
  return readRoom(deps, db)?.level === 'full' ? 'full' : 'open';
}
