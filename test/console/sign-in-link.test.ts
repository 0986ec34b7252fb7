/** The link that signs in to the console of a local service: it works once, and nowhere but there. */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Bindings, depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { sha256 } from '../../src/shared/digest';
import { auditOf } from '../support/operator';

const LOCAL = 'http://127.0.0.1:8787';
const app = appOf(depsFrom);

interface Asked {
  readonly code: string;
  readonly home?: string;
  readonly bindings?: Bindings;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

let codes = 0;
const aCode = (): string => `code-${codes++}-of-this-start`;
const startedWith = (code: string): Bindings => ({ ...env, LOCAL_SIGN_IN_SHA256: sha256(code) });

/** Follows the link; `bindings` are those of a service that was started with this very code, unless given. */
async function follow({ code, home = LOCAL, bindings = startedWith(code), method = 'GET', headers = {} }: Asked) {
  const request = new Request(`${home}/operator/sign-in/?code=${encodeURIComponent(code)}`, {
    method,
    redirect: 'manual',
    headers: { 'CF-Connecting-IP': `203.0.113.${codes}`, ...headers },
  });
  const answer = await app.fetch(request, bindings, createExecutionContext());
  return {
    status: answer.status,
    cookie: answer.headers.get('Set-Cookie'),
    location: answer.headers.get('Location'),
    text: await answer.text(),
  };
}

describe('the sign-in link of npm start', () => {
  it('opens the console with one click, audited', async () => {
    const before = (await auditOf('console')).length;
    const { status, cookie, location } = await follow({ code: aCode() });
    expect([status, location]).toEqual([303, '/operator/']);
    for (const part of ['__Host-operator=', 'HttpOnly', 'Secure', 'SameSite=Strict']) expect(cookie).toContain(part);
    const Cookie = cookie?.split(';')[0] ?? expect.fail();
    const page = await app.fetch(new Request(`${LOCAL}/operator/`, { headers: { Cookie } }), env, createExecutionContext());
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Suppliers')]);
    expect(await auditOf('console')).toHaveLength(before + 1);
  });

  it('works once, also when it is followed many times at once', async () => {
    const code = aCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow({ code })));
    expect(answers.filter(({ cookie }) => cookie !== null)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect(await follow({ code })).toMatchObject({ status: 401, cookie: null, text: expect.stringContaining('used already') });
  });

  it('leads whoever is signed in already to the console, spent or not', async () => {
    const code = aCode();
    const { cookie } = await follow({ code });
    const Cookie = cookie?.split(';')[0] ?? expect.fail();
    expect(await follow({ code, headers: { Cookie } })).toMatchObject({ status: 303, location: '/operator/', cookie: null });
  });

  it('is not spent by a look at its head', async () => {
    const code = aCode();
    expect(await follow({ code, method: 'HEAD' })).toMatchObject({ status: 200, cookie: null });
    expect((await follow({ code })).status).toBe(303);
  });

  it('opens nothing with another code, and many of one address are 429', async () => {
    const bindings = startedWith(aCode());
    let last = 0;
    for (const code of ['', 'guess', 'undefined', bindings.LOCAL_SIGN_IN_SHA256 ?? '']) {
      const answer = await follow({ code, bindings });
      expect([code, answer.status, answer.cookie]).toEqual([code, code === '' ? 200 : 401, null]);
    }
    for (let i = 0; i < 60 && last !== 429; i++)
      last = (await follow({ code: `guess ${i}`, bindings, headers: { 'CF-Connecting-IP': '203.0.113.254' } })).status;
    expect(last).toBe(429);
  });

  it('is never there in production: not without the digest, and with it at no address but this machine’s own', async () => {
    for (const code of ['', 'x', 'undefined']) expect(await follow({ code, bindings: env })).toMatchObject({ status: 200, cookie: null });
    for (const home of [
      'https://import.example.com',
      'https://account-data-import-staging.north.workers.dev',
      'https://127.0.0.1.example.com',
      'https://localhost.example.com',
      'http://0.0.0.0:8787',
      'http://192.168.0.7:8787',
    ]) {
      const code = aCode();
      expect([home, await follow({ code, home })]).toEqual([home, expect.objectContaining({ status: 200, cookie: null })]);
      expect((await follow({ code })).status).toBe(303);
    }
  });

  it('opens nothing where no operator token is set', async () => {
    const code = aCode();
    const { OPERATOR_TOKEN: _, ...without } = startedWith(code);
    expect(await follow({ code, bindings: without })).toMatchObject({ status: 200, cookie: null });
  });
});
