/**
 * What the simulation adds to the database to see more than its end: triggers that write down every change of a process's state, who
 * made it, when suppliers and keys were closed, and what no end would show any more.
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
  /** The task that did it, by its number, and whose it is. */
  readonly actor: number;
  readonly role: Role;
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
    (SELECT task FROM simulated_actor), (SELECT role FROM simulated_actor), NEW.claim, ${before}`;

/** What is wrong whatever comes after it, as `AFTER … WHEN …` and the words that say it. */
const WRONG: Readonly<Record<string, readonly [when: string, detail: string]>> = {
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
  staged: [
    `UPDATE ON import_processes WHEN NEW.status = 0 AND OLD.status <> 1 AND NEW.payload_hash <> OLD.payload_hash
      AND (SELECT status FROM suppliers WHERE id = NEW.supplier_id) <> 'Ongoing'`,
    `'process ' || NEW.id || ' was staged again under a supplier that is not Ongoing'`,
  ],
  retried: [
    `UPDATE OF status ON import_processes WHEN OLD.status = 3 AND NEW.status = 0 AND (SELECT role FROM simulated_actor) = 'operator'
      AND (coalesce(NEW.window_end, NEW.modified_at + 1) <= NEW.modified_at
        OR (SELECT status FROM suppliers WHERE id = NEW.supplier_id) = 'Complete'
        OR NOT EXISTS (SELECT 1 FROM payloads WHERE id = NEW.id AND body <> ''))`,
    `'process ' || NEW.id || ' was retried though its window is over, its payload emptied, or its supplier Complete'`,
  ],
  redriven: [
    `UPDATE OF redriven_at ON dead_letters WHEN NEW.redriven_at IS NOT NULL AND (OLD.redriven_at IS NOT NULL OR OLD.dismissed_at IS NOT NULL)`,
    `'the dead letter ' || NEW.message_id || ' was re-driven though it is not open'`,
  ],
  emptied: [
    `UPDATE OF body ON payloads WHEN NEW.body = '' AND (SELECT status FROM import_processes WHERE id = NEW.id) = 2`,
    `'the payload of the account ' || NEW.id || ' was overwritten with nothing'`,
  ],
  held_up: [
    `INSERT ON import_processes WHEN (SELECT epoch FROM simulated_actor) > (SELECT coalesce(max(epoch), 0) FROM restores)`,
    `'process ' || NEW.id || ' was staged though a restore is unfinished'`,
  ],
  ...Object.fromEntries(
    Object.entries({
      import_processes: ['INSERT', 'UPDATE OF status'],
      notes: ['INSERT'],
      transactions: ['INSERT'],
      statements: ['INSERT'],
      payment_instructions: ['INSERT'],
    }).flatMap(([table, events]) =>
      events.map((event): [string, readonly [string, string]] => [
        `key_${table}_${event.slice(0, 6).toLowerCase()}`,
        [
          `${event} ON ${table} WHEN EXISTS (SELECT 1 FROM simulated_actor a JOIN api_keys k ON k.id = a.api_key WHERE k.revoked_at IS NOT NULL)`,
          `'something was written to ${table} with a key that is revoked'`,
        ],
      ]),
    ),
  ),
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

/** What the simulation itself does to the database is not watched. */
const isWatched = "(SELECT role FROM simulated_actor) NOT IN ('release', 'restore')";

const wrongTrigger = (name: string, when: string, detail: string): string => {
  const at = when.indexOf(' WHEN ') + ' WHEN '.length;
  return `CREATE TRIGGER IF NOT EXISTS simulated_${name} AFTER ${when.slice(0, at)} ${isWatched} AND (${when.slice(at)})
    BEGIN INSERT INTO simulated_wrongs (detail) SELECT ${detail}; END`;
};

const state = (kind: string, name: string, isOpen: string): string =>
  `INSERT INTO simulated_states (kind, name, moment, is_open) SELECT '${kind}', ${name}, (SELECT moment FROM simulated_actor), ${isOpen}`;

const STATES: readonly (readonly [event: string, what: string])[] = [
  ['INSERT ON suppliers', state('supplier', 'NEW.id', `NEW.status = 'Ongoing'`)],
  ['UPDATE OF status ON suppliers', state('supplier', 'NEW.id', `NEW.status = 'Ongoing'`)],
  ['INSERT ON api_keys', state('key', 'NEW.id', 'NEW.revoked_at IS NULL')],
  ['UPDATE OF revoked_at ON api_keys', state('key', 'NEW.id', 'NEW.revoked_at IS NULL')],
  ['DELETE ON api_keys', state('key', 'OLD.id', '0')],
];

const OBSERVER = [
  `CREATE TABLE IF NOT EXISTS simulated_transitions (n INTEGER PRIMARY KEY, supplier_id INTEGER, process_id INTEGER,
    became INTEGER, at INTEGER, supplier_status TEXT, is_window_open INTEGER, has_account INTEGER, is_given_up INTEGER,
    actor INTEGER, role TEXT, claim INTEGER, was INTEGER, was_claim INTEGER, was_lease_until INTEGER, attempts INTEGER, was_scheduled_at INTEGER,
    was_modified_at INTEGER, failed_at INTEGER)`,
  'CREATE TABLE IF NOT EXISTS simulated_actor (task INTEGER, role TEXT, api_key TEXT, epoch INTEGER, moment INTEGER)',
  `INSERT INTO simulated_actor SELECT 0, 'release', NULL, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM simulated_actor)`,
  'CREATE TABLE IF NOT EXISTS simulated_wrongs (n INTEGER PRIMARY KEY, detail TEXT)',
  'CREATE TABLE IF NOT EXISTS simulated_states (n INTEGER PRIMARY KEY, kind TEXT, name TEXT, moment INTEGER, is_open INTEGER)',
  'CREATE TABLE IF NOT EXISTS simulated_deeds (n INTEGER PRIMARY KEY, actor INTEGER, what TEXT, subject TEXT)',
  // What is put there as a backlog is not watched.
  `CREATE TRIGGER IF NOT EXISTS simulated_insert AFTER INSERT ON import_processes WHEN ${isWatched}
    BEGIN ${writeDown('NULL, NULL, NULL, 0, 0, 0, NULL')}; END`,
  `CREATE TRIGGER IF NOT EXISTS simulated_update AFTER UPDATE OF status ON import_processes
    WHEN ${isWatched} AND (OLD.status <> NEW.status OR (NEW.status = 1 AND NEW.claim IS NOT OLD.claim))
    BEGIN ${writeDown(`OLD.status, OLD.claim, OLD.lease_until, OLD.attempts, OLD.scheduled_at, OLD.modified_at, OLD.failed_at`)}; END`,
  `CREATE TRIGGER IF NOT EXISTS simulated_audit AFTER INSERT ON audit_entries WHEN ${isWatched}
    BEGIN INSERT INTO simulated_deeds (actor, what, subject) SELECT task, NEW.action, NEW.subject FROM simulated_actor; END`,
  `CREATE TRIGGER IF NOT EXISTS simulated_redrive AFTER UPDATE OF redriven_at ON dead_letters WHEN NEW.redriven_at IS NOT NULL
    BEGIN INSERT INTO simulated_deeds (actor, what, subject) SELECT task, 're-driven', NEW.message_id FROM simulated_actor; END`,
  ...STATES.map(([event, what], index) => `CREATE TRIGGER IF NOT EXISTS simulated_state_${index} AFTER ${event} BEGIN ${what}; END`),
  ...Object.entries(WRONG).map(([name, [when, detail]]) => wrongTrigger(name, when, detail)),
];

export async function observe(): Promise<void> {
  await env.DB.batch(OBSERVER.map((sql) => env.DB.prepare(sql)));
}

/** Who writes: a request of an importer with its key or of the operator, the service by itself, or the simulation. */
export type Role = 'importer' | 'operator' | 'service' | 'release' | 'restore';

export interface Actor {
  readonly task: number;
  readonly role: Role;
  readonly apiKeyId?: string | undefined;
  /** The restore that its deployment asks for. */
  readonly epoch: number;
}

/** Lets the triggers know who writes now. `moment` is one of the world. */
export const signed = ({ task, role, apiKeyId, epoch }: Actor, moment: number): D1PreparedStatement =>
  env.DB.prepare('UPDATE simulated_actor SET task = ?1, role = ?2, api_key = ?3, epoch = ?4, moment = ?5').bind(
    task,
    role,
    apiKeyId ?? null,
    epoch,
    moment,
  );

/** A database that knows who sends each batch. */
export const actingAs = (real: D1Database, actor: Actor, world: { readonly moment: number }): D1Database =>
  new Proxy(real, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => target.prepare(sql);
      if (name !== 'batch') throw new Error(`not expected: ${String(name)}`);
      return async (statements: D1PreparedStatement[]) => (await target.batch([signed(actor, world.moment), ...statements])).slice(1);
    },
  });
