/**
 * Cloudflare Access assertions: signature by the team's keys, issuer, audience and expiry
 * (https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/).
 */
import { decode, verifyWithJwks } from 'hono/jwt';
import * as z from 'zod';
import type { Deps } from '../deps';

const jwks = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) });
type Keys = z.output<typeof jwks>['keys'];

const claims = z.object({
  exp: z.number(),
  email: z.string().optional(),
  common_name: z.string().optional(),
  sub: z.string().optional(),
});

const KEYS_LIFETIME_MILLISECONDS = 3_600_000;
/** An unknown key id makes the keys be read again, but not more often than this: anyone can name an unknown key. */
const REREAD_MILLISECONDS = 60_000;

// Public keys of a team, for as long as the isolate lives.
const cache = new Map<string, { readonly keys: Keys; readonly readAt: number }>();

/** Who the assertion speaks for, or undefined unless it is good right now. Throws if the team's keys cannot be read. */
export async function accessActor(deps: Deps, assertion: string, read: typeof fetch = fetch): Promise<string | undefined> {
  const { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUDIENCE: audience } = deps.env;
  if (!domain || !audience) return undefined;
  const issuer = `https://${domain.replace(/^https:\/\/|\/+$/g, '')}`;
  const kid = keyIdOf(assertion);
  if (kid === undefined) return undefined;
  const keys = await keysOf(issuer, kid, deps.now(), read);
  try {
    const payload = await verifyWithJwks(assertion, {
      keys,
      allowedAlgorithms: ['RS256'],
      verification: { iss: issuer, aud: audience, exp: false, iat: false, nbf: false },
    });
    const { exp, email, common_name, sub } = claims.parse(payload);
    return exp > deps.now() / 1000 ? email || common_name || sub || undefined : undefined;
  } catch {
    // A bad assertion, whatever is wrong with it; the keys were read before.
    return undefined;
  }
}

function keyIdOf(assertion: string): string | undefined {
  try {
    return decode(assertion).header.kid;
  } catch {
    return undefined;
  }
}

async function keysOf(issuer: string, kid: string, now: number, read: typeof fetch): Promise<Keys> {
  const known = cache.get(issuer);
  const age = now - (known?.readAt ?? 0);
  if (known && (known.keys.some((key) => key.kid === kid) ? age < KEYS_LIFETIME_MILLISECONDS : age < REREAD_MILLISECONDS))
    return known.keys;
  const response = await read(`${issuer}/cdn-cgi/access/certs`, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`the team's keys could not be read: ${response.status}`);
  const { keys } = jwks.parse(await response.json());
  cache.set(issuer, { keys, readAt: now });
  return keys;
}
