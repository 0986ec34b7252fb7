/**
 * Calls of the bucket: counted, each in its time, and tried again where they fail.
 */
import type { Deps } from '../deps';

/** How many calls of one request the platform lets wait at once. */
export const CALLS_AT_ONCE = 6;
const RETRY_DELAYS_MILLISECONDS = [30, 120];
/** Of one look-up in all: a store that is down is not asked three times for every key. */
const MAX_RETRIES = 10;
/** A call takes a tenth of a second. One that takes this long hangs. */
const CALL_MILLISECONDS = 10_000;
/** Calls of an invocation that look-ups leave to the database and the queue. */
const CALLS_FOR_OTHERS = 400;
/** The most objects that one list shows. */
export const MAX_LISTED = 1_000;

export type BucketDeps = Pick<Deps, 'documents' | 'calls'>;

/** Look-ups this invocation may still make. */
export const lookUpsLeft = ({ calls }: BucketDeps): number => Math.max(0, calls.left - CALLS_FOR_OTHERS);

export const NOT_ASKED = Symbol('not asked');
export type Ask = <T>(call: (bucket: R2Bucket) => Promise<T>) => Promise<T | typeof NOT_ASKED>;

/**
 * Makes calls of the bucket; answers {@link NOT_ASKED} once the invocation may make no more. `beforeCall` runs before each call.
 * Throws when the store fails three times, or hangs: that is never the importer's error.
 */
export function askerOf(deps: BucketDeps, beforeCall = async () => {}): Ask {
  let retries = MAX_RETRIES;
  return async (call) => {
    for (let attempt = 0; ; attempt++) {
      if (lookUpsLeft(deps) === 0) return NOT_ASKED;
      deps.calls.left--;
      await beforeCall();
      try {
        return await inTime(call(deps.documents));
      } catch (error) {
        const delay = RETRY_DELAYS_MILLISECONDS[attempt];
        if (delay !== undefined && !(error instanceof Hung) && retries-- > 0) {
          await new Promise((resume) => setTimeout(resume, delay * (0.5 + Math.random())));
          if (retries >= 0) continue;
        }
        // Nobody who waits to try again does so any more.
        retries = -1;
        throw error;
      }
    }
  };
}

class Hung extends Error {}

/** The outcome of a call; rejects where it takes longer than a call of the bucket may. */
export async function inTime<T>(call: Promise<T>, milliseconds = CALL_MILLISECONDS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hung('R2 did not answer in time')), milliseconds);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** Does the work for each item, a few at once. The first failure ends it. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const worker = async () => {
    for (const item of queue) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, worker));
}
