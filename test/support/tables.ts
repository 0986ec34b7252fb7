/**
 * What the database holds, for tests that assert a stored effect. The one place where tests read tables.
 */
import { env } from 'cloudflare:workers';

type Value = string | number | null | undefined;

const asked = (sql: string, values: readonly Value[]): D1PreparedStatement => env.DB.prepare(sql).bind(...values);

/** All rows of a query; `values` are bound in its order. */
export const readRows = async <Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]> =>
  (await asked(sql, values).all<Row>()).results;

/** The first row of a query, or null. */
export const readRow = <Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row | null> =>
  asked(sql, values).first<Row>();

/** One column of the first row of a query, or null. */
export const readValue = <T = unknown>(column: string, sql: string, ...values: Value[]): Promise<T | null> =>
  asked(sql, values).first<T>(column);
