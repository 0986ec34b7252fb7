/**
 * Is the queue moving?
 */
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { expiredLeases, type OldestRow, oldestPending, openDeadLetters } from './store';

export interface QueueHealth {
  readonly oldestPending: OldestRow | undefined;
  readonly expiredLeases: number;
  /** Dead letters that were neither re-driven nor dismissed. */
  readonly deadLetters: number;
}

export async function readHealth(deps: Deps): Promise<QueueHealth> {
  const [[oldest], [leases], [letters]] = await commit(deps.db, [oldestPending(deps.now()), expiredLeases(deps.now()), openDeadLetters()]);
  return { oldestPending: oldest, expiredLeases: leases?.count ?? 0, deadLetters: letters?.count ?? 0 };
}
