import { admit, MAX_JUDGEMENTS, type Refusal } from '../account-facts';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { unreachable } from '../shared/unreachable';
import type { Caller } from '../tokens';
import type { InstructionDetails } from './instruction';
import { ALREADY_ACTIVE, type Verdict, vendorErrors, verdictOn } from './rules';
import { type InstructionType, paymentInstructionBody, type Vendor } from './schema';
import { loadFacts, type Subject, storeActive } from './store';
import { askVendor } from './vendors';

/** What of the request is repeated in a refusal: only fields that were well-formed. */
export interface Sent extends Subject {
  readonly reference?: string | undefined;
}

export type CreateOutcome =
  | Exclude<Refusal, { readonly kind: 'invalid' }>
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly sent: Sent }
  | { readonly kind: 'stored'; readonly accountNumber: string; readonly reference: string }
  | { readonly kind: 'vendor_unavailable'; readonly sent: Sent };

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
        : { kind: 'invalid', errors: [ALREADY_ACTIVE], sent };
    }
    if (!details) {
      const verdict = await verify(deps, sent);
      if (verdict.kind === 'refused') return { kind: 'invalid', errors: [verdict.error], sent };
      if (verdict.kind === 'unavailable') return { kind: 'vendor_unavailable', sent };
      details = verdict.details;
    }
    const row = { accountId: account.id, type, vendor, reference, details, createdAt: deps.now() };
    facts = await storeActive(deps, caller, supplier, sent, row);
  }
  throw new Error('the supplier kept changing while a payment instruction was stored');
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
