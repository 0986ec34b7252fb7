/**
 * Validates the documents a payload names (§2.1): allowed paths that name something.
 */
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import type { Supplier } from '../suppliers';
import { missingDocuments } from './resolve';
import { type DocumentReference, documentPathErrors, keysOf, MAX_DOCUMENT_PATHS } from './rules';

/** As {@link documentPathErrors}, after a look-up. Without a supplier there is no root: then only paths that are wrong under any root are errors. */
export async function documentErrors(
  deps: Pick<Deps, 'documents' | 'calls'>,
  supplier: Supplier | undefined,
  items: readonly DocumentReference[],
): Promise<FieldError[]> {
  const root = supplier?.configuration.documents_root ?? '';
  if (supplier === undefined || items.length > MAX_DOCUMENT_PATHS) return documentPathErrors(root, items, new Set());
  const { missing, unasked } = await missingDocuments(deps, keysOf(root, items));
  if (unasked.size > 0) throw new Error('the request has no calls left to look its documents up');
  return documentPathErrors(root, items, missing);
}
