import { admit, MAX_JUDGEMENTS, type Refusal } from '../account-facts';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { undocumentedOf } from '../shared/shape';
import { unreachable } from '../shared/unreachable';
import type { Caller } from '../tokens';
import type { InstructionDetails } from './instruction';
import { withoutFullNumbers } from './redact';
import { alreadyActive, type Verdict, vendorErrors, verdictOn } from './rules';
import { type InstructionType, paymentInstructionBody, type Vendor } from './schema';
import { loadFacts, type Subject, storeActive } from './store';
import { askVendor } from './vendors';

/** What of the request is repeated in a refusal: only fields that were well-formed. */
export interface Sent extends Subject {
  readonly reference?: string | undefined;
}

export type CreateOutcome =
  | Exclude<Refusal, { readonly kind: 'invalid' }>
  | {
      readonly kind: 'invalid';
      readonly errors: readonly FieldError[];
      readonly sent: Sent;
      /** The instruction that is active already, where that is why. Not its reference: whoever posts another may not know it. */
      readonly active?: ActiveInstruction;
    }
  | { readonly kind: 'stored'; readonly accountNumber: string; readonly reference: string }
  | { readonly kind: 'vendor_unavailable'; readonly sent: Sent };

export interface ActiveInstruction {
  readonly vendor: string;
  readonly type: InstructionType;
}

interface Instruction {
  readonly vendor: Vendor;
  readonly reference: string;
  readonly type: InstructionType;
}

/**
 * Verifies a payment instruction at its vendor and makes it the active one of its type (§4.4). Where the facts change under it,
 * it is judged again without asking the vendor again.
 */
export async function createPaymentInstruction(deps: Deps, caller: Caller, raw: unknown): Promise<CreateOutcome> {
  const parsed = parse(paymentInstructionBody, raw);
  const { draft } = parsed;
  let facts = await loadFacts(deps, caller, draft);
  let details: InstructionDetails | undefined;
  for (let judged = 0; judged < MAX_JUDGEMENTS; judged++) {
    const admission = admit(raw, parsed, vendorErrors(draft.vendor, facts.supplier), facts);
    if (admission.kind === 'invalid') return { ...admission, sent: draft };
    if (admission.kind !== 'admitted') return admission;
    const { value: sent, supplier, account } = admission;
    const { vendor, reference, type } = sent;
    if (facts.active) {
      const isSame = facts.active.vendor === vendor && facts.active.reference === reference;
      return isSame
        ? { kind: 'stored', accountNumber: account.accountNumber, reference }
        : { kind: 'invalid', errors: [alreadyActive(facts.active.vendor, type)], sent, active: { vendor: facts.active.vendor, type } };
    }
    if (!details) {
      const verdict = await verify(deps, sent);
      if (verdict.kind === 'refused') return { kind: 'invalid', errors: [verdict.error], sent };
      if (verdict.kind === 'unavailable') return { kind: 'vendor_unavailable', sent };
      details = verdict.details;
    }
    const row = { accountId: account.id, type, vendor, reference, details: { ...details, ...moreOf(sent) }, createdAt: deps.now() };
    facts = await storeActive(deps, caller, supplier, sent, row);
  }
  throw new Error('the supplier kept changing while a payment instruction was stored');
}

/** What was sent beside the documented fields, in a place of its own: the vendor's word is not to be mistaken for the importer's. */
function moreOf(sent: Instruction): Pick<InstructionDetails, 'sent'> {
  const more = undocumentedOf(paymentInstructionBody, sent);
  return more ? { sent: withoutFullNumbers(more, 'instruction') } : {};
}

/** Asks the vendor; what an operator has to mend is loud in the log. */
async function verify(deps: Deps, { vendor, reference, type }: Instruction): Promise<Verdict> {
  const answer = await askVendor(vendor, reference, deps.env, deps.now());
  switch (answer.kind) {
    case 'not_configured':
      deps.log.error('vendor_not_configured', undefined, { vendor });
      break;
    case 'rejected_credentials':
      deps.log.error('vendor_rejected_credentials', undefined, { vendor });
      break;
    case 'unavailable':
      deps.log.error('vendor_unavailable', undefined, { vendor, reason: answer.reason });
      break;
    case 'found':
    case 'not_found':
      break;
    default:
      return unreachable(answer);
  }
  return verdictOn(answer, type);
}
