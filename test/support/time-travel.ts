/** D1's Time Travel as a test can have it: every table as it was, copied back. */
import { env } from 'cloudflare:workers';
import { databaseAround } from './around';
import { OPERATOR } from './operator';
import { readRows } from './tables';
import { callWith } from './trouble';

type Row = Record<string, string | number | null>;

/** How the database stands, to be restored later. */
export type Bookmark = ReadonlyMap<string, readonly Row[]>;

async function tables(): Promise<string[]> {
  const results = await readRows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'",
  );
  return results.map(({ name }) => name);
}

export async function bookmark(): Promise<Bookmark> {
  const rows = new Map<string, readonly Row[]>();
  for (const table of await tables()) rows.set(table, await readRows<Row>(`SELECT * FROM ${table}`));
  return rows;
}

export async function restore(to: Bookmark): Promise<void> {
  const queries: D1PreparedStatement[] = [];
  for (const [table, rows] of to) {
    queries.push(env.DB.prepare(`DELETE FROM ${table}`));
    for (const row of rows) {
      const columns = Object.keys(row);
      const marks = columns.map(() => '?').join(', ');
      queries.push(env.DB.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).bind(...Object.values(row)));
    }
  }
  await env.DB.batch(queries);
}

/** The Worker as it is deployed for a restore of this epoch. */
export const deployed = (epoch: number) => ({
  DATABASE_EPOCH: String(epoch),
  // An isolate of its own: each remembers for a moment what it read of the database.
  DB: databaseAround(env.DB, (_, run) => run()),
});

/** Brings a restore to its end. */
export const finish = (body: object, settings: object = deployed(1)) =>
  callWith(settings, 'POST', '/operator/v1/restores/', { headers: OPERATOR, body });
