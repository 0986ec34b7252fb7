import { describe, expect, it } from 'vitest';
import { type Access, isSmall, planOf } from '../support/plan';
import { PLANS } from '../support/plans';
import { everyQuery } from '../support/queries';

const sent = await everyQuery();
const planned = await Promise.all(sent.map(async ({ name, statement }) => ({ name, plan: await planOf(statement) })));

/** Walks that grow with what was imported, and why each may. */
const MAY_WALK: Readonly<Record<string, string>> = {
  'accounts/commits/store#insertUnlisted': 'accounts of an earlier release, 5,000 at a time',
  'accounts/commits/store#markListed': 'the same',
  'console/store#forgetEndedSessions': 'sessions that were signed out of in the last eight hours',
  'operator/health/store#openDeadLetters': 'dead letters are few, and each is somebody’s work',
  'operator/health/store#deadLetterPage': 'newest first along the index of time, until the page is full',
  'operator/restores/store#finishRestore 4': 'forgets all refresh tokens, once after a restore',
  'import-processes/runs/store-finish#endedRuns': 'runs that did not come to their end yet',
  'import-processes/runs/store-pace#pacedRuns': 'runs that are released at a pace, 200 at most',
  'operator/suppliers/store-counts#allCounts': 'counts entries of the open index and minutes, for the operator only',
};

describe('each statement reaches its tables by the index it is named to use', () => {
  it.each(planned)('$name', ({ name, plan }) => {
    expect([...plan.accesses.map(({ text }) => text), ...plan.sorts]).toEqual(PLANS[name] ?? []);
  });

  it('no plan is named for a statement that is not sent', () => {
    const names = new Set(sent.map(({ name }) => name));
    expect(Object.keys(PLANS).filter((name) => !names.has(name))).toEqual([]);
  });
});

const bounded = planned.filter(({ name }) => !(name in MAY_WALK));
const offending = (isWrong: (access: Access) => boolean) =>
  bounded.flatMap(({ name, plan }) => plan.accesses.filter(isWrong).map(({ text }) => `${name}: ${text}`));

it('no statement walks a table that grows', () => {
  expect(offending((access) => access.kind === 'SCAN' && !isSmall(access))).toEqual([]);
});

/** How a row of each table is found without leaving its supplier: ids of processes are given to one supplier only. */
const OF_ONE_SUPPLIER: Readonly<Record<string, string>> = {
  import_processes: 'supplier_id',
  imports_per_minute: 'supplier_id',
  refusals: 'supplier_id',
  run_refusals: 'supplier_id',
  payloads: 'id',
  accounts: 'id',
  import_process_events: 'process_id',
  customers: 'account_id',
  notes: 'account_id',
  transactions: 'account_id',
  statements: 'account_id',
  payment_instructions: 'account_id',
};

const isOfOneSupplier = ({ table, columns, text }: Access): boolean =>
  !(table in OF_ONE_SUPPLIER) || columns[0] === OF_ONE_SUPPLIER[table] || text === 'last of payloads';

it('no statement joins across suppliers, so suppliers can live in several databases', () => {
  expect(offending((access) => !isOfOneSupplier(access))).toEqual([]);
});
