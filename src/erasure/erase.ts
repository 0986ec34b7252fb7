/**
 * What the erasure of an account and that of an import process have in common.
 */
import type { Deps } from '../deps';
import { deleteDocuments } from '../documents';
import type { FieldError } from '../shared/errors';

export interface Erasure {
  readonly supplierCode: string;
  readonly externalAccountNumber: string;
  /** Null where it was never imported. */
  readonly accountNumber: string | null;
  /** Unix milliseconds: when it was erased first. */
  readonly erasedAt: number;
  /** The keys of the documents it named; none if it was erased before. */
  readonly documents: readonly string[];
  readonly areDocumentsDeleted: boolean;
}

export type Erased =
  | { readonly kind: 'erased'; readonly erasure: Erasure }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Deletes the documents where that is asked for, before anything is overwritten: their keys are known from nowhere else. A failure
 * of the bucket so leaves all as it is, and the erasure can be asked for again.
 */
export async function deleteFirst(deps: Deps, isAskedFor: boolean, keys: readonly string[]): Promise<boolean> {
  if (!isAskedFor || keys.length === 0) return false;
  await deleteDocuments(deps, keys);
  return true;
}

export const CHANGED = { kind: 'refused', detail: 'It was changed meanwhile. Look at it again, then erase it.' } as const;
