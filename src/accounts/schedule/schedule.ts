/**
 * Create account (§4.6): validated by the same rules as validate, then staged and sent to the queue.
 */

import { MAX_TRIES, type RunToJoin, recallSupplier, rememberSupplier } from '../../account-state';
import type { Deps } from '../../deps';
import { documentErrors, documentPathErrors } from '../../documents';
import { type KnownProcesses, type Staged, stageAccounts } from '../../import-processes';
import { noteRefusals, type Refusal, refusalOf } from '../../refusals';
import { gateErrors, type Supplier, UNREADABLE } from '../../suppliers';
import type { Caller } from '../../tokens';
import { allErrors, type CheckedAccount, checkRead, type ReadAccount, readAccount, runErrors } from '../validation/check';
import { readKnown, runKey } from './known';
import { createOf, isSameAccount, TOO_LARGE_TO_STAGE } from './staged';

/** `supplierDetail`: what the supplier's status has against the create. `isWrong`: something else has, too. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly supplierDetail?: string | undefined;
  readonly isWrong: boolean;
  /** Undefined without a supplier. */
  readonly refusal?: Refusal;
}

export type Scheduled =
  | Exclude<Staged, { readonly kind: 'decided_on_old_state' | 'refused' }>
  | { readonly kind: 'unauthenticated' }
  | Invalid;

/** `text` is the body as it was sent, `body` its value. */
export async function scheduleAccount(deps: Deps, caller: Caller, body: unknown, text: string): Promise<Scheduled> {
  const read = readAccount(body);
  const db = deps.databaseOf(read.supplierCode);
  // A run is read with its supplier: nothing of it is remembered.
  const remembered = read.runName === undefined ? recallSupplier(db, caller, read.supplierCode) : undefined;
  const scheduled = remembered && (await scheduleUnder(deps, caller, read, text, remembered));
  // A refusal needs the supplier as it is, and so does an account that was validated by what is no longer so.
  if (scheduled && scheduled.kind !== 'invalid' && scheduled.kind !== 'decided_on_old_state') return scheduled;
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const known = await readKnown(deps, caller, [read], true);
    if (!known) return { kind: 'unauthenticated' };
    const supplier = known.suppliers.get(read.supplierCode ?? '');
    if (supplier === UNREADABLE) throw new Error('the supplier cannot be read');
    if (!supplier) return { kind: 'invalid', isWrong: true };
    rememberSupplier(db, caller, supplier);
    const run = known.runs.get(runKey(read) ?? '');
    const outcome = await scheduleUnder(deps, caller, read, text, supplier, { run, processes: known.processes });
    if (outcome.kind === 'invalid' && outcome.refusal) await noteRefusals(deps, [outcome.refusal]);
    if (outcome.kind !== 'decided_on_old_state') return outcome;
  }
  throw new Error('the supplier kept changing while an account was validated');
}

/** Without `known` the supplier is an old one: a refusal is not worth a look at the process then. */
async function scheduleUnder(
  deps: Deps,
  caller: Caller,
  read: ReadAccount,
  text: string,
  supplier: Supplier,
  known?: { readonly run: RunToJoin | undefined; readonly processes: KnownProcesses },
): Promise<Exclude<Staged, { readonly kind: 'refused' }> | Invalid> {
  const checkedAccount = checkRead(read, supplier, deps.now());
  const [statusError] = gateErrors(supplier);
  const hasNoRun = runErrors(read, supplier, known?.run).length > 0;
  const isHopeless = checkedAccount.errors.length > 0 || statusError !== undefined || hasNoRun;
  const documents = isHopeless ? pathErrors(supplier, checkedAccount) : await documentErrors(deps, supplier, checkedAccount.documentPaths);
  const create = createOf(checkedAccount, supplier, documents, text, known?.run);
  const invalid = (): Invalid => {
    const errors = allErrors(checkedAccount, [...gateErrors(supplier), ...runErrors(read, supplier, known?.run)], documents);
    return {
      kind: 'invalid',
      supplierDetail: statusError?.detail,
      isWrong: create.kind === 'wrong' || documents.length > 0,
      refusal: refusalOf(supplier, known?.run, read.externalAccountNumber, errors.length > 0 ? errors : [TOO_LARGE_TO_STAGE]),
    };
  };
  if (create.kind === 'wrong' || (create.kind === 'not_now' && !known)) return invalid();
  const [staged] = await stageAccounts(deps, caller, [create], isSameAccount, known?.processes);
  if (!staged) return { kind: 'decided_on_old_state' };
  return staged.kind === 'refused' ? invalid() : staged;
}

/** What is wrong with the paths of documents that are not worth a look-up. */
const pathErrors = ({ configuration }: Supplier, { documentPaths }: CheckedAccount) =>
  documentPathErrors(configuration.documents_root, documentPaths, new Set());
