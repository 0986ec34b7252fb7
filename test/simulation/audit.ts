/**
 * What the simulation adds to the database to see more than its end: triggers that write down every change of a process's state,
 * and what no end would tell any more.
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
  /** The task that did it, by its number. */
  readonly actor: number;
  /** A claim held before, and how long: Unix milliseconds. */
  readonly was_claim: number | null;
  readonly was_lease_until: number | null;
  readonly claim: number | null;
  /** Ended because its tries ran out. */
  readonly is_given_up: number;
  /** Claims before this change. */
  readonly attempts: number;
  /** When the process was scheduled and last changed before this change, in Unix milliseconds. */
  readonly was_scheduled_at: number;
  readonly was_modified_at: number;
  /** When a consumer last gave it back as failed. */
  readonly failed_at: number | null;
}

const writeDown = (before: string): string => `INSERT INTO simulated_transitions
  SELECT NULL, NEW.supplier_id, NEW.id, NEW.status, NEW.modified_at, (SELECT status FROM suppliers WHERE id = NEW.supplier_id),
    coalesce(NEW.window_start, 0) <= NEW.modified_at AND coalesce(NEW.window_end, NEW.modified_at + 1) > NEW.modified_at,
    EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id), coalesce(NEW.error ->> 'code', '') = 'account_import_process_failed',
    (SELECT task FROM simulated_actor), NEW.claim, ${before}`;

/** What is wrong whatever comes after it, as `AFTER … WHEN …` and the words that tell it. */
const WRONG: Readonly<Record<string, readonly [when: string, told: string]>> = {
  same: [
    `UPDATE ON import_processes WHEN OLD.status = 0 AND NEW.status = 0 AND OLD.payload_hash = NEW.payload_hash AND OLD.modified_at <> NEW.modified_at`,
    `'process ' || NEW.id || ' changed although it was staged with this payload'`,
  ],
  dry: [
    `UPDATE ON import_processes WHEN OLD.status = 0 AND NEW.status = 0 AND OLD.is_dry_run = 0 AND NEW.is_dry_run = 1`,
    `'a dry run took the place of the real import that waited as process ' || NEW.id`,
  ],
  back: [
    `UPDATE ON import_processes WHEN NEW.status = 0 AND NEW.payload_hash <> OLD.payload_hash AND NEW.modified_at <= OLD.modified_at`,
    `'process ' || NEW.id || ' was given another payload before it was last changed'`,
  ],
  payload: [
    `UPDATE OF body ON payloads WHEN NEW.reduced_at IS NULL AND (SELECT status FROM import_processes WHERE id = NEW.id) <> 0`,
    `'the payload of process ' || NEW.id || ' was replaced, and it is not PENDING'`,
  ],
  reduced: [
    `UPDATE OF reduced_at ON payloads WHEN NEW.reduced_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM import_processes p JOIN suppliers s ON s.id = p.supplier_id
      WHERE p.id = NEW.id AND (p.status IN (2, 4) OR (p.status IN (3, 5, 6) AND s.status = 'Complete')))`,
    `'the payload of process ' || NEW.id || ' was reduced while it was needed'`,
  ],
  ...Object.fromEntries(
    Object.entries({
      notes: 'NEW.source = 1',
      transactions: 'NEW.source = 2',
      statements: 'NEW.created_at > (SELECT created_at FROM accounts WHERE id = NEW.account_id)',
      payment_instructions: 'NEW.position = 0',
    }).map(([table, isPosted]) => [
      table,
      [
        `INSERT ON ${table} WHEN ${isPosted} AND (SELECT s.status FROM suppliers s JOIN accounts a ON a.supplier_id = s.id WHERE a.id = NEW.account_id) <> 'Ongoing'`,
        `'something was added to ${table} of account ' || NEW.account_id || ' whose supplier is not Ongoing'`,
      ],
    ]),
  ),
};

const OBSERVER = [
  `CREATE TABLE IF NOT EXISTS simulated_transitions (n INTEGER PRIMARY KEY, supplier_id INTEGER, process_id INTEGER,
    became INTEGER, at INTEGER, supplier_status TEXT, is_window_open INTEGER, has_account INTEGER, is_given_up INTEGER,
    actor INTEGER, claim INTEGER, was INTEGER, was_claim INTEGER, was_lease_until INTEGER, attempts INTEGER, was_scheduled_at INTEGER,
    was_modified_at INTEGER, failed_at INTEGER)`,
  'CREATE TABLE IF NOT EXISTS simulated_actor (task INTEGER)',
  'INSERT INTO simulated_actor SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM simulated_actor)',
  `CREATE TRIGGER IF NOT EXISTS simulated_insert AFTER INSERT ON import_processes BEGIN ${writeDown('NULL, NULL, NULL, 0, 0, 0, NULL')}; END`,
  `CREATE TRIGGER IF NOT EXISTS simulated_update AFTER UPDATE OF status ON import_processes
    WHEN OLD.status <> NEW.status OR (NEW.status = 1 AND NEW.claim IS NOT OLD.claim)
    BEGIN ${writeDown(`OLD.status, OLD.claim, OLD.lease_until, OLD.attempts, OLD.scheduled_at, OLD.modified_at, OLD.failed_at`)}; END`,
  'CREATE TABLE IF NOT EXISTS simulated_wrongs (n INTEGER PRIMARY KEY, told TEXT)',
  ...Object.entries(WRONG).map(
    ([name, [when, told]]) =>
      `CREATE TRIGGER IF NOT EXISTS simulated_${name} AFTER ${when} BEGIN INSERT INTO simulated_wrongs (told) SELECT ${told}; END`,
  ),
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
  'simulated_wrongs',
];

export async function observe(): Promise<void> {
  await env.DB.batch(OBSERVER.map((sql) => env.DB.prepare(sql)));
}

/** A database that knows which task each batch is of. */
export const actingAs = (real: D1Database, task: number): D1Database =>
  new Proxy(real, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => target.prepare(sql);
      if (name !== 'batch') throw new Error(`not expected: ${String(name)}`);
      const signature = target.prepare('UPDATE simulated_actor SET task = ?1').bind(task);
      return async (statements: D1PreparedStatement[]) => (await target.batch([signature, ...statements])).slice(1);
    },
  });

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
        `INSERT INTO suppliers (id, organisation_id, code, name, status, configuration, version, resumed_at, retention_next_at, created_at, modified_at, sweep_cursor)
         VALUES (?1, ?2, ?3, ?3, 'Ongoing', ?4, 1, 0, ?6, ?5, ?5, ?7)`,
      ).bind(id, organisationId, code, configurationOf(isReduced ? 0 : 90), now, isReduced ? now : now + YEAR, sweepCursor),
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
  readonly wrongs: readonly { readonly told: string }[];
  readonly events: readonly { readonly process_id: number; readonly occurred_at: number; readonly event: string }[];
  readonly counts: readonly { readonly supplier_id: number; readonly processed: number; readonly errored: number }[];
  readonly accounts: readonly { readonly id: number; readonly supplier_id: number }[];
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
    p.attempts, p.sent_at, p.scheduled_at, p.finished_at, p.window_start, p.window_end, coalesce(y.body, '') AS body FROM import_processes p LEFT JOIN payloads y ON y.id = p.id ORDER BY p.id`,
  transitions: 'SELECT * FROM simulated_transitions ORDER BY n',
  wrongs: 'SELECT told FROM simulated_wrongs ORDER BY n',
  events: 'SELECT process_id, occurred_at, event FROM import_process_events',
  counts: 'SELECT supplier_id, sum(processed) AS processed, sum(errored) AS errored FROM imports_per_minute GROUP BY supplier_id',
  accounts: 'SELECT id, supplier_id FROM accounts',
  customers: `SELECT account_id, position, given_name, details ->> 'version' AS version FROM customers ORDER BY account_id, position`,
  notes: `SELECT account_id, body, created_at, source, details ->> 'version' AS version FROM notes`,
  transactions: `SELECT account_id, transaction_id, addition, source, amount_minor, imported ->> 'version' AS version FROM transactions`,
  statements: 'SELECT account_id, statement_id, content FROM statements',
  instructions: `SELECT account_id, type, position, reference, details ->> 'version' AS version FROM payment_instructions`,
};

/** The ids of suppliers that are Paused right now. */
export async function pausedSuppliers(): Promise<ReadonlySet<number>> {
  const { results } = await env.DB.prepare(`SELECT id FROM suppliers WHERE status = 'Paused'`).all<{ id: number }>();
  return new Set(results.map(({ id }) => id));
}

/** Everything there is. One trip. */
export async function readAll(): Promise<Stored> {
  const names = Object.keys(READS) as (keyof Stored)[];
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(READS[name])));
  return Object.fromEntries(names.map((name, index) => [name, results[index]?.results ?? []])) as unknown as Stored;
}
