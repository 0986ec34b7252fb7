/**
 * Sessions that were signed out of, and sign-in codes that were used.
 */
import { type Statement, statement, type Write } from '../db';

/** Finds the session if it was ended. */
export const endedSession = (id: string): Statement => statement('SELECT 1 FROM ended_sessions WHERE id = ?', id);

/** `expiresAt` in Unix milliseconds: after that nothing of it has to be known. */
export const endSession = (id: string, expiresAt: number): Write =>
  statement('INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING', id, expiresAt);

export const forgetEndedSessions = (now: number): Write => statement('DELETE FROM ended_sessions WHERE expires_at <= ?', now);

/** Uses a sign-in code up: answers a row to one caller alone. It is remembered for ever, under what no id of a session looks like. */
export const useCode = (digest: string): Statement =>
  statement(
    'INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1',
    `code ${digest}`,
    Number.MAX_SAFE_INTEGER,
  );
