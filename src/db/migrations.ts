import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The migrations this code needs, as `wrangler d1 migrations apply` records them. A test compares them with `migrations/`. */
export const MIGRATIONS: readonly string[] = [
  '0001_access.sql',
  '0002_suppliers.sql',
  '0003_import_processes.sql',
  '0004_accounts.sql',
  '0006_backlog.sql',
  '0007_retention.sql',
  '0008_health.sql',
  '0009_document_roots.sql',
  '0010_operator.sql',
  '0011_notes.sql',
  '0012_progress.sql',
  '0013_account_reading.sql',
  '0014_events.sql',
  '0015_webhooks.sql',
  '0016_runs.sql',
  '0018_erasure.sql',
  '0019_refusals.sql',
  '0020_operator_tokens.sql',
  '0021_api_keys.sql',
  '0022_alerts.sql',
  '0023_runs_finished.sql',
  '0024_operator_lookups.sql',
  '0025_run_refusals.sql',
];

/** The table in which the platform writes down what it has applied. */
export const d1Migrations = sqliteTable('d1_migrations', { name: text('name').notNull() });
