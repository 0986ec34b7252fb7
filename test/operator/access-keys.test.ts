/** §10: keys of Cloudflare Access that cannot be read lock nobody out whose credential is good. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { anAccessTeam } from '../support/access';
import { anAddress } from '../support/given';
import { OPERATOR } from '../support/operator';

const HOUR = 3_600_000;
afterEach(() => vi.restoreAllMocks());

/** A team of its own for each test, because keys are remembered; and a service whose clock the test sets. */
async function aGuardedService() {
  const team = await anAccessTeam(`keys-${crypto.randomUUID().slice(0, 8)}`);
  let offset = 0;
  const errors: string[] = [];
  const app = appOf((bindings, context) => {
    const deps = depsFrom(bindings, context);
    return { ...deps, now: () => Date.now() + offset, log: { ...deps.log, error: (event) => void errors.push(event) } };
  });
  return {
    team,
    errors,
    advance: (milliseconds: number) => {
      offset += milliseconds;
    },
    assertion: (kid?: string) => team.assertion({ exp: Math.floor((Date.now() + offset) / 1000) + 60 }, kid),
    ask: async (path: string, headers: Record<string, string>) => {
      const request = new Request(`https://import.test/operator/${path}`, { headers: { 'CF-Connecting-IP': anAddress(), ...headers } });
      const answer = await app.fetch(request, { ...env, ...team.settings }, createExecutionContext());
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    signIn: async () => {
      const body = new URLSearchParams({ token: env.OPERATOR_TOKEN ?? '' }).toString();
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
      const request = new Request('https://import.test/operator/sign-in/', { method: 'POST', headers, body });
      const answer = await app.fetch(request, { ...env, ...team.settings }, createExecutionContext());
      return answer.headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail();
    },
  };
}

const FAILURES: readonly (readonly [string, () => Promise<Response>])[] = [
  ['nobody answers', () => Promise.reject(new Error('Network connection lost.'))],
  ['a server error', async () => new Response('no', { status: 503 })],
  ['something else', async () => new Response('<html>')],
  ['no keys', async () => Response.json({ keys: 'none' })],
];

const fail = (how: () => Promise<Response>) => vi.spyOn(globalThis, 'fetch').mockImplementation(how);

describe('while the keys cannot be read', () => {
  it.each(FAILURES)('a good token and a good cookie open what they open (%s)', async (_, how) => {
    const { ask, assertion, signIn } = await aGuardedService();
    fail(how);
    const [Cookie, Assertion] = [await signIn(), { 'Cf-Access-Jwt-Assertion': await assertion() }];
    expect((await ask('', { Cookie, ...Assertion })).status).toBe(200);
    expect((await ask('v1/organisations/', { ...OPERATOR, ...Assertion })).status).toBe(200);
  });

  it('an assertion alone is a failure of ours: 500, never 401, not counted as a wrong one, and asked for again only after a while', async () => {
    const { ask, assertion, advance, errors, team } = await aGuardedService();
    const read = fail(() => Promise.reject(new Error('Network connection lost.')));
    const headers = { 'Cf-Access-Jwt-Assertion': await assertion(), 'CF-Connecting-IP': anAddress() };
    for (let i = 0; i < 45; i++) expect((await ask('v1/organisations/', headers)).status).toBe(500);
    expect((await ask('', headers)).status).toBe(500);
    expect([read.mock.calls.length, errors.filter((event) => event === 'access_keys_not_read').length]).toEqual([1, 1]);
    vi.restoreAllMocks();
    team.serveKeys();
    expect((await ask('v1/organisations/', headers)).status).toBe(500);
    advance(10_001);
    expect((await ask('v1/organisations/', headers)).status).toBe(200);
    expect((await ask('', headers)).status).toBe(200);
  });

  it.each(FAILURES)('those that were read before go on serving, hours later (%s)', async (_, how) => {
    const { ask, assertion, advance, team } = await aGuardedService();
    team.serveKeys();
    const knock = async (kid?: string) => (await ask('v1/organisations/', { 'Cf-Access-Jwt-Assertion': await assertion(kid) })).status;
    expect(await knock()).toBe(200);
    vi.restoreAllMocks();
    const read = fail(how);
    for (let hour = 0; hour < 3; hour++) {
      advance(HOUR + 1_000);
      expect([await knock(), await knock(), await knock()]).toEqual([200, 200, 200]);
    }
    expect(read).toHaveBeenCalledTimes(3);
    // A key that is new, or made up: nobody can say which.
    expect(await knock('key-2')).toBe(500);
    vi.restoreAllMocks();
    team.serveKeys();
    advance(10_001);
    expect([await knock(), await knock('key-2')]).toEqual([200, 401]);
  });

  it('a bad assertion is refused by the keys that are known', async () => {
    const { ask, advance, team } = await aGuardedService();
    team.serveKeys();
    const knock = async (assertion: string) => (await ask('v1/organisations/', { 'Cf-Access-Jwt-Assertion': assertion })).status;
    expect(await knock(await team.assertion())).toBe(200);
    vi.restoreAllMocks();
    fail(() => Promise.reject(new Error('Network connection lost.')));
    advance(HOUR + 1_000);
    const strangers = await anAccessTeam('strangers');
    const exp = Math.floor(Date.now() / 1000) + 2 * 3_600;
    expect(await knock(await strangers.assertion({ iss: team.issuer, exp }))).toBe(401);
    expect(await knock(await team.assertion({ exp: exp - 3_600 - 60 }))).toBe(401);
    expect(await knock(await team.assertion({ exp, aud: ['another'] }))).toBe(401);
    expect(await knock(await team.assertion({ exp }))).toBe(200);
    expect(await knock('x')).toBe(401);
  });
});
