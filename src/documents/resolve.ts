/**
 * Looks documents up in the bucket, many in few calls. The service points at documents; it never opens one (§1).
 */
import { directoryOf } from './rules';

/** What a look-up asks the bucket for. */
type Bucket = Pick<R2Bucket, 'head' | 'list'>;

/** How many calls of one request the platform lets wait at once. */
const CALLS_AT_ONCE = 6;
/** From this many keys of one directory on, a list costs less than the heads it saves. */
const WORTH_A_LIST = 13;
const MAX_LISTED = 1_000;
const RETRY_DELAYS_MILLISECONDS = [30, 120];

/** The keys that name no object. Throws when the store fails three times: that is never the importer's error. */
export async function missingDocuments(deps: { readonly documents: Bucket }, keys: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(keys);
  const directories = Map.groupBy(wanted, directoryOf);
  const crowded = [...directories].filter(([, members]) => members.length >= WORTH_A_LIST);
  await inTurns(crowded, ([directory, members]) => dropListed(deps.documents, directory, members, wanted));
  // What no list has shown is asked for by name, so nothing hangs on the order in which a list comes.
  const missing = new Set<string>();
  await inTurns([...wanted], async (key) => {
    if ((await retried(() => deps.documents.head(key))) === null) missing.add(key);
  });
  return missing;
}

/** Takes the keys that a list of their directory shows out of `wanted`; gives up where the directory holds mostly other things. */
async function dropListed(bucket: Bucket, directory: string, members: readonly string[], wanted: Set<string>): Promise<void> {
  const sorted = members.toSorted();
  // A list starts after a key, never at it: the first key is left to be asked for by name.
  let [startAfter = ''] = sorted;
  const last = sorted.at(-1) ?? '';
  for (let left = sorted.length - 1; left >= WORTH_A_LIST - 1; ) {
    const options = { prefix: directory, startAfter, limit: Math.min(MAX_LISTED, 2 * left) };
    const page = await retried(() => bucket.list(options));
    const hits = page.objects.filter(({ key }) => wanted.delete(key)).length;
    startAfter = page.objects.at(-1)?.key ?? last;
    left -= hits;
    if (!page.truncated || startAfter >= last || hits < WORTH_A_LIST) return;
  }
}

async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (const delay of RETRY_DELAYS_MILLISECONDS) {
    try {
      return await call();
    } catch {
      await new Promise((resume) => setTimeout(resume, delay * (0.5 + Math.random())));
    }
  }
  return call();
}

/** Does the work for each item, a few at once. The first failure ends it. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, worker));
}
