/**
 * From the path of a payload to the key of its object (§2.1). Pure.
 */
import { documentsRoot, INVALID_DOCUMENT_PATH, isLongerThanKey, relativeDocumentPath } from '../shared/document-paths';
import { type FieldError, fieldError, type Path } from '../shared/errors';

export type DocumentKey = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'invalid' };

/** A document as a payload names it, and where in the payload. */
export interface DocumentReference {
  readonly path: Path;
  readonly documentPath: string;
}

/** The supplier's root, then the path, with exactly one `/` between. Without a root (`''`) a path is only checked, never looked up. */
export function documentKey(root: string, path: string): DocumentKey {
  const relative = relativeDocumentPath(path);
  if (relative === undefined) return { kind: 'invalid' };
  const key = folderOf(root) + relative;
  return isLongerThanKey(key) ? { kind: 'invalid' } : { kind: 'key', key };
}

/** What every key below a root begins with: the root and its closing `/`; `''` without a root. */
export function folderOf(root: string): string {
  const folder = documentsRoot(root);
  return folder === '' ? '' : `${folder}/`;
}

/** The directory of a key with its closing `/`; `''` for a key at the top of the bucket. */
export const directoryOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** The keys of the documents whose paths are allowed. */
export const keysOf = (root: string, items: readonly DocumentReference[]): string[] =>
  items.flatMap(({ documentPath }) => {
    const found = documentKey(root, documentPath);
    return found.kind === 'key' ? [found.key] : [];
  });

/** §8: how many document paths one request, or one account, may name. */
export const MAX_DOCUMENT_PATHS = 500;

/**
 * Validates documents by what is known to be missing. Codes: `invalid_document_path`, `document_not_found`, and `max_length` at the
 * first path beyond 500.
 */
export function documentPathErrors(root: string, items: readonly DocumentReference[], missing: ReadonlySet<string>): FieldError[] {
  const beyond = items[MAX_DOCUMENT_PATHS];
  const errors = beyond
    ? [fieldError(beyond.path, 'max_length', `Ensure a request names no more than ${MAX_DOCUMENT_PATHS} documents.`)]
    : [];
  for (const { path, documentPath } of items) {
    const found = documentKey(root, documentPath);
    if (found.kind === 'invalid') errors.push(fieldError(path, INVALID_DOCUMENT_PATH.code, INVALID_DOCUMENT_PATH.detail));
    else if (missing.has(found.key)) errors.push(fieldError(path, 'document_not_found', 'There is no document at this path.'));
  }
  return errors;
}
