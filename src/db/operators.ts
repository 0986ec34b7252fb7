/**
 * Drizzle's operators as the stores use them, each from its own module, and the pieces of SQL for which Drizzle has no words.
 */
import type { Column } from 'drizzle-orm/column';
import { is } from 'drizzle-orm/entity';
import type { Placeholder, SQLWrapper } from 'drizzle-orm/sql/sql';
import { SQL, sql } from 'drizzle-orm/sql/sql';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core/table';
import { getTableColumns } from 'drizzle-orm/utils';
import { db } from './drizzle';

export type { Column } from 'drizzle-orm/column';
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
export { count, max } from 'drizzle-orm/sql/functions/aggregate';
export { type SQL, type SQLWrapper, sql } from 'drizzle-orm/sql/sql';
export { alias } from 'drizzle-orm/sqlite-core/alias';
export type { SQLiteTable } from 'drizzle-orm/sqlite-core/table';
export { getTableColumns as columnsOf } from 'drizzle-orm/utils';

/** The table, reached by that index: where the planner would take another one. */
export const indexedBy = (table: SQLiteTable, index: string): SQL => sql`${table} INDEXED BY ${sql.identifier(index)}`;

/** The same of a table that the query names a second time, by its alias. */
export const aliasIndexedBy = (table: SQLiteTable, name: SQLiteTable, index: string): SQL =>
  sql`${table} AS ${name} INDEXED BY ${sql.identifier(index)}`;

/** The column without its table: in what a write returns, and where a subquery names its fields. */
export const nameOf = (column: Column): SQL => sql`${sql.identifier(column.name)}`;

/** The value that a conflicting insert would have given the column. */
export const excluded = <T>(column: Column): SQL<T> => sql`excluded.${sql.identifier(column.name)}`;

/** True if the query finds a row: as a value, and as a condition. */
export const found = (query: SQLWrapper): SQL<number> => sql`EXISTS ${query}`;

/** A limit by a value of the query. Drizzle writes any expression there, but its type knows placeholders only. */
export const limitOf = (value: SQL<number>): Placeholder => value as never;

/** A row of the table whose fields are expressions or constants. */
type RowToInsert<Table extends SQLiteTable> = {
  readonly [Name in keyof Table['$inferInsert']]: Table['$inferInsert'][Name] | SQL<Table['$inferInsert'][Name]>;
};

/**
 * An insert of what a query finds: `row` is what it selects, `rest` its FROM and WHERE. It needs a WHERE, because SQLite would read
 * an ON CONFLICT behind a FROM as a join's. A column that is not in the row gets its default.
 */
export const insertSelect = <Table extends SQLiteTable>(table: Table, row: RowToInsert<Table>, rest: SQL) => {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  const selected = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given.get(name) ?? column.default ?? null;
    return is(value, SQL) ? value : sql`${sql.param(value, column)}`;
  });
  return db.insert(table).select(sql`SELECT ${sql.join(selected, sql`, `)} ${rest}`);
};
