import { intakeOf } from '../health';
import { bulkReply, readsBulk } from '../http/bulk';
import {
  accountFailedValidation,
  alreadyImported,
  authenticationFailed,
  importProcessRefused,
  notTaken,
  readOnlyKey,
} from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import { isKeyActive } from '../tokens';
import { accountsInBulk } from './bulk/bulk';
import * as declared from './endpoints';
import { type Invalid, scheduleAccount } from './schedule/schedule';
import { validateAccount } from './validation/validate';

/** §4.5 `POST /v2/data-import/accounts/validate/` */
export const postAccountValidation = route(declared.validateAccount, async (c) => {
  const { warnings } = c.req.valid('query');
  const outcome = await validateAccount(c.var.deps, c.var.caller, c.var.body.value, warnings === true);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return accountFailedValidation(c, outcome.errors, outcome.warnings);
    case 'valid':
      return c.json({ warnings: outcome.warnings });
    default:
      return unreachable(outcome);
  }
});

/** §4.6 `POST /v2/data-import/accounts/` */
export const postAccount = route(declared.createAccount, async (c) => {
  const outcome = await scheduleAccount(c.var.deps, c.var.caller, c.var.body.value, c.var.body.text);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return importProcessRefused(c, 'import_process_failed_validation', refusalDetail(outcome));
    case 'in_progress':
      return importProcessRefused(
        c,
        'account_import_process_in_progress',
        'Another import of this account is being processed, or waits and is no dry run. Send this one again when that import has ended.',
      );
    case 'already_imported':
      return alreadyImported(c, outcome.accountNumber);
    case 'not_taken':
      return notTaken(c);
    case 'scheduled':
      return c.json({}, 201);
    default:
      return unreachable(outcome);
  }
});

const FAILED_VALIDATION = 'The account data failed validation. Send it to the validate endpoint for the full list of errors.';

const refusalDetail = ({ supplierDetail, isWrong }: Invalid): string =>
  supplierDetail === undefined ? FAILED_VALIDATION : isWrong ? `${supplierDetail} ${FAILED_VALIDATION}` : supplierDetail;

/** Ours: `POST /v2/data-import/accounts/bulk/?mode=create|validate` */
export const postBulk = route(
  declared.bulkAccounts,
  async (c) => {
    const { caller, deps } = c.var;
    if (!(await isKeyActive(deps, caller))) return authenticationFailed(c);
    const { mode = 'create', run } = c.req.valid('query');
    if (mode === 'create' && caller.isReadOnly) return readOnlyKey(c);
    // Known before the first line, so the whole request waits.
    if (mode === 'create' && (await intakeOf(deps, deps.db)) !== 'open') return notTaken(c);
    return bulkReply(c, accountsInBulk(deps, caller, mode, run));
  },
  readsBulk(declared.bulkAccounts.body),
);
