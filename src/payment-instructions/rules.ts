/** What is decided about a payment instruction (§2.6, §4.4). Pure. */
import type { FieldCode } from '../shared/error-codes';
import { type FieldError, fieldError } from '../shared/errors';
import { unreachable } from '../shared/unreachable';
import type { Vendor } from '../shared/vendors';
import type { Supplier } from '../suppliers';
import type { InstructionDetails } from './instruction';
import type { InstructionType } from './schema';
import type { VendorAnswer } from './vendors/answer';

/** The vendor must be one of those the supplier is limited to, if it is. */
export function vendorErrors(vendor: Vendor | undefined, supplier: Supplier | undefined): FieldError[] {
  const allowed = supplier?.configuration.vendors ?? [];
  if (vendor === undefined || allowed.length === 0 || allowed.includes(vendor)) return [];
  return [fieldError(['vendor'], 'invalid_choice', 'This vendor is not enabled for the import supplier.')];
}

/** The account has one active instruction of a type, and it is another. */
export const alreadyActive = (vendor: string, type: InstructionType): FieldError =>
  fieldError(
    ['non_field_errors'],
    'payment_instruction_already_active',
    `The account has another active payment instruction of this type: ${type} at ${vendor}.`,
  );

export type Verdict =
  | { readonly kind: 'verified'; readonly details: InstructionDetails }
  | { readonly kind: 'refused'; readonly error: FieldError }
  | { readonly kind: 'unavailable'; readonly reason: string };

const refused = (field: 'reference' | 'type' | 'vendor', code: FieldCode, detail: string): Verdict => ({
  kind: 'refused',
  error: fieldError([field], code, detail),
});

/** What a vendor's answer means for an instruction sent as `type`: persistent failures are refused, intermittent ones are not validated. */
export function verdictOn(answer: VendorAnswer, type: InstructionType): Verdict {
  switch (answer.kind) {
    case 'found':
      if (!answer.isActive)
        return refused('reference', 'payment_instruction_inactive', 'The payment instruction is no longer active at the vendor.');
      if (answer.method !== type)
        return refused('type', 'payment_instruction_type_mismatch', 'The payment instruction is of another type at the vendor.');
      return { kind: 'verified', details: answer.details };
    case 'not_found':
      return refused('reference', 'payment_instruction_not_found', 'The vendor does not know this payment instruction.');
    case 'not_configured':
      return refused('vendor', 'vendor_not_configured', 'This vendor is not configured. Ask the platform operator.');
    case 'rejected_credentials':
      return refused('vendor', 'vendor_rejected_credentials', 'The vendor refused our credentials. Ask the platform operator.');
    case 'unavailable':
      return { kind: 'unavailable', reason: answer.reason };
    default:
      return unreachable(answer);
  }
}
