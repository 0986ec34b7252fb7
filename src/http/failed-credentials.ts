/**
 * What guessing meets: credentials that were refused, counted for each client address. A good one is not asked for its count.
 */
import type { AppContext } from './app';
import { throttled } from './replies';

/** The period of every rate in `wrangler.toml`. */
export const RATE_PERIOD_SECONDS = 10;
/** Requests of one organisation in that period: the limit of `ORGANISATION_RATE`. */
export const ORGANISATION_REQUESTS = 20_000;

/** Whom a request came from. Behind one address there may be many. */
export const clientAddressOf = (c: AppContext): string => c.req.header('CF-Connecting-IP') ?? 'unknown';

/** Counts a refused credential of `kind`; answers 429 once its client address had too many. */
export async function tooManyFailures(c: AppContext, kind: 'token' | 'operator' | 'platform'): Promise<Response | undefined> {
  const { success } = await c.var.deps.env.TOKEN_FAILURE_RATE.limit({ key: `${kind} ${clientAddressOf(c)}` });
  return success ? undefined : throttled(c, RATE_PERIOD_SECONDS);
}
