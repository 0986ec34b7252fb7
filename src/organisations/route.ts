import { pageOf, pageReply } from '../http/page';
import { notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { isoInstant } from '../shared/dates';
import { unreachable } from '../shared/unreachable';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys';
import * as declared from './endpoints';
import { createOrganisation, listOrganisations } from './organisations';
import type { ApiKeyRow, OrganisationRow } from './store';

/** `POST /operator/v1/organisations/` {`name`, `is_test`}: 201, 400, 401, 403. */
export const postOrganisation = route(declared.createOrganisation, async (c) => {
  const outcome = await createOrganisation(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json(organisationView(outcome.organisation), 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/organisations/?limit=&cursor=`: newest first. 200, 400, 401. */
export const getOrganisations = route(declared.listOrganisations, async (c) => {
  return pageReply(c, await listOrganisations(c.var.deps, pageOf(c.req.valid('query'))), organisationView);
});

/** `POST /operator/v1/organisations/{id}/api-keys/` {`label`, `expires_at`, `is_read_only`}: 201 with the key, shown once; 400, 401, 403, 404. */
export const postApiKey = route(declared.createApiKey, async (c) => {
  const outcome = await createApiKey(c.var.deps, c.var.operator.actor, c.req.valid('param').id, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json({ ...apiKeyView(outcome.key), api_key: outcome.secret }, 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'not_found':
      return notFound(c);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/organisations/{id}/api-keys/?limit=&cursor=`: newest first. 200, 400, 401, 404. Keys themselves are never shown again. */
export const getApiKeys = route(declared.listApiKeys, async (c) => {
  const keys = await listApiKeys(c.var.deps, c.req.valid('param').id, pageOf(c.req.valid('query')));
  return keys ? pageReply(c, keys, apiKeyView) : notFound(c);
});

/** `DELETE /operator/v1/api-keys/{id}/`: 204, 401, 404. The key and its tokens are refused from the next request on. */
export const deleteApiKey = route(declared.revokeApiKey, async (c) => {
  const { kind } = await revokeApiKey(c.var.deps, c.var.operator.actor, c.req.valid('param').id);
  return kind === 'revoked' ? c.body(null, 204) : notFound(c);
});

const organisationView = (row: OrganisationRow) => ({
  id: row.id,
  name: row.name,
  is_test: row.isTest,
  created_at: isoInstant(row.createdAt),
});

const apiKeyView = (row: ApiKeyRow) => ({
  id: row.id,
  label: row.label,
  ...(row.lastFour === null ? {} : { last_four: row.lastFour }),
  is_read_only: row.isReadOnly,
  created_at: isoInstant(row.createdAt),
  ...(row.expiresAt === null ? {} : { expires_at: isoInstant(row.expiresAt) }),
  ...(row.lastUsedAt === null ? {} : { last_used_at: isoInstant(row.lastUsedAt) }),
  ...(row.revokedAt === null ? {} : { revoked_at: isoInstant(row.revokedAt) }),
});
