import { askerOf, type BucketDeps, NOT_ASKED } from './bucket';

/** Keys that one call of the bucket deletes at most. */
const SLICE = 1_000;

/** Deletes documents by their keys; what is not there is none the worse. Throws where the store fails, or may not be asked any more. */
export async function deleteDocuments(deps: BucketDeps, keys: readonly string[]): Promise<void> {
  const ask = askerOf(deps);
  for (let from = 0; from < keys.length; from += SLICE) {
    const answer = await ask((bucket) => bucket.delete(keys.slice(from, from + SLICE)));
    if (answer === NOT_ASKED) throw new Error('no call of the bucket is left to delete documents with');
  }
}
