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
/** After keys could not be read, how long nobody waits for them again. */
const RETRY_MILLISECONDS = 10_000;

interface TeamKeys {
  /** As they were last read; undefined if they never were. */
  readonly keys: Keys | undefined;
  readonly readAt: number;
  /** When reading them failed last. */
  readonly failedAt: number;
}

// Public keys of a team, for as long as the isolate lives.
const cache = new Map<string, TeamKeys>();

export type AccessOutcome =
  /** Who the assertion speaks for. */
  | { readonly kind: 'actor'; readonly actor: string }
  | { readonly kind: 'refused' }
  /** The team's keys cannot be had, and none of those known is the one it names. */
  | { readonly kind: 'keys_unavailable' };

/** Whether an assertion is good right now. Keys that were read before serve while new ones cannot be had. */
export async function verifyAssertion(deps: Deps, assertion: string, read: typeof fetch = fetch): Promise<AccessOutcome> {
  const { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUDIENCE: audience } = deps.env;
  const kid = keyIdOf(assertion);
  if (!domain || !audience || kid === undefined) return { kind: 'refused' };
  const issuer = `https://${domain.replace(/^https:\/\/|\/+$/g, '')}`;
  const { keys = [], failedAt, readAt } = await keysOf(deps, issuer, kid, read);
  if (!keys.some((key) => key.kid === kid) && failedAt > readAt) return { kind: 'keys_unavailable' };
  try {
    const payload = await verifyWithJwks(assertion, {
      keys,
      allowedAlgorithms: ['RS256'],
      verification: { iss: issuer, aud: audience, exp: false, iat: false, nbf: false },
    });
    const { exp, email, common_name, sub } = claims.parse(payload);
    const actor = exp > deps.now() / 1000 ? email || common_name || sub : undefined;
    return actor ? { kind: 'actor', actor } : { kind: 'refused' };
  } catch {
    // A bad assertion, whatever is wrong with it; the keys were read before.
    return { kind: 'refused' };
  }
}

function keyIdOf(assertion: string): string | undefined {
  try {
    return decode(assertion).header.kid;
  } catch {
    return undefined;
  }
}

async function keysOf(deps: Deps, issuer: string, kid: string, read: typeof fetch): Promise<TeamKeys> {
  const now = deps.now();
  const known = cache.get(issuer) ?? { keys: undefined, readAt: Number.NEGATIVE_INFINITY, failedAt: Number.NEGATIVE_INFINITY };
  const lifetime = known.keys?.some((key) => key.kid === kid) ? KEYS_LIFETIME_MILLISECONDS : REREAD_MILLISECONDS;
  if (now - known.readAt < lifetime || now - known.failedAt < RETRY_MILLISECONDS) return known;
  const team = await readKeys(issuer, read).then(
    (keys) => ({ keys, readAt: now, failedAt: known.failedAt }),
    (error: unknown) => {
      deps.log.error('access_keys_not_read', error);
      return { ...known, failedAt: now };
    },
  );
  cache.set(issuer, team);
  return team;
}

async function readKeys(issuer: string, read: typeof fetch): Promise<Keys> {
  const response = await read(`${issuer}/cdn-cgi/access/certs`, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`the team's keys were answered with ${response.status}`);
  return jwks.parse(await response.json()).keys;
}
