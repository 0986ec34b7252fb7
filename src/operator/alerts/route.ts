import type { AppHandler } from '../../http/app';
import { pageQuery, pageReply } from '../../http/page';
import { notFound, validationFailed } from '../../http/replies';
import { isoInstant } from '../../shared/dates';
import { fieldError } from '../../shared/errors';
import { unreachable } from '../../shared/unreachable';
import { createAddress, listAddresses, removeAddress, tryAddress } from './addresses';
import { listAlerts } from './check';
import type { AddressRow } from './store-addresses';
import { alertView } from './views';

/** `GET /operator/v1/alerts/?firing=&limit=&cursor=`: newest first. 200, 400, 401. */
export const getAlerts: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  const firing = (c.req.query('firing') ?? 'false').toLowerCase();
  if (!['true', 'false', '1', '0'].includes(firing))
    return validationFailed(c, [fieldError(['firing'], 'invalid', 'Enter true or false.')]);
  return pageReply(c, await listAlerts(c.var.deps, ['true', '1'].includes(firing), page), alertView);
};

/** `POST /operator/v1/alert-addresses/` {`url`}: 201 with the secret, shown once; 400, 401, 403, 503 without a signing key. */
export const postAlertAddress: AppHandler = async (c) => {
  const outcome = await createAddress(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json({ ...addressView(outcome.address), secret: outcome.secret }, 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    default:
      return unreachable(outcome);
  }
};

/** `GET /operator/v1/alert-addresses/?limit=&cursor=`: newest first. 200, 400, 401, 403. */
export const getAlertAddresses: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  return pageReply(c, await listAddresses(c.var.deps, page), addressView);
};

/** `DELETE /operator/v1/alert-addresses/{id}/`: 204, 401, 403, 404. */
export const deleteAlertAddress: AppHandler = async (c) => {
  const { kind } = await removeAddress(c.var.deps, c.var.operator.actor, c.req.param('id') ?? '');
  return kind === 'removed' ? c.body(null, 204) : notFound(c);
};

/** `POST /operator/v1/alert-addresses/{id}/test/`: 200 with what became of it; 401, 403, 404, 503 without a signing key. */
export const postAlertTest: AppHandler = async (c) => {
  const sent = await tryAddress(c.var.deps, c.req.param('id') ?? '');
  if (!sent) return notFound(c);
  return c.json(sent.kind === 'taken' ? { is_taken: true } : { is_taken: false, failure: sent.reason });
};

const addressView = (row: AddressRow) => ({
  id: row.id,
  url: row.url,
  created_at: isoInstant(row.createdAt),
  ...(row.deliveredAt === null ? {} : { delivered_at: isoInstant(row.deliveredAt) }),
  ...(row.failedAt === null ? {} : { failed_at: isoInstant(row.failedAt), failure: row.failure ?? '' }),
});
