/**
 * A database that counts what it is asked for: round trips, statements, and the rows read and written as D1's own meta says.
 */
export interface Counts {
  readonly db: D1Database;
  trips: number;
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  /** Those written, by table. */
  readonly written: Map<string, number>;
}

/** The table that a statement writes. */
const WRITES = /\b(?:insert into|update|delete from) "(\w+)"/i;

/** `beforeTrip` runs before each trip, given its number from 1: what happens in between is the test's. */
export function countingDatabase(real: D1Database, beforeTrip: (trip: number) => Promise<void> = async () => {}): Counts {
  const originals = new WeakMap<object, { readonly query: D1PreparedStatement; readonly text: string }>();
  const count = (results: readonly D1Result[], texts: readonly string[]): void => {
    for (const [index, { meta }] of results.entries()) {
      const [, table = ''] = WRITES.exec(texts[index] ?? '') ?? [];
      if (meta.rows_written > 0) counts.written.set(table, (counts.written.get(table) ?? 0) + meta.rows_written);
      counts.queries++;
      counts.rowsRead += meta.rows_read;
      counts.rowsWritten += meta.rows_written;
    }
  };
  const counted = (query: D1PreparedStatement, text: string): D1PreparedStatement => {
    const wrapped = new Proxy(query, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => counted(target.bind(...values), text);
        if (name === 'all' || name === 'run') {
          return async () => {
            await beforeTrip(++counts.trips);
            const result = await target[name]();
            count([result], [text]);
            return result;
          };
        }
        throw new Error(`not counted: ${String(name)}`);
      },
    });
    originals.set(wrapped, { query, text });
    return wrapped;
  };
  const db = new Proxy(real, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => counted(target.prepare(sql), sql);
      if (name === 'batch') {
        return async (queries: D1PreparedStatement[]) => {
          await beforeTrip(++counts.trips);
          const results = await target.batch(queries.map((query) => originals.get(query)?.query ?? query));
          count(
            results,
            queries.map((query) => originals.get(query)?.text ?? ''),
          );
          return results;
        };
      }
      throw new Error(`not counted: ${String(name)}`);
    },
  });
  const counts: Counts = { db, trips: 0, queries: 0, rowsRead: 0, rowsWritten: 0, written: new Map() };
  return counts;
}

/** A bucket that counts the calls it is asked. */
export function countingBucket(real: R2Bucket): { readonly bucket: R2Bucket; calls: number } {
  const counted = {
    calls: 0,
    bucket: new Proxy(real, {
      get(target, name) {
        if (name !== 'head' && name !== 'list') throw new Error(`not counted: ${String(name)}`);
        return (argument: never) => {
          counted.calls++;
          return target[name](argument);
        };
      },
    }),
  };
  return counted;
}
