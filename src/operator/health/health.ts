/**
 * Is the queue moving?
 */
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { intakeOf, lastBeat, type Room, readRoom } from '../../health';
import { lastId } from '../restores/store';
import { expiredLeases, type OldestRow, oldestPending, openDeadLetters } from './store';

export interface QueueHealth {
  readonly oldestPending: OldestRow | undefined;
  readonly expiredLeases: number;
  /** Dead letters that were neither re-driven nor dismissed. */
  readonly deadLetters: number;
  /** When the last sweep came to its end, in Unix milliseconds. */
  readonly lastSweepAt: number | undefined;
  readonly room: Room | undefined;
  readonly takesNewAccounts: boolean;
  /** The largest id given: what an operator notes before a restore. */
  readonly lastId: number;
}

export async function readHealth(deps: Deps): Promise<QueueHealth> {
  const [[oldest], [leases], [letters], [sweep], [last]] = await commit(deps.db, [
    oldestPending({ now: deps.now() }),
    expiredLeases({ now: deps.now() }),
    openDeadLetters({}),
    lastBeat({ name: 'sweep' }),
    lastId({}),
  ]);
  return {
    oldestPending: oldest,
    expiredLeases: leases?.count ?? 0,
    deadLetters: letters?.count ?? 0,
    lastSweepAt: sweep?.at,
    room: readRoom(deps, deps.db),
    lastId: last?.lastId ?? 0,
    takesNewAccounts: (await intakeOf(deps, deps.db)) === 'open',
  };
}
