/** Validates an account without storing anything (§4.5). */

import { loadAccountFacts } from '../../account-facts';
import type { Deps } from '../../deps';
import { documentErrors } from '../../documents';
import type { ErrorItem, FieldError } from '../../shared/errors';
import type { Caller } from '../../tokens';
import { allErrors, judgeRead, readAccount, supplierErrors } from './judge';
import { accountWarnings } from './warnings';

export type AccountValidation =
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly warnings: Warnings }
  | { readonly kind: 'valid'; readonly warnings: Warnings };

/** Undefined unless asked for. */
type Warnings = readonly ErrorItem[] | undefined;

/** Tells all errors of the body at once. An import process that exists for the pair plays no part. */
export async function validateAccount(deps: Deps, caller: Caller, body: unknown, withWarnings: boolean): Promise<AccountValidation> {
  const read = readAccount(body);
  const { isCallerActive, supplier } = await loadAccountFacts(deps, caller, read.supplierCode, undefined);
  if (!isCallerActive) return { kind: 'unauthenticated' };
  const judgement = judgeRead(read, supplier, deps.now());
  const documents = await documentErrors(deps, supplier, judgement.documentPaths);
  const errors = allErrors(judgement, supplierErrors(read, supplier), documents);
  const warnings = withWarnings ? accountWarnings(body, read) : undefined;
  return errors.length > 0 ? { kind: 'invalid', errors, warnings } : { kind: 'valid', warnings };
}
