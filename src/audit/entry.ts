/**
 * The operator's audit trail (§10): who did what, when, and what was before and after. Never a secret, never a payload.
 */
import type { Deps } from '../deps';

/** What an operator does that the audit trail records. */
export type AuditAction =
  | 'operator.signed_in'
  | 'operator.signed_out'
  | 'operator_token.created'
  | 'operator_token.revoked'
  | 'alert_address.created'
  | 'alert_address.removed'
  | 'organisation.created'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'supplier.created'
  | 'supplier.changed'
  | 'import_process.cancelled'
  | 'import_process.retried'
  | 'import_processes.retried'
  | 'payload.revealed'
  | 'account.revealed'
  | 'account.erased'
  | 'import_process.erased'
  | 'document.opened'
  | 'payment_instruction.ended'
  | 'dead_letter.redriven'
  | 'dead_letter.dismissed'
  | 'run.changed'
  | 'run.undone'
  | 'database.restored';

type Fields = Readonly<Record<string, unknown>>;

export interface AuditEntry {
  /** From {@link auditId}. Chosen before the write: the row under it shows that this very change was made. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly actor: string;
  readonly action: AuditAction;
  /** What it was done to: `supplier ACME`. */
  readonly subject: string;
  /** The code of the supplier it was done to, or to whose migration. */
  readonly supplier?: string | undefined;
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
}

/** An id in the order of time: milliseconds and 12 random bits. */
export const auditId = (deps: Deps): number => firstIdOf(deps.now()) + (deps.mint() % 4_096);

/** The smallest id of a moment, in Unix milliseconds. */
export const firstIdOf = (instant: number): number => instant * 4_096;
