/**
 * The tables of operators themselves: who they are, and what they are to know.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const operatorTokens = sqliteTable('operator_tokens', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  role: text('role').notNull(),
  hash: text('hash').notNull(),
  lastFour: text('last_four').notNull(),
  createdAt: integer('created_at').notNull(),
  revokedAt: integer('revoked_at'),
});

export const alerts = sqliteTable('alerts', {
  id: text('id').primaryKey(),
  rule: text('rule').notNull(),
  supplier: text('supplier').notNull(),
  since: integer('since').notNull(),
  endedAt: integer('ended_at'),
  details: text('details').notNull(),
});

export const alertAddresses = sqliteTable('alert_addresses', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  createdAt: integer('created_at').notNull(),
  deliveredAt: integer('delivered_at'),
  failedAt: integer('failed_at'),
  failure: text('failure'),
});

export const alertDeliveries = sqliteTable(
  'alert_deliveries',
  {
    alertId: text('alert_id').notNull(),
    addressId: text('address_id').notNull(),
    event: text('event').notNull(),
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    attempts: integer('attempts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.addressId] })],
);
