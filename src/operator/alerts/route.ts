import { pageOf, pageReply } from '../../http/page';
import { notFound, validationFailed } from '../../http/replies';
import { route } from '../../http/route';
import { isoInstant } from '../../shared/dates';
import { unreachable } from '../../shared/unreachable';
import { createAddress, listAddresses, removeAddress, tryAddress } from './addresses';
import { listAlerts } from './check';
import * as declared from './endpoints';
import type { AddressRow } from './store-addresses';
import { alertView } from './views';

/** `GET /operator/v1/alerts/?firing=&limit=&cursor=`: newest first. 200, 400, 401. */
export const getAlerts = route(declared.listAlerts, async (c) => {
  const { firing = false, ...page } = c.req.valid('query');
  return pageReply(c, await listAlerts(c.var.deps, firing, pageOf(page)), alertView);
});

/** `POST /operator/v1/alert-addresses/` {`url`}: 201 with the secret, shown once; 400, 401, 403, 503 without a signing key. */
export const postAlertAddress = route(declared.createAlertAddress, async (c) => {
  const outcome = await createAddress(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json({ ...addressView(outcome.address), secret: outcome.secret }, 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/alert-addresses/?limit=&cursor=`: newest first. 200, 400, 401, 403. */
export const getAlertAddresses = route(declared.listAlertAddresses, async (c) => {
  return pageReply(c, await listAddresses(c.var.deps, pageOf(c.req.valid('query'))), addressView);
});

/** `DELETE /operator/v1/alert-addresses/{id}/`: 204, 401, 403, 404. */
export const deleteAlertAddress = route(declared.removeAlertAddress, async (c) => {
  const { kind } = await removeAddress(c.var.deps, c.var.operator.actor, c.req.valid('param').id);
  return kind === 'removed' ? c.body(null, 204) : notFound(c);
});

/** `POST /operator/v1/alert-addresses/{id}/test/`: 200 with what became of it; 401, 403, 404, 503 without a signing key. */
export const postAlertTest = route(declared.testAlertAddress, async (c) => {
  const sent = await tryAddress(c.var.deps, c.req.valid('param').id);
  if (!sent) return notFound(c);
  return c.json(sent.kind === 'taken' ? { is_taken: true } : { is_taken: false, failure: sent.reason });
});

const addressView = (row: AddressRow) => ({
  id: row.id,
  url: row.url,
  created_at: isoInstant(row.createdAt),
  ...(row.deliveredAt === null ? {} : { delivered_at: isoInstant(row.deliveredAt) }),
  ...(row.failedAt === null ? {} : { failed_at: isoInstant(row.failedAt), failure: row.failure ?? '' }),
});
