/** Validates an account without storing anything (§4.5). */

import { loadAccountState, type RunToJoin, runsToJoin, runToJoinOf } from '../../account-state';
import { query } from '../../db';
import type { Deps } from '../../deps';
import { documentErrors } from '../../documents';
import type { ErrorItem, FieldError } from '../../shared/errors';
import type { Caller } from '../../tokens';
import { allErrors, checkRead, type ReadAccount, readAccount, runErrors, supplierErrors } from './check';
import { accountWarnings } from './warnings';

export type AccountValidation =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly warnings: Warnings }
  | { readonly kind: 'valid'; readonly warnings: Warnings };

/** Undefined unless asked for. */
type Warnings = readonly ErrorItem[] | undefined;

/** Reports all errors of the body at once. An import process that exists for the pair plays no part. */
export async function validateAccount(deps: Deps, caller: Caller, body: unknown, withWarnings: boolean): Promise<AccountValidation> {
  const read = readAccount(body);
  const { isCallerActive, supplier } = await loadAccountState(deps, caller, read.supplierCode, undefined);
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const checkedAccount = checkRead(read, supplier, deps.now());
  const documents = await documentErrors(deps, supplier, checkedAccount.documentPaths);
  const run = await runOf(deps, caller, read);
  const errors = allErrors(checkedAccount, supplierErrors(read, supplier), runErrors(read, supplier, run), documents);
  const warnings = withWarnings ? accountWarnings(body, read) : undefined;
  return errors.length > 0 ? { kind: 'invalid', errors, warnings } : { kind: 'valid', warnings };
}

/** The run that the account names, if there is one: a trip of its own, which most accounts do not take. */
async function runOf(deps: Deps, caller: Caller, { supplierCode: code, runName: name }: ReadAccount): Promise<RunToJoin | undefined> {
  if (code === undefined || name === undefined) return undefined;
  const [run] = await query(deps.databaseOf(code), runsToJoin(caller, [{ code, name }]));
  return run && runToJoinOf(run);
}
