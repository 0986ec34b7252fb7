import { documentKey } from './rules';

/** From validated document paths to their keys. A path that was not validated throws: a bug of the caller. */
export const keyOfUnder =
  (root: string) =>
  (documentPath: string): string => {
    const found = documentKey(root, documentPath);
    if (found.kind === 'invalid') throw new Error('a document path was not validated');
    return found.key;
  };
