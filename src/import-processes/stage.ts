/**
 * Stages judged accounts of one supplier (§4.6): stored first, then sent. The answer waits for the storing only.
 */

import { commit } from '../db';
import type { Deps } from '../deps';
import { intakeOf } from '../health';
import type { Supplier } from '../suppliers';
import type { Caller } from '../tokens';
import { statusOf } from './machine';
import { type Sendable, sendImports } from './messages';
import { type ExistingRow, type StagedAccount, stagingBatch } from './store-staging';

export type Staged =
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'already_imported'; readonly accountNumber: string }
  /** No new account comes in right now; nothing was stored. */
  | { readonly kind: 'not_taken' }
  /** The supplier or the key changed since the account was judged: judge again. */
  | { readonly kind: 'judged_on_old_facts' };

/** Stages a slice in one trip; answers one outcome for each account, in order. */
export async function stageAccounts(deps: Deps, accounts: readonly StagedAccount[], supplier: Supplier, caller: Caller): Promise<Staged[]> {
  const db = deps.databaseOf(supplier.code);
  if ((await intakeOf(deps, db)) !== 'open') return accounts.map(() => ({ kind: 'not_taken' }));
  const now = deps.now();
  const [, scheduled, existing] = await commit(db, stagingBatch(accounts, supplier, caller, now));
  const scheduledByNumber = new Map(scheduled.map((row) => [row.external_account_number, row]));
  const existingByPosition = new Map(existing.map((row) => [row.position, row]));
  const toSend: Sendable[] = [];
  const outcomes = accounts.map((account, position): Staged => {
    const row = scheduledByNumber.get(account.externalAccountNumber);
    const before = existingByPosition.get(position);
    const id = row?.id ?? before?.id;
    const outcome: Staged = row ? { kind: 'scheduled' } : before ? outcomeOf(before) : { kind: 'judged_on_old_facts' };
    // `sent_at` of this very moment: this batch scheduled it, perhaps in a try whose answer was lost.
    if (outcome.kind === 'scheduled' && id !== undefined && (row ?? before)?.sent_at === now) {
      toSend.push({ supplierId: supplier.id, id, payloadBytes: account.bodyBytes });
    }
    return outcome;
  });
  if (toSend.length > 0) deps.afterReply('send_imports', sendImports(deps, toSend));
  return outcomes;
}

function outcomeOf(row: ExistingRow): Staged {
  const status = statusOf(row.status);
  if (row.account_number !== null) return { kind: 'already_imported', accountNumber: row.account_number };
  if (row.is_same_payload === 1 && (status === 'PENDING' || status === 'IN_PROGRESS')) return { kind: 'scheduled' };
  return status === 'IN_PROGRESS' ? { kind: 'in_progress' } : { kind: 'judged_on_old_facts' };
}
