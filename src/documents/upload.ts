/**
 * Stores a document under its supplier's root (§4.17), once: what an account may point to is never replaced.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { loadAccountState } from '../account-state';
import type { Deps } from '../deps';
import { INVALID_DOCUMENT_PATH, relativeDocumentPath } from '../shared/document-paths';
import { type FieldError, fieldError } from '../shared/errors';
import { gateErrors } from '../suppliers';
import type { Caller } from '../tokens';
import { askerOf, NOT_ASKED } from './bucket';
import type { StoredDocument } from './list';
import { documentKey } from './rules';
import { mismatches, type SentDigest, sentDigests } from './rules-digests';
import { readBody, Storing, type WholeBody } from './upload-body';

export interface SentDocument {
  readonly supplierCode: string;
  readonly path: string;
  /** Bytes, as announced. */
  readonly size: number;
  readonly contentType: string | undefined;
  /** Headers that the document is verified by, as they were sent. */
  readonly contentMd5: string | undefined;
  readonly reprDigest: string | undefined;
  readonly body: ReadableStream<Uint8Array> | null;
}

type Refusal = { readonly kind: 'unauthenticated' | 'not_found' } | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export type UploadOutcome =
  | Refusal
  /** The sender hung up before the end; or another document is at the path. */
  | { readonly kind: 'cut' | 'exists' }
  /** `same`: the document was there before, with the same content. */
  | { readonly kind: 'stored' | 'same'; readonly document: StoredDocument };

export async function uploadDocument(deps: Deps, caller: Caller, sent: SentDocument): Promise<UploadOutcome> {
  const place = await placeOf(deps, caller, sent);
  if (place.kind !== 'place') return place;
  const existing = await lookUp(deps, place.key);
  const storing = existing ? undefined : new Storing(deps, place.key, sent.size, sent.contentType);
  const whole = await readBody(sent.body, sent.size, storing?.sink ?? (() => Promise.resolve()));
  const refusal = whole ? (mismatch(place.digests, whole) ?? (await moved(deps, caller, sent, place.key))) : ({ kind: 'cut' } as const);
  if (refusal || !whole) {
    await storing?.abandon();
    return refusal ?? { kind: 'cut' };
  }
  const stored = await storing?.finish(whole.last);
  if (stored) return { kind: 'stored', document: viewOf(place.path, stored) };
  // Another request may have been first.
  const other = existing ?? (await lookUp(deps, place.key));
  if (!other) throw new Error('the bucket has refused a document because of one that is not there');
  const isSame = await hasContent(deps, other, sent.size, whole.digests.md5);
  return isSame ? { kind: 'same', document: viewOf(place.path, other) } : { kind: 'exists' };
}

type Place = Refusal | { readonly kind: 'place'; readonly path: string; readonly key: string; readonly digests: readonly SentDigest[] };

/** Where the document goes, or all that is wrong with the request but for its body. */
async function placeOf(deps: Deps, caller: Caller, { supplierCode, path, contentMd5, reprDigest }: SentDocument): Promise<Place> {
  const { isCallerActive, supplier } = await loadAccountState(deps, caller, supplierCode, undefined);
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const { digests, errors: unreadable } = sentDigests(contentMd5, reprDigest);
  const found = documentKey(supplier?.configuration.documents_root ?? '', path);
  const errors = [
    ...(supplier ? gateErrors(supplier) : []),
    ...(found.kind === 'invalid' ? [fieldError(['document_path'], INVALID_DOCUMENT_PATH.code, INVALID_DOCUMENT_PATH.detail)] : []),
    ...unreadable,
  ];
  if (errors.length > 0 || found.kind === 'invalid') return { kind: 'invalid', errors };
  return supplier ? { kind: 'place', path: relativeDocumentPath(path) ?? path, key: found.key, digests } : { kind: 'not_found' };
}

function mismatch(sent: readonly SentDigest[], { digests }: WholeBody): Refusal | undefined {
  const errors = mismatches(sent, digests);
  return errors.length > 0 ? { kind: 'invalid', errors } : undefined;
}

/** An upload may take minutes: its supplier, its key and its place are looked at again before its last bytes are stored. */
async function moved(deps: Deps, caller: Caller, sent: SentDocument, key: string): Promise<Refusal | undefined> {
  const place = await placeOf(deps, caller, sent);
  if (place.kind !== 'place') return place;
  if (place.key !== key) throw new Error('the root of documents has changed while a document was uploaded');
  return undefined;
}

async function lookUp(deps: Deps, key: string): Promise<R2Object | null> {
  const found = await askerOf(deps)((bucket) => bucket.head(key));
  if (found === NOT_ASKED) throw new Error('the request has no calls left to look a document up');
  return found;
}

/** The bucket has an MD5 of whatever was stored in one piece; what was stored in several is read for it. `md5` in base64. */
async function hasContent(deps: Deps, object: R2Object, size: number, md5: string): Promise<boolean> {
  if (object.size !== size) return false;
  const { md5: known } = object.checksums;
  if (known) return Buffer.from(known).toString('base64') === md5;
  const stored = await deps.documents.get(object.key);
  if (!stored) throw new Error('a document was deleted while it was compared');
  const hash = createHash('md5');
  for await (const part of stored.body) hash.update(part);
  return hash.digest('base64') === md5;
}

const viewOf = (path: string, { size, etag }: R2Object): StoredDocument => ({ path, size, etag });
