import { auditEntry, auditId, auditValues } from '../../audit';
import { commit } from '../../db';
import type { Deps } from '../../deps';
import { documentsRoot } from '../../shared/document-paths';
import { type FieldError, fieldError, inPayloadOrder } from '../../shared/errors';
import { isRefused, parse } from '../../shared/parse';
import { configurationOf, type Supplier, storedWith } from '../../suppliers';
import { readSupplier, type SupplierDetails } from './read';
import { givenSettings, type OwnedRoot, rootErrors, unknownSettings } from './rules';
import { supplierBody } from './schema';
import { auditCreation, documentRoots, insertSupplier, organisationExists, supplierByCode } from './store';

export type SupplierCreated =
  | { readonly kind: 'created'; readonly supplier: SupplierDetails }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

const TRIES = 3;

/** Creates a supplier for an organisation: Ongoing, with its configuration. All errors at once. */
export async function createSupplier(deps: Deps, actor: string, raw: unknown): Promise<SupplierCreated> {
  for (let tries = 1; ; tries++) {
    const outcome = await decideAndCreate(deps, actor, raw);
    if (outcome.kind !== 'taken_meanwhile') return outcome;
    if (tries === TRIES) throw new Error('code and folder kept being taken');
  }
}

type Attempt = SupplierCreated | { readonly kind: 'taken_meanwhile' };

async function decideAndCreate(deps: Deps, actor: string, raw: unknown): Promise<Attempt> {
  const { draft, value, errors: fields } = parse(supplierBody, raw);
  const { organisation_id: organisationId, code } = draft;
  const [organisation, taken, roots] = await commit(deps.db, [
    organisationExists({ organisationId: organisationId ?? '' }),
    supplierByCode({ code: code ?? '' }),
    documentRoots({}),
  ]);
  const errors = [...fields, ...unknownSettings(raw)];
  if (organisationId !== undefined && organisation.length === 0) errors.push(unknownOrganisation);
  if (code !== undefined && taken.length > 0) errors.push(codeTaken);
  const { configuration = {} } = draft;
  // The code, unless a folder is given. What is wrong with either is among the errors already.
  const freeCode = taken.length > 0 ? undefined : code;
  const folder = isRefused(configuration, 'documents_root') ? undefined : (configuration.documents_root ?? freeCode);
  const root = folder === undefined || organisationId === undefined ? undefined : { organisationId, root: documentsRoot(folder) };
  if (root) errors.push(...rootErrors(root, roots));
  if (errors.length > 0 || !value || !root) return { kind: 'invalid', errors: inPayloadOrder(raw, errors) };
  return write(deps, actor, value, root, storedWith(value.code, '{}', Object.fromEntries(givenSettings(raw))));
}

async function write(
  deps: Deps,
  actor: string,
  { code, name }: Pick<Supplier, 'code' | 'name'>,
  root: OwnedRoot,
  configuration: string,
): Promise<Attempt> {
  const [now, audit] = [deps.now(), auditId(deps)];
  const { organisationId } = root;
  const entry = {
    id: audit,
    occurredAt: now,
    actor,
    action: 'supplier.created',
    subject: `supplier ${code}`,
    supplier: code,
    after: { organisation_id: organisationId, name, status: 'Ongoing', configuration: configurationOf(code, configuration) },
  } as const;
  const [, , stored] = await commit(deps.db, [
    auditCreation({ ...auditValues(entry), ...root, code }),
    insertSupplier({ auditId: audit, organisationId, code, name, configuration, now }),
    auditEntry({ auditId: audit }),
  ]);
  const supplier = stored.length > 0 ? await readSupplier(deps, code) : undefined;
  // Another request took the code or the folder in between: the next look at both says which.
  return supplier ? { kind: 'created', supplier } : { kind: 'taken_meanwhile' };
}

const unknownOrganisation = fieldError(['organisation_id'], 'does_not_exist', 'There is no such organisation.');
const codeTaken = fieldError(['code'], 'unique', 'This code is taken.');
