/**
 * Platform systems, which read accounts: they are known by the platform token, or the one before it while it is being replaced.
 */
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps';
import { sha256 } from '../shared/digest';
import { usableSecret } from '../shared/secrets';

export type PlatformAuthentication = 'authenticated' | 'not_authenticated' | 'authentication_failed';

/** Compares digests in constant time, each token that is set and long enough. Without any nobody is let in. */
export function authenticatePlatform({ env }: Deps, authorization: string | undefined): PlatformAuthentication {
  if (!authorization) return 'not_authenticated';
  const token = /^bearer\s+(\S+)\s*$/i.exec(authorization.trim())?.[1];
  if (token === undefined) return 'authentication_failed';
  const given = Buffer.from(sha256(token));
  const matches = [env.PLATFORM_TOKEN, env.PLATFORM_TOKEN_PREVIOUS].map((secret) => {
    const expected = usableSecret(secret);
    return expected !== undefined && timingSafeEqual(given, Buffer.from(sha256(expected)));
  });
  return matches.includes(true) ? 'authenticated' : 'authentication_failed';
}
