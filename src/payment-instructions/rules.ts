/** What is decided about a payment instruction (§2.6, §4.4). Pure. */
import type { AccountFacts, ImportedAccount } from '../account-facts';
import { type FieldError, fieldError, inPayloadOrder } from '../shared/errors';
import type { Draft } from '../shared/parse';
import { unreachable } from '../shared/unreachable';
import { gateErrors, type Supplier } from '../suppliers';
import type { InstructionDetails } from './instruction';
import type { InstructionType, Vendor } from './schema';
import type { VendorAnswer } from './vendors/answer';

export interface SentInstruction {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly vendor: Vendor;
  readonly reference: string;
  readonly type: InstructionType;
}

export interface InstructionFacts extends AccountFacts {
  /** The account's active instruction of the type that was sent. */
  readonly active: { readonly vendor: string; readonly reference: string } | undefined;
}

export type Judgement =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: FieldError[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'stored'; readonly accountNumber: string; readonly reference: string }
  | { readonly kind: 'to_verify'; readonly sent: SentInstruction; readonly supplier: Supplier; readonly account: ImportedAccount };

/** Judges by everything that is known without the vendor. `errors` are those of the fields. */
export function judge(raw: unknown, draft: Draft<SentInstruction>, errors: readonly FieldError[], facts: InstructionFacts): Judgement {
  if (!facts.isCallerActive) return { kind: 'unauthenticated' };
  const all = [...errors, ...(facts.supplier ? [...gateErrors(facts.supplier), ...vendorErrors(draft, facts.supplier)] : [])];
  if (all.length > 0 || !isComplete(draft)) return { kind: 'invalid', errors: inPayloadOrder(raw, all) };
  const { supplier, account, active } = facts;
  if (!supplier || !account) return { kind: 'not_found' };
  if (!active) return { kind: 'to_verify', sent: draft, supplier, account };
  if (active.vendor === draft.vendor && active.reference === draft.reference)
    return { kind: 'stored', accountNumber: account.accountNumber, reference: draft.reference };
  return { kind: 'invalid', errors: [ALREADY_ACTIVE] };
}

const ALREADY_ACTIVE = fieldError(
  ['non_field_errors'],
  'payment_instruction_already_active',
  'The account has another active payment instruction of this type.',
);

const isComplete = (draft: Draft<SentInstruction>): draft is SentInstruction =>
  draft.import_supplier !== undefined &&
  draft.external_account_number !== undefined &&
  draft.vendor !== undefined &&
  draft.reference !== undefined &&
  draft.type !== undefined;

function vendorErrors({ vendor }: Draft<SentInstruction>, { configuration: { vendors } }: Supplier): FieldError[] {
  if (vendor === undefined || vendors.length === 0 || vendors.includes(vendor)) return [];
  return [fieldError(['vendor'], 'invalid_choice', 'This vendor is not enabled for the import supplier.')];
}

export type Verdict =
  | { readonly kind: 'verified'; readonly details: InstructionDetails }
  | { readonly kind: 'refused'; readonly error: FieldError }
  | { readonly kind: 'unavailable'; readonly reason: string };

const refused = (field: 'reference' | 'type' | 'vendor', code: string, detail: string): Verdict => ({
  kind: 'refused',
  error: fieldError([field], code, detail),
});

/** What a vendor's answer means for an instruction sent as `type`: persistent failures are refused, intermittent ones are not judged. */
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
