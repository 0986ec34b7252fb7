/**
 * Cancels an import that has not started (ours, §3.2): PENDING → CANCELLED, decided by the database in one trip.
 */

import { commit } from '../../db';
import type { Deps } from '../../deps';
import type { Caller } from '../../tokens';
import { STATUS } from '../machine';
import { readProcess } from '../status/store';
import { cancelOfCaller } from './store';

export type Cancellation =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'not_pending' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unauthenticated' };

/** For the importer. Another organisation's process is not found. */
export async function cancelImport(deps: Deps, caller: Caller, supplierCode: string, externalAccountNumber: string): Promise<Cancellation> {
  const now = deps.now();
  const [, , cancelled, [row]] = await commit(deps.databaseOf(supplierCode), [
    ...cancelOfCaller(caller, supplierCode, externalAccountNumber, now),
    readProcess(caller, supplierCode, externalAccountNumber),
  ]);
  if (!row) return { kind: 'unauthenticated' };
  const { process } = row;
  if (!process) return { kind: 'not_found' };
  // Cancelled at this very moment: by a try of ours whose answer was lost.
  const isCancelled = cancelled.length > 0 || (process.status === STATUS.CANCELLED && process.finishedAt === now);
  return { kind: isCancelled ? 'cancelled' : 'not_pending' };
}
