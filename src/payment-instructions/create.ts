import type { ImportedAccount } from '../account-state';
import { type Attempt, addToAccount, type Refusal } from '../additions';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { undocumentedOf } from '../shared/shape';
import { unreachable } from '../shared/unreachable';
import type { Vendor } from '../shared/vendors';
import type { Caller } from '../tokens';
import type { InstructionDetails } from './instruction';
import { withoutFullNumbers } from './redact';
import { alreadyActive, type Verdict, vendorErrors, verdictOn } from './rules';
import { type InstructionType, paymentInstructionBody } from './schema';
import { loadState, type StoredState, type Subject, storeActive } from './store';
import { askVendor } from './vendors';

/** What of the request is repeated in a refusal: only fields that were well-formed. */
export interface Sent extends Subject {
  readonly reference?: string | undefined;
}

/** The instruction was stored, or was the active one already. */
type Stored = { readonly kind: 'stored'; readonly accountNumber: string; readonly reference: string };

export type CreateOutcome =
  | Exclude<Refusal, { readonly kind: 'invalid' }>
  | {
      readonly kind: 'invalid';
      readonly errors: readonly FieldError[];
      readonly sent: Sent;
      /** The instruction that is active already, where that is why. Not its reference: whoever posts another may not know it. */
      readonly active?: ActiveInstruction;
    }
  | Stored
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

/** What becomes of a valid request. */
type InstructionOutcome =
  | Stored
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly active?: ActiveInstruction }
  | { readonly kind: 'vendor_unavailable' };

/**
 * Verifies a payment instruction at its vendor and makes it the active one of its type (§4.4). A request that is validated again
 * does not ask the vendor again.
 */
export async function createPaymentInstruction(deps: Deps, caller: Caller, raw: unknown): Promise<CreateOutcome> {
  const parsed = parse(paymentInstructionBody, raw);
  const { draft } = parsed;
  let details: InstructionDetails | undefined;
  const outcome = await addToAccount(deps, caller, {
    raw,
    parsed,
    load: () => loadState(deps, caller, draft),
    ruleErrors: (supplier) => vendorErrors(draft.vendor, supplier),
    documents: [],
    store: async (sent, target, { active }): Promise<Attempt<StoredState, InstructionOutcome>> => {
      const { account } = target;
      if (active) return { kind: 'answered', outcome: besides(active, sent, account) };
      if (!details) {
        const verdict = await verify(deps, sent);
        if (verdict.kind === 'refused') return { kind: 'answered', outcome: { kind: 'invalid', errors: [verdict.error] } };
        if (verdict.kind === 'unavailable') return { kind: 'answered', outcome: { kind: 'vendor_unavailable' } };
        details = verdict.details;
      }
      const { type, vendor, reference } = sent;
      const row = { accountId: account.id, type, vendor, reference, details: { ...details, ...moreOf(sent) }, createdAt: deps.now() };
      const state = await storeActive(deps, target, row);
      return { kind: 'written', state, outcome: () => besides(state.active, sent, account) };
    },
  });
  return outcome.kind === 'invalid' || outcome.kind === 'vendor_unavailable' ? { ...outcome, sent: draft } : outcome;
}

/** The outcome where the account has an active instruction of this type: another one may be the same. */
function besides(
  active: StoredState['active'],
  { vendor, reference, type }: Instruction,
  { accountNumber }: ImportedAccount,
): InstructionOutcome {
  if (!active) throw new Error('a payment instruction that was stored is not there');
  const isSame = active.vendor === vendor && active.reference === reference;
  return isSame
    ? { kind: 'stored', accountNumber, reference }
    : { kind: 'invalid', errors: [alreadyActive(active.vendor, type)], active: { vendor: active.vendor, type } };
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
