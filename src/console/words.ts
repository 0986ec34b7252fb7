/**
 * Codes, statuses and amounts in plain words. Pure.
 */
import type { Status } from '../import-processes';
import type { SupplierStatus } from '../suppliers';

export type Tone = 'good' | 'moving' | 'bad' | 'held' | 'quiet';

export const STATUS_WORDS: Readonly<Record<Status, readonly [words: string, tone: Tone]>> = {
  PENDING: ['Pending', 'quiet'],
  IN_PROGRESS: ['In progress', 'moving'],
  PROCESSED: ['Imported', 'good'],
  ERRORED: ['Errored', 'bad'],
  CANCELLED: ['Cancelled', 'quiet'],
  DRY_RUN_SUCCEEDED: ['Dry run passed', 'good'],
  DRY_RUN_ERRORED: ['Dry run errored', 'bad'],
};

export const SUPPLIER_WORDS: Readonly<Record<SupplierStatus, readonly [words: string, tone: Tone]>> = {
  Ongoing: ['Ongoing', 'good'],
  Paused: ['Paused', 'held'],
  Complete: ['Complete', 'quiet'],
};

const EVENTS: ReadonlyMap<string, readonly [words: string, tone: Tone]> = new Map(
  Object.entries<readonly [words: string, tone: Tone]>({
    CREATED: ['Scheduled', 'quiet'],
    PROCESSED: ['Imported', 'good'],
    ERRORED: ['Failed', 'bad'],
    CANCELLED: ['Cancelled', 'quiet'],
    DRY_RUN_SUCCEEDED: ['Dry run passed', 'good'],
    UNDONE: ['Taken back', 'held'],
  }),
);

export const eventWords = (event: string): readonly [words: string, tone: Tone] =>
  EVENTS.get(event.replace('EVENT_ACCOUNT_IMPORT_PROCESS_', '')) ?? [event, 'quiet'];

interface ErrorWords {
  readonly what: string;
  readonly next: string;
}

const ERRORS: ReadonlyMap<string, ErrorWords> = new Map(
  Object.entries<ErrorWords>({
    import_process_failed_validation: {
      what: 'Some fields did not hold when the account was checked again before it was created.',
      next: 'The importer corrects them and creates the account again. If a setting of this supplier was wrong, correct that and retry.',
    },
    account_import_process_failed: {
      what: 'Creating the account failed several times for reasons of our own, not of the data.',
      next: 'Retry it once the cause is gone; the log says what it was.',
    },
  }),
);

/** What a process error means and what to do about it. */
export const errorWords = (code: string): ErrorWords =>
  ERRORS.get(code) ?? { what: `The account could not be created (${code}).`, next: 'Retry it, or ask the importer to create it again.' };

/** What operators do, in words, by the action of the audit trail. */
export const ACTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'operator.signed_in': 'signed in',
    'operator.signed_out': 'signed out',
    'operator_token.created': 'created a token',
    'operator_token.revoked': 'revoked a token',
    'alert_address.created': 'had alerts sent to an address',
    'alert_address.removed': 'removed an address of alerts',
    'organisation.created': 'created an organisation',
    'api_key.created': 'created an API key',
    'api_key.revoked': 'revoked an API key',
    'supplier.created': 'created a supplier',
    'supplier.changed': 'changed a supplier',
    'import_process.cancelled': 'cancelled an import',
    'import_process.retried': 'retried an import',
    'import_processes.retried': 'retried errored imports',
    'payload.revealed': 'revealed a payload',
    'account.revealed': 'revealed an account',
    'account.erased': 'erased an account',
    'import_process.erased': 'erased an import',
    'document.opened': 'opened a document',
    'payment_instruction.ended': 'ended a payment instruction',
    'dead_letter.redriven': 're-drove a dead letter',
    'dead_letter.dismissed': 'dismissed a dead letter',
    'run.changed': 'changed a run',
    'run.undone': 'took back accounts of a run',
    'database.restored': 'brought a restore of the database to its end',
  }),
);

/** The name of a field as people read it: `payload_retention_days` is "Payload retention days". */
export const fieldWords = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

export const actionWords = (action: string): string => ACTIONS.get(action) ?? action;

/** A whole number in groups of three digits. By hand: the first number format of a Worker takes 14 ms to make. */
export const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** A rate, with a decimal only where it matters. */
export const rate = (perMinute: number): string =>
  perMinute >= 10 ? count(Math.round(perMinute)) : perMinute.toFixed(1).replace(/\.0$/, '');

/** How often a page asks anew: often while something moves, seldom where each look reads much. For `hx-trigger`. */
export const pollFor = (open: number): string => (open === 0 ? 'every 4s' : open < 100_000 ? 'every 2s' : 'every 10s');

/** How often errors are asked for anew: each look reads the error of every errored process. */
export const pollForErrors = (errored: number): string => (errored < 20_000 ? 'every 6s' : 'every 60s');

/** A span of minutes as people say it. */
export function span(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${plural(Math.round(minutes), 'minute')}`;
  if (minutes < 48 * 60) return `about ${plural(Math.round(minutes / 60), 'hour')}`;
  return `about ${plural(Math.round(minutes / 1440), 'day')}`;
}

/** The same in a few characters. */
export function shortSpan(minutes: number): string {
  if (minutes < 1) return '< 1 min';
  if (minutes < 90) return `${Math.round(minutes)} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

export interface Change {
  readonly key: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** What differs between two JSON objects, nesting unfolded. Where there is no `after`, `before` is listed as it is. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [from, to] = after === undefined ? [new Map<string, string>(), flat(before)] : [flat(before), flat(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((key) => ({ key, from: from.get(key), to: to.get(key) }))
    .filter((change) => change.from !== change.to);
}

function flat(value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, child]): [string, string][] =>
      typeof child === 'object' && child !== null && !Array.isArray(child) ? [...flat(child)] : [[key, shown(child)]],
    ),
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return value === '' ? '(empty)' : String(value);
}
