/**
 * The documents of many accounts, looked up together.
 */
import type { Deps } from '../../deps';
import { keysOf, missingDocuments } from '../../documents';
import type { Supplier } from '../../suppliers';
import type { AccountJudgement } from './judge';

interface Judged {
  readonly judgement: AccountJudgement;
  readonly supplier: Supplier;
}

/** What is known of the documents of one account: everything; nothing, because the store failed; or too little, because this invocation may ask no more. */
export type KnownDocuments = 'all' | 'failed' | 'unasked';

export interface DocumentsOfMany {
  /** Keys that name no object. */
  readonly missing: ReadonlySet<string>;
  knownOf(one: Judged): KnownDocuments;
}

const keysOfOne = ({ judgement, supplier }: Judged): string[] => keysOf(supplier.configuration.documents_root, judgement.documentPaths);

/** Looks up all named documents in few calls. `beforeCall` runs before each of them. */
export async function lookUpDocuments(deps: Deps, judged: readonly Judged[], beforeCall?: () => Promise<void>): Promise<DocumentsOfMany> {
  const keys = judged.flatMap(keysOfOne);
  if (keys.length === 0) return { missing: new Set(), knownOf: () => 'all' };
  try {
    const { missing, unasked } = await missingDocuments(deps, keys, beforeCall);
    return { missing, knownOf: (one) => (unasked.size > 0 && keysOfOne(one).some((key) => unasked.has(key)) ? 'unasked' : 'all') };
  } catch (error) {
    deps.log.error('documents_not_looked_up', error, { documents: keys.length });
    return { missing: new Set(), knownOf: (one) => (keysOfOne(one).length > 0 ? 'failed' : 'all') };
  }
}
