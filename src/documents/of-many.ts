/**
 * The documents of many payloads, looked up together.
 */
import type { Deps } from '../deps';
import { missingDocuments } from './resolve';

/** A payload, by the keys of the documents that it names. */
export interface NamesDocuments {
  readonly documentKeys: readonly string[];
}

/** What is known of the documents of one payload: everything; nothing, because the store failed; or too little, because this invocation may ask no more. */
export type KnownDocuments = 'all' | 'failed' | 'unasked';

export interface DocumentsOfMany {
  /** Keys that name no object. */
  readonly missing: ReadonlySet<string>;
  knownOf(one: NamesDocuments): KnownDocuments;
}

/** Looks up all named documents in few calls. `beforeCall` runs before each of them. */
export async function lookUpDocuments(
  deps: Deps,
  many: readonly NamesDocuments[],
  beforeCall?: () => Promise<void>,
): Promise<DocumentsOfMany> {
  const keys = many.flatMap(({ documentKeys }) => documentKeys);
  if (keys.length === 0) return { missing: new Set(), knownOf: () => 'all' };
  try {
    const { missing, unasked } = await missingDocuments(deps, keys, beforeCall);
    return { missing, knownOf: ({ documentKeys }) => (documentKeys.some((key) => unasked.has(key)) ? 'unasked' : 'all') };
  } catch (error) {
    deps.log.error('documents_not_looked_up', error, { documents: keys.length });
    return { missing: new Set(), knownOf: ({ documentKeys }) => (documentKeys.length > 0 ? 'failed' : 'all') };
  }
}
