/**
 * Create account (§4.6): judged by the same rules as validate, then staged and sent to the queue.
 */

import { loadAccountFacts, MAX_JUDGEMENTS, recallSupplier, rememberSupplier } from '../account-facts';
import type { Deps } from '../deps';
import { documentErrors } from '../documents';
import { type Staged, stageAccounts } from '../import-processes';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import { allErrors, judgeRead, type ReadAccount, readAccount, supplierErrors } from './judge';
import { stagedAccountOf } from './staged';

export type Scheduled =
  | Exclude<Staged, { readonly kind: 'judged_on_old_facts' }>
  | { readonly kind: 'unauthenticated' }
  | { readonly kind: 'invalid' };

/** `text` is the body as it was sent, `body` its value. */
export async function scheduleAccount(deps: Deps, caller: Caller, body: unknown, text: string): Promise<Scheduled> {
  const read = readAccount(body);
  const db = deps.databaseOf(read.supplierCode ?? '');
  const remembered = recallSupplier(db, caller, read.supplierCode);
  const scheduled = remembered && (await scheduleUnder(deps, caller, read, text, remembered));
  // A refusal needs the supplier as it is, and so does an account that was judged by what is no longer so.
  if (scheduled && scheduled.kind !== 'invalid' && scheduled.kind !== 'judged_on_old_facts') return scheduled;
  for (let attempt = 0; attempt < MAX_JUDGEMENTS; attempt++) {
    const { isCallerActive, supplier } = await loadAccountFacts(deps, caller, read.supplierCode, undefined);
    if (!isCallerActive) return { kind: 'unauthenticated' };
    if (!supplier) return { kind: 'invalid' };
    rememberSupplier(db, caller, supplier);
    const outcome = await scheduleUnder(deps, caller, read, text, supplier);
    if (outcome.kind !== 'judged_on_old_facts') return outcome;
  }
  throw new Error('the supplier kept changing while an account was judged');
}

async function scheduleUnder(
  deps: Deps,
  caller: Caller,
  read: ReadAccount,
  text: string,
  supplier: Supplier,
): Promise<Staged | { readonly kind: 'invalid' }> {
  const judgement = judgeRead(read, supplier, deps.now());
  if (allErrors(judgement, supplierErrors(read, supplier)).length > 0) return { kind: 'invalid' };
  if ((await documentErrors(deps, supplier, judgement.documentPaths)).length > 0) return { kind: 'invalid' };
  const account = stagedAccountOf(judgement, text);
  if (!account) return { kind: 'invalid' };
  const [staged] = await stageAccounts(deps, [account], supplier, caller);
  return staged ?? { kind: 'judged_on_old_facts' };
}
