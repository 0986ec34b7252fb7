import { describe, expect, it } from 'vitest';
import {
  type Happening,
  isOpen,
  latestEventOf,
  SCHEDULABLE_AGAIN,
  STATUS,
  STATUSES,
  type Status,
  statusAfter,
  statusesBefore,
  statusOf,
  TRANSITIONS,
  transferStatusOf,
  WITHOUT_ACCOUNT,
} from '../../src/import-processes/machine';

/** §3.2, written out: status, what happens, where that leads. */
const TABLE: readonly (readonly [Status, Happening, Status])[] = [
  ['PENDING', 'create_again', 'PENDING'],
  ['PENDING', 'claim', 'IN_PROGRESS'],
  ['PENDING', 'cancel', 'CANCELLED'],
  ['PENDING', 'gave_up', 'ERRORED'],
  ['PENDING', 'dry_run_gave_up', 'DRY_RUN_ERRORED'],
  ['IN_PROGRESS', 'lease_expired', 'PENDING'],
  ['IN_PROGRESS', 'given_back', 'PENDING'],
  ['IN_PROGRESS', 'created', 'PROCESSED'],
  ['IN_PROGRESS', 'failed', 'ERRORED'],
  ['IN_PROGRESS', 'dry_run_succeeded', 'DRY_RUN_SUCCEEDED'],
  ['IN_PROGRESS', 'dry_run_failed', 'DRY_RUN_ERRORED'],
  ['IN_PROGRESS', 'gave_up', 'ERRORED'],
  ['IN_PROGRESS', 'dry_run_gave_up', 'DRY_RUN_ERRORED'],
  ['ERRORED', 'create_again', 'PENDING'],
  ['ERRORED', 'retry', 'PENDING'],
  ['PROCESSED', 'undo', 'CANCELLED'],
  ['CANCELLED', 'create_again', 'PENDING'],
  ['DRY_RUN_SUCCEEDED', 'create_again', 'PENDING'],
  ['DRY_RUN_ERRORED', 'create_again', 'PENDING'],
];

describe('the transitions', () => {
  it.each(TABLE)('%s, %s: %s', (from, happening, to) => {
    expect(TRANSITIONS[from][happening]).toBe(to);
  });

  it('are these and no others', () => {
    const all = Object.entries(TRANSITIONS).flatMap(([from, ways]) => Object.entries(ways).map(([happening, to]) => [from, happening, to]));
    expect(all.toSorted()).toEqual(TABLE.map((row) => [...row]).toSorted());
  });

  it('are what statements ask and write', () => {
    for (const happening of new Set(TABLE.map(([, happening]) => happening))) {
      const ways = TABLE.filter(([, one]) => one === happening);
      expect(statusesBefore(happening)).toEqual(ways.map(([from]) => STATUS[from]).toSorted());
      expect(ways.map(([, , to]) => STATUS[to])).toEqual(ways.map(() => statusAfter(happening)));
    }
    expect(statusesBefore('gave_up', 'cancel')).toEqual([STATUS.PENDING]);
    expect(STATUSES.filter(isOpen)).toEqual(['PENDING', 'IN_PROGRESS']);
    expect([SCHEDULABLE_AGAIN, WITHOUT_ACCOUNT]).toEqual([
      [3, 4, 5, 6],
      [0, 1, 3, 4, 5, 6],
    ]);
  });

  it('leave PROCESSED only where the account is taken back', () => {
    expect(TRANSITIONS.PROCESSED).toEqual({ undo: 'CANCELLED' });
  });

  it('lead from every status to an end, so that nothing stays as it is for ever', () => {
    const ends: Status[] = ['PROCESSED', 'ERRORED', 'CANCELLED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED'];
    for (const status of STATUSES) {
      if (!ends.includes(status)) expect(Object.values(TRANSITIONS[status]).some((to) => ends.includes(to))).toBe(true);
    }
  });
});

describe('a status', () => {
  it.each([
    ['PENDING', 0, 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', 'UNKNOWN'],
    ['IN_PROGRESS', 1, 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', 'IN_PROGRESS'],
    ['PROCESSED', 2, 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED', 'COMPLETED'],
    ['ERRORED', 3, 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED', 'UNKNOWN'],
    ['CANCELLED', 4, 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED', 'UNKNOWN'],
    ['DRY_RUN_SUCCEEDED', 5, 'EVENT_ACCOUNT_IMPORT_PROCESS_DRY_RUN_SUCCEEDED', 'UNKNOWN'],
    ['DRY_RUN_ERRORED', 6, 'EVENT_ACCOUNT_IMPORT_PROCESS_ERRORED', 'UNKNOWN'],
  ] as const)('%s is kept as %i, ends in %s and is %s to v1', (status, number, event, transfer) => {
    expect(STATUS[status]).toBe(number);
    expect(statusOf(number)).toBe(status);
    expect(latestEventOf(status)).toBe(event);
    expect(transferStatusOf(status)).toBe(transfer);
  });

  it.each([-1, 7, 1.5, Number.NaN])('of the number %d does not exist', (number) => {
    expect(() => statusOf(number)).toThrow(`no status has the number ${number}`);
  });
});
