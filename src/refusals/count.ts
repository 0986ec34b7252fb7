import { commit } from '../db';
import type { Deps } from '../deps';
import { minuteOf } from '../shared/dates';
import { countRefusals, type Refusal } from './rules';
import { addCounts, addCountsOfRuns, addRefused, addRefusedOfRuns } from './store';

/**
 * Counts refused creates, all of them in one trip for each database. A refusal is answered whether or not it could be counted:
 * what fails goes to the log.
 */
export async function noteRefusals(deps: Deps, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const now = deps.now();
  const minute = minuteOf(now);
  for (const [db, members] of Map.groupBy(refusals, ({ supplierCode }) => deps.databaseOf(supplierCode))) {
    const suppliers = [...Map.groupBy(members, ({ supplierId }) => supplierId)];
    const ofRuns = runsOf(members);
    try {
      await commit(db, [
        addRefused(
          suppliers.map(([supplierId, own]) => ({ supplierId, refused: own.length })),
          minute,
        ),
        ...addCounts(
          suppliers.flatMap(([supplierId, own]) => countRefusals(own, now).map((count) => ({ supplierId, ...count }))),
          minute,
        ),
        ...addRefusedOfRuns(ofRuns.map(({ supplierId, runId, own }) => ({ supplierId, runId, refused: own.length }))),
        ...addCountsOfRuns(
          ofRuns.flatMap(({ supplierId, runId, own }) => countRefusals(own, now).map((count) => ({ supplierId, runId, ...count }))),
          minute,
        ),
      ]);
    } catch (error) {
      deps.log.error('refusals_not_counted', error, { refusals: members.length });
    }
  }
}

/** The refusals of each run among these. */
const runsOf = (refusals: readonly Refusal[]) =>
  [...Map.groupBy(refusals, ({ runId }) => runId)].flatMap(([runId, own]) =>
    runId === undefined ? [] : own.slice(0, 1).map(({ supplierId }) => ({ supplierId, runId, own })),
  );

/** Refusals that are gathered before they are counted, and for how long: so few are lost where a request ends without its end. */
const MAX_GATHERED = 2_000;
const GATHERED_MILLISECONDS = 5_000;

/** The refusals of one bulk request: those of several slices are counted in one trip. */
export class GatheredRefusals {
  readonly #deps: Deps;
  #refusals: Refusal[] = [];
  #since = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Counts what was gathered where that is enough, or old enough. */
  async add(refusals: readonly Refusal[]): Promise<void> {
    const now = this.#deps.now();
    if (this.#refusals.length === 0) this.#since = now;
    this.#refusals.push(...refusals);
    if (this.#refusals.length >= MAX_GATHERED || now - this.#since >= GATHERED_MILLISECONDS) await this.count();
  }

  /** Counts what was gathered; nothing is asked of the database where there is nothing. */
  async count(): Promise<void> {
    const gathered = this.#refusals;
    this.#refusals = [];
    await noteRefusals(this.#deps, gathered);
  }
}
