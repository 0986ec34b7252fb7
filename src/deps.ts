/**
 * What every part of the service works with, read from the bindings here and nowhere else. HTTP, queue and cron share it;
 * tests pass their own clock, faults and settings.
 */
import { databaseOf } from './db';
import type { DeliveryMessage, ImportMessage } from './queues/messages';

/** The bindings and secrets of `wrangler.toml`. */
export interface Bindings {
  readonly DB: D1Database;
  readonly DOCUMENTS: R2Bucket;
  readonly ACCOUNT_IMPORTS: Queue<ImportMessage>;
  readonly WEBHOOK_DELIVERIES: Queue<DeliveryMessage>;
  readonly ASSETS: Fetcher;
  readonly ORGANISATION_RATE: RateLimit;
  readonly TOKEN_RATE: RateLimit;
  readonly TOKEN_FAILURE_RATE: RateLimit;
  readonly TOKEN_SIGNING_KEY: string;
  readonly TOKEN_SIGNING_KEY_PREVIOUS?: string;
  readonly OPERATOR_TOKEN?: string;
  /** Lets platform systems read accounts; the previous one works while they are given the new one. */
  readonly PLATFORM_TOKEN?: string;
  readonly PLATFORM_TOKEN_PREVIOUS?: string;
  /** The secrets that sign requests to others are derived from it; without it none is sent. */
  readonly WEBHOOK_SIGNING_KEY?: string;
  /** `on` lets requests go to `http://127.0.0.1:port`; local and test only. */
  readonly WEBHOOK_ALLOW_LOCAL?: string;
  /** SHA-256 of the code in the sign-in link that `npm start` prints. Local only, and given by `npm start` alone. */
  readonly LOCAL_SIGN_IN_SHA256?: string;
  /** Which restore the database must have come through before new accounts come in (docs/operating.md); 0 unless set. */
  readonly DATABASE_EPOCH?: string;
  /** How large the database may become; D1's own limit unless set. */
  readonly DATABASE_LIMIT_BYTES?: string;
  readonly ACCESS_TEAM_DOMAIN?: string;
  readonly ACCESS_AUDIENCE?: string;
  readonly STRIPE_API_KEY?: string;
  readonly STRIPE_API_BASE?: string;
  readonly GOCARDLESS_ACCESS_TOKEN?: string;
  readonly GOCARDLESS_API_BASE?: string;
  /** `on` lets the SANDBOX vendor answer; local and test only. */
  readonly SANDBOX_VENDOR?: string;
  /** Overrides the 10 s a vendor has in all, for tests. */
  readonly VENDOR_TIMEOUT_MILLISECONDS?: string;
  /** First delay of the consumer's backoff, for tests; 5 s by default. */
  readonly RETRY_BASE_SECONDS?: string;
}

/** One line of the log. Never personal data, keys or tokens: ids, counts and codes only. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, cause: unknown, fields?: LogFields): void;
}

/**
 * D1, R2 and Queues together may be called 1,000 times by one invocation (https://developers.cloudflare.com/workers/platform/limits/);
 * the rest is left to what is called a few times only.
 */
export const CALLS_OF_AN_INVOCATION = 950;

export interface Deps {
  readonly env: Bindings;
  /** Organisations, keys, suppliers and audit. */
  readonly db: D1Database;
  /** The database that holds everything of a supplier. Any of them answers for a request that names none. */
  databaseOf(supplierCode: string | undefined): D1Database;
  readonly documents: R2Bucket;
  readonly accountImports: Queue<ImportMessage>;
  readonly webhookDeliveries: Queue<DeliveryMessage>;
  /** Calls of the platform this invocation has left. Whoever may make many of them counts them off, and stops in time. */
  readonly calls: { left: number };
  /** Unix milliseconds. */
  now(): number;
  /** A random positive integer below 2^53: claims and minted row keys. */
  mint(): number;
  readonly log: Log;
  /** Lets work go on after the answer was sent. Its failure is logged, never lost. */
  afterReply(name: string, work: Promise<unknown>): void;
}

export type DepsFrom = (env: Bindings, context: Pick<ExecutionContext, 'waitUntil'>) => Deps;

export const depsFrom: DepsFrom = (env, context) => ({
  env,
  db: env.DB,
  databaseOf: (supplierCode) => databaseOf(env, supplierCode),
  documents: env.DOCUMENTS,
  accountImports: env.ACCOUNT_IMPORTS,
  webhookDeliveries: env.WEBHOOK_DELIVERIES,
  calls: { left: CALLS_OF_AN_INVOCATION },
  now: () => Date.now(),
  mint,
  log,
  afterReply: (name, work) => context.waitUntil(work.catch((error) => log.error('after_reply_failed', error, { work: name }))),
});

function mint(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0x1fffff) * 2 ** 32 + low + 1;
}

const log: Log = {
  info: (event, fields) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  error: (event, cause, fields) => console.error(JSON.stringify({ level: 'error', event, cause: describe(cause), ...fields })),
};

/** Error name and message, without what a database message may quote of the data. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  return `${cause.name}: ${cause.message.replace(/(["'`]).*\1/gs, '…').slice(0, 300)}`;
}
