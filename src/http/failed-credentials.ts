/**
 * What guessing meets: credentials that were refused, counted for each client address. A good one is never asked for its count.
 */
import type { AppContext } from './app';
import { throttled } from './replies';

const PERIOD_SECONDS = 10;

/** Counts a refused credential of `kind`; answers 429 once its client address had too many. */
export async function tooManyFailures(c: AppContext, kind: 'token' | 'operator'): Promise<Response | undefined> {
  const address = c.req.header('CF-Connecting-IP') ?? 'unknown';
  const { success } = await c.var.deps.env.TOKEN_FAILURE_RATE.limit({ key: `${kind} ${address}` });
  return success ? undefined : throttled(c, PERIOD_SECONDS);
}
