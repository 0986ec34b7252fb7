import { pageOf, pageReply } from '../../http/page';
import { invalidTransition, notFound, validationFailed } from '../../http/replies';
import { route } from '../../http/route';
import { isoInstant } from '../../shared/dates';
import { unreachable } from '../../shared/unreachable';
import { changeSupplier } from './change';
import { createSupplier } from './create';
import * as declared from './endpoints';
import { listSuppliers, readSupplier, type SupplierDetails } from './read';

/** `POST /operator/v1/suppliers/` {`organisation_id`, `code`, `name`, `configuration`}: 201, 400, 401. */
export const postSupplier = route(declared.createSupplier, async (c) => {
  const outcome = await createSupplier(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json(supplierView(outcome.supplier), 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/suppliers/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getSuppliers = route(declared.listSuppliers, async (c) => {
  return pageReply(c, await listSuppliers(c.var.deps, pageOf(c.req.valid('query'))), supplierView);
});

/** `GET /operator/v1/suppliers/{code}/`: 200 with counts per status; 401, 404. */
export const getSupplier = route(declared.getSupplier, async (c) => {
  const supplier = await readSupplier(c.var.deps, c.req.valid('param').code);
  return supplier ? c.json(supplierView(supplier)) : notFound(c);
});

/** `PATCH /operator/v1/suppliers/{code}/` {`name`, `status`, `reason`, `configuration`, `confirm_pending`, `version`}: 200, 400, 401, 404, 409. */
export const patchSupplier = route(declared.changeSupplier, async (c) => {
  const outcome = await changeSupplier(c.var.deps, c.var.operator.actor, c.req.valid('param').code, c.var.body.value);
  switch (outcome.kind) {
    case 'changed':
      return c.json(supplierView(outcome.supplier));
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    case 'changed_since':
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});

/** `status` and `configuration` are null where this release cannot read what is stored. */
const supplierView = (supplier: SupplierDetails) => ({
  organisation_id: supplier.organisationId,
  code: supplier.code,
  name: supplier.name,
  status: supplier.status ?? null,
  configuration: supplier.configuration ?? null,
  version: supplier.version,
  created_at: isoInstant(supplier.createdAt),
  modified_at: isoInstant(supplier.modifiedAt),
  import_processes: supplier.counts,
});
