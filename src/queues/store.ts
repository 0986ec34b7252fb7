import { db, deadLetters, excluded, prepared, type Values } from '../db';

/** Stores a message that will not be tried again by itself. `message` is JSON of ids. */
export const bury = prepared(($: Values<{ messageId: string; queue: string; message: string; failedAt: number }>) =>
  db
    .insert(deadLetters)
    .values({ messageId: $.messageId, queue: $.queue, message: $.message, failedAt: $.failedAt })
    .onConflictDoUpdate({
      target: deadLetters.messageId,
      set: { failedAt: excluded(deadLetters.failedAt), redrivenAt: null, dismissedAt: null },
    }),
);
