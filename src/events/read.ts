/**
 * Reads events in commit order (§12), from a cursor on; each answer has the cursor to go on from.
 */
import { commit, query } from '../db';
import type { Deps } from '../deps';
import { DAY_MILLISECONDS } from '../shared/dates';
import type { Caller } from '../tokens';
import { cursorOf, eventIdOf, idInCursor } from './rules-cursor';
import { type EventRow, eventsAfter, feedOfCaller, MAX_LOOKS, scanned, wholeFeed } from './store';

export interface PageWanted {
  /** From the oldest event without. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

export type EventPage =
  | { readonly kind: 'unauthenticated' | 'not_found' }
  | { readonly kind: 'unknown_cursor' }
  /** Events behind the cursor may have been deleted. `cursor` is the oldest there is. */
  | { readonly kind: 'expired'; readonly cursor: string }
  | { readonly kind: 'page'; readonly events: readonly ReadEvent[]; readonly cursor: string; readonly hasMore: boolean };

/** An event and its id on the wire. */
export interface ReadEvent extends Omit<EventRow, 'id' | 'data'> {
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

/** One page of a supplier's events. Another organisation's supplier is not found. */
export async function readEvents(deps: Deps, caller: Caller, supplierCode: string, wanted: PageWanted): Promise<EventPage> {
  const db = deps.databaseOf(supplierCode);
  const { apiKeyId, organisationId } = caller;
  const [feed] = await query(db, feedOfCaller({ apiKeyId, organisationId, code: supplierCode }));
  if (!feed) return { kind: 'unauthenticated' };
  const { supplierId, retentionDays, ...rest } = feed;
  // Ids of events are Unix milliseconds, or later.
  const retainedAfter = deps.now() - retentionDays * DAY_MILLISECONDS;
  return supplierId === null ? { kind: 'not_found' } : readPage(deps, db, { ...rest, retainedAfter }, supplierId, wanted);
}

/** One page of the events of all suppliers. */
export async function readAllEvents(deps: Deps, wanted: PageWanted): Promise<EventPage> {
  const [feed] = await query(deps.db, wholeFeed({}));
  if (!feed) throw new Error('the key of cursors is missing');
  return readPage(deps, deps.db, { ...feed, retainedAfter: 0 }, null, wanted);
}

/** An event that is to be sent; `place` is the id of its row. */
export interface WaitingEvent extends ReadEvent {
  readonly place: number;
}

/** Events of a supplier behind that place, in commit order; `end` is how far the walk for them came. */
export async function waitingEvents(
  deps: Deps,
  wanted: { readonly supplierId: number; readonly after: number; readonly limit: number },
): Promise<{ readonly events: readonly WaitingEvent[]; readonly end: number; readonly hasMore: boolean }> {
  const { after, limit } = wanted;
  const [[feed], [walk], rows] = await commit(deps.db, [wholeFeed({}), scanned({ after }), eventsAfter({ ...wanted, limit: limit + 1 })]);
  if (!feed || !walk) throw new Error('the feed has no beginning');
  const fitting = rows
    .slice(0, limit)
    .flatMap(({ data, ...row }) => (data === null ? [] : [{ ...row, data, place: row.id, id: eventIdOf(row.id, feed.key) }]));
  const isCut = fitting.length < rows.length;
  const end = (isCut ? fitting.at(-1)?.place : walk.lastId) ?? after;
  return { events: fitting, end, hasMore: isCut || walk.count === MAX_LOOKS };
}

/** The place behind which a cursor of the feed goes on, if nothing behind it was deleted. */
export async function placeOfCursor(
  deps: Deps,
  cursor: string,
): Promise<Extract<EventPage, { kind: 'unknown_cursor' | 'expired' }> | { readonly kind: 'place'; readonly after: number }> {
  const [feed] = await query(deps.db, wholeFeed({}));
  if (!feed) throw new Error('the key of cursors is missing');
  const after = idInCursor(cursor, feed.key);
  if (after === undefined) return { kind: 'unknown_cursor' };
  const [walk] = await query(deps.db, scanned({ after }));
  if (!walk) throw new Error('the feed has no beginning');
  if (after < walk.oldestId) return { kind: 'expired', cursor: cursorOf(walk.oldestId, feed.key, deps.mint()) };
  return { kind: 'place', after };
}

interface Feed {
  readonly key: string;
  /** Events up to this id are too old to be read. */
  readonly retainedAfter: number;
}

async function readPage(
  deps: Deps,
  db: D1Database,
  { key, retainedAfter }: Feed,
  supplierId: number | null,
  { cursor, limit }: PageWanted,
): Promise<EventPage> {
  const after = cursor === undefined ? retainedAfter : idInCursor(cursor, key);
  if (after === undefined) return { kind: 'unknown_cursor' };
  const cursorAt = (id: number): string => cursorOf(id, key, deps.mint());
  const [[end], rows] = await commit(db, [scanned({ after }), eventsAfter({ after, supplierId, limit: limit + 1 })]);
  if (!end) throw new Error('the feed has no beginning');
  // Who had read whatever is too old by now goes on.
  const isExpired = after < end.oldestId || (rows[0] !== undefined && rows[0].id <= retainedAfter);
  if (cursor !== undefined && isExpired) return { kind: 'expired', cursor: cursorAt(Math.max(end.oldestId, retainedAfter)) };
  const fitting = rows.slice(0, limit).flatMap(({ data, ...row }) => (data === null ? [] : [{ ...row, data }]));
  const isCut = fitting.length < rows.length;
  const last = isCut ? fitting.at(-1)?.id : end.lastId;
  return {
    kind: 'page',
    events: fitting.map((row) => ({ ...row, id: eventIdOf(row.id, key) })),
    cursor: cursorAt(last ?? after),
    hasMore: isCut || end.count === MAX_LOOKS,
  };
}
