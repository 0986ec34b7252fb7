import { commit } from '../db';
import type { Deps } from '../deps';
import { countRefusals, type Refusal } from './rules';
import { addCounts, addRefused } from './store';

const MINUTE_MILLISECONDS = 60_000;

/**
 * Counts refused creates, those of one slice in one trip for each database. A refusal is answered whether or not it could be counted:
 * what fails goes to the log.
 */
export async function noteRefusals(deps: Deps, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const now = deps.now();
  const minute = Math.floor(now / MINUTE_MILLISECONDS);
  for (const [db, members] of Map.groupBy(refusals, ({ supplierCode }) => deps.databaseOf(supplierCode))) {
    const suppliers = [...Map.groupBy(members, ({ supplierId }) => supplierId)];
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
      ]);
    } catch (error) {
      deps.log.error('refusals_not_counted', error, { refusals: members.length });
    }
  }
}
