/**
 * All tables, as types. The SQL in `migrations/` is the truth of the tables, as `test/db/schema.test.ts` shows: STRICT, WITHOUT ROWID and
 * partial indexes have no words in Drizzle.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Transaction } from '../transactions/pure';

export { importsPerMinute, refusals, runRefusals } from './schema-counts';
export * from './schema-events';
export { runs } from './schema-runs';
export * from './schema-service';
export * from './schema-webhooks';

export const organisations = sqliteTable('organisations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
  isTest: integer('is_test', { mode: 'boolean' }).notNull().default(false),
});

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  label: text('label').notNull(),
  hash: text('hash').notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedAt: integer('revoked_at'),
  lastFour: text('last_four'),
  expiresAt: integer('expires_at'),
  isReadOnly: integer('is_read_only', { mode: 'boolean' }).notNull().default(false),
});

export const refreshTokens = sqliteTable('refresh_tokens', {
  hash: text('hash').primaryKey(),
  apiKeyId: text('api_key_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  spentAt: integer('spent_at'),
});

export const serviceKeys = sqliteTable('service_keys', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const suppliers = sqliteTable('suppliers', {
  id: integer('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  code: text('code').notNull(),
  name: text('name').notNull(),
  status: text('status').notNull(),
  configuration: text('configuration').notNull(),
  version: integer('version').notNull(),
  resumedAt: integer('resumed_at').notNull(),
  retentionCursor: integer('retention_cursor').notNull().default(0),
  retentionNextAt: integer('retention_next_at').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  modifiedAt: integer('modified_at').notNull(),
  sweepCursor: integer('sweep_cursor').notNull().default(0),
  completedAt: integer('completed_at'),
  pausedAt: integer('paused_at'),
});

export const auditEntries = sqliteTable('audit_entries', {
  id: integer('id').primaryKey(),
  occurredAt: integer('occurred_at').notNull(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  before: text('before'),
  after: text('after'),
  supplier: text('supplier'),
});

export const importProcesses = sqliteTable(
  'import_processes',
  {
    supplierId: integer('supplier_id').notNull(),
    id: integer('id').notNull(),
    externalAccountNumber: text('external_account_number').notNull(),
    status: integer('status').notNull(),
    payloadHash: text('payload_hash').notNull(),
    payloadBytes: integer('payload_bytes').notNull(),
    isDryRun: integer('is_dry_run').notNull(),
    windowStart: integer('window_start'),
    windowEnd: integer('window_end'),
    createdAt: integer('created_at').notNull(),
    scheduledAt: integer('scheduled_at').notNull(),
    sentAt: integer('sent_at').notNull(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
    modifiedAt: integer('modified_at').notNull(),
    claim: integer('claim'),
    leaseUntil: integer('lease_until'),
    attempts: integer('attempts').notNull(),
    accountNumber: text('account_number'),
    error: text('error'),
    documents: integer('documents').notNull().default(0),
    expiredClaims: text('expired_claims'),
    failedAt: integer('failed_at'),
    runId: integer('run_id'),
    totals: text('totals'),
    undoneAt: integer('undone_at'),
    erasedAt: integer('erased_at'),
  },
  (table) => [primaryKey({ columns: [table.supplierId, table.id] })],
);

export const payloads = sqliteTable('payloads', {
  id: integer('id').primaryKey(),
  body: text('body').notNull(),
  reducedAt: integer('reduced_at'),
});

export const importProcessEvents = sqliteTable(
  'import_process_events',
  {
    processId: integer('process_id').notNull(),
    occurredAt: integer('occurred_at').notNull(),
    event: text('event').notNull(),
    data: text('data'),
  },
  (table) => [primaryKey({ columns: [table.processId, table.occurredAt, table.event] })],
);

export const deadLetters = sqliteTable('dead_letters', {
  messageId: text('message_id').primaryKey(),
  queue: text('queue').notNull(),
  message: text('message').notNull(),
  failedAt: integer('failed_at').notNull(),
  redrivenAt: integer('redriven_at'),
  dismissedAt: integer('dismissed_at'),
});

export const endedSessions = sqliteTable('ended_sessions', {
  id: text('id').primaryKey(),
  expiresAt: integer('expires_at').notNull(),
});

export const accounts = sqliteTable('accounts', {
  id: integer('id').primaryKey(),
  supplierId: integer('supplier_id').notNull(),
  createdAt: integer('created_at').notNull(),
  periodFrom: text('period_from').notNull(),
  cycleMonths: integer('cycle_months').notNull(),
  cycleStartMonth: integer('cycle_start_month').notNull(),
  cycleStartDay: integer('cycle_start_day').notNull(),
  hasAllFields: integer('has_all_fields').notNull().default(0),
  isListed: integer('is_listed').notNull().default(0),
  balanceMinor: text('balance_minor'),
});

export const accountCommits = sqliteTable('account_commits', {
  id: integer('id').primaryKey(),
  supplierId: integer('supplier_id').notNull(),
  accountIds: text('account_ids').notNull(),
});

export const customers = sqliteTable(
  'customers',
  {
    accountId: integer('account_id').notNull(),
    position: integer('position').notNull(),
    givenName: text('given_name'),
    familyName: text('family_name'),
    email: text('email'),
    mobile: text('mobile'),
    mobileE164: text('mobile_e164'),
    landline: text('landline'),
    landlineE164: text('landline_e164'),
    alternativePhoneNumbers: text('alternative_phone_numbers', { mode: 'json' }).$type<readonly object[]>(),
    dateOfBirth: text('date_of_birth'),
    details: text('details', { mode: 'json' }).$type<object>(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.position] })],
);

export const notes = sqliteTable(
  'notes',
  {
    accountId: integer('account_id').notNull(),
    noteKey: text('note_key').notNull(),
    createdAt: integer('created_at').notNull(),
    body: text('body'),
    documents: text('documents', { mode: 'json' }).$type<readonly object[]>(),
    isPinned: integer('is_pinned', { mode: 'boolean' }).notNull(),
    unpinAt: integer('unpin_at'),
    source: integer('source').notNull(),
    details: text('details', { mode: 'json' }).$type<object>(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.noteKey, table.createdAt] })],
);

export const transactions = sqliteTable(
  'transactions',
  {
    accountId: integer('account_id').notNull(),
    transactionId: text('transaction_id').notNull(),
    addition: integer('addition').notNull(),
    source: integer('source').notNull(),
    ledger: integer('ledger'),
    transactionDate: text('transaction_date').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    type: text('type').notNull(),
    note: text('note'),
    imported: text('imported', { mode: 'json' }).$type<Transaction>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.transactionId, table.addition] })],
);

export const statements = sqliteTable(
  'statements',
  {
    accountId: integer('account_id').notNull(),
    statementId: text('statement_id').notNull(),
    contentHash: text('content_hash').notNull(),
    content: text('content', { mode: 'json' }).$type<object>().notNull(),
    documentKey: text('document_key'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.statementId] })],
);

export const paymentInstructions = sqliteTable(
  'payment_instructions',
  {
    accountId: integer('account_id').notNull(),
    type: text('type').notNull(),
    position: integer('position').notNull(),
    vendor: text('vendor').notNull(),
    reference: text('reference'),
    details: text('details', { mode: 'json' }).$type<object>().notNull(),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.type, table.position] })],
);
