/**
 * Says which documents are in the bucket before an account names them (§4.16).
 */
import { loadAccountState } from '../account-state';
import type { Deps } from '../deps';
import { type FieldError, fieldError, inPayloadOrder } from '../shared/errors';
import { parse } from '../shared/parse';
import { gateErrors } from '../suppliers';
import type { Caller } from '../tokens';
import { missingOfMany } from './many';
import { documentKey, folderOf, MAX_DOCUMENT_PATHS } from './rules';
import { documentsBody } from './schema';

export type FindOutcome =
  | { readonly kind: 'unauthenticated' | 'not_found' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** Paths as they were sent, in their order. */
  | { readonly kind: 'found'; readonly found: number; readonly missing: readonly string[]; readonly invalid: readonly string[] };

export async function findDocuments(deps: Deps, caller: Caller, raw: unknown): Promise<FindOutcome> {
  const parsed = parse(documentsBody, raw);
  const { isCallerActive, supplier } = await loadAccountState(deps, caller, parsed.draft.import_supplier, undefined);
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const errors = [...parsed.errors, ...(supplier ? gateErrors(supplier) : [])];
  if (errors.length > 0 || !parsed.value) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  if (!supplier) return { kind: 'not_found' };
  const root = supplier.configuration.documents_root;
  const asked = parsed.value.document_paths.map((path) => ({ path, key: documentKey(root, path) }));
  const keys = asked.flatMap(({ key }) => (key.kind === 'key' ? [key.key] : []));
  const lookedUp = await missingOfMany(deps, folderOf(root), keys);
  if (lookedUp.kind === 'too_many_calls') return { kind: 'invalid', errors: [TOO_FAR_APART] };
  const invalid = asked.filter(({ key }) => key.kind === 'invalid');
  const missing = asked.filter(({ key }) => key.kind === 'key' && lookedUp.missing.has(key.key));
  const found = asked.length - invalid.length - missing.length;
  return { kind: 'found', found, missing: missing.map(({ path }) => path), invalid: invalid.map(({ path }) => path) };
}

const TOO_FAR_APART = fieldError(
  ['document_paths'],
  'max_length',
  `These documents lie too far apart in the bucket to be looked up in one request. Send at most ${MAX_DOCUMENT_PATHS} paths in each.`,
);
