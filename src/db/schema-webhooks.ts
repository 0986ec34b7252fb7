/** The tables of webhooks, as types; see `schema.ts`. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  url: text('url').notNull(),
  supplierCodes: text('supplier_codes'),
  types: text('types'),
  startId: integer('start_id').notNull(),
  isEnabled: integer('is_enabled').notNull(),
  disabledReason: text('disabled_reason'),
  generation: integer('generation').notNull(),
  rotatedAt: integer('rotated_at'),
  createdAt: integer('created_at').notNull(),
  deliveredAt: integer('delivered_at'),
  failedAt: integer('failed_at'),
  failure: text('failure'),
});

export const webhookCursors = sqliteTable(
  'webhook_cursors',
  {
    supplierId: integer('supplier_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    afterId: integer('after_id').notNull(),
    newestId: integer('newest_id').notNull(),
    waitingSince: integer('waiting_since'),
    attempts: integer('attempts').notNull(),
    failingSince: integer('failing_since'),
    nextAt: integer('next_at').notNull(),
    claim: integer('claim').notNull(),
    claimedUntil: integer('claimed_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.supplierId, table.webhookId] })],
);

export const webhookWalk = sqliteTable('webhook_walk', {
  id: integer('id').primaryKey(),
  afterId: integer('after_id').notNull(),
});
