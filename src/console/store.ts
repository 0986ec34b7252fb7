/**
 * Sessions that were signed out of, and sign-in codes that were used.
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

const USE_CODE = prepared(($: Values<{ id: string }>) =>
  db
    .insert(endedSessions)
    .values({ id: $.id, expiresAt: Number.MAX_SAFE_INTEGER })
    .onConflictDoNothing()
    .returning({ id: endedSessions.id }),
);

/** Uses a sign-in code up: answers a row to one caller alone. It is remembered for ever, under what no id of a session looks like. */
export const useCode = (digest: string) => USE_CODE({ id: `code ${digest}` });
