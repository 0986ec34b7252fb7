/**
 * What the database tells of itself: its migrations, its latest restore, when something last came to its end.
 */
import { type RowOf, type Statement, statement, type Write } from '../db';

export const appliedMigrations = (): Statement<{ name: string }> => statement('SELECT name FROM d1_migrations');

/** What comes to its end again and again. */
export type Beating = 'sweep' | 'readiness';

export const lastBeat = (name: Beating): Statement<RowOf<'heartbeats', 'at'>> =>
  statement('SELECT at FROM heartbeats WHERE name = ?1', name);

/** `at` in Unix milliseconds. */
export const beat = (name: Beating, at: number): Write =>
  statement('INSERT INTO heartbeats (name, at) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET at = excluded.at', name, at);

/** No row in a database that was never restored. */
export const latestRestore = (): Statement<RowOf<'restores', 'epoch'>> =>
  statement('SELECT epoch FROM restores ORDER BY epoch DESC LIMIT 1');
