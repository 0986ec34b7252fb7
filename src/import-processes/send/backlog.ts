/**
 * Sends what is PENDING, may start, and has no message on its way: what the queue lost, what waited for a supplier to be resumed
 * or for a window to open. Each supplier gets its share of every look, and a look goes on where the one before came to, so that no backlog
 * is ever walked as a whole. What remains of one is drained by its consumers: whoever has consumed a part of it sends the next.
 */

import { commit, query } from '../../db';
import type { Deps } from '../../deps';
import type { ProcessKey } from '../store-conditions';
import { type Sendable, sendImports } from './messages';
import { closingDue, dueOf, type MovedRow, markSent, moveBack, nextDue } from './store';

/** PENDING processes that one run looks at, of all suppliers together; and of one supplier at once, at most and at least. */
const LOOKS_OF_A_RUN = 50_000;
const MAX_LOOKS = 2_000;
const MIN_LOOKS = 100;
/** Of each supplier, processes looked at whose windows close next, wherever in the backlog they are. */
const CLOSING_LOOKS = 500;
/** With so many messages in the queue a run sends its first share of each supplier and no more, and nobody drains a backlog: the consumers have enough. */
const MAX_WAITING_MESSAGES = 100;
/** Looks in which whoever drains a backlog finds nothing that is due; then the next run goes on. */
const MAX_EMPTY_LOOKS = 5;
/** Calls of the platform for one look: two statements, a send and a mark, and what puts the look back. */
const CALLS_OF_A_LOOK = 5;

const shareOf = (looks: number, suppliers: number): number =>
  Math.min(MAX_LOOKS, Math.max(MIN_LOOKS, Math.floor(looks / Math.max(1, suppliers))));

/**
 * One run over all of these suppliers. Windows that close next come first; then each supplier's share, again and again, until the run
 * has looked at enough or the queue holds enough.
 */
export async function sendBacklog(deps: Deps, db: D1Database, supplierIds: readonly number[]): Promise<void> {
  if (supplierIds.length === 0) return;
  const closing = await query(db, closingDue(supplierIds, deps.now(), CLOSING_LOOKS));
  await sendDue(deps, db, closing, new Set());
  let looks = LOOKS_OF_A_RUN;
  for (let ids = supplierIds; ids.length > 0 && looks > 0; ) {
    const share = shareOf(looks, ids.length);
    const { moved, waiting } = await sendNext(deps, db, ids, share);
    looks -= share * ids.length;
    if (waiting >= MAX_WAITING_MESSAGES) return;
    ids = moved.filter(({ sweepCursor }) => sweepCursor > 0).map(({ id }) => id);
  }
}

/** Goes on where the last look came to: looks at as much of these suppliers' backlog as was just consumed (processes, by supplier). */
export async function drainBacklog(deps: Deps, db: D1Database, consumed: ReadonlyMap<number, number>): Promise<void> {
  for (const [supplierId, processes] of consumed) {
    let empty = 0;
    for (let left = processes; left > 0 && empty < MAX_EMPTY_LOOKS && deps.calls.left >= CALLS_OF_A_LOOK; ) {
      deps.calls.left -= CALLS_OF_A_LOOK;
      const looks = Math.min(MAX_LOOKS, Math.max(MIN_LOOKS, left));
      const { sent, moved, waiting } = await sendNext(deps, db, [supplierId], looks);
      if (moved.length === 0 || waiting >= MAX_WAITING_MESSAGES) break;
      if (sent > 0) left -= looks;
      empty = sent > 0 ? 0 : empty + 1;
    }
  }
}

/** Sends those of these processes that are due: what was just released, or scheduled again. */
export async function sendNow(deps: Deps, db: D1Database, keys: readonly ProcessKey[]): Promise<void> {
  for (let from = 0; from < keys.length; from += MAX_LOOKS) {
    await sendDue(deps, db, await query(db, dueOf(keys.slice(from, from + MAX_LOOKS), deps.now())), new Set());
  }
}

/** Sends what an invocation could not get to, for another one; false if the queue did not take it. */
export async function sendLeft(deps: Deps, keys: readonly ProcessKey[]): Promise<boolean> {
  if (keys.length === 0) return true;
  try {
    await sendImports(
      deps,
      keys.map((key) => ({ ...key, payloadBytes: 0 })),
    );
    deps.log.info('imports_left', { processes: keys.length });
    return true;
  } catch (error) {
    deps.log.error('imports_left_not_sent', error, { processes: keys.length });
    return false;
  }
}

interface Look {
  readonly sent: number;
  /** Suppliers of which more may follow. */
  readonly moved: readonly MovedRow[];
  /** Messages in the queue. */
  readonly waiting: number;
}

async function sendNext(deps: Deps, db: D1Database, supplierIds: readonly number[], looks: number): Promise<Look> {
  const [due, moved] = await commit(db, nextDue(supplierIds, deps.now(), looks));
  try {
    const waiting = await sendDue(deps, db, due, new Set(moved.map(({ id }) => id)));
    return { sent: due.length, moved, waiting };
  } catch (error) {
    const first = Map.groupBy(due, ({ supplierId }) => supplierId);
    await commit(
      db,
      [...first].map(([supplierId, [row]]) => moveBack({ supplierId, cursor: (row?.id ?? 1) - 1 })),
    );
    throw error;
  }
}

/** Sent before it is marked: a message too many is harmless, one too few would wait for long. */
export async function sendDue(deps: Deps, db: D1Database, due: readonly Sendable[], withMore: ReadonlySet<number>): Promise<number> {
  if (due.length === 0) return 0;
  const waiting = await sendImports(deps, due, { withMore });
  await query(db, markSent(due, deps.now()));
  deps.log.info('imports_sent_again', { processes: due.length, suppliers: new Set(due.map(({ supplierId }) => supplierId)).size });
  return waiting;
}
