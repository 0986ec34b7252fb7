/**
 * Judges the documents a payload names (§2.1): allowed paths that name something.
 */
import type { Deps } from '../deps';
import { INVALID_DOCUMENT_PATH } from '../shared/document-paths';
import { type FieldError, fieldError } from '../shared/errors';
import type { Supplier } from '../suppliers';
import { missingDocuments } from './resolve';
import { type DocumentReference, documentKey } from './rules';

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
  const errors: FieldError[] = [];
  const beyond = items[MAX_DOCUMENT_PATHS];
  if (beyond) errors.push(fieldError(beyond.path, 'max_length', `Ensure a request names no more than ${MAX_DOCUMENT_PATHS} documents.`));
  const located: { reference: DocumentReference; key: string }[] = [];
  for (const reference of items) {
    const judged = documentKey(supplier?.configuration.documents_root ?? '', reference.documentPath);
    if (judged.kind === 'key') located.push({ reference, key: judged.key });
    else errors.push(fieldError(reference.path, INVALID_DOCUMENT_PATH.code, INVALID_DOCUMENT_PATH.detail));
  }
  if (!supplier || beyond) return errors;
  const missing = await missingDocuments(
    deps,
    located.map(({ key }) => key),
  );
  for (const { reference, key } of located) {
    if (missing.has(key)) errors.push(fieldError(reference.path, 'document_not_found', 'There is no document at this path.'));
  }
  return errors;
}
