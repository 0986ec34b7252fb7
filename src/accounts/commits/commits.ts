/**
 * Lists accounts in commit order (§11).
 */
import { commit, type Write } from '../../db';
import type { Deps } from '../../deps';
import type { NewAccount } from '../create/decide';
import { insertCommit, insertUnlisted, markListed } from './store';

/** The writes that list new accounts: one for each supplier. They come before those that create the accounts. */
export const commitsOf = (created: readonly NewAccount[]): Write[] =>
  [...Map.groupBy(created, ({ supplier }) => supplier.id)].flatMap(([supplierId, members]) =>
    members
      .slice(0, 1)
      .map(({ id, createdAt }) =>
        insertCommit({ now: createdAt, supplierId, firstId: id, accountIds: JSON.stringify(members.map((one) => one.id)) }),
      ),
  );

/** Batches of one run. */
const MAX_ROUNDS = 10;

/** Lists what code of an earlier release created: all accounts once, and what it creates while it is being replaced. */
export async function listUnlisted(deps: Deps): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [, listed] = await commit(deps.db, [insertUnlisted({ now: deps.now() }), markListed({})]);
    if (listed.length === 0) return;
    deps.log.info('accounts_listed', { accounts: listed.length });
  }
}
