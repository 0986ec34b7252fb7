import { auditId, auditWrite } from '../../audit';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { type FieldError, fieldError, inPayloadOrder } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { readSupplier, type SupplierDetails } from './read';
import { DEFAULT_CONFIGURATION, mergedConfiguration, unknownSettings } from './rules';
import { supplierBody } from './schema';
import { auditKept, creatable, insertSupplier, organisationExists, supplierByCode } from './store';

export type SupplierCreated =
  | { readonly kind: 'created'; readonly supplier: SupplierDetails }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

/** Creates a supplier for an organisation: Ongoing, with its configuration. All errors at once. */
export async function createSupplier(deps: Deps, actor: string, raw: unknown): Promise<SupplierCreated> {
  const { draft, errors: fields } = parse(supplierBody, raw);
  const { organisation_id: organisationId, code, name } = draft;
  const [organisation, taken] = await commit(deps.db, [organisationExists(organisationId ?? ''), supplierByCode(code ?? '')]);
  const errors = [...fields, ...unknownSettings(raw)];
  if (organisationId !== undefined && organisation.length === 0) errors.push(unknownOrganisation);
  if (code !== undefined && taken.length > 0) errors.push(codeTaken);
  if (errors.length > 0 || organisationId === undefined || code === undefined || name === undefined)
    return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  const configuration = mergedConfiguration(DEFAULT_CONFIGURATION, raw);
  const [now, audit] = [deps.now(), auditId(deps)];
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'supplier.created',
    subject: `supplier ${code}`,
    after: { organisation_id: organisationId, name, status: 'Ongoing', configuration },
  } as const;
  const [, , kept] = await commit(deps.db, [
    auditWrite(entry, creatable(organisationId, code)),
    insertSupplier(audit, { organisationId, code, name, configuration, now }),
    auditKept(audit),
  ]);
  const supplier = kept.length > 0 ? await readSupplier(deps, code) : undefined;
  // Another request took the code in between.
  return supplier ? { kind: 'created', supplier } : { kind: 'invalid', errors: [codeTaken] };
}

const unknownOrganisation = fieldError(['organisation_id'], 'does_not_exist', 'There is no such organisation.');
const codeTaken = fieldError(['code'], 'unique', 'This code is taken.');
