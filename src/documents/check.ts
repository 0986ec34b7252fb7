/**
 * Judges the documents a payload names (§2.1): allowed paths that name something.
 */
import type { Deps } from '../deps';
import { type FieldError, fieldError } from '../shared/errors';
import type { Supplier } from '../suppliers';
import { missingDocuments } from './resolve';
import { type DocumentReference, judgeDocuments, keysOf } from './rules';

/** §8: how many document paths one request may name. */
export const MAX_DOCUMENT_PATHS = 500;

/**
 * Codes: `invalid_document_path`; `document_not_found`; `max_length` at the first path beyond 500, and no look-up then.
 * Without a supplier there is no root: only what no root could mend is told.
 */
export async function documentErrors(
  deps: Pick<Deps, 'documents'>,
  supplier: Supplier | undefined,
  items: readonly DocumentReference[],
): Promise<FieldError[]> {
  const root = supplier?.configuration.documents_root ?? '';
  const beyond = items[MAX_DOCUMENT_PATHS];
  if (beyond) {
    const tooMany = fieldError(beyond.path, 'max_length', `Ensure a request names no more than ${MAX_DOCUMENT_PATHS} documents.`);
    return [tooMany, ...judgeDocuments(root, items, new Set())];
  }
  return judgeDocuments(root, items, supplier ? await missingDocuments(deps, keysOf(root, items)) : new Set());
}
