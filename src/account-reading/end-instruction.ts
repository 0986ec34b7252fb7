/**
 * Ends the active payment instruction of a type (§10): it becomes history, and another may be posted.
 */
import { auditEntry, auditId, auditValues } from '../audit';
import { commit } from '../db';
import type { Deps } from '../deps';
import { recordCount } from '../events';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { numberedAccount, readNumbered, type WholeAccount } from './read';
import { endBody } from './schema';
import { auditEnd, endInstruction } from './store-changes';

export type Ended =
  | { readonly kind: 'ended'; readonly account: WholeAccount }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'refused'; readonly detail: string };

export async function endPaymentInstruction(deps: Deps, actor: string, text: string, type: string, raw: unknown): Promise<Ended> {
  const { value, errors } = parse(endBody, raw);
  if (value === undefined) return { kind: 'invalid', errors };
  const numbered = await numberedAccount(deps, text);
  const account = numbered && (await readNumbered(deps, numbered));
  if (!account) return { kind: 'not_found' };
  const active = account.instructions.find((instruction) => instruction.type === type && instruction.position === 0);
  if (!active) return { kind: 'refused', detail: 'The account has no active payment instruction of this type.' };
  const entry = {
    id: auditId(deps),
    occurredAt: deps.now(),
    actor,
    action: 'payment_instruction.ended',
    subject: `account ${numbered.accountNumber}`,
    supplier: account.row.supplierCode,
    before: { type, status: 'ACTIVE' },
    after: { type, status: 'ENDED', reason: value.reason },
  } as const;
  const { accountId, vendor, reference, createdAt } = active;
  const [, , , written] = await commit(deps.db, [
    auditEnd({ ...auditValues(entry), accountId, type, vendor, reference, createdAt }),
    endInstruction({ accountId, type, createdAt, now: entry.occurredAt, auditId: entry.id }),
    recordCount({
      type: 'payment_instruction.ended',
      supplierId: account.row.supplierId,
      now: entry.occurredAt,
      data: { external_account_number: account.row.externalAccountNumber, platform_account_number: numbered.accountNumber },
    }),
    auditEntry({ auditId: entry.id }),
  ]);
  if (written.length === 0) return { kind: 'refused', detail: 'The payment instruction was changed meanwhile. Look at the account again.' };
  const ended = await readNumbered(deps, numbered);
  return ended ? { kind: 'ended', account: ended } : { kind: 'not_found' };
}
