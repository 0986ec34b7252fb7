/**
 * The way to D1: one batch is one round trip and one transaction. Statements are values, so that stores of several rooms can
 * add to one batch without seeing each other's.
 *
 * A write whose answer was lost may have been committed, so every query here is written to be harmless when repeated;
 * then a short retry is safe (https://developers.cloudflare.com/d1/best-practices/retry-queries/).
 */

import type { AnsweredRow } from './drizzle';
import { isErrorOfSql, isRefusedWrite } from './failures';
import type { Query } from './queries';
import { rememberSize } from './size';

type RowsOf<Queries extends readonly Query[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Row> ? Row[] : never;
};

/** For all tries together: a caller that waits longer has given up. */
const TIMEOUT_MILLISECONDS = 8_000;
const RETRY_DELAYS_MILLISECONDS = [40, 160];

/** The database that holds everything of a supplier. Today there is one; this is the only code that knows. */
export const databaseOf = (databases: { readonly DB: D1Database }, _supplierCode: string | undefined): D1Database => databases.DB;

/**
 * Runs queries as one batch: one trip, one transaction, all or nothing. Returns the rows of each query.
 * Infrastructure failures are retried twice; then, and for errors of SQL and a database that takes no writes, it throws.
 */
export async function commit<const Queries extends readonly Query[]>(db: D1Database, queries: Queries): Promise<RowsOf<Queries>> {
  if (queries.length === 0) return rowsOf([]);
  const deadline = Date.now() + TIMEOUT_MILLISECONDS;
  for (let attempt = 0; ; attempt++) {
    try {
      const prepared = queries.map(({ sql, params }) => db.prepare(sql).bind(...params));
      const results = await before(deadline, db.batch<AnsweredRow>(prepared));
      rememberSize(db, results);
      return rowsOf(results.map(({ results: rows }, index) => readBy(queries[index], rows)));
    } catch (error) {
      const delay = RETRY_DELAYS_MILLISECONDS[attempt];
      if (delay === undefined || isErrorOfSql(error) || isRefusedWrite(error) || Date.now() + delay >= deadline) throw error;
      await new Promise((resume) => setTimeout(resume, delay * (0.5 + Math.random())));
    }
  }
}

/** Queries for a batch, and what is read from their rows. One batch may hold parts of several rooms. */
export interface Part<T> {
  readonly queries: readonly Query[];
  readonly read: (rows: readonly (readonly unknown[])[]) => T;
}

export const part = <const Queries extends readonly Query[], T>(queries: Queries, read: (rows: RowsOf<Queries>) => T): Part<T> => ({
  queries,
  read: (rows) => read(rowsOf(rows)),
});

/** One part after the other. */
export const joined = <A, B>(first: Part<A>, second: Part<B>): Part<readonly [A, B]> => ({
  queries: [...first.queries, ...second.queries],
  read: (rows) => [first.read(rows.slice(0, first.queries.length)), second.read(rows.slice(first.queries.length))],
});

/** Any number of parts, in order. */
export const joinedAll = <T>(parts: readonly Part<T>[]): Part<T[]> => ({
  queries: parts.flatMap(({ queries }) => queries),
  read: (rows) => {
    let from = 0;
    return parts.map(({ queries, read }) => {
      const own = rows.slice(from, from + queries.length);
      from += queries.length;
      return read(own);
    });
  },
});

/** Runs the queries of a part as one batch. Throws as {@link commit}. */
export const commitPart = async <T>(db: D1Database, { queries, read }: Part<T>): Promise<T> => read(await commit(db, queries));

/** Runs one query and returns its rows. */
export async function query<Row>(db: D1Database, one: Query<Row>): Promise<Row[]> {
  const [rows] = await commit(db, [one]);
  return rows;
}

// D1 answers rows of unknown shape; the query that asked declares it. Only here the two meet.
const rowsOf = <Queries extends readonly Query[]>(rows: readonly (readonly unknown[])[]) => rows as RowsOf<Queries>;

function readBy(query: Query | undefined, rows: readonly AnsweredRow[]): readonly unknown[] {
  const read = query?.read;
  return read ? rows.map(read) : rows;
}

async function before<T>(deadline: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('D1 did not answer in time')), deadline - Date.now());
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
