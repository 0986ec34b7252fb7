/**
 * Sessions that were signed out of.
 */
import { type Statement, statement, type Write } from '../db';

/** Finds the session if it was ended. */
export const endedSession = (id: string): Statement => statement('SELECT 1 FROM ended_sessions WHERE id = ?', id);

/** `expiresAt` in Unix milliseconds: after that nothing of it has to be known. */
export const endSession = (id: string, expiresAt: number): Write =>
  statement('INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING', id, expiresAt);

export const forgetEndedSessions = (now: number): Write => statement('DELETE FROM ended_sessions WHERE expires_at <= ?', now);
