/** Tables that count, so that nobody has to count rows. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const importsPerMinute = sqliteTable(
  'imports_per_minute',
  {
    supplierId: integer('supplier_id').notNull(),
    minute: integer('minute').notNull(),
    processed: integer('processed').notNull(),
    errored: integer('errored').notNull(),
    refused: integer('refused').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.supplierId, table.minute] })],
);

export const refusals = sqliteTable(
  'refusals',
  {
    supplierId: integer('supplier_id').notNull(),
    minute: integer('minute').notNull(),
    code: text('code').notNull(),
    attr: text('attr').notNull(),
    accounts: integer('accounts').notNull(),
    examples: text('examples').notNull(),
  },
  (table) => [primaryKey({ columns: [table.supplierId, table.minute, table.code, table.attr] })],
);

export const runRefusals = sqliteTable(
  'run_refusals',
  {
    supplierId: integer('supplier_id').notNull(),
    runId: integer('run_id').notNull(),
    code: text('code').notNull(),
    attr: text('attr').notNull(),
    accounts: integer('accounts').notNull(),
    minute: integer('minute').notNull(),
  },
  (table) => [primaryKey({ columns: [table.supplierId, table.runId, table.code, table.attr] })],
);
