import { auditId, auditWrite } from '../../audit';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { sweep } from '../../import-processes';
import { type FieldError, fieldError, inPayloadOrder } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { isBlank } from '../../shared/unicode';
import type { Supplier } from '../../suppliers';
import { readSupplier, type SupplierDetails } from './read';
import { judgeStatusChange, mergedConfiguration, unknownSettings } from './rules';
import { supplierPatch } from './schema';
import { auditKept, unchangedSupplier, updateSupplier } from './store';

export type SupplierChanged =
  | { readonly kind: 'changed'; readonly supplier: SupplierDetails }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly detail: string };

const TRIES = 3;

/**
 * Changes name, status and configuration of a supplier (contract 6), audited. What the new status sets free or ends is swept
 * at once: resumed work is sent again, what is pending under a complete supplier is cancelled.
 */
export async function changeSupplier(deps: Deps, actor: string, code: string, raw: unknown): Promise<SupplierChanged> {
  for (let tries = 1; ; tries++) {
    const outcome = await judgeAndChange(deps, actor, code, raw);
    if (outcome.kind !== 'judged_on_old_facts') return outcome;
    if (tries === TRIES) throw new Error('the supplier kept changing');
  }
}

async function judgeAndChange(
  deps: Deps,
  actor: string,
  code: string,
  raw: unknown,
): Promise<SupplierChanged | { readonly kind: 'judged_on_old_facts' }> {
  const { draft, errors: fields } = parse(supplierPatch, raw);
  const supplier = await readSupplier(deps, code);
  const status = draft.status || supplier?.status;
  const verdict = supplier && status ? judgeStatusChange(supplier.status, status, draft.reason) : undefined;
  const errors = [...fields, ...unknownSettings(raw)];
  if (verdict?.kind === 'reason_required') errors.push(reasonRequired);
  if (errors.length > 0) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  if (!supplier || !status) return { kind: 'not_found' };
  if (verdict?.kind === 'refused') return verdict;
  const pending = supplier.counts.PENDING;
  if (status === 'Complete' && supplier.status !== 'Complete' && draft.confirm_pending !== undefined && pending > draft.confirm_pending)
    return { kind: 'refused', detail: `${pending} pending import processes would be cancelled, more than were confirmed.` };
  const next = {
    name: draft.name && !isBlank(draft.name) ? draft.name : supplier.name,
    status,
    configuration: mergedConfiguration(supplier.configuration, raw),
  };
  if (!differs(supplier, next)) return { kind: 'changed', supplier };
  const isDone = await write(deps, actor, supplier, next, draft.reason);
  if (!isDone) return { kind: 'judged_on_old_facts' };
  if (status !== supplier.status) deps.afterReply('sweep', sweep(deps));
  const changed = await readSupplier(deps, code);
  return changed ? { kind: 'changed', supplier: changed } : { kind: 'not_found' };
}

type Next = Pick<Supplier, 'name' | 'status' | 'configuration'>;

const factsOf = ({ name, status, configuration }: Next): Next => ({ name, status, configuration });
const differs = (supplier: Supplier, next: Next): boolean => JSON.stringify(factsOf(supplier)) !== JSON.stringify(next);

async function write(deps: Deps, actor: string, supplier: SupplierDetails, next: Next, reason: string | undefined): Promise<boolean> {
  const [now, audit] = [deps.now(), auditId(deps)];
  const isCompleted = next.status === 'Complete' && supplier.status !== 'Complete';
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'supplier.changed',
    subject: `supplier ${supplier.code}`,
    before: factsOf(supplier),
    after: { ...next, ...(reason ? { reason } : {}), ...(isCompleted ? { pending_to_cancel: supplier.counts.PENDING } : {}) },
  } as const;
  const isResumed = next.status === 'Ongoing' && supplier.status !== 'Ongoing';
  const [, , kept] = await commit(deps.databaseOf(supplier.code), [
    auditWrite(entry, unchangedSupplier(supplier.id, supplier.version)),
    updateSupplier(audit, { ...next, id: supplier.id, version: supplier.version, isResumed, now }),
    auditKept(audit),
  ]);
  return kept.length > 0;
}

const reasonRequired = fieldError(['reason'], 'required', 'Say why the completed migration is opened again.');
