/**
 * The documents of many accounts, looked up together.
 */
import type { Deps } from '../deps';
import { keysOf, missingDocuments } from '../documents';
import type { Supplier } from '../suppliers';
import type { AccountJudgement } from './judge';

interface Judged {
  readonly judgement: AccountJudgement;
  readonly supplier: Supplier;
}

/** The keys of all named documents that do not exist, in few calls; `unknown` when the store fails. */
export async function missingDocumentsOf(deps: Deps, judged: readonly Judged[]): Promise<ReadonlySet<string> | 'unknown'> {
  const keys = judged.flatMap(({ judgement, supplier }) => keysOf(supplier.configuration.documents_root, judgement.documentPaths));
  if (keys.length === 0) return new Set();
  try {
    return await missingDocuments(deps, keys);
  } catch (error) {
    deps.log.error('documents_not_looked_up', error, { documents: keys.length });
    return 'unknown';
  }
}
