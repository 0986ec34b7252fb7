import { auditEntry, auditId, auditValues } from '../../audit';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { recordWrite } from '../../events';
import { sweep } from '../../import-processes';
import { documentsRoot } from '../../shared/document-paths';
import { type FieldError, fieldError, inPayloadOrder } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { isBlank } from '../../shared/unicode';
import { configurationOf, type SupplierConfiguration, type SupplierStatus, storedWith, unreadableSettings } from '../../suppliers';
import { readSupplier, readSupplierAndRoots, type SupplierDetails } from './read';
import { checkStatusChange, givenSettings, type OwnedRoot, rootErrors, unknownSettings, unreadableErrors } from './rules';
import { supplierPatch } from './schema';
import { auditChange, auditChangeOfRoot, updateSupplier } from './store';

export type SupplierChanged =
  | { readonly kind: 'changed'; readonly supplier: SupplierDetails }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'not_found' }
  /** It is no longer at the `version` that the body names. */
  | { readonly kind: 'changed_since'; readonly detail: string }
  | { readonly kind: 'refused'; readonly detail: string };

const TRIES = 3;

/**
 * Changes name, status and configuration of a supplier (§3.1), audited. What the new status sets free or ends is swept
 * at once: resumed work is sent again, what is pending under a complete supplier is cancelled.
 */
export async function changeSupplier(deps: Deps, actor: string, code: string, raw: unknown): Promise<SupplierChanged> {
  for (let tries = 1; ; tries++) {
    const outcome = await decideAndChange(deps, actor, code, raw);
    if (outcome.kind !== 'changed_meanwhile') return outcome;
    if (tries === TRIES) throw new Error('the supplier kept changing');
  }
}

type Attempt = SupplierChanged | { readonly kind: 'changed_meanwhile' };

async function decideAndChange(deps: Deps, actor: string, code: string, raw: unknown): Promise<Attempt> {
  const { draft, errors: fields } = parse(supplierPatch, raw);
  const { supplier, roots } = await readSupplierAndRoots(deps, code);
  const status = draft.status || supplier?.status;
  const verdict = supplier && status ? checkStatusChange(supplier.status, status, draft.reason) : undefined;
  const errors = [...fields, ...unknownSettings(raw)];
  if (supplier && !status) errors.push(statusRequired);
  if (verdict?.kind === 'reason_required') errors.push(reasonRequired);
  const given = givenSettings(raw);
  if (supplier && given.size > 0) errors.push(...unreadableErrors(unreadableSettings(code, supplier.stored), given));
  const root = supplier && newRootOf(supplier, given, fields);
  if (root) errors.push(...rootErrors(root, roots));
  if (errors.length > 0) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  if (!supplier || !status) return { kind: 'not_found' };
  if (draft.version !== undefined && draft.version !== supplier.version) return changedSince(supplier.version);
  if (verdict?.kind === 'refused') return verdict;
  const pending = supplier.counts.PENDING;
  if (status === 'Complete' && supplier.status !== 'Complete' && draft.confirm_pending !== undefined && pending > draft.confirm_pending)
    return { kind: 'refused', detail: `${pending} pending import processes would be cancelled, more than were confirmed.` };
  const stored = given.size > 0 ? storedWith(code, supplier.stored, Object.fromEntries(given)) : supplier.stored;
  const name = draft.name !== undefined && !isBlank(draft.name) ? draft.name : supplier.name;
  const next = { name, status, configuration: configurationOf(code, stored), stored };
  if (!differs(supplier, next)) return { kind: 'changed', supplier };
  if (!(await write(deps, actor, supplier, next, root, draft.reason))) return { kind: 'changed_meanwhile' };
  if (status !== supplier.status) deps.afterReply('sweep', sweep(deps));
  const changed = await readSupplier(deps, code);
  return changed ? { kind: 'changed', supplier: changed } : { kind: 'not_found' };
}

/** The root that a body gives the supplier, where that is another than it has. A root that was refused is among the errors already. */
function newRootOf(supplier: SupplierDetails, given: ReadonlyMap<string, unknown>, fields: readonly FieldError[]): OwnedRoot | undefined {
  const folder = given.get('documents_root');
  if (typeof folder !== 'string' || fields.some(({ path }) => path[1] === 'documents_root')) return undefined;
  const root = documentsRoot(folder) || documentsRoot(supplier.code);
  return root === supplier.configuration?.documents_root ? undefined : { organisationId: supplier.organisationId, root };
}

interface Next {
  readonly name: string;
  readonly status: SupplierStatus;
  /** Undefined where what is stored cannot be read and is left as it is. */
  readonly configuration: SupplierConfiguration | undefined;
  /** JSON of the configuration. */
  readonly stored: string;
}

const auditedOf = ({ name, status, configuration }: SupplierDetails | Next) => ({ name, status, configuration });
const differs = (supplier: SupplierDetails, next: Next): boolean => JSON.stringify(auditedOf(supplier)) !== JSON.stringify(auditedOf(next));

/** Answers whether it was done: the supplier is as it was read, and its new root is free. */
async function write(
  deps: Deps,
  actor: string,
  supplier: SupplierDetails,
  next: Next,
  root: OwnedRoot | undefined,
  reason: string | undefined,
): Promise<boolean> {
  const [now, audit] = [deps.now(), auditId(deps)];
  const { id, version } = supplier;
  const isCompleted = next.status === 'Complete' && supplier.status !== 'Complete';
  const isResumed = next.status === 'Ongoing' && supplier.status !== 'Ongoing';
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'supplier.changed',
    subject: `supplier ${supplier.code}`,
    supplier: supplier.code,
    before: auditedOf(supplier),
    after: { ...auditedOf(next), ...(reason ? { reason } : {}), ...(isCompleted ? { pending_to_cancel: supplier.counts.PENDING } : {}) },
  } as const;
  const audited = { ...auditValues(entry), id, version };
  const { name, status, stored: configuration } = next;
  const results = await commit(deps.databaseOf(supplier.code), [
    root ? auditChangeOfRoot({ ...audited, ...root }) : auditChange(audited),
    updateSupplier({ auditId: audit, id, version, name, status, configuration, resumedAt: isResumed ? now : null, now }),
    ...(status === supplier.status ? [] : [recordWrite({ type: 'import_supplier.changed', supplierId: id, now, data: { status } })]),
    auditEntry({ auditId: audit }),
  ]);
  return Boolean(results.at(-1)?.length);
}

const reasonRequired = fieldError(['reason'], 'required', 'Say why the migration is opened again.');
const statusRequired = fieldError(['status'], 'required', 'The stored status cannot be read: give one.');
const changedSince = (version: number): SupplierChanged => ({
  kind: 'changed_since',
  detail: `The supplier was changed since it was read: it is at version ${version} now. Read it again.`,
});
