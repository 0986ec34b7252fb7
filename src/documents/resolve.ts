/**
 * Looks documents up in the bucket, many in few calls. The service points at documents; it never opens one (§1).
 */
import type { Deps } from '../deps';
import { directoryOf } from './rules';

/** How many calls of one request the platform lets wait at once. */
const CALLS_AT_ONCE = 6;
/** From this many keys of one directory on, a list costs less than the heads it saves. */
const WORTH_A_LIST = 13;
const MAX_LISTED = 1_000;
const RETRY_DELAYS_MILLISECONDS = [30, 120];
/** Of one look-up in all: a store that is down is not asked three times for every key. */
const MAX_RETRIES = 10;
/** A call takes a tenth of a second. One that takes this long hangs. */
const CALL_MILLISECONDS = 10_000;
/** Calls of an invocation that look-ups leave to the database and the queue. */
const CALLS_FOR_OTHERS = 400;

type BucketDeps = Pick<Deps, 'documents' | 'calls'>;

/** Look-ups this invocation may still make. */
export const lookUpsLeft = ({ calls }: BucketDeps): number => Math.max(0, calls.left - CALLS_FOR_OTHERS);

export interface LookedUp {
  /** The keys that name no object. */
  readonly missing: ReadonlySet<string>;
  /** The keys that were not asked for, because this invocation may make no more calls. */
  readonly unasked: ReadonlySet<string>;
}

/**
 * Looks keys up. `beforeCall` runs before each call: where a look-up may take long, it holds on to what must not be lost meanwhile.
 * Throws when the store fails three times for a key, or hangs: that is never the importer's error.
 */
export async function missingDocuments(deps: BucketDeps, keys: readonly string[], beforeCall = async () => {}): Promise<LookedUp> {
  const [missing, unasked] = [new Set<string>(), new Set<string>()];
  const answers = answersOf(deps);
  const wanted = new Set(keys.filter((key) => !answers.has(key)));
  const ask = askerOf(deps, beforeCall);
  const directories = Map.groupBy(wanted, directoryOf);
  const crowded = [...directories].filter(([, members]) => members.length >= WORTH_A_LIST);
  await inTurns(crowded, ([directory, members]) => dropListed(ask, directory, members, wanted));
  // What no list has shown is asked for by name, so nothing hangs on the order in which a list comes.
  await inTurns([...wanted], async (key) => {
    const found = await ask((bucket) => bucket.head(key));
    if (found === NOT_ASKED) unasked.add(key);
    else answers.set(key, found !== null);
  });
  for (const key of keys) if (answers.get(key) === false) missing.add(key);
  return { missing, unasked };
}

/** Keys this invocation has asked for by name, and whether they were there: a request that is validated again does not ask again. */
const answered = new WeakMap<object, Map<string, boolean>>();

function answersOf({ calls }: BucketDeps): Map<string, boolean> {
  const answers = answered.get(calls) ?? new Map<string, boolean>();
  answered.set(calls, answers);
  return answers;
}

const NOT_ASKED = Symbol('not asked');
type Ask = <T>(call: (bucket: R2Bucket) => Promise<T>) => Promise<T | typeof NOT_ASKED>;

/** Makes calls of the bucket: counted, each in its time, and tried again where they fail. */
function askerOf(deps: BucketDeps, beforeCall: () => Promise<void>): Ask {
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

/** Takes the keys that a list of their directory shows out of `wanted`; gives up where the directory holds mostly other things. */
async function dropListed(ask: Ask, directory: string, members: readonly string[], wanted: Set<string>): Promise<void> {
  const sorted = members.toSorted();
  // A list starts after a key, never at it: the first key is left to be asked for by name.
  let [startAfter = ''] = sorted;
  const last = sorted.at(-1) ?? '';
  for (let left = sorted.length - 1; left >= WORTH_A_LIST - 1; ) {
    const options = { prefix: directory, startAfter, limit: Math.min(MAX_LISTED, 2 * left) };
    const page = await ask((bucket) => bucket.list(options));
    if (page === NOT_ASKED) return;
    const hits = page.objects.filter(({ key }) => wanted.delete(key)).length;
    startAfter = page.objects.at(-1)?.key ?? last;
    left -= hits;
    if (!page.truncated || startAfter >= last || hits < WORTH_A_LIST) return;
  }
}

class Hung extends Error {}

async function inTime<T>(call: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hung('R2 did not answer in time')), CALL_MILLISECONDS);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does the work for each item, a few at once. The first failure ends it. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
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
