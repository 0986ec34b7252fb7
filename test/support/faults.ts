/**
 * Bindings that fail as asked: what infrastructure does at the worst moment, at the moment the test chooses.
 */

/** A call fails before it reached its target, or after it took effect there: the answer is lost. */
export type Fault = 'before' | 'after';

export interface Faulty {
  readonly db: D1Database;
  /** Trips asked for so far. */
  calls: number;
}

/** A database of which the trips fail that `faultOf` names, numbered from 1. */
export function faultyDatabase(real: D1Database, faultOf: (call: number) => Fault | undefined): Faulty {
  const faulty: Faulty = {
    calls: 0,
    db: new Proxy(real, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => target.prepare(sql);
        if (name !== 'batch') throw new Error(`not expected: ${String(name)}`);
        return async (queries: D1PreparedStatement[]) => {
          const fault = faultOf(++faulty.calls);
          if (fault === 'before') throw connectionLost();
          const results = await target.batch(queries);
          if (fault === 'after') throw connectionLost();
          return results;
        };
      },
    }),
  };
  return faulty;
}

/** A bucket that answers nothing. */
export const failingBucket = (real: R2Bucket): R2Bucket =>
  new Proxy(real, {
    get: () => () => Promise.reject(connectionLost()),
  });

const connectionLost = (): Error => new Error('Network connection lost.');
