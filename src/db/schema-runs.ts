/** The table of runs. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const runs = sqliteTable('runs', {
  id: integer('id').primaryKey(),
  supplierId: integer('supplier_id').notNull(),
  name: text('name').notNull(),
  heldReason: text('held_reason').$type<'importer' | 'errors' | 'cancelled' | 'undone'>(),
  releasedTo: integer('released_to').notNull(),
  releasedAt: integer('released_at').notNull(),
  pacePerMinute: integer('pace_per_minute'),
  pacedMinute: integer('paced_minute').notNull(),
  stopAfterErrors: integer('stop_after_errors'),
  errors: integer('errors').notNull(),
  expected: text('expected'),
  firstId: integer('first_id'),
  lastId: integer('last_id'),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  modifiedAt: integer('modified_at').notNull(),
  finishedAt: integer('finished_at'),
  refused: integer('refused').notNull().default(0),
});
