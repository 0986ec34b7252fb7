/**
 * Lists the documents of a supplier, as they lie in the bucket (§4.18).
 */
import { loadAccountState } from '../account-state';
import type { Deps } from '../deps';
import { documentPrefix, isLongerThanKey } from '../shared/document-paths';
import type { Caller } from '../tokens';
import { askerOf, NOT_ASKED } from './bucket';
import { documentKey, folderOf } from './rules';

export interface DocumentsWanted {
  readonly supplierCode: string;
  /** What the paths begin with. */
  readonly prefix: string;
  readonly limit: number;
  /** The path that the page begins after; undefined for the first. */
  readonly cursor: string | undefined;
}

/** A document of the bucket; `path` is the one that payloads name. */
export interface StoredDocument {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
}

export type DocumentPage =
  | { readonly kind: 'unauthenticated' | 'not_found' | 'prefix_too_long' | 'unknown_cursor' }
  /** `cursor`: the path after which the next page begins; undefined on the last. */
  | { readonly kind: 'page'; readonly documents: readonly StoredDocument[]; readonly cursor: string | undefined };

/** One page in the order of the keys. Objects that no document path can name are left out, so a page may hold fewer than asked for. */
export async function listDocuments(deps: Deps, caller: Caller, wanted: DocumentsWanted): Promise<DocumentPage> {
  const { isCallerActive, supplier } = await loadAccountState(deps, caller, wanted.supplierCode, undefined);
  if (!isCallerActive) return { kind: 'unauthenticated' };
  if (!supplier) return { kind: 'not_found' };
  const root = supplier.configuration.documents_root;
  const folder = folderOf(root);
  const prefix = `${folder}${documentPrefix(wanted.prefix) ?? ''}`;
  if (isLongerThanKey(prefix)) return { kind: 'prefix_too_long' };
  const { cursor, limit } = wanted;
  if (cursor !== undefined && (cursor === '' || isLongerThanKey(folder + cursor))) return { kind: 'unknown_cursor' };
  const options = { prefix, limit, ...(cursor === undefined ? {} : { startAfter: folder + cursor }) };
  const page = await askerOf(deps)((bucket) => bucket.list(options));
  if (page === NOT_ASKED) throw new Error('the request has no calls left to list documents');
  const documents = page.objects.flatMap(({ key, size, etag }) => {
    const path = key.slice(folder.length);
    const named = documentKey(root, path);
    return named.kind === 'key' && named.key === key ? [{ path, size, etag }] : [];
  });
  return { kind: 'page', documents, cursor: page.truncated ? page.objects.at(-1)?.key.slice(folder.length) : undefined };
}
