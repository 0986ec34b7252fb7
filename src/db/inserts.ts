import type { GetColumnData } from 'drizzle-orm/column';
import { type SQL, sql } from 'drizzle-orm/sql/sql';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core/table';
import { getTableColumns } from 'drizzle-orm/utils';
import { prepared, type RowValues, rowsOf, type Values, type Write } from './statements';

type ColumnsOf<Table extends SQLiteTable> = Table['_']['columns'];

/** A value for each column of the table. */
type RowFor<Table extends SQLiteTable> = { readonly [Name in keyof ColumnsOf<Table>]: SQL<GetColumnData<ColumnsOf<Table>[Name]>> };

/**
 * What a query selects to be inserted: a value for each column of the table, brought into the order in which Drizzle wants them.
 * `db.insert(notes).select(db.select(asRowOf(notes, given.row)).from(…).where(…))`; without a condition SQLite would take an
 * `ON CONFLICT` behind it for that of a join.
 */
export function asRowOf<Table extends SQLiteTable>(table: Table, values: RowFor<Table>) {
  const fields = Object.keys(getTableColumns(table)).map((name) => [name, sql`${Reflect.get(values, name)}`.as(name)]);
  // The same names as the values have.
  return Object.fromEntries(fields) as { [Name in keyof ColumnsOf<Table>]: SQL.Aliased<GetColumnData<ColumnsOf<Table>[Name]>> };
}

/** Inserts whole rows of a table, any number in one statement for each 1.5 MB. Rows that are there already stay as they are. */
export function inserting<Table extends SQLiteTable>(table: Table) {
  const columns: ColumnsOf<Table> = getTableColumns(table);
  const given = rowsOf('given', columns);
  const INSERT = prepared(($: Values<{ rows: RowValues<typeof given> }>) => {
    const names = Object.values(columns).map(({ name }) => sql.identifier(name));
    const values = Object.values<SQL>(given.row);
    return sql`INSERT INTO ${table} (${listOf(names)}) SELECT ${listOf(values)} FROM ${given.from($.rows)} WHERE true ON CONFLICT DO NOTHING`;
  });
  return (rows: Parameters<typeof given.values>[0]): Write[] => given.values(rows).map((value) => INSERT({ rows: value }));
}

const listOf = (items: Parameters<typeof sql.join>[0]): SQL => sql.join(items, sql`, `);
