/**
 * When an operator is to know, and in which words (§10). Pure.
 */
import { MINUTE_MILLISECONDS } from '../../shared/dates';

/** What an alert may be about. Each has a part of the run-book in docs/operating.md. */
export const RULES = [
  'nothing_moves',
  'many_errors',
  'many_refusals',
  'webhook_disabled',
  'dead_letters',
  'database_filling',
  'sweep_late',
] as const;
export type Rule = (typeof RULES)[number];

/** Accounts may start and none has ended for this long. */
export const STUCK_MINUTES = 10;
/** Of the accounts that ended or were sent in this time … */
export const RECENT_MINUTES = 10;
/** … this many in a hundred are ERRORED, or were refused … */
const WRONG_PERCENT = 20;
/** … and not fewer than these: one of three is no share yet. */
export const MIN_WRONG = 20;
/** The database is this full. */
const FILLING_PERCENT = 80;
/** The sweep, which runs every minute, came to its end this long ago. */
const SWEEP_MINUTES = 5;

/** Numbers and codes; never personal data. */
export type Details = Readonly<Record<string, string | number>>;

/** Something that is so right now. */
export interface Condition {
  readonly rule: Rule;
  /** The code of the supplier it is about; '' for the whole service. */
  readonly supplier: string;
  readonly details: Details;
}

/** What became lately of the accounts of a supplier. */
export interface Recent {
  readonly code: string;
  readonly processed: number;
  readonly errored: number;
  readonly refused: number;
  /** Taken as new, up to the number that {@link worthCounting} names. */
  readonly accepted: number;
}

/** Of accounts that were taken no more has to be counted than this, to know whether so many refused ones are a share; 0: they are none. */
export const worthCounting = (refused: number): number =>
  refused < MIN_WRONG ? 0 : Math.min(refused, MOST_COUNTED) * (100 / WRONG_PERCENT - 1) + 1;

/** Beyond this many refusals the share does not matter. */
const MOST_COUNTED = 10_000;

/** What conditions are read from. */
export interface Measured {
  /** Ongoing suppliers with accounts that may start, of which none ended lately. `since` in Unix milliseconds: from then on the first might have. */
  readonly stuck: readonly { readonly code: string; readonly since: number }[];
  /** Suppliers with errors or refusals lately. */
  readonly recent: readonly Recent[];
  readonly deadLetters: number;
  /** Webhooks that were disabled by failures or a 410, while events can still be sent to them; `organisation` has the latest. */
  readonly disabledWebhooks: { readonly count: number; readonly organisation: string } | undefined;
  /** Of the limit of the database; undefined if its size is not known. */
  readonly percentFull: number | undefined;
  /** Unix milliseconds; undefined if there never was one. */
  readonly sweptAt: number | undefined;
  readonly now: number;
}

/** What an operator is to know. */
export function conditionsOf({ stuck, recent, deadLetters, disabledWebhooks, percentFull, sweptAt, now }: Measured): Condition[] {
  const minutesSince = (instant: number): number => Math.floor((now - instant) / MINUTE_MILLISECONDS);
  const [longest] = stuck.toSorted((one, other) => one.since - other.since);
  const service = (rule: Rule, details: Details): Condition => ({ rule, supplier: '', details });
  return [
    // One alert for all: a queue that delivers nothing does so for hundreds of suppliers.
    ...(longest
      ? [service('nothing_moves', { suppliers: stuck.length, longest: longest.code, minutes: minutesSince(longest.since) })]
      : []),
    ...recent.flatMap(({ code, processed, errored, refused, accepted }) => [
      ...share('many_errors', code, { errored, ended: processed + errored }),
      // What ended may have been taken long ago, or be an earlier one that was sent again: it is no new one then.
      ...share('many_refusals', code, { refused, sent: refused + Math.max(accepted, processed + errored) }),
    ]),
    ...(disabledWebhooks && disabledWebhooks.count > 0
      ? [service('webhook_disabled', { webhooks: disabledWebhooks.count, organisation: disabledWebhooks.organisation })]
      : []),
    ...(deadLetters > 0 ? [service('dead_letters', { dead_letters: deadLetters })] : []),
    ...(percentFull !== undefined && percentFull >= FILLING_PERCENT ? [service('database_filling', { percent: percentFull })] : []),
    ...(sweptAt === undefined
      ? [service('sweep_late', {})]
      : minutesSince(sweptAt) >= SWEEP_MINUTES
        ? [service('sweep_late', { minutes: minutesSince(sweptAt) })]
        : []),
  ];
}

/** The condition of a rule about a supplier, where the first number of the details is a share of the second. */
function share(rule: Rule, supplier: string, details: Readonly<Record<string, number>>): Condition[] {
  const [wrong = 0, all = 0] = Object.values(details);
  const isShare = wrong >= MIN_WRONG && wrong * 100 >= WRONG_PERCENT * all;
  return isShare ? [{ rule, supplier, details: { ...details, percent: Math.floor((wrong * 100) / all) } }] : [];
}

/** An alert that fires. */
export interface Firing {
  readonly id: string;
  readonly rule: string;
  readonly supplier: string;
}

/** What to write: conditions that are new, those that go on, and alerts that are over. */
export interface Changes {
  readonly begun: readonly Condition[];
  readonly goingOn: readonly (Condition & { readonly id: string })[];
  readonly ended: readonly Firing[];
}

const keyOf = ({ rule, supplier }: { readonly rule: string; readonly supplier: string }): string => `${rule} ${supplier}`;

export function changesOf(firing: readonly Firing[], conditions: readonly Condition[]): Changes {
  const known = new Map(firing.map((alert) => [keyOf(alert), alert]));
  const holds = new Set(conditions.map(keyOf));
  return {
    begun: conditions.filter((condition) => !known.has(keyOf(condition))),
    goingOn: conditions.flatMap((condition) => {
      const alert = known.get(keyOf(condition));
      return alert ? [{ ...condition, id: alert.id }] : [];
    }),
    ended: firing.filter((alert) => !holds.has(keyOf(alert))),
  };
}

/** The rule of a stored alert; undefined for one of another release. */
const ruleOf = (name: string): Rule | undefined => RULES.find((rule) => rule === name);

/** An alert in one sentence. */
export function summaryOf(rule: string, supplier: string, details: Details): string {
  const at = (name: string): string | number => details[name] ?? '?';
  switch (ruleOf(rule)) {
    case 'nothing_moves':
      return `Nothing moves: accounts of ${at('suppliers')} suppliers may start and none ends, of ${at('longest')} for ${at('minutes')} minutes.`;
    case 'many_errors':
      return `${at('errored')} of the ${at('ended')} accounts of ${supplier} that ended lately are ERRORED (${at('percent')} %).`;
    case 'many_refusals':
      return `${at('refused')} of the ${at('sent')} accounts sent for ${supplier} lately were refused (${at('percent')} %).`;
    case 'webhook_disabled':
      return `Events wait for disabled webhooks, which took nothing for three days or answered 410: ${at('webhooks')}.`;
    case 'dead_letters':
      return `${at('dead_letters')} messages ran out of tries.`;
    case 'database_filling':
      return `The database is ${at('percent')} % full.`;
    case 'sweep_late':
      return 'minutes' in details ? `No sweep has come to its end for ${at('minutes')} minutes.` : 'No sweep has ever come to its end.';
    default:
      return `${rule}${supplier === '' ? '' : ` of ${supplier}`}.`;
  }
}

/** Until the second try, the third, and so on; the last goes on. The work of the minute does it, so a minute is the least. */
const DELAYS = [
  MINUTE_MILLISECONDS,
  2 * MINUTE_MILLISECONDS,
  10 * MINUTE_MILLISECONDS,
  60 * MINUTE_MILLISECONDS,
  180 * MINUTE_MILLISECONDS,
] as const;
const GIVEN_UP_AFTER = 3 * 24 * 60 * MINUTE_MILLISECONDS;

/** When to try again after so many failures of a delivery; undefined once nobody has taken it for three days. */
export function nextTry(attempts: number, createdAt: number, now: number): number | undefined {
  const delay = DELAYS[Math.min(attempts, DELAYS.length) - 1] ?? MINUTE_MILLISECONDS;
  return now + delay - createdAt > GIVEN_UP_AFTER ? undefined : now + delay;
}
