/**
 * What the database knows of itself: its migrations, its latest restore, when something last came to its end.
 */
import { d1Migrations, db, desc, eq, excluded, heartbeats, prepared, restores, type Values } from '../db';

export const appliedMigrations = prepared(() => db.select({ name: d1Migrations.name }).from(d1Migrations));

/** What comes to its end again and again. */
export type Beating = 'sweep' | 'readiness';

export const lastBeat = prepared(($: Values<{ name: Beating }>) =>
  db.select({ at: heartbeats.at }).from(heartbeats).where(eq(heartbeats.name, $.name)),
);

/** `at` in Unix milliseconds. */
export const beat = prepared(($: Values<{ name: Beating; at: number }>) =>
  db
    .insert(heartbeats)
    .values({ name: $.name, at: $.at })
    .onConflictDoUpdate({ target: heartbeats.name, set: { at: excluded(heartbeats.at) } }),
);

/** No row in a database that was never restored. */
export const latestRestore = prepared(() => db.select({ epoch: restores.epoch }).from(restores).orderBy(desc(restores.epoch)).limit(1));
