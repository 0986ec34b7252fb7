/**
 * Looks documents up in the bucket, many in few calls. The service points at documents; it never opens one (§1).
 */
import { type Ask, askerOf, type BucketDeps, inTurns, MAX_LISTED, NOT_ASKED } from './bucket';
import { directoryOf } from './rules';

/** From this many keys of one directory on, a list costs less than the heads it saves. */
const WORTH_A_LIST = 13;

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
