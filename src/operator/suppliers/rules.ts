/**
 * What an operator may ask of a supplier: known settings, a folder of its own, and the life cycle `Ongoing ⇄ Paused`, either → `Complete`,
 * `Complete → Ongoing` with a reason (§3.1). Pure.
 */
import { documentsRoot, INVALID_DOCUMENT_PATH, relativeDocumentPath } from '../../shared/document-paths';
import { type FieldError, fieldError, valueAt } from '../../shared/errors';
import { SETTINGS, type Setting, type SupplierStatus } from '../../suppliers';

/** The settings of a body that were given. `null` leaves a setting as it is; unlike elsewhere `''` and `[]` are given: they clear it. */
export function givenSettings(raw: unknown): ReadonlyMap<string, unknown> {
  const configuration = valueAt(raw, ['configuration']);
  const given = typeof configuration === 'object' && configuration !== null ? Object.entries(configuration) : [];
  return new Map(given.filter(([, value]) => value !== null));
}

const KNOWN: ReadonlySet<string> = new Set(SETTINGS);

/** One error for each setting that does not exist. */
export const unknownSettings = (raw: unknown): FieldError[] => {
  const configuration = valueAt(raw, ['configuration']);
  const names = typeof configuration === 'object' && configuration !== null ? Object.keys(configuration) : [];
  return names
    .filter((name) => !KNOWN.has(name))
    .map((name) => fieldError(['configuration', name], 'invalid', 'There is no such setting.'));
};

/** One error for each setting that cannot be read as it is stored and is not given anew. */
export const unreadableErrors = (unreadable: readonly Setting[], given: ReadonlyMap<string, unknown>): FieldError[] =>
  unreadable
    .filter((setting) => !given.has(setting))
    .map((setting) => fieldError(['configuration', setting], 'required', 'What is stored here cannot be read: give this setting anew.'));

const ROOT = ['configuration', 'documents_root'];

/** A supplier's root of documents, and the organisation it belongs to. */
export interface OwnedRoot {
  readonly organisationId: string;
  readonly root: string;
}

/**
 * What is wrong with the root of a supplier's documents. Codes: `unique` if it equals, holds or lies in the root of another organisation's
 * supplier; `invalid_document_path` for a code that is no folder, where the root is not given.
 */
export function rootErrors(own: OwnedRoot, others: readonly OwnedRoot[]): FieldError[] {
  if (relativeDocumentPath(own.root) === undefined) return [fieldError(ROOT, INVALID_DOCUMENT_PATH.code, INVALID_DOCUMENT_PATH.detail)];
  const isTaken = others.some((other) => other.organisationId !== own.organisationId && areNested(documentsRoot(other.root), own.root));
  return isTaken ? [rootTaken] : [];
}

export const rootTaken = fieldError(
  ROOT,
  'unique',
  'Documents of another organisation lie in this folder, above or below it. Choose a folder apart from theirs.',
);

/** True if one folder is the other or lies in it. */
const areNested = (a: string, b: string): boolean => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);

export type StatusChange =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'reason_required' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Whether a status may follow another; to stay is always allowed. `from` is undefined where the stored status cannot be read. */
export function checkStatusChange(from: SupplierStatus | undefined, to: SupplierStatus, reason: string | undefined): StatusChange {
  if (from === 'Ongoing' || from === 'Paused' || from === to) return { kind: 'allowed' };
  if (from === 'Complete' && to === 'Paused') return { kind: 'refused', detail: 'A complete supplier can only be made Ongoing again.' };
  return reason?.trim() ? { kind: 'allowed' } : { kind: 'reason_required' };
}
