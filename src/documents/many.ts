/**
 * Looks thousands of keys up in few calls: the bucket lists its objects in the order of their keys, a thousand at once, so one list
 * says of all keys between its first and its last object which are there.
 */
import { type Ask, askerOf, type BucketDeps, CALLS_AT_ONCE, inTurns, MAX_LISTED, NOT_ASKED } from './bucket';
import { compareKeys, keyBefore } from './rules-order';

export type ManyLookedUp =
  | { readonly kind: 'looked_up'; readonly missing: ReadonlySet<string> }
  /** The keys lie too far apart for the calls that are left. Up to `MAX_DOCUMENT_PATHS` keys never do. */
  | { readonly kind: 'too_many_calls' };

/** Fewer keys than this are not worth another list at the same time. */
const KEYS_OF_A_PART = 100;
/** Lists that may decide nothing: with these and one call for each of 500 keys a look-up is within its calls. */
const MAX_WASTED_LISTS = 50;

/** Looks up keys that begin with `folder`. Throws when the store fails three times for a call, or hangs. */
export async function missingOfMany(deps: BucketDeps, folder: string, keys: readonly string[]): Promise<ManyLookedUp> {
  const sorted = [...new Set(keys)].sort(compareKeys);
  const size = Math.max(KEYS_OF_A_PART, Math.ceil(sorted.length / CALLS_AT_ONCE));
  const parts = Array.from({ length: Math.ceil(sorted.length / size) }, (_, part) => sorted.slice(part * size, (part + 1) * size));
  const missing = new Set<string>();
  const ask = askerOf(deps);
  const wasted = { lists: 0 };
  let isWhole = true;
  await inTurns(parts, async (part) => {
    isWhole = (await lookUpPart(ask, folder, part, missing, wasted)) && isWhole;
  });
  return isWhole ? { kind: 'looked_up', missing } : { kind: 'too_many_calls' };
}

/** Adds the missing ones of sorted keys to `missing`; false where there were no calls left. */
async function lookUpPart(
  ask: Ask,
  folder: string,
  keys: readonly string[],
  missing: Set<string>,
  wasted: { lists: number },
): Promise<boolean> {
  for (let at = 0; at < keys.length; ) {
    const [first = '', startAfter] = [keys[at], keyBefore(keys[at] ?? '')];
    if (wasted.lists < MAX_WASTED_LISTS) {
      // Counted before it is known, so that lists at the same moment are not too many either.
      wasted.lists++;
      const page = await ask((bucket) => bucket.list({ prefix: folder, startAfter, limit: MAX_LISTED }));
      if (page === NOT_ASKED) return false;
      const covered = coveredBy(page, startAfter);
      const listed = new Set(page.objects.map(({ key }) => key));
      const before = at;
      for (let key = keys[at]; key !== undefined && covered(key); key = keys[++at]) if (!listed.has(key)) missing.add(key);
      if (at > before) {
        wasted.lists--;
        continue;
      }
    }
    const found = await ask((bucket) => bucket.head(first));
    if (found === NOT_ASKED) return false;
    if (found === null) missing.add(first);
    at++;
  }
  return true;
}

/** Which keys after `startAfter` a list speaks of; none where it is not in the order that this relies on. */
function coveredBy({ objects, truncated }: R2Objects, startAfter: string): (key: string) => boolean {
  const keys = objects.map(({ key }) => key);
  const isInOrder = keys.every((key, index) => compareKeys(keys[index - 1] ?? startAfter, key) < 0);
  if (!isInOrder) return () => false;
  const last = keys.at(-1);
  if (!truncated) return () => true;
  return (key) => last !== undefined && compareKeys(key, last) <= 0;
}
