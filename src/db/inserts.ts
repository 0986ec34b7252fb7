import { type SQL, sql } from 'drizzle-orm/sql/sql';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core/table';
import { getTableColumns } from 'drizzle-orm/utils';
import { prepared, type RowValues, rowsOf, type Values, type Write } from './queries';

/** Inserts whole rows of a table, any number in one query for each 1.5 MB. Rows that are there already stay as they are. */
export function inserting<Table extends SQLiteTable>(table: Table) {
  const columns: Table['_']['columns'] = getTableColumns(table);
  const given = rowsOf('given', columns);
  const INSERT = prepared(($: Values<{ rows: RowValues<typeof given> }>) => {
    const names = Object.values(columns).map(({ name }) => sql.identifier(name));
    const values = Object.values<SQL>(given.row);
    return sql`INSERT INTO ${table} (${listOf(names)}) SELECT ${listOf(values)} FROM ${given.from($.rows)} WHERE true ON CONFLICT DO NOTHING`;
  });
  return (rows: Parameters<typeof given.values>[0]): Write[] => given.values(rows).map((value) => INSERT({ rows: value }));
}

const listOf = (items: Parameters<typeof sql.join>[0]): SQL => sql.join(items, sql`, `);
