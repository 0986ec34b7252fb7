import type { Deps } from '../deps';
import { isoInstant } from '../shared/dates';
import { postSigned, type Sent } from '../shared/standard-webhooks';
import type { Caller } from '../tokens';
import { readWebhook } from './register';
import { secretsOf } from './secrets';

/** Sends a signed `webhook.test` now, once, also where the webhook is disabled, and answers what became of it. */
export async function tryWebhook(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<{ readonly kind: 'unauthenticated' | 'not_found' } | { readonly kind: 'tried'; readonly sent: Sent }> {
  const found = await readWebhook(deps, caller, id);
  if (found.kind !== 'found') return found;
  const { url, generation, rotatedAt } = found.webhook;
  const [at, eventId] = [deps.now(), `test_${crypto.randomUUID()}`];
  const body = JSON.stringify({ id: eventId, type: 'webhook.test', occurred_at: isoInstant(at), data: { webhook: id } });
  return { kind: 'tried', sent: await postSigned(url, { id: eventId, at, body }, secretsOf(deps, id, generation, rotatedAt)) };
}
