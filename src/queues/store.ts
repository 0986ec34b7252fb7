import { statement, type Write } from '../db';

const BURY = `INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (message_id) DO UPDATE SET failed_at = excluded.failed_at, redriven_at = NULL, dismissed_at = NULL`;

/** Keeps a message that will not be tried again by itself. `message` is JSON of ids. */
export const bury = (queue: string, messageId: string, message: string, now: number): Write =>
  statement(BURY, messageId, queue, message, now);
