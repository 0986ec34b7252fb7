/**
 * Create account (§4.6): judged by the same rules as validate, then staged and sent to the queue.
 */

import { loadAccountFacts } from '../account-facts';
import type { Deps } from '../deps';
import { documentErrors } from '../documents';
import { type Staged, stageAccounts } from '../import-processes';
import type { Caller } from '../tokens';
import { allErrors, judgeRead, readAccount, supplierErrors } from './judge';
import { stagedAccountOf } from './staged';

export type Scheduled =
  | Exclude<Staged, { readonly kind: 'judged_on_old_facts' }>
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid' };

/** A judgement is repeated when the supplier changed under it; more often than this in a row means that something is broken. */
const MAX_JUDGEMENTS = 3;

/** `text` is the body as it was sent, `body` its value. */
export async function scheduleAccount(deps: Deps, caller: Caller, body: unknown, text: string): Promise<Scheduled> {
  const read = readAccount(body);
  for (let attempt = 0; attempt < MAX_JUDGEMENTS; attempt++) {
    const { isCallerActive, supplier } = await loadAccountFacts(deps, caller, read.supplierCode, undefined);
    if (!isCallerActive) return { kind: 'unauthenticated' };
    const judgement = judgeRead(read, supplier, deps.now());
    if (!supplier || allErrors(judgement, supplierErrors(read, supplier)).length > 0) return { kind: 'invalid' };
    if ((await documentErrors(deps, supplier, judgement.documentPaths)).length > 0) return { kind: 'invalid' };
    const account = stagedAccountOf(judgement, text);
    if (!account) return { kind: 'invalid' };
    const [staged] = await stageAccounts(deps, [account], supplier, caller);
    if (staged && staged.kind !== 'judged_on_old_facts') return staged;
  }
  throw new Error('the supplier kept changing while an account was judged');
}
