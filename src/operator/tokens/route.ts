import { pageOf, pageReply } from '../../http/page';
import { notFound, validationFailed } from '../../http/replies';
import { route } from '../../http/route';
import { isoInstant } from '../../shared/dates';
import { unreachable } from '../../shared/unreachable';
import * as declared from './endpoints';
import type { OperatorTokenRow } from './store';
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from './tokens';

/** `POST /operator/v1/operator-tokens/` {`name`, `role`}: 201 with the token, shown once; 400, 401, 403. */
export const postOperatorToken = route(declared.createOperatorToken, async (c) => {
  const outcome = await createOperatorToken(c.var.deps, c.var.operator.actor, c.var.body.value);
  switch (outcome.kind) {
    case 'created':
      return c.json({ ...tokenView(outcome.token), token: outcome.secret }, 201);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/operator-tokens/?limit=&cursor=`: newest first. 200, 400, 401, 403. The tokens themselves are never shown again. */
export const getOperatorTokens = route(declared.listOperatorTokens, async (c) => {
  return pageReply(c, await listOperatorTokens(c.var.deps, pageOf(c.req.valid('query'))), tokenView);
});

/** `DELETE /operator/v1/operator-tokens/{id}/`: 204, 401, 403, 404. */
export const deleteOperatorToken = route(declared.revokeOperatorToken, async (c) => {
  const { kind } = await revokeOperatorToken(c.var.deps, c.var.operator.actor, c.req.valid('param').id);
  return kind === 'revoked' ? c.body(null, 204) : notFound(c);
});

const tokenView = (row: OperatorTokenRow) => ({
  id: row.id,
  name: row.name,
  role: row.role,
  last_four: row.lastFour,
  created_at: isoInstant(row.createdAt),
  ...(row.revokedAt === null ? {} : { revoked_at: isoInstant(row.revokedAt) }),
});
