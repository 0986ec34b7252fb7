/**
 * What the simulation adds to the database to see more than its end: a trigger that writes down every change of a process's state.
 */
import { env } from 'cloudflare:workers';

/** One change of state, as the database saw it. `was` is null for a new process. */
export interface Transition {
  readonly supplier_id: number;
  readonly process_id: number;
  readonly was: number | null;
  readonly became: number;
  readonly at: number;
  readonly supplier_status: string;
  readonly is_window_open: number;
  readonly has_account: number;
  /** Ended by somebody else while a consumer held it. */
  readonly is_taken: number;
}

const WRITE_DOWN = `INSERT INTO simulated_transitions
  SELECT NULL, NEW.supplier_id, NEW.id, %was%, NEW.status, NEW.modified_at, (SELECT status FROM suppliers WHERE id = NEW.supplier_id),
    coalesce(NEW.window_start, 0) <= NEW.modified_at AND coalesce(NEW.window_end, NEW.modified_at + 1) > NEW.modified_at,
    EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id), %taken%`;

const TAKEN = 'OLD.status = 1 AND NEW.status > 1 AND NEW.claim IS NULL AND OLD.lease_until > NEW.modified_at';

const OBSERVER = [
  `CREATE TABLE IF NOT EXISTS simulated_transitions (n INTEGER PRIMARY KEY, supplier_id INTEGER, process_id INTEGER, was INTEGER,
    became INTEGER, at INTEGER, supplier_status TEXT, is_window_open INTEGER, has_account INTEGER, is_taken INTEGER)`,
  `CREATE TRIGGER IF NOT EXISTS simulated_insert AFTER INSERT ON import_processes BEGIN ${WRITE_DOWN.replace('%was%', 'NULL').replace('%taken%', '0')}; END`,
  `CREATE TRIGGER IF NOT EXISTS simulated_update AFTER UPDATE OF status ON import_processes WHEN OLD.status <> NEW.status
    BEGIN ${WRITE_DOWN.replace('%was%', 'OLD.status').replace('%taken%', TAKEN)}; END`,
];

const YEAR = 365 * 86_400_000;

const TABLES = [
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
  'customers',
  'notes',
  'transactions',
  'statements',
  'payment_instructions',
  'simulated_transitions',
];

export async function observe(): Promise<void> {
  await env.DB.batch(OBSERVER.map((sql) => env.DB.prepare(sql)));
}

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

const configurationOf = (retentionDays: number): string =>
  JSON.stringify({
    default_country: 'GB',
    documents_root: '',
    send_customer_emails: false,
    extra_charge_reasons: [],
    extra_credit_reasons: [],
    vendors: [],
    payload_retention_days: retentionDays,
  });

/** Empties every table and gives a history its suppliers. One trip. With `isReduced` payloads go as soon as they are not needed. */
export async function beginAgain(now: number, isReduced: boolean): Promise<void> {
  const organisations = [...new Map(SUPPLIERS.map((supplier) => [supplier.organisationId, supplier])).values()];
  await env.DB.batch([
    ...TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
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
        `INSERT INTO suppliers (id, organisation_id, code, name, status, configuration, version, resumed_at, retention_next_at, created_at, modified_at)
         VALUES (?1, ?2, ?3, ?3, 'Ongoing', ?4, 1, 0, ?6, ?5, ?5)`,
      ).bind(id, organisationId, code, configurationOf(isReduced ? 0 : 90), now, isReduced ? now : now + YEAR),
    ),
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
  readonly body: string;
}

export interface Stored {
  readonly processes: readonly ProcessNow[];
  readonly transitions: readonly Transition[];
  readonly events: readonly { readonly process_id: number; readonly occurred_at: number; readonly event: string }[];
  readonly counts: readonly { readonly supplier_id: number; readonly processed: number; readonly errored: number }[];
  readonly accounts: readonly { readonly id: number; readonly supplier_id: number }[];
  readonly customers: readonly { readonly account_id: number; readonly position: number; readonly given_name: string }[];
  readonly notes: readonly { readonly account_id: number; readonly body: string; readonly created_at: number; readonly source: number }[];
  readonly transactions: readonly {
    readonly account_id: number;
    readonly transaction_id: string;
    readonly addition: number;
    readonly source: number;
    readonly amount_minor: number;
  }[];
  readonly statements: readonly { readonly account_id: number; readonly statement_id: string; readonly content: string }[];
  readonly instructions: readonly {
    readonly account_id: number;
    readonly type: string;
    readonly position: number;
    readonly reference: string;
  }[];
}

const READS: Readonly<Record<keyof Stored, string>> = {
  processes: `SELECT p.supplier_id, p.id, p.external_account_number AS number, p.status, p.account_number, p.error, p.is_dry_run,
    coalesce(y.body, '') AS body FROM import_processes p LEFT JOIN payloads y ON y.id = p.id ORDER BY p.id`,
  transitions:
    'SELECT supplier_id, process_id, was, became, at, supplier_status, is_window_open, has_account, is_taken FROM simulated_transitions ORDER BY n',
  events: 'SELECT process_id, occurred_at, event FROM import_process_events',
  counts: 'SELECT supplier_id, sum(processed) AS processed, sum(errored) AS errored FROM imports_per_minute GROUP BY supplier_id',
  accounts: 'SELECT id, supplier_id FROM accounts',
  customers: 'SELECT account_id, position, given_name FROM customers ORDER BY account_id, position',
  notes: 'SELECT account_id, body, created_at, source FROM notes',
  transactions: 'SELECT account_id, transaction_id, addition, source, amount_minor FROM transactions',
  statements: 'SELECT account_id, statement_id, content FROM statements',
  instructions: 'SELECT account_id, type, position, reference FROM payment_instructions',
};

/** Everything there is. One trip. */
export async function readAll(): Promise<Stored> {
  const names = Object.keys(READS) as (keyof Stored)[];
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(READS[name])));
  return Object.fromEntries(names.map((name, index) => [name, results[index]?.results ?? []])) as unknown as Stored;
}
