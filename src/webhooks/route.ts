import type { AppContext } from '../http/app';
import { authenticationFailed, cursorExpired, notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { unreachable } from '../shared/unreachable';
import * as declared from './endpoints';
import { createWebhook, listWebhooks, patchWebhook, type Read, removeWebhook, replayWebhook, rotateWebhookSecret } from './register';
import { tryWebhook } from './try';
import { webhookView } from './views';

/** `POST /v2/data-import/webhooks/` {`url`, `import_suppliers`, `types`}: 201 with the secret, shown once; 400, 401, 503 without a signing key. */
export const postWebhook = route(declared.createWebhook, async (c) => {
  const outcome = await createWebhook(c.var.deps, c.var.caller, c.var.body.value);
  switch (outcome.kind) {
    case 'unauthenticated':
      return authenticationFailed(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'created':
      return c.json({ ...webhookView(outcome.webhook, c.var.deps.now()), secret: outcome.secret }, 201);
    default:
      return unreachable(outcome);
  }
});

/** `GET /v2/data-import/webhooks/`: the oldest first. 200, 401. */
export const getWebhooks = route(declared.listWebhooks, async (c) => {
  const webhooks = await listWebhooks(c.var.deps, c.var.caller);
  const now = c.var.deps.now();
  return webhooks ? c.json(webhooks.map((one) => webhookView(one, now))) : authenticationFailed(c);
});

/** `PATCH /v2/data-import/webhooks/{id}/` {`url`, `import_suppliers`, `types`, `is_enabled`}: 200, 400, 401, 404. */
export const patchWebhookOfId = route(declared.changeWebhook, async (c) => {
  const outcome = await patchWebhook(c.var.deps, c.var.caller, c.req.valid('param').webhook_id, c.var.body.value);
  return outcome.kind === 'invalid' ? validationFailed(c, outcome.errors) : readReply(c, outcome);
});

/** `DELETE /v2/data-import/webhooks/{id}/`: 204, 401, 404. */
export const deleteWebhookOfId = route(declared.removeWebhook, async (c) => {
  const outcome = await removeWebhook(c.var.deps, c.var.caller, c.req.valid('param').webhook_id);
  return outcome.kind === 'removed' ? c.body(null, 204) : missing(c, outcome.kind);
});

/** `POST /v2/data-import/webhooks/{id}/test/`: sends `webhook.test` now. 200 with what became of it, 401, 404. */
export const postTestOfWebhook = route(declared.tryWebhook, async (c) => {
  const outcome = await tryWebhook(c.var.deps, c.var.caller, c.req.valid('param').webhook_id);
  if (outcome.kind !== 'tried') return missing(c, outcome.kind);
  const { sent } = outcome;
  return c.json(sent.kind === 'taken' ? { is_taken: true } : { is_taken: false, reason: sent.reason });
});

/** `POST /v2/data-import/webhooks/{id}/rotate-secret/`: 200 with the next secret, shown once; 401, 404. */
export const postRotateSecret = route(declared.rotateWebhookSecret, async (c) => {
  const outcome = await rotateWebhookSecret(c.var.deps, c.var.caller, c.req.valid('param').webhook_id);
  if (outcome.kind !== 'rotated') return missing(c, outcome.kind);
  return c.json({ ...webhookView(outcome.webhook, c.var.deps.now()), secret: outcome.secret });
});

/** `POST /v2/data-import/webhooks/{id}/replay/` {`cursor`}: goes on from there. 200, 400, 401, 404, 410. */
export const postReplay = route(declared.replayWebhook, async (c) => {
  const outcome = await replayWebhook(c.var.deps, c.var.caller, c.req.valid('param').webhook_id, c.var.body.value);
  switch (outcome.kind) {
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'expired':
      return cursorExpired(c, outcome.cursor);
    default:
      return readReply(c, outcome);
  }
});

const missing = (c: AppContext, kind: 'unauthenticated' | 'not_found'): Response =>
  kind === 'not_found' ? notFound(c) : authenticationFailed(c);

const readReply = (c: AppContext, outcome: Read): Response =>
  outcome.kind === 'found' ? c.json(webhookView(outcome.webhook, c.var.deps.now())) : missing(c, outcome.kind);
