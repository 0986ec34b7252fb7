/**
 * Can the service work? Asked by whoever routes requests to it or wakes somebody up.
 */
import { commit, MIGRATIONS, query } from '../db';
import type { Deps } from '../deps';
import { MIN_SECRET_BYTES, usableSecret } from '../shared/secrets';
import { epochWanted } from './intake';
import { appliedMigrations, beat, lastBeat, latestRestore } from './store';

export interface Reason {
  readonly name:
    | 'tables'
    | 'write'
    | 'sweep'
    | 'restore'
    | 'signing_key'
    | 'previous_signing_key'
    | 'operator_token'
    | 'platform_token'
    | 'previous_platform_token'
    | 'webhook_signing_key';
  /** What the operator does about it. */
  readonly detail: string;
}

/** The sweep runs every minute. */
const SWEEP_LATE_MILLISECONDS = 5 * 60_000;
/** Anybody may ask, so the database is asked at most this often by one isolate. */
const REMEMBERED_MILLISECONDS = 5_000;

const remembered = new WeakMap<D1Database, { readonly reasons: readonly Reason[]; readonly readAt: number }>();

/** Why the service cannot work right now; nothing where it can. */
export async function readReadiness(deps: Deps): Promise<readonly Reason[]> {
  let known = remembered.get(deps.db);
  if (!known || Date.now() - known.readAt >= REMEMBERED_MILLISECONDS) {
    known = { reasons: await askDatabase(deps), readAt: Date.now() };
    remembered.set(deps.db, known);
  }
  return [...known.reasons, ...reasonsOfSecrets(deps)];
}

async function askDatabase(deps: Deps): Promise<Reason[]> {
  const [reads, write] = await Promise.allSettled([
    commit(deps.db, [appliedMigrations({}), lastBeat({ name: 'sweep' }), latestRestore({})]),
    query(deps.db, beat({ name: 'readiness', at: deps.now() })),
  ]);
  const reasons: Reason[] = [];
  if (reads.status === 'rejected') {
    deps.log.error('database_not_readable', reads.reason);
    reasons.push({ name: 'tables', detail: 'The tables cannot be read. See the log, and apply the migrations.' });
  }
  if (write.status === 'rejected') {
    deps.log.error('database_not_writable', write.reason);
    reasons.push({ name: 'write', detail: 'The database takes no writes. See docs/operating.md.' });
  }
  if (reads.status === 'rejected') return [...reasons, { name: 'sweep', detail: 'When the last sweep ran cannot be read.' }];
  const [migrations, [sweep], [restore]] = reads.value;
  const applied = new Set(migrations.map(({ name }) => name));
  const missing = MIGRATIONS.filter((name) => !applied.has(name));
  if (missing.length > 0) reasons.unshift({ name: 'tables', detail: `Apply the migrations: ${missing.join(', ')}.` });
  if (!sweep || deps.now() - sweep.at > SWEEP_LATE_MILLISECONDS)
    reasons.push({ name: 'sweep', detail: 'No sweep came to its end for five minutes. See the log.' });
  if (epochWanted(deps) > (restore?.epoch ?? 0))
    reasons.push({ name: 'restore', detail: 'A restore has not been brought to its end. See docs/operating.md, "The way back".' });
  return reasons;
}

/** Secrets that may be missing, but not too short. */
const OPTIONAL_SECRETS = [
  ['previous_signing_key', 'TOKEN_SIGNING_KEY_PREVIOUS'],
  ['operator_token', 'OPERATOR_TOKEN'],
  ['platform_token', 'PLATFORM_TOKEN'],
  ['previous_platform_token', 'PLATFORM_TOKEN_PREVIOUS'],
  ['webhook_signing_key', 'WEBHOOK_SIGNING_KEY'],
] as const;

function reasonsOfSecrets({ env }: Deps): Reason[] {
  const detail = (name: string) => `Set ${name} to at least ${MIN_SECRET_BYTES} random bytes: until then it is not used.`;
  return [
    ...(usableSecret(env.TOKEN_SIGNING_KEY) ? [] : [{ name: 'signing_key', detail: detail('TOKEN_SIGNING_KEY') } as const]),
    ...OPTIONAL_SECRETS.filter(([, secret]) => env[secret] && !usableSecret(env[secret])).map(([name, secret]) => ({
      name,
      detail: detail(secret),
    })),
  ];
}
