/**
 * Lets processes of runs start: a step of each pace every minute, and at once what somebody released.
 */
import { query } from '../../db';
import type { Deps } from '../../deps';
import { minuteOf } from '../../shared/dates';
import { drainBacklog, sendDue } from '../send/backlog';
import { moveBack } from '../send/store';
import { type PacedRow, type PacedRun, stepOfPace, waitingBetween } from './store-pace';

/** Waiting processes of one look; and calls of the platform for one: a read, a send and a mark. */
const [LOOKS, CALLS_OF_A_LOOK] = [2_000, 4];

/** Takes the step of each of these runs, once in a minute, and sends what it let go. A run that fails keeps no other from its step. */
export async function paceRuns(deps: Deps, db: D1Database, paced: readonly PacedRun[]): Promise<void> {
  const failures: unknown[] = [];
  for (const run of paced) {
    try {
      await paceRun(deps, db, run);
    } catch (error) {
      deps.log.error('run_not_paced', error, { run_id: run.id });
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function paceRun(deps: Deps, db: D1Database, run: PacedRun): Promise<void> {
  const now = deps.now();
  const [moved] = await query(db, stepOfPace({ id: run.id, pace: run.pace, minute: minuteOf(now), now }));
  if (moved && moved.releasedTo > run.releasedTo) await sendBetween(deps, db, run.supplierId, run.releasedTo, moved.releasedTo);
}

/**
 * Sends what a release let go, up to a process; or, where all was, the first of it: who consumes that sends the rest. What this does not
 * get to is sent by the sweep.
 */
export async function sendReleased(
  deps: Deps,
  db: D1Database,
  run: PacedRow & { readonly firstId: number | null },
  upTo: number | 'all',
): Promise<void> {
  if (run.firstId === null) return;
  if (upTo !== 'all') return sendBetween(deps, db, run.supplierId, Math.max(run.releasedTo, run.firstId - 1), upTo);
  await query(db, moveBack({ supplierId: run.supplierId, cursor: run.firstId - 1 }));
  await drainBacklog(deps, db, new Map([[run.supplierId, LOOKS]]));
}

/** Sends what may start of the supplier's waiting processes with ids past `after`, up to `upTo`. */
async function sendBetween(deps: Deps, db: D1Database, supplierId: number, after: number, upTo: number): Promise<void> {
  for (let from = after; from < upTo && deps.calls.left >= CALLS_OF_A_LOOK; ) {
    deps.calls.left -= CALLS_OF_A_LOOK;
    const looked = await query(db, waitingBetween({ supplierId, after: from, upTo, looks: LOOKS, now: deps.now() }));
    await sendDue(
      deps,
      db,
      looked.filter(({ isDue }) => isDue),
      new Set(),
    );
    if (looked.length < LOOKS) return;
    from = looked.at(-1)?.id ?? upTo;
  }
}
