/**
 * Reads what creates were refused for, for the operator.
 */
import { commit, query, type Write } from '../db';
import type { Deps } from '../deps';
import { minuteOf } from '../shared/dates';
import { type Example, MAX_EXAMPLES, RETENTION_MINUTES, type RefusalCount } from './rules';
import { countsOf, countsOfRun, examplesOf, forgetRefusals, forgetRefusalsOfRuns, refusedOf, refusedSince } from './store';

/** What was refused is shown for a day unless asked otherwise. */
export const REFUSAL_MINUTES = 1_440;

const MAX_COUNTS = 200;
/** Rows whose examples are read: enough for the newest of nearly every code and place. */
const MAX_ROWS = 2_000;

export interface RefusalSummary {
  /** Accounts, each counted as often as it was refused. */
  readonly refused: number;
  /** Most first; an account counts once for each code and place. */
  readonly counts: readonly RefusalCount[];
}

const firstMinute = (deps: Deps, minutes: number): number => minuteOf(deps.now()) - minutes + 1;

/** What the supplier had refused in the last `minutes` minutes; undefined for an unknown supplier. */
export async function readRefusals(deps: Deps, code: string, minutes: number): Promise<RefusalSummary | undefined> {
  const since = { code, minute: firstMinute(deps, minutes) };
  const [[supplier], counts, rows] = await commit(deps.databaseOf(code), [
    refusedOf(since),
    countsOf({ ...since, limit: MAX_COUNTS }),
    examplesOf({ ...since, limit: MAX_ROWS }),
  ]);
  if (!supplier) return undefined;
  const examples = Map.groupBy(rows, keyOf);
  return {
    refused: supplier.refused,
    counts: counts.map((count) => ({
      ...count,
      examples: (examples.get(keyOf(count)) ?? []).flatMap((row): Example[] => JSON.parse(row.examples)).slice(0, MAX_EXAMPLES),
    })),
  };
}

const keyOf = ({ code, attr }: { readonly code: string; readonly attr: string }): string => `${code} ${attr}`;

/** How many accounts each supplier had refused in the last `minutes` minutes, by its id. */
export async function readAllRefused(deps: Deps, minutes: number): Promise<ReadonlyMap<number, number>> {
  const rows = await query(deps.db, refusedSince({ minute: firstMinute(deps, minutes) }));
  return new Map(rows.map(({ supplierId, refused }) => [supplierId, refused]));
}

/** The same of one supplier; 0 for an unknown one. */
export async function readRefused(deps: Deps, code: string, minutes: number): Promise<number> {
  const [row] = await query(deps.databaseOf(code), refusedOf({ code, minute: firstMinute(deps, minutes) }));
  return row?.refused ?? 0;
}

/** What creates of a run were refused for, by code and place, most first. */
export const readRefusalsOfRun = (deps: Deps, code: string, run: { readonly id: number; readonly supplierId: number }) =>
  query(deps.databaseOf(code), countsOfRun({ supplierId: run.supplierId, runId: run.id, limit: MAX_COUNTS }));

/** Forgets what is older than {@link RETENTION_MINUTES} of a supplier's. */
export function forgetOldRefusals(deps: Deps, supplierId: number): Write[] {
  const old = { supplierId, minute: firstMinute(deps, RETENTION_MINUTES) };
  return [forgetRefusals(old), forgetRefusalsOfRuns(old)];
}
