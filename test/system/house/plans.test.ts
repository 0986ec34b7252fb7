/** How queries reach their tables, as `test/db/plans.txt` has it: the reporter of plans compares that with what the tests send. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { queryNamesIn } from '../../support/query-names';
import { PLANS_FILE, plansIn } from '../../support/recorded-plans';
import { readSources } from '../../support/source';

const recorded = plansIn(readFileSync(PLANS_FILE, 'utf8'));

interface Access {
  readonly query: string;
  readonly isScan: boolean;
  readonly table: string;
  readonly columns: readonly string[];
  readonly text: string;
}

const accesses: readonly Access[] = [...recorded].flatMap(([query, plans]) =>
  plans.flatMap((plan) =>
    [...plan.matchAll(/(?:^|, )((SCAN |LAST )?([a-z_]+)(?:\/\w+)?(?: \(([^)]*)\))?)(?=,|$)/g)].map(
      ([, text = '', way = '', table = '', columns = '']): Access => ({
        query,
        isScan: way === 'SCAN ',
        table,
        columns: columns.split(', '),
        text,
      }),
    ),
  ),
);

/** Tables that no import makes larger. */
const SMALL = new Set([
  'suppliers',
  'webhooks',
  'webhook_cursors',
  'webhook_walk',
  'organisations',
  'service_keys',
  'd1_migrations',
  'heartbeats',
  'restores',
  'operator_tokens',
  'alerts',
  'alert_addresses',
  'alert_deliveries',
]);

/** Walks that grow with what was imported, and why each may. */
const MAY_WALK: Readonly<Record<string, string>> = {
  'accounts/commits/store#insertUnlisted': 'accounts of an earlier release, 5,000 at a time',
  'accounts/commits/store#markListed': 'the same',
  'console/store#forgetEndedSessions': 'sessions that were signed out of in the last eight hours',
  'operator/health/store#openDeadLetters': 'dead letters are few, and each is somebody’s work',
  'operator/health/store#deadLetterPage': 'newest first along the index of time, until the page is full',
  'operator/restores/store#FORGET_REFRESH_TOKENS': 'forgets all refresh tokens, once after a restore',
  'import-processes/runs/store-finish#endedRuns': 'runs that did not come to their end yet',
  'import-processes/runs/store-pace#pacedRuns': 'runs that are released at a pace, 200 at most',
  'operator/suppliers/store-counts#allCounts': 'counts entries of the open index and minutes, for the operator only',
};

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

describe('the plans of queries', () => {
  it('are recorded for each query of the code, and for no other', () => {
    const names = new Set([...readSources().values()].flatMap(({ path, text }) => queryNamesIn(path, text)));
    expect([...names].filter((name) => !recorded.has(name))).toEqual([]);
    expect([...recorded.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  const bounded = accesses.filter(({ query }) => !Object.hasOwn(MAY_WALK, query));

  it('walk no table that grows', () => {
    const walks = bounded.filter(({ isScan, table }) => isScan && !SMALL.has(table));
    expect(walks.map(({ query, text }) => `${query}: ${text}`)).toEqual([]);
  });

  it('join nothing across suppliers, so that suppliers can live in several databases', () => {
    const joins = bounded.filter(
      ({ table, columns, text }) =>
        Object.hasOwn(OF_ONE_SUPPLIER, table) && columns[0] !== OF_ONE_SUPPLIER[table] && text !== 'LAST payloads',
    );
    expect(joins.map(({ query, text }) => `${query}: ${text}`)).toEqual([]);
  });
});
