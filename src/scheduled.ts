/**
 * What happens every minute. Each part runs by itself: one that fails is logged, and the others run all the same.
 */
import { documentsOf, listUnlisted } from './accounts';
import { commit, query } from './db';
import type { Deps } from './deps';
import { forgetEvents } from './events';
import { beat, warnOfRoom } from './health';
import { reducePayloads, sweep } from './import-processes';
import { watch } from './operator';
import { forgetOldRefusals } from './refusals';
import { DAY_MILLISECONDS } from './shared/dates';
import { forgetRefreshTokens } from './tokens';
import { wakeWebhooks } from './webhooks';

/** An expired refresh token is stored this long, so that its owner is answered that it expired, not that it is unknown. */
const EXPIRED_FOR_MILLISECONDS = 7 * DAY_MILLISECONDS;

/** The parts of a minute's work, in their order. */
export const EVERY_MINUTE: Readonly<Record<string, (deps: Deps) => Promise<void>>> = {
  sweep: async (deps) => {
    await sweep(deps);
    await query(deps.db, beat({ name: 'sweep', at: deps.now() }));
  },
  payload_retention: (deps) => reducePayloads(deps, documentsOf, forgetOldRefusals),
  expired_rows: async (deps) => {
    const now = deps.now();
    await commit(deps.db, [forgetRefreshTokens({ before: now - EXPIRED_FOR_MILLISECONDS }), forgetEvents({ now })]);
  },
  account_commits: listUnlisted,
  webhooks: wakeWebhooks,
  room: async (deps) => warnOfRoom(deps),
  // Last, so that it sees what the others left, and what stopped them.
  alerts: watch,
};

export async function everyMinute(deps: Deps, parts = EVERY_MINUTE): Promise<void> {
  for (const [name, run] of Object.entries(parts)) {
    try {
      await run(deps);
    } catch (error) {
      deps.log.error('scheduled_work_failed', error, { work: name });
    }
  }
}
