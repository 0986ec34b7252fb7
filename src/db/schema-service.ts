/** What the service notes of itself, as types; see `schema.ts`. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const heartbeats = sqliteTable('heartbeats', {
  name: text('name').primaryKey(),
  at: integer('at').notNull(),
});

export const restores = sqliteTable('restores', {
  epoch: integer('epoch').primaryKey(),
  restoredTo: integer('restored_to').notNull(),
  finishedAt: integer('finished_at').notNull(),
  lastId: integer('last_id').notNull(),
});
