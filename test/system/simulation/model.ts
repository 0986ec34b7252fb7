/**
 * What must be true when a history has come to rest, whatever failed on the way.
 */

import { EVENT, MAX_EXPIRIES, STATUS, STATUSES, statusOf, TRANSITIONS } from '../../../src/import-processes/machine';
import { accountNumberOf } from '../../../src/import-processes/number';
import type { ProcessNow, Stored } from './audit';
import type { DeadLetter } from './broker';
import type { People } from './importer';
import { checkAdditions } from './model-additions';
import { checkAnswers } from './model-answers';
import { checkFeed } from './model-feed';
import { checkClosed, checkKeys, checkOperator, type StateOf, statesOf } from './model-refusals';
import { checkRetention } from './model-retention';
import type { Transition } from './observer';
import { versionOf } from './payload';
import { type Asked, isPossible, isSure, ofKind, type Pair, type Sent } from './record';
import { NEWER_SETTING, type Releases } from './releases';
import type { Undone } from './restore';
import type { AttemptedDelivery, CleanSweep } from './service';
import type { Task } from './world';

/** What happened in the history beside the requests of importers. */
export interface Circumstances {
  readonly faults: number;
  readonly deadLetters: readonly DeadLetter[];
  /** Suppliers that somebody tried to complete. */
  readonly completed: ReadonlySet<number>;
  /** `supplier/number` of the pairs the operator tried to cancel. */
  readonly cancelled: ReadonlySet<string>;
  /** Suppliers that somebody tried to pause or complete. */
  readonly closed: ReadonlySet<number>;
  readonly documentsVanished: boolean;
  /** Payloads are kept for no longer than they are needed. */
  readonly isReduced: boolean;
  /** What was stored before retention came, where it did. */
  readonly retained: Stored;
  /** By their numbers. */
  readonly tasks: ReadonlyMap<number, Task>;
  readonly deliveries: readonly AttemptedDelivery[];
  readonly cleanSweeps: readonly CleanSweep[];
  /** By how many milliseconds clocks may be wrong, either way. */
  readonly skew: number;
  readonly releases: Pick<Releases, 'withNewerSettings' | 'wereUnreadable'>;
  /** What a restore took back. */
  readonly undone: Undone | undefined;
}

type Create = Extract<Asked, { readonly kind: 'create' }>;

const KEY = '000102030405060708090a0b0c0d0e0f';

/** Every promise that was broken, one line each. */
export function check(people: People, stored: Stored, circumstances: Circumstances): string[] {
  const { undone } = circumstances;
  const { pairs, keyed } = people;
  const stateOf = statesOf(stored);
  const sent = undone ? people.sent.map((one) => asUndone(one, undone)) : people.sent;
  const operated = people.operated.filter(({ task }) => task > (undone?.lastTask ?? 0));
  return [
    ...checkTransitions(stored, circumstances),
    ...checkProgress(stored, circumstances),
    ...stored.wrongs.map(({ detail }) => detail),
    ...checkEvents(stored),
    ...checkFeed(stored),
    ...checkCounts(stored),
    ...checkAccounts(stored),
    ...checkNumbers(stored, undone),
    ...checkSettings(stored, circumstances),
    ...checkKeys(keyed, stateOf),
    ...checkClosed(sent, stateOf),
    ...checkOperator(operated, stored),
    ...pairs.flatMap((pair) => {
      const process = stored.processes.find((one) => one.supplier_id === pair.supplierId && one.number === pair.number);
      const own = sent.filter((one) => one.pair === pair);
      return checkPair(pair, own, process, stored, circumstances, stateOf).map((line) => `${pair.supplierCode}/${pair.number}: ${line}`);
    }),
    ...stored.processes
      .filter((process) => !pairs.some((pair) => pair.supplierId === process.supplier_id && pair.number === process.number))
      .map((process) => `nobody asked for process ${process.supplier_id}/${process.number}`),
  ];
}

/** What was answered between the moment that was restored and the restore counts no more; it may have come before that moment. */
const asUndone = (one: Sent, { from, to }: Undone): Sent =>
  one.endedAt > from && one.startedAt <= to ? { ...one, status: undefined, body: undefined } : one;

/** No account number is given twice, whatever a restore takes back. */
const checkNumbers = ({ processes }: Stored, undone: Undone | undefined): string[] =>
  processes.flatMap(({ supplier_id, number, account_number }) => {
    const earlier = undone?.numbers.get(account_number ?? '');
    return earlier === undefined || earlier === `${supplier_id}/${number}`
      ? []
      : [`the number ${account_number} of ${earlier} was given again`];
  });

/** A setting of a newer release outlives what this one changes. */
const checkSettings = ({ configurations }: Stored, { releases }: Circumstances): string[] =>
  configurations.flatMap(({ id, configuration }) =>
    releases.withNewerSettings.has(id) && !configuration.includes(NEWER_SETTING) ? [`supplier ${id} has lost ${NEWER_SETTING}`] : [],
  );

const ALLOWED = new Set(STATUSES.flatMap((was) => Object.values(TRANSITIONS[was]).map((became) => `${STATUS[was]}>${STATUS[became]}`)));

function checkTransitions({ transitions }: Stored, circumstances: Circumstances): string[] {
  const claimants = new Map(transitions.map(({ claim, became, actor }) => [became === STATUS.IN_PROGRESS ? claim : null, actor]));
  return transitions.flatMap((one) => {
    const change = `process ${one.process_id} went from ${one.was === null ? 'nothing' : statusOf(one.was)} to ${statusOf(one.became)}`;
    const isAllowed = one.was === null ? one.became === STATUS.PENDING : ALLOWED.has(`${one.was}>${one.became}`);
    const broken: string[] = isAllowed ? [] : [change];
    if (one.became === STATUS.IN_PROGRESS && one.supplier_status !== 'Ongoing')
      broken.push(`${change} under a supplier ${one.supplier_status}`);
    if (one.became === STATUS.IN_PROGRESS && one.is_window_open !== 1) broken.push(`${change} outside its window`);
    if ((one.became === STATUS.PROCESSED) !== (one.has_account === 1)) broken.push(`${change}, account: ${one.has_account}`);
    const holder = one.was === STATUS.IN_PROGRESS && (one.was_lease_until ?? 0) > one.at ? one.was_claim : null;
    if (holder !== null && claimants.get(holder) !== one.actor) broken.push(`${change} while a consumer held it`);
    const isLostBy = holder === null && one.was === STATUS.IN_PROGRESS && claimants.get(one.was_claim) !== one.actor;
    if (isLostBy && isHeldBySomebody(one, claimants, circumstances)) broken.push(`${change} though its holder had not been held up`);
    if (one.was === null && one.supplier_status !== 'Ongoing') broken.push(`${change} under a supplier ${one.supplier_status}`);
    const isOutOfTries = messageRanOut(one, circumstances) || deathsOf(one, transitions, claimants, circumstances) >= MAX_EXPIRIES;
    if (one.is_given_up === 1 && !isOutOfTries) broken.push(`${change} before its own tries had run out`);
    return broken;
  });
}

/** A call that takes longer than this is held up; the service's own time-outs are shorter. */
const HELD_UP_MILLISECONDS = 10_500;

/** Its holder was at work when the lease was taken for run out: alive, never failed, and no call of it took long. */
function isHeldBySomebody(one: Transition, claimants: ReadonlyMap<number | null, number>, { tasks, skew }: Circumstances): boolean {
  const holder = tasks.get(claimants.get(one.was_claim) ?? -1);
  return holder !== undefined && isWell(holder) && holder.endedAt > one.at + skew;
}

const isWell = ({ isDead, faults, longestCall }: Task): boolean => !isDead && faults === 0 && longestCall <= HELD_UP_MILLISECONDS;

/**
 * The deliveries of a message ran out that was sent since the process was staged; once it was claimed, since it was scheduled. One of
 * them failed for a reason of its own: that the database is away, full or slow counts against nobody.
 */
function messageRanOut(one: Transition, { deadLetters, deliveries, releases }: Circumstances): boolean {
  const since = one.attempts === 0 ? one.was_modified_at : one.was_scheduled_at;
  const isUnreadable = releases.wereUnreadable.has(one.supplier_id);
  return (
    (one.failed_at ?? 0) >= Math.max(1, one.was_scheduled_at) &&
    deliveries.some(({ task, processes }) => processes.has(one.process_id) && (isUnreadable || task.documentFaults > 0)) &&
    deadLetters.some(({ body, at }) => at <= one.at && body.process_ids.includes(one.process_id) && (body.sent_at ?? 0) >= since)
  );
}

/**
 * How many of its claims had come to nothing, this one included, since it was scheduled: their leases ran out, and whoever held them
 * had died, failed or been held up, and had not come to its end undisturbed by then. One that works on counts for nothing.
 */
function deathsOf(
  one: Transition,
  transitions: readonly Transition[],
  claimants: ReadonlyMap<number | null, number>,
  { tasks }: Circumstances,
): number {
  const expired = transitions.filter(
    ({ process_id, was, was_lease_until, at, was_scheduled_at }) =>
      process_id === one.process_id &&
      at <= one.at &&
      was_scheduled_at === one.was_scheduled_at &&
      was === STATUS.IN_PROGRESS &&
      (was_lease_until ?? 0) <= at,
  );
  const claims = new Set(expired.map(({ was_claim }) => was_claim));
  return [...claims].filter((claim) => {
    const holder = tasks.get(claimants.get(claim) ?? -1);
    if (!holder) return true;
    const hasEnded = !holder.isDead && holder.faults === 0 && holder.endedAt <= one.at;
    return !hasEnded && !isWell(holder);
  }).length;
}

/** What could start while an undisturbed sweep ran was sent by it: no window closes over what nobody has tried to start. */
function checkProgress({ processes }: Stored, { closed, cleanSweeps }: Circumstances): string[] {
  return processes.flatMap((process) => {
    const due = Math.max(process.window_start ?? 0, process.scheduled_at);
    const wasNeverSent = process.status === STATUS.CANCELLED && process.attempts === 0 && process.sent_at < due;
    if (!wasNeverSent || process.window_end === null || closed.has(process.supplier_id)) return [];
    const end = Math.min(process.window_end, process.finished_at ?? 0);
    const sweep = cleanSweeps.find(({ from, to }) => from >= due && to < end);
    return sweep ? [`process ${process.id} was CANCELLED unsent, though a sweep ran from ${sweep.from} to ${sweep.to} in its window`] : [];
  });
}

const EVENT_OF: Partial<Record<number, string>> = {
  [STATUS.ERRORED]: EVENT.ERRORED,
  [STATUS.DRY_RUN_ERRORED]: EVENT.ERRORED,
  [STATUS.CANCELLED]: EVENT.CANCELLED,
  [STATUS.DRY_RUN_SUCCEEDED]: EVENT.DRY_RUN_SUCCEEDED,
};
const UNFINISHED: readonly number[] = [STATUS.PENDING, STATUS.IN_PROGRESS];

/** The event log reports exactly what happened beyond the happy path. */
function checkEvents({ transitions, events }: Stored): string[] {
  const expected = new Set(
    transitions.flatMap(({ was, became, at, process_id }) => {
      const isAgain = became === STATUS.PENDING && was !== null && !UNFINISHED.includes(was);
      const event = isAgain ? EVENT.CREATED : EVENT_OF[became];
      return event ? [`${process_id} ${at} ${event}`] : [];
    }),
  );
  const recorded = new Set(events.map(({ process_id, occurred_at, event }) => `${process_id} ${occurred_at} ${event}`));
  return [
    ...[...expected].filter((one) => !recorded.has(one)).map((one) => `no event reports ${one}`),
    ...[...recorded].filter((one) => !expected.has(one)).map((one) => `an event says what did not happen: ${one}`),
  ];
}

function checkCounts({ transitions, counts }: Stored): string[] {
  return [...new Set(transitions.map(({ supplier_id }) => supplier_id))].flatMap((supplierId) => {
    const happened = (status: number): number =>
      transitions.filter(({ supplier_id, became }) => supplier_id === supplierId && became === status).length;
    const recorded = counts.find(({ supplier_id }) => supplier_id === supplierId) ?? { processed: 0, errored: 0 };
    const expected = { processed: happened(STATUS.PROCESSED), errored: happened(STATUS.ERRORED) };
    return recorded.processed === expected.processed && recorded.errored === expected.errored
      ? []
      : [`imports_per_minute of supplier ${supplierId} reports ${JSON.stringify(recorded)}, it was ${JSON.stringify(expected)}`];
  });
}

/** An account for each PROCESSED process and for nothing else, under its own supplier and listed once; nothing without its account. */
function checkAccounts(stored: Stored): string[] {
  const processed = new Map(stored.processes.filter(({ status }) => status === STATUS.PROCESSED).map((process) => [process.id, process]));
  const broken = stored.accounts.flatMap(({ id, supplier_id }) =>
    processed.get(id)?.supplier_id === supplier_id ? [] : [`account ${id} of supplier ${supplier_id} belongs to no imported process`],
  );
  for (const { id, supplier_id } of stored.accounts) {
    const listed = stored.listed.filter(({ account_id }) => account_id === id);
    if (listed.length !== 1 || listed[0]?.supplier_id !== supplier_id) broken.push(`account ${id} is listed ${listed.length} times`);
  }
  const known = new Set(stored.accounts.map(({ id }) => id));
  for (const { id } of processed.values()) if (!known.has(id)) broken.push(`process ${id} is PROCESSED without an account`);
  for (const table of ['listed', 'customers', 'notes', 'transactions', 'statements', 'instructions'] as const) {
    for (const { account_id } of stored[table])
      if (!known.has(account_id)) broken.push(`${table} of account ${account_id}, which is not there`);
  }
  return broken;
}

function checkPair(
  pair: Pair,
  sent: readonly Sent[],
  process: ProcessNow | undefined,
  stored: Stored,
  circumstances: Circumstances,
  stateOf: StateOf,
): string[] {
  const creates = ofKind(sent, 'create');
  const mayBeRefused = ({ startedAt, endedAt }: Sent): boolean => stateOf('supplier', `${pair.supplierId}`, startedAt, endedAt) !== 'open';
  const answers = checkAnswers(pair, sent, mayBeRefused, process?.account_number);
  if (answers.length > 0) return answers;
  // Retention has emptied it: nothing says any more which payload it was.
  if (process?.body === '' && circumstances.isReduced && mayBeEmptied(process, circumstances)) return [];
  if (!process) return creates.some(isSure) ? ['an acknowledged create is nowhere'] : checkAdditions(sent, undefined, undefined, stored);
  const version = versionOf(process.body);
  const candidates = creates.filter((create) => create.asked.payload.version === version && (isSure(create) || isPossible(create)));
  const payload = candidates[0]?.asked.payload;
  if (!payload) return [`its payload ${version} was never accepted`];
  const broken: string[] = [];
  if (!candidates.some((candidate) => !creates.some((later) => overtakes(later, candidate, creates)))) {
    broken.push(`its payload ${version} had been replaced by an acknowledged one`);
  }
  const status = statusOf(process.status);
  const possible = payload.isDryRun ? ['DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED'] : ['PROCESSED', 'ERRORED', 'CANCELLED'];
  if (!possible.includes(status)) broken.push(`it rests ${status}`);
  if ((process.is_dry_run === 1) !== payload.isDryRun) broken.push('it is run in another way than its payload says');
  if ((status === 'ERRORED' || status === 'DRY_RUN_ERRORED') && !mayHaveFailed(process, payload.document !== undefined, circumstances)) {
    broken.push(`it failed for no reason: ${process.error}`);
  }
  const mayBeCancelled =
    circumstances.completed.has(pair.supplierId) ||
    circumstances.cancelled.has(`${pair.supplierId}/${pair.number}`) ||
    payload.windowEnd !== undefined;
  if (status === 'CANCELLED' && !mayBeCancelled) broken.push('nobody cancelled it');
  const isImported = status === 'PROCESSED';
  if (process.account_number !== (isImported ? accountNumberOf(process.id, KEY) : null))
    broken.push(`its number is ${process.account_number}`);
  if (isImported && circumstances.isReduced) broken.push(...checkRetention(pair, process, payload, stored, circumstances.retained));
  return [...broken, ...checkAdditions(sent, process.id, isImported ? payload : undefined, stored)];
}

/** What was cancelled is, and what ended without an account is once its supplier is Complete. */
const mayBeEmptied = ({ status, supplier_id }: ProcessNow, { completed }: Circumstances): boolean =>
  status === STATUS.CANCELLED || (status !== STATUS.PROCESSED && completed.has(supplier_id));

/**
 * An acknowledged create replaces every payload that was sent before it. One that finds its own payload staged writes nothing, so
 * nothing distinguishes it from one that was never sent: a write of an earlier create that is still under way may come after it.
 */
function overtakes(later: Sent<Create>, earlier: Sent<Create>, creates: readonly Sent<Create>[]): boolean {
  const { version } = later.asked.payload;
  if (!isSure(later) || version === earlier.asked.payload.version || !comesAfter(later, earlier)) return false;
  const changedNothing = creates.some(
    (one) => one.asked.payload.version === version && one.startedAt < later.startedAt && (isSure(one) || isPossible(one)),
  );
  return !earlier.isUnderWay || !changedNothing;
}

/** Lines of one request come one after the other. */
const comesAfter = (later: Sent, earlier: Sent): boolean =>
  later.startedAt > earlier.endedAt ||
  (later.line?.request === earlier.line?.request && (later.line?.number ?? 0) > (earlier.line?.number ?? 0));

function mayHaveFailed(process: ProcessNow, namesDocument: boolean, { faults, documentsVanished }: Circumstances): boolean {
  return process.error?.includes('account_import_process_failed') ? faults > 0 : namesDocument && documentsVanished;
}
