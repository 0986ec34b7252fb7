import type { Deps } from '../deps';
import { NotSetUp, usableSecret } from '../shared/secrets';
import { webhookSecret } from '../shared/standard-webhooks';
import { signingGenerations } from './rules';

/** The secret of a webhook's generation; nothing stores it. Throws {@link NotSetUp} where no signing key is set. */
export function secretOf(deps: Deps, id: string, generation: number): string {
  const key = usableSecret(deps.env.WEBHOOK_SIGNING_KEY);
  if (key === undefined) throw new NotSetUp('WEBHOOK_SIGNING_KEY is missing or shorter than 32 bytes');
  return webhookSecret(key, `webhook ${id} ${generation}`);
}

/** What signs for a webhook right now. */
export const secretsOf = (deps: Deps, id: string, generation: number, rotatedAt: number | null): string[] =>
  signingGenerations(generation, rotatedAt, deps.now()).map((one) => secretOf(deps, id, one));
