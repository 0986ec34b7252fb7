/**
 * Drizzle's operators as the stores use them, each from its own module, and the pieces of SQL for which Drizzle has no words.
 */
import type { Column } from 'drizzle-orm/column';
import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm/sql/sql';
import { sql } from 'drizzle-orm/sql/sql';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core/table';

export {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  notExists,
  notInArray,
  or,
} from 'drizzle-orm/sql/expressions/conditions';
export { asc, desc } from 'drizzle-orm/sql/expressions/select';
export { type SQL, type SQLWrapper, sql } from 'drizzle-orm/sql/sql';
export { alias } from 'drizzle-orm/sqlite-core/alias';
export { getTableColumns as columnsOf } from 'drizzle-orm/utils';

/** The table, reached by that index: where the planner would take another one. */
export const indexedBy = (table: SQLiteTable, index: string): SQL => sql`${table} INDEXED BY ${sql.identifier(index)}`;

/** The value that a conflicting insert would have given the column. */
export const excluded = <T>(column: Column): SQL<T> => sql`excluded.${sql.identifier(column.name)}`;

/** True if the query finds a row: as a value, and as a condition. */
export const found = (query: SQLWrapper): SQL<number> => sql`EXISTS ${query}`;

/** A limit by a value of the statement. Drizzle writes any expression there, but its type knows placeholders only. */
export const limitOf = (value: SQL<number>): Placeholder => value as never;
