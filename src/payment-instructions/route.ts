import { authenticationFailed, notFound, paymentInstructionRefused, vendorUnavailable } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { createPaymentInstruction } from './create';
import * as declared from './endpoints';

/** `POST /v1/data-import/payment-instruction/create/` (§4.4) */
export const postPaymentInstruction = route(declared.createPaymentInstruction, async (c) => {
  const outcome = await createPaymentInstruction(c.var.deps, c.var.caller, c.var.body.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return paymentInstructionRefused(c, outcome.errors, outcome.sent, outcome.active);
    case 'not_found':
      return notFound(c);
    case 'stored':
      return c.json({ platform_account_number: outcome.accountNumber, reference: outcome.reference }, 201);
    case 'vendor_unavailable':
      return vendorUnavailable(c, outcome.sent);
    default:
      return unreachable(outcome);
  }
});
