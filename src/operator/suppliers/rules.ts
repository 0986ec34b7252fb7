/**
 * What an operator may ask of a supplier: known settings, and the life cycle `Ongoing ⇄ Paused`, either → `Complete`,
 * `Complete → Ongoing` with a reason (contract 6). Pure.
 */
import { type FieldError, fieldError, valueAt } from '../../shared/errors';
import { type SupplierConfiguration, type SupplierStatus, settledConfiguration } from '../../suppliers';

/** What is in force where nothing was configured. */
export const DEFAULT_CONFIGURATION: SupplierConfiguration = {
  default_country: '',
  documents_root: '',
  send_customer_emails: false,
  extra_charge_reasons: [],
  extra_credit_reasons: [],
  vendors: [],
  payload_retention_days: 90,
};

function givenSettings(raw: unknown): [string, unknown][] {
  const configuration = valueAt(raw, ['configuration']);
  return typeof configuration === 'object' && configuration !== null ? Object.entries(configuration) : [];
}

/** One error for each setting that does not exist. */
export const unknownSettings = (raw: unknown): FieldError[] =>
  givenSettings(raw)
    .filter(([key]) => !Object.hasOwn(DEFAULT_CONFIGURATION, key))
    .map(([key]) => fieldError(['configuration', key], 'invalid', 'There is no such setting.'));

/**
 * The configuration after a body without errors was merged into it, key by key. `null` leaves a setting as it is; unlike
 * elsewhere `''` and `[]` are given: they are how a setting is cleared.
 */
export const mergedConfiguration = (current: SupplierConfiguration, raw: unknown): SupplierConfiguration =>
  settledConfiguration({ ...current, ...Object.fromEntries(givenSettings(raw).filter(([, value]) => value !== null)) });

export type StatusChange =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'reason_required' }
  | { readonly kind: 'refused'; readonly detail: string };

/** Judges a change of status; to stay is always allowed. */
export function judgeStatusChange(from: SupplierStatus, to: SupplierStatus, reason: string | undefined): StatusChange {
  if (from !== 'Complete' || to === 'Complete') return { kind: 'allowed' };
  if (to === 'Paused') return { kind: 'refused', detail: 'A complete supplier can only be made Ongoing again.' };
  return reason?.trim() ? { kind: 'allowed' } : { kind: 'reason_required' };
}
