/**
 * How long events are kept.
 */
import type { Deps } from '../deps';
import { forgetEvents } from './store';

const DAY_MILLISECONDS = 86_400_000;
const DEFAULT_DAYS = 30;

/** The statement that deletes what is older than `EVENT_RETENTION_DAYS`. Throws where that is no number of days: nothing is deleted on a guess. */
export function forgetOldEvents({ env, now }: Deps) {
  const days = Number(env.EVENT_RETENTION_DAYS ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1) throw new Error('EVENT_RETENTION_DAYS is no number of days');
  return forgetEvents({ before: now() - days * DAY_MILLISECONDS });
}
