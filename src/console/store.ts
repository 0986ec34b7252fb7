/**
 * Sessions that were signed out of.
 */
import { db, endedSessions, eq, lte, prepared, type Values } from '../db';

/** Finds the session if it was ended. */
export const endedSession = prepared(($: Values<{ id: string }>) =>
  db.select({ id: endedSessions.id }).from(endedSessions).where(eq(endedSessions.id, $.id)),
);

/** `expiresAt` in Unix milliseconds: after that nothing of it has to be known. */
export const endSession = prepared(($: Values<{ id: string; expiresAt: number }>) =>
  db.insert(endedSessions).values({ id: $.id, expiresAt: $.expiresAt }).onConflictDoNothing(),
);

export const forgetEndedSessions = prepared(($: Values<{ now: number }>) =>
  db.delete(endedSessions).where(lte(endedSessions.expiresAt, $.now)),
);
