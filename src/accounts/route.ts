import type { AppHandler } from '../http/app';
import { receiveJson } from '../http/receive';
import { alreadyImported, authenticationFailed, importProcessRefused, validationFailed } from '../http/replies';
import { unreachable } from '../shared/unreachable';
import { scheduleAccount } from './schedule';
import { validateAccount } from './validate';

/** §4.5 `POST /v2/data-import/accounts/validate/` */
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

/** §4.6 `POST /v2/data-import/accounts/` */
export const postAccount: AppHandler = async (c) => {
  const received = await receiveJson(c);
  if (received instanceof Response) return received;
  const outcome = await scheduleAccount(c.var.deps, received.caller, received.value, received.text);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return importProcessRefused(
        c,
        'import_process_failed_validation',
        'The account data failed validation. Send it to the validate endpoint for the full list of errors.',
      );
    case 'in_progress':
      return importProcessRefused(
        c,
        'account_import_process_in_progress',
        'Another payload for this account is being processed right now. Send this one again when that import has ended.',
      );
    case 'already_imported':
      return alreadyImported(c, outcome.accountNumber);
    case 'scheduled':
      return c.json({}, 201);
    default:
      return unreachable(outcome);
  }
};
