/**
 * The database of a history: how it begins, and everything that is stored in the end.
 */
import { env } from 'cloudflare:workers';
import { readRows } from '../../support/tables';
import { signed, type Transition } from './observer';

const YEAR = 365 * 86_400_000;

/** What a restore takes back. */
export const TABLES = [
  'organisations',
  'api_keys',
  'refresh_tokens',
  'suppliers',
  'audit_entries',
  'import_processes',
  'payloads',
  'import_process_events',
  'imports_per_minute',
  'dead_letters',
  'accounts',
  'account_commits',
  'customers',
  'notes',
  'transactions',
  'statements',
  'payment_instructions',
  'restores',
  'events',
  'simulated_transitions',
  'simulated_deeds',
];
/** What no restore takes back. */
const OWN_TABLES = ['simulated_wrongs', 'simulated_states'];

/** One organisation's supplier as a history begins. */
export interface GivenSupplier {
  readonly id: number;
  readonly code: string;
  readonly organisationId: string;
  readonly apiKeyId: string;
}

export const SUPPLIERS: readonly GivenSupplier[] = [
  { id: 1, code: 'ONE', organisationId: 'org_a', apiKeyId: 'key_a' },
  { id: 2, code: 'TWO', organisationId: 'org_a', apiKeyId: 'key_a' },
  { id: 3, code: 'OTHER', organisationId: 'org_b', apiKeyId: 'key_b' },
];

const configurationOf = (retentionDays: number): string => JSON.stringify({ default_country: 'GB', payload_retention_days: retentionDays });

/**
 * Empties every table and gives a history its suppliers. One trip. With `isReduced` payloads go as soon as they are not needed. The
 * sweep goes on after the process `sweepCursor`, as if it had come there before.
 */
export async function beginAgain(now: number, isReduced: boolean, sweepCursor: number): Promise<void> {
  const organisations = [...new Map(SUPPLIERS.map((supplier) => [supplier.organisationId, supplier])).values()];
  await env.DB.batch([
    signed({ task: 0, role: 'restore', epoch: 0 }, 0),
    ...[...TABLES, ...OWN_TABLES].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare(`INSERT INTO events (id, supplier_id, occurred_at, type, data) VALUES (1, 0, 0, 'feed.began', '{}')`),
    env.DB.prepare(`UPDATE service_keys SET value = '000102030405060708090a0b0c0d0e0f' WHERE name = 'account_number'`),
    ...organisations.flatMap(({ organisationId, apiKeyId }) => [
      env.DB.prepare('INSERT INTO organisations (id, name, created_at) VALUES (?1, ?1, ?2)').bind(organisationId, now),
      env.DB.prepare(`INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES (?1, ?2, '', ?1, ?3)`).bind(
        apiKeyId,
        organisationId,
        now,
      ),
    ]),
    ...SUPPLIERS.map(({ id, code, organisationId }) =>
      env.DB.prepare(
        `INSERT INTO suppliers (id, organisation_id, code, name, status, configuration, version, resumed_at, retention_next_at, created_at, modified_at, sweep_cursor)
         VALUES (?1, ?2, ?3, ?3, 'Ongoing', ?4, 1, 0, ?6, ?5, ?5, ?7)`,
      ).bind(id, organisationId, code, configurationOf(isReduced ? 0 : 90), now, isReduced ? now : now + YEAR, sweepCursor),
    ),
  ]);
}

/** Accounts of the first supplier that wait for a window of next week: more than one look of the sweep sees. They belong to no history. */
const BACKLOG = 2_300;
const IS_BACKLOG = `external_account_number LIKE 'later-%'`;

export async function putBacklog(now: number): Promise<void> {
  const rows = `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${BACKLOG})`;
  await env.DB.batch([
    signed({ task: 0, role: 'release', epoch: 0 }, 0),
    env.DB.prepare(`INSERT INTO payloads (id, body) ${rows} SELECT id, '{}' FROM n`),
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, window_start,
         created_at, scheduled_at, sent_at, modified_at, attempts)
       ${rows} SELECT 1, id, 'later-' || id, 0, '', 2, 0, ?1 + ${7 * 86_400_000}, ?1, ?1, 0, ?1, 0 FROM n`,
    ).bind(now),
  ]);
}

/** Takes the backlog away again, and what was reported of it. */
export async function takeBacklog(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM import_process_events WHERE process_id IN (SELECT id FROM import_processes WHERE ${IS_BACKLOG})`),
    env.DB.prepare(`DELETE FROM simulated_transitions WHERE process_id IN (SELECT id FROM import_processes WHERE ${IS_BACKLOG})`),
    env.DB.prepare(`DELETE FROM import_processes WHERE ${IS_BACKLOG}`),
  ]);
}

export interface ProcessNow {
  readonly supplier_id: number;
  readonly id: number;
  readonly number: string;
  readonly status: number;
  readonly account_number: string | null;
  readonly error: string | null;
  readonly is_dry_run: number;
  readonly attempts: number;
  readonly sent_at: number;
  readonly scheduled_at: number;
  readonly finished_at: number | null;
  readonly window_start: number | null;
  readonly window_end: number | null;
  readonly body: string;
}

export interface Stored {
  readonly processes: readonly ProcessNow[];
  readonly transitions: readonly Transition[];
  readonly wrongs: readonly { readonly detail: string }[];
  /** Whether suppliers are Ongoing and keys in force, each from a moment on; in their order. */
  readonly states: readonly {
    readonly kind: 'supplier' | 'key';
    readonly name: string;
    readonly moment: number;
    readonly is_open: number;
  }[];
  /** Entries of the audit trail and re-driven dead letters, by the task that wrote them. */
  readonly deeds: readonly { readonly actor: number; readonly what: string; readonly subject: string }[];
  /** What is stored as the configuration of each supplier. */
  readonly configurations: readonly { readonly id: number; readonly configuration: string }[];
  readonly events: readonly { readonly process_id: number; readonly occurred_at: number; readonly event: string }[];
  /** What those who follow read, in its order. */
  readonly feed: readonly {
    readonly id: number;
    readonly supplier_id: number;
    readonly occurred_at: number;
    readonly type: string;
    readonly data: string;
  }[];
  /** Changes of a supplier's status, as they were audited. */
  readonly changes: readonly { readonly supplier: string; readonly occurred_at: number; readonly status: string }[];
  readonly counts: readonly { readonly supplier_id: number; readonly processed: number; readonly errored: number }[];
  readonly accounts: readonly { readonly id: number; readonly supplier_id: number; readonly has_all_fields: number }[];
  /** Each account that is listed for the systems of the platform, as often as it is. */
  readonly listed: readonly { readonly account_id: number; readonly supplier_id: number }[];
  readonly customers: readonly {
    readonly account_id: number;
    readonly position: number;
    readonly given_name: string;
    readonly version: number | null;
  }[];
  readonly notes: readonly {
    readonly account_id: number;
    readonly body: string;
    readonly created_at: number;
    readonly source: number;
    readonly version: number | null;
  }[];
  readonly transactions: readonly {
    readonly account_id: number;
    readonly transaction_id: string;
    readonly addition: number;
    readonly source: number;
    readonly amount_minor: number;
    readonly version: number | null;
  }[];
  readonly statements: readonly { readonly account_id: number; readonly statement_id: string; readonly content: string }[];
  readonly instructions: readonly {
    readonly account_id: number;
    readonly type: string;
    readonly position: number;
    readonly reference: string;
    readonly version: number | null;
  }[];
}

const READS: Readonly<Record<keyof Stored, string>> = {
  processes: `SELECT p.supplier_id, p.id, p.external_account_number AS number, p.status, p.account_number, p.error, p.is_dry_run,
    p.attempts, p.sent_at, p.scheduled_at, p.finished_at, p.window_start, p.window_end, coalesce(y.body, '') AS body FROM import_processes p LEFT JOIN payloads y ON y.id = p.id
    WHERE NOT p.${IS_BACKLOG} ORDER BY p.id`,
  transitions: 'SELECT * FROM simulated_transitions ORDER BY n',
  wrongs: 'SELECT detail FROM simulated_wrongs ORDER BY n',
  states: 'SELECT kind, name, moment, is_open FROM simulated_states ORDER BY n',
  deeds: 'SELECT actor, what, subject FROM simulated_deeds ORDER BY n',
  configurations: 'SELECT id, configuration FROM suppliers',
  events: 'SELECT process_id, occurred_at, event FROM import_process_events',
  feed: 'SELECT * FROM events WHERE supplier_id <> 0 ORDER BY id',
  changes: `SELECT subject AS supplier, occurred_at, after ->> 'status' AS status FROM audit_entries
    WHERE action = 'supplier.changed' AND before ->> 'status' <> after ->> 'status'`,
  counts: 'SELECT supplier_id, sum(processed) AS processed, sum(errored) AS errored FROM imports_per_minute GROUP BY supplier_id',
  accounts: 'SELECT id, supplier_id, has_all_fields FROM accounts',
  listed: 'SELECT one.value AS account_id, supplier_id FROM account_commits, json_each(account_ids) AS one',
  customers: `SELECT account_id, position, given_name, details ->> 'version' AS version FROM customers ORDER BY account_id, position`,
  notes: `SELECT account_id, body, created_at, source, details ->> 'version' AS version FROM notes`,
  transactions: `SELECT account_id, transaction_id, addition, source, amount_minor, imported ->> 'version' AS version FROM transactions`,
  statements: 'SELECT account_id, statement_id, content FROM statements',
  instructions: `SELECT account_id, type, position, reference, details ->> 'version' AS version FROM payment_instructions`,
};

/** The ids of suppliers that are Paused right now. */
export async function pausedSuppliers(): Promise<ReadonlySet<number>> {
  const results = await readRows<{ id: number }>(`SELECT id FROM suppliers WHERE status = 'Paused'`);
  return new Set(results.map(({ id }) => id));
}

/** Everything there is. One trip. */
export async function readAll(): Promise<Stored> {
  const names = Object.keys(READS) as (keyof Stored)[];
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(READS[name])));
  return Object.fromEntries(names.map((name, index) => [name, results[index]?.results ?? []])) as unknown as Stored;
}
