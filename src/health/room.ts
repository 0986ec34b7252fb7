/**
 * How full a database is, as this isolate last saw it.
 */
import { sizeOf } from '../db';
import type { Deps } from '../deps';
import { DATABASE_LIMIT_BYTES, type Room, roomOf } from './rules';

/** Undefined before the first trip to it. */
export function readRoom(deps: Deps, db: D1Database): Room | undefined {
  const size = sizeOf(db);
  return size && roomOf(size.bytes, Number(deps.env.DATABASE_LIMIT_BYTES ?? DATABASE_LIMIT_BYTES));
}

/** Logs, every minute, that the database fills up. */
export function warnOfRoom(deps: Deps): void {
  const room = readRoom(deps, deps.db);
  if (room && room.level !== 'ok') {
    deps.log.error('database_filling', new Error('the database fills up'), { percent: room.percent, level: room.level });
  }
}
