/**
 * A database that counts what it is asked for: round trips, statements, and the rows read and written as D1's own meta tells.
 */
export interface Counts {
  readonly db: D1Database;
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/** `beforeTrip` runs before each trip, told its number from 1: what happens in between is the test's. */
export function countingDatabase(real: D1Database, beforeTrip: (trip: number) => Promise<void> = async () => {}): Counts {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const count = (results: readonly D1Result[]): void => {
    for (const { meta } of results) {
      counts.statements++;
      counts.rowsRead += meta.rows_read;
      counts.rowsWritten += meta.rows_written;
    }
  };
  const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => counted(target.bind(...values));
        if (name === 'all' || name === 'run') {
          return async () => {
            await beforeTrip(++counts.trips);
            const result = await target[name]();
            count([result]);
            return result;
          };
        }
        throw new Error(`not counted: ${String(name)}`);
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const db = new Proxy(real, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => counted(target.prepare(sql));
      if (name === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          await beforeTrip(++counts.trips);
          const results = await target.batch(statements.map((statement) => originals.get(statement) ?? statement));
          count(results);
          return results;
        };
      }
      throw new Error(`not counted: ${String(name)}`);
    },
  });
  const counts: Counts = { db, trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
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
