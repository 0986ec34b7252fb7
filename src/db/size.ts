/**
 * How large a database is. D1 says it with the answer to every query (`meta.size_after`, free pages apart), so each isolate
 * knows it from its own last trip: no row, no trip and nothing shared between isolates is needed.
 */

export interface DatabaseSize {
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly readAt: number;
}

const sizes = new WeakMap<D1Database, DatabaseSize>();

/** The size after the last trip of this isolate. Undefined before the first. */
export const sizeOf = (db: D1Database): DatabaseSize | undefined => sizes.get(db);

export function rememberSize(db: D1Database, results: readonly D1Result[]): void {
  const bytes = results.at(-1)?.meta.size_after;
  if (bytes !== undefined) sizes.set(db, { bytes, readAt: Date.now() });
}
