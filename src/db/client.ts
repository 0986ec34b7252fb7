/**
 * The way to D1: one batch is one round trip and one transaction. Statements are values, so that stores of several rooms can
 * add to one batch without seeing each other's.
 *
 * A write whose answer was lost may have been committed, so every statement here is written to be harmless when repeated;
 * then a short retry is safe (https://developers.cloudflare.com/d1/best-practices/retry-queries/).
 */

import type { AnsweredRow } from './drizzle';
import { isErrorOfSql, isRefusedWrite } from './failures';
import { rememberSize } from './size';
import type { Statement } from './statements';

type RowsOf<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never;
};

/** For all tries together: a caller that waits longer has given up. */
const TIMEOUT_MILLISECONDS = 8_000;
const RETRY_DELAYS_MILLISECONDS = [40, 160];

/** The database that holds everything of a supplier. Today there is one; this is the only code that knows. */
export const databaseOf = (databases: { readonly DB: D1Database }, _supplierCode: string): D1Database => databases.DB;

/**
 * Runs statements as one batch: one trip, one transaction, all or nothing. Returns the rows of each statement.
 * Infrastructure failures are retried twice; then, and for errors of SQL and a database that takes no writes, it throws.
 */
export async function commit<const Statements extends readonly Statement[]>(
  db: D1Database,
  statements: Statements,
): Promise<RowsOf<Statements>> {
  if (statements.length === 0) return rowsOf([]);
  const deadline = Date.now() + TIMEOUT_MILLISECONDS;
  for (let attempt = 0; ; attempt++) {
    try {
      const prepared = statements.map(({ sql, params }) => db.prepare(sql).bind(...params));
      const results = await before(deadline, db.batch<AnsweredRow>(prepared));
      rememberSize(db, results);
      return rowsOf(results.map(({ results: rows }, index) => readBy(statements[index], rows)));
    } catch (error) {
      const delay = RETRY_DELAYS_MILLISECONDS[attempt];
      if (delay === undefined || isErrorOfSql(error) || isRefusedWrite(error) || Date.now() + delay >= deadline) throw error;
      await new Promise((resume) => setTimeout(resume, delay * (0.5 + Math.random())));
    }
  }
}

/** Statements for a batch, and what is read of their rows: parts of several rooms go in one batch. */
export interface Part<T> {
  readonly statements: readonly Statement[];
  readonly read: (rows: readonly (readonly unknown[])[]) => T;
}

export const part = <const Statements extends readonly Statement[], T>(
  statements: Statements,
  read: (rows: RowsOf<Statements>) => T,
): Part<T> => ({ statements, read: (rows) => read(rowsOf(rows)) });

/** One part after the other. */
export const joined = <A, B>(first: Part<A>, second: Part<B>): Part<readonly [A, B]> => ({
  statements: [...first.statements, ...second.statements],
  read: (rows) => [first.read(rows.slice(0, first.statements.length)), second.read(rows.slice(first.statements.length))],
});

/** Any number of parts, in order. */
export const joinedAll = <T>(parts: readonly Part<T>[]): Part<T[]> => ({
  statements: parts.flatMap(({ statements }) => statements),
  read: (rows) => {
    let from = 0;
    return parts.map(({ statements, read }) => {
      const own = rows.slice(from, from + statements.length);
      from += statements.length;
      return read(own);
    });
  },
});

/** Runs the statements of a part as one batch. Throws as {@link commit}. */
export const commitPart = async <T>(db: D1Database, { statements, read }: Part<T>): Promise<T> => read(await commit(db, statements));

/** Runs one statement and returns its rows. */
export async function query<Row>(db: D1Database, one: Statement<Row>): Promise<Row[]> {
  const [rows] = await commit(db, [one]);
  return rows;
}

// D1 answers rows as unknown; the statement that asked declares their shape. The one place where the two meet.
const rowsOf = <Statements extends readonly Statement[]>(rows: readonly (readonly unknown[])[]) => rows as RowsOf<Statements>;

function readBy(statement: Statement | undefined, rows: readonly AnsweredRow[]): readonly unknown[] {
  const read = statement?.read;
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
