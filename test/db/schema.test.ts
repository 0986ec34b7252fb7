import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import * as general from '../../src/db/schema';
import * as ofOperators from '../../src/db/schema-operator';
import { readRows } from '../support/tables';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  /** 1-based position in the primary key, 0 outside it. */
  readonly pk: number;
}

const tables = Object.values({ ...general, ...ofOperators }).flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : []));

async function migrated(table: string) {
  const results = await readRows<Column>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', table);
  return {
    columns: results.map(({ name, type, notnull, pk }) => ({ name, type, isRequired: notnull === 1 || pk > 0 })),
    key: results
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name),
  };
}

describe('the Drizzle tables and the migrated tables say the same', () => {
  it.each(tables.map((table) => [table.name, table] as const))('%s', async (name, table) => {
    const [composite] = table.primaryKeys;
    expect({
      columns: table.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        isRequired: column.notNull || column.primary || (composite?.columns.includes(column) ?? false),
      })),
      key: (composite?.columns ?? table.columns.filter(({ primary }) => primary)).map((column) => column.name),
    }).toEqual(await migrated(name));
  });

  it('no table is missing on either side', async () => {
    const results = await readRows<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'",
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(results.map(({ name }) => name).sort());
  });

  it('every table is STRICT, so that a wrong type is refused and not kept', async () => {
    const results = await readRows<{
      name: string;
    }>("SELECT name FROM pragma_table_list WHERE strict = 0 AND type = 'table' AND schema = 'main'");
    const ours = new Set(tables.map(({ name }) => name));
    expect(results.filter(({ name }) => ours.has(name))).toEqual([]);
  });
});
