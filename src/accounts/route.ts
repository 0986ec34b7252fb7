/** `POST /v2/data-import/accounts/validate/` (§4.5). */
import type { AppHandler } from '../http/app';
import { receiveJson } from '../http/receive';
import { authenticationFailed, validationFailed } from '../http/replies';
import { unreachable } from '../shared/unreachable';
import { validateAccount } from './validate';

export const postAccountValidation: AppHandler = async (c) => {
  const received = await receiveJson(c);
  if (received instanceof Response) return received;
  const outcome = await validateAccount(c.var.deps, received.caller, received.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return validationFailed(c, outcome.errors, 'account_failed_validation');
    case 'valid':
      return c.json({});
    default:
      return unreachable(outcome);
  }
};
