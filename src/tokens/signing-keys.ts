import type { Deps } from '../deps';
import { NotSetUp, usableSecret } from '../shared/secrets';
import type { SigningKeys } from './token';

/** The keys that sign and verify. Throws {@link NotSetUp} without one that is long enough; a previous one that is not is left out. */
export function signingKeysOf({ env }: Deps): SigningKeys {
  const current = usableSecret(env.TOKEN_SIGNING_KEY);
  if (current === undefined) throw new NotSetUp('TOKEN_SIGNING_KEY is missing or too short');
  return { current, previous: usableSecret(env.TOKEN_SIGNING_KEY_PREVIOUS) };
}
