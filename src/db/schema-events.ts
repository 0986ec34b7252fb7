/** The tables of events, as types; see `schema.ts`. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const events = sqliteTable('events', {
  id: integer('id').primaryKey(),
  supplierId: integer('supplier_id').notNull(),
  occurredAt: integer('occurred_at').notNull(),
  type: text('type').notNull(),
  data: text('data').notNull(),
});
