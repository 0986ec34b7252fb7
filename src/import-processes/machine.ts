/**
 * The states of an import process and the ways between them (§3.2, §6). Pure.
 *
 * IN_PROGRESS is a lease: when it runs out the process is PENDING again, and after {@link MAX_EXPIRIES} of them it is ERRORED.
 */

/** Statuses with the number each has in the table. */
export const STATUS = {
  PENDING: 0,
  IN_PROGRESS: 1,
  PROCESSED: 2,
  ERRORED: 3,
  CANCELLED: 4,
  DRY_RUN_SUCCEEDED: 5,
  DRY_RUN_ERRORED: 6,
} as const;
export type Status = keyof typeof STATUS;

export const STATUSES: readonly Status[] = [
  'PENDING',
  'IN_PROGRESS',
  'PROCESSED',
  'ERRORED',
  'CANCELLED',
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
];

/** The status that a number of the table means. Throws on a number that no status has. */
export function statusOf(number: number): Status {
  const status = STATUSES[number];
  if (!status) throw new Error(`no status has the number ${number}`);
  return status;
}

/** §6. The errored event belongs to both errored states. */
export const EVENT = {
  CREATED: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED',
  PROCESSED: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED',
  ERRORED: 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED',
  CANCELLED: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED',
  DRY_RUN_SUCCEEDED: 'EVENT_ACCOUNT_IMPORT_PROCESS_DRY_RUN_SUCCEEDED',
  UNDONE: 'EVENT_ACCOUNT_IMPORT_PROCESS_UNDONE',
} as const;
export type EventName = (typeof EVENT)[keyof typeof EVENT];

/** What can happen to a process. */
export type Happening =
  | 'create_again'
  | 'claim'
  | 'lease_expired'
  | 'given_back'
  | 'created'
  | 'failed'
  | 'dry_run_succeeded'
  | 'dry_run_failed'
  | 'gave_up'
  | 'dry_run_gave_up'
  | 'cancel'
  | 'retry'
  | 'undo';

/** The one table of transitions; what is not in it does not happen. */
export const TRANSITIONS: Readonly<Record<Status, Partial<Readonly<Record<Happening, Status>>>>> = {
  PENDING: { create_again: 'PENDING', claim: 'IN_PROGRESS', cancel: 'CANCELLED', gave_up: 'ERRORED', dry_run_gave_up: 'DRY_RUN_ERRORED' },
  IN_PROGRESS: {
    lease_expired: 'PENDING',
    given_back: 'PENDING',
    created: 'PROCESSED',
    failed: 'ERRORED',
    dry_run_succeeded: 'DRY_RUN_SUCCEEDED',
    dry_run_failed: 'DRY_RUN_ERRORED',
    gave_up: 'ERRORED',
    dry_run_gave_up: 'DRY_RUN_ERRORED',
  },
  PROCESSED: { undo: 'CANCELLED' },
  ERRORED: { create_again: 'PENDING', retry: 'PENDING' },
  CANCELLED: { create_again: 'PENDING' },
  DRY_RUN_SUCCEEDED: { create_again: 'PENDING' },
  DRY_RUN_ERRORED: { create_again: 'PENDING' },
};

/** The statuses in which each of these may happen, as numbers of the table. */
export const statusesBefore = (...happenings: readonly Happening[]): number[] =>
  STATUSES.filter((status) => happenings.every((happening) => TRANSITIONS[status][happening])).map((status) => STATUS[status]);

/** The status to which this leads from wherever it may happen, as a number of the table. Throws if there are several. */
export function statusAfter(happening: Happening): number {
  const [after, ...others] = new Set(STATUSES.flatMap((status) => TRANSITIONS[status][happening] ?? []));
  if (after === undefined || others.length > 0) throw new Error(`${happening} does not lead to one status`);
  return STATUS[after];
}

/** True while the process may still change by itself: its import can end. */
export const isOpen = (status: Status): boolean => TRANSITIONS[status].gave_up !== undefined;

const numbersWhere = (holds: (status: Status) => boolean): readonly number[] => STATUSES.filter(holds).map((status) => STATUS[status]);

/** What has ended and may be scheduled again, as numbers of the table. */
export const SCHEDULABLE_AGAIN = numbersWhere((status) => !isOpen(status) && TRANSITIONS[status].create_again !== undefined);

/** What has no account, as numbers of the table. */
export const WITHOUT_ACCOUNT = numbersWhere((status) => status !== 'PROCESSED');

/** The event a status ends in (§3.2, §6). `isUndone`: what is CANCELLED had an account that was taken back. */
export function latestEventOf(status: Status, isUndone = false): EventName {
  switch (status) {
    case 'PENDING':
    case 'IN_PROGRESS':
      return EVENT.CREATED;
    case 'PROCESSED':
      return EVENT.PROCESSED;
    case 'ERRORED':
    case 'DRY_RUN_ERRORED':
      return EVENT.ERRORED;
    case 'CANCELLED':
      return isUndone ? EVENT.UNDONE : EVENT.CANCELLED;
    case 'DRY_RUN_SUCCEEDED':
      return EVENT.DRY_RUN_SUCCEEDED;
  }
}

/** How long a claim holds. A slice takes well under a second; a batch of D1 ends after 30. */
export const LEASE_MILLISECONDS = 60_000;

/** Leases that run out before a process is given up: what kills its consumer must not do so for ever. A claim that is given back, or lost by a holder that lives, is not one. */
export const MAX_EXPIRIES = 5;

/** Leases that run out before a process is sent and claimed alone, so that what kills its consumer takes no neighbours along. */
export const ALONE_FROM_EXPIRIES = 2;

/** v1 (§3.3): nothing is attempting a process that is not IN_PROGRESS. */
export function transferStatusOf(status: Status): 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED' {
  if (status === 'PROCESSED') return 'COMPLETED';
  return status === 'IN_PROGRESS' ? 'IN_PROGRESS' : 'UNKNOWN';
}
