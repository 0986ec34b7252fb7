/** The operator console over HTTP: who gets in, what its answers carry, and what a change asks for. */
import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { type Bindings, depsFrom } from '../../src/deps';
import { appOf } from '../../src/routes';
import { anAccessTeam } from '../support/access';
import { aSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readValue } from '../support/tables';

const HOME = 'https://import.test';

async function visit(path: string, headers: Record<string, string> = {}, form?: Record<string, string>) {
  const response = await exports.default.fetch(
    new Request(`${HOME}${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}), ...headers },
      redirect: 'manual',
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let addresses = 0;
const signIn = (token: string | undefined, next = '/operator/', headers: Record<string, string> = {}) =>
  visit('/operator/sign-in/', { 'CF-Connecting-IP': `203.0.113.${addresses++}`, ...headers }, { token: token ?? '', next });

/** A signed-in browser: its cookie, and the token of its forms. */
async function aSession() {
  const answer = await signIn(env.OPERATOR_TOKEN);
  const Cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail();
  const { text } = await visit('/operator/organisations/', { Cookie });
  const formToken = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? expect.fail();
  return { Cookie, formToken };
}

const send = (
  session: { Cookie: string; formToken: string },
  path: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
) => visit(path, { Cookie: session.Cookie, 'Sec-Fetch-Site': 'same-origin', ...headers }, { form_token: session.formToken, ...form });

const PAGES = ['', 'new-supplier/', 'organisations/', 'audit/', 'dead-letters/'];

describe('without a session', () => {
  it('shows nothing: pages lead to the sign-in page, changes and live parts are 401', async () => {
    const { code } = await aSupplier();
    for (const page of [...PAGES, `suppliers/${code}/`, `suppliers/${code}/processes/`, `suppliers/${code}/export/`, 'nothing/']) {
      const answer = await visit(`/operator/${page}`);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('Location')).toBe(`/operator/sign-in/?next=${encodeURIComponent(`/operator/${page}`)}`);
      expect(answer.text).not.toContain(code);
    }
    expect((await visit('/operator/', { 'HX-Request': 'true' })).status).toBe(401);
    expect((await visit('/operator/organisations/', {}, { name: 'x' })).status).toBe(401);
    expect((await visit('/operator/v1/nothing/')).status).toBe(404);
  });

  it('serves styles, scripts and the font, and nothing else of that folder', async () => {
    for (const file of ['console.css', 'console.js', 'htmx.min.js', 'uplot.min.js', 'uplot.min.css'])
      expect((await visit(`/operator/assets/${file}`)).status, file).toBe(200);
    const font = await exports.default.fetch(`${HOME}/operator/assets/inter.woff2`);
    expect([font.status, font.headers.get('Content-Type')]).toEqual([200, 'font/woff2']);
    for (const file of ['nothing.js', '..%2f..%2ffavicon.svg', 'SOURCES.txt'])
      expect((await visit(`/operator/assets/${file}`)).status, file).toBe(404);
  });

  it('is closed when no credential is configured', async () => {
    const { OPERATOR_TOKEN: _, ...without } = env;
    const app = appOf(depsFrom);
    const ask = (path: string, init: RequestInit, bindings: Bindings) =>
      app.fetch(new Request(`${HOME}${path}`, init), bindings, createExecutionContext());
    const page = await ask('/operator/sign-in/', {}, without);
    expect(await page.text()).toContain('The console is closed');
    for (const token of ['', 'undefined', 'x']) {
      const body = new URLSearchParams({ token }).toString();
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
      const answer = await ask('/operator/sign-in/', { method: 'POST', headers, body }, without);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
    const { Cookie } = await aSession();
    const withOld = await ask(
      '/operator/',
      { headers: { Cookie }, redirect: 'manual' },
      { ...env, OPERATOR_TOKEN: 'another-operator-token-of-at-least-32-bytes' },
    );
    expect(withOld.status).toBe(303);
  });
});

describe('signing in and out', () => {
  it('gives a cookie that no script, no other site and no plain connection can use, and audits it', async () => {
    const before = (await auditOf('console')).length;
    const answer = await signIn(env.OPERATOR_TOKEN, '/operator/audit/');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe('/operator/audit/');
    const cookie = answer.headers.get('Set-Cookie') ?? '';
    expect(cookie).toMatch(/^__Host-operator=/);
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Max-Age=28800']) expect(cookie).toContain(attribute);
    expect(cookie).not.toContain('Domain');
    expect(cookie).not.toContain(env.OPERATOR_TOKEN ?? '');
    expect(await auditOf('console')).toHaveLength(before + 1);
  });

  it('refuses a wrong token with 401, and many of one address with 429', async () => {
    const first = await signIn('wrong');
    expect(first).toMatchObject({ status: 401, text: expect.stringContaining('not the operator token') });
    expect(first.headers.get('Set-Cookie')).toBeNull();
    let last = 0;
    for (let i = 0; i < 60 && last !== 429; i++) last = (await signIn('wrong', '/', { 'CF-Connecting-IP': '203.0.113.255' })).status;
    expect(last).toBe(429);
  });

  it('leads nowhere but to the console', async () => {
    for (const next of ['https://evil.test/', '//evil.test', '/operator//evil.test', '/operator/\\evil', '/docs/', ''])
      expect((await signIn(env.OPERATOR_TOKEN, next)).headers.get('Location'), next).toBe('/operator/');
  });

  it('takes no form that cannot be read', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=a', 'garbage'],
      ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="token"\r\n\r\nx'],
      ['application/x-www-form-urlencoded; charset=utf-16', 'token=x'],
      ['text/plain', 'token=x'],
    ] as const) {
      const headers = { 'Content-Type': type, 'Content-Length': String(body.length) };
      const request = new Request('https://import.test/operator/sign-in/', { method: 'POST', headers, body, redirect: 'manual' });
      const { status, headers: answered } = await exports.default.fetch(request);
      expect([type, status, answered.get('Location')]).toEqual([type, 303, '/operator/sign-in/']);
    }
  });

  it('is not done by another site', async () => {
    const answer = await signIn(env.OPERATOR_TOKEN, '/operator/', { 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.headers.get('Set-Cookie')).toBeNull();
  });

  it('takes the cookie back', async () => {
    const answer = await send(await aSession(), '/operator/sign-out/');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Set-Cookie')).toMatch(/^__Host-operator=; Max-Age=0/);
  });

  it('ends the session: its cookie opens nothing any more, whoever kept it, and other sessions go on', async () => {
    const [session, other] = [await aSession(), await aSession()];
    const before = (await auditOf('console')).length;
    expect((await visit('/operator/', { Cookie: session.Cookie })).status).toBe(200);
    expect((await send(session, '/operator/sign-out/')).headers.get('Location')).toBe('/operator/sign-in/?told=signed_out');
    for (const page of PAGES) expect((await visit(`/operator/${page}`, { Cookie: session.Cookie })).status, page).toBe(303);
    expect((await send(session, '/operator/organisations/', { name: 'After the end' })).status).toBe(401);
    expect((await send(session, '/operator/sign-out/')).status).toBe(401);
    expect((await visit('/operator/', { Cookie: other.Cookie })).status).toBe(200);
    expect((await auditOf('console')).slice(before)).toMatchObject([{ actor: 'operator', action: 'operator.signed_out' }]);
  });

  it('ends a session eight hours after it began, by the clock of the service', async () => {
    const { Cookie } = await aSession();
    const at = async (seconds: number) => {
      const now = Date.now() + seconds * 1_000;
      const app = appOf((bindings, context) => ({ ...depsFrom(bindings, context), now: () => now }));
      const request = new Request(`${HOME}/operator/audit/`, { headers: { Cookie }, redirect: 'manual' });
      return (await app.fetch(request, env, createExecutionContext())).status;
    };
    expect([await at(0), await at(8 * 3_600 - 60), await at(8 * 3_600 + 1), await at(30 * 86_400)]).toEqual([200, 200, 303, 303]);
  });

  it('ends every session where a restore begins: the database then forgets who signed out', async () => {
    const { Cookie } = await aSession();
    const during = async (DATABASE_EPOCH: string) => {
      const request = new Request(`${HOME}/operator/audit/`, { headers: { Cookie }, redirect: 'manual' });
      return (await appOf(depsFrom).fetch(request, { ...env, DATABASE_EPOCH }, createExecutionContext())).status;
    };
    expect([await during('0'), await during('1')]).toEqual([200, 303]);
  });

  it('forgets ended sessions whose cookie has expired anyway', async () => {
    const count = () => readValue<number>('n', 'SELECT count(*) AS n FROM ended_sessions');
    await send(await aSession(), '/operator/sign-out/');
    await env.DB.prepare('UPDATE ended_sessions SET expires_at = 1').run();
    await send(await aSession(), '/operator/sign-out/');
    expect(await count()).toBe(1);
  });

  it('takes the cookie back though the database takes no write, and says what that means', async () => {
    const { Cookie, formToken } = await aSession();
    const readOnly = new Proxy(env.DB, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => target.prepare(sql);
        return (statements: D1PreparedStatement[]) =>
          statements.length > 1 ? Promise.reject(new Error('D1_ERROR: SQLITE_FULL')) : target.batch(statements);
      },
    });
    const body = new URLSearchParams({ form_token: formToken }).toString();
    const headers = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
    const request = new Request(`${HOME}/operator/sign-out/`, { method: 'POST', headers, body });
    const answer = await appOf(depsFrom).fetch(request, { ...env, DB: readOnly }, createExecutionContext());
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/operator/sign-in/?told=signed_out_here']);
    expect(answer.headers.get('Set-Cookie')).toMatch(/^__Host-operator=; Max-Age=0/);
    expect((await visit('/operator/sign-in/?told=signed_out_here')).text).toContain('could not note it');
  });

  it('refuses a cookie that it did not make', async () => {
    const { Cookie } = await aSession();
    for (const forged of [`${Cookie}x`, '__Host-operator=x', `__Host-operator=${env.OPERATOR_TOKEN}`, Cookie.replace(/\.[^.]+$/, '.')])
      expect((await visit('/operator/', { Cookie: forged })).status).toBe(303);
  });
});

describe('pages', () => {
  it('lets nothing inline run and nobody frame or keep them', async () => {
    const { Cookie } = await aSession();
    const { code } = await aSupplier();
    for (const page of [...PAGES, `suppliers/${code}/`, `suppliers/${code}/settings/`, `suppliers/${code}/status/?to=Complete`]) {
      const { status, headers, text } = await visit(`/operator/${page}`, { Cookie });
      expect(status, page).toBe(200);
      expect(headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Request-Id')).toBeTruthy();
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
      expect(text).toMatch(/^<!doctype html>/i);
    }
  });

  it('answers what is not there with 404', async () => {
    const { Cookie } = await aSession();
    for (const page of ['nothing/', 'suppliers/none/', 'suppliers/none/processes/', 'suppliers/none/processes/x/', 'organisations/none/'])
      expect((await visit(`/operator/${page}`, { Cookie })).status, page).toBe(404);
  });

  it('escapes what others wrote', async () => {
    const { Cookie } = await aSession();
    const { id } = fieldsOf(await operate('POST', 'organisations/', { name: '<script>alert(1)</script>' }));
    const { text } = await visit(`/operator/organisations/${id}/`, { Cookie });
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>alert');
  });
});

describe('behind Cloudflare Access', () => {
  it('needs no sign-in, names the person, and still asks for the form token', async () => {
    const team = await anAccessTeam('console-team');
    team.serveKeys();
    const app = appOf(depsFrom);
    const ask = async (path: string, form?: Record<string, string>) => {
      const body = form && new URLSearchParams(form).toString();
      const headers = {
        'Cf-Access-Jwt-Assertion': await team.assertion(),
        ...(body ? { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) } : {}),
      };
      const request = new Request(`${HOME}${path}`, { headers, ...(body ? { method: 'POST', body } : {}) });
      const answer = await app.fetch(request, { ...env, ...team.settings }, createExecutionContext());
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    const page = await ask('/operator/organisations/');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('ada@example.com') });
    expect(page.text).not.toContain('Sign out');
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? expect.fail();
    expect((await ask('/operator/organisations/', { name: 'Ada' })).status).toBe(403);
    const created = await ask('/operator/organisations/', { name: 'Ada', form_token });
    const id = /organisations\/(org_\w+)/.exec(created.headers.get('Location') ?? '')?.[1];
    expect(await auditOf(`organisation ${id}`)).toMatchObject([{ actor: 'ada@example.com' }]);
    vi.restoreAllMocks();
  });
});

describe('our own failure', () => {
  it('is shown as a page with the id under which the log says it, and nothing else', async () => {
    const { Cookie } = await aSession();
    const broken = new Proxy(env.DB, {
      get: () => () => {
        throw new Error('the secret reason');
      },
    });
    const request = new Request(`${HOME}/operator/`, { headers: { Cookie, 'X-Request-Id': 'the-id' } });
    const answer = await appOf(depsFrom).fetch(request, { ...env, DB: broken }, createExecutionContext());
    expect(answer.status).toBe(500);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const text = await answer.text();
    expect(text).toContain('the-id');
    expect(text).not.toContain('secret reason');
  });
});

describe('finding an account', () => {
  it('leads to it from its platform number or identifier, and lists it in its supplier by either', async () => {
    const { Cookie } = await aSession();
    const supplier = await aSupplier();
    const { deps, messages } = await stage(supplier, [aSmallAccount(supplier.code, 'Find/me 1')]);
    await deliver(deps, messages);
    const { body } = await operate('GET', `suppliers/${supplier.code}/import-processes/`);
    const [{ account_number = '', platform_identifier = '' } = {}] = body as Record<string, string>[];
    const page = `/operator/suppliers/${supplier.code}/processes/`;
    for (const number of [account_number, platform_identifier, ` ${account_number.toLowerCase()} `]) {
      const answer = await visit(`/operator/accounts/?search=${encodeURIComponent(number)}`, { Cookie });
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/operator/accounts/${account_number}/`]);
    }
    for (const prefix of [account_number, platform_identifier, 'Find'])
      expect((await visit(`${page}?prefix=${prefix}`, { Cookie })).text.match(/processes\/Find%2Fme%201\//g)).toHaveLength(1);
    expect((await visit(`/operator/suppliers/${(await aSupplier()).code}/processes/?prefix=${account_number}`, { Cookie })).text).toContain(
      'No account matches',
    );
  });

  it('says so where there is none', async () => {
    const { Cookie } = await aSession();
    for (const number of ['A-00000000', '4294967296', 'toString', '<b>']) {
      const answer = await visit(`/operator/accounts/?search=${encodeURIComponent(number)}`, { Cookie });
      expect([answer.status, answer.text.includes('No account has this number')]).toEqual([404, true]);
    }
    expect((await visit('/operator/accounts/', { Cookie })).status).toBe(200);
    expect((await visit('/operator/accounts/?number=1')).status).toBe(303);
  });
});

describe('live parts', () => {
  it('leave the errors out where only the numbers are asked for', async () => {
    const { Cookie } = await aSession();
    const { code } = await aSupplier();
    const ask = (target: string) => visit(`/operator/suppliers/${code}/`, { Cookie, 'HX-Request': 'true', 'HX-Target': target });
    expect((await ask('live')).text).not.toContain('id="errors"');
    expect((await ask('errors')).text).toContain('id="errors"');
  });
});

describe('changes', () => {
  it('403: without the form token of the session, or from another site; nothing is changed', async () => {
    const [session, other] = [await aSession(), await aSession()];
    const { code } = await aSupplier();
    const to = `/operator/suppliers/${code}/status/`;
    const form = { to: 'Paused' };
    expect((await visit(to, { Cookie: session.Cookie }, form)).status).toBe(403);
    for (const formToken of [other.formToken, '', 'é'.repeat(session.formToken.length), `${session.formToken}x`])
      expect((await send({ ...session, formToken }, to, form)).status).toBe(403);
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }])
      expect((await send(session, to, form, headers)).status).toBe(403);
    const { body } = await operate('GET', `suppliers/${code}/`);
    expect(body).toMatchObject({ status: 'Ongoing' });
  });

  it('pauses, resumes and completes a supplier, each audited, showing the number first', async () => {
    const session = await aSession();
    const { code } = await aSupplier();
    const to = `/operator/suppliers/${code}/status/`;
    expect((await visit(`${to}?to=Paused`, { Cookie: session.Cookie })).text).toContain(
      'New accounts are refused until the supplier is resumed.',
    );
    for (const status of ['Paused', 'Ongoing', 'Complete']) {
      const answer = await send(session, to, { to: status, reason: 'because' });
      expect(answer.headers.get('Location')).toBe(`/operator/suppliers/${code}/?told=${status}`);
    }
    expect((await send(session, to, { to: 'Ongoing' })).status).toBe(400);
    expect((await send(session, to, { to: 'Paused' })).status).toBe(409);
    expect((await auditOf(`supplier ${code}`)).map(({ after }) => Object(after).status)).toEqual(['Paused', 'Ongoing', 'Complete']);
  });

  it('shows an API key once, and revokes it', async () => {
    const session = await aSession();
    const created = await send(session, '/operator/organisations/', { name: 'Keys' });
    const place = created.headers.get('Location')?.split('?')[0] ?? '';
    const answer = await send(session, `${place}keys/`, { label: 'team' });
    expect(answer.status).toBe(200);
    const key = /sk_live_[\w-]{43}/.exec(answer.text)?.[0] ?? expect.fail();
    const page = await visit(place, { Cookie: session.Cookie });
    expect(page.text).not.toContain(key);
    const id = /\/operator\/keys\/(key_\w+)\/revoke/.exec(page.text)?.[1] ?? expect.fail();
    expect((await send(session, `/operator/keys/${id}/revoke/`, { organisation: 'x' })).status).toBe(303);
    expect((await visit(place, { Cookie: session.Cookie })).text).toContain('Revoked');
  });

  it('makes a supplier with every setting, and shows and saves them all', async () => {
    const session = await aSession();
    const { id: organisation_id = '' } = fieldsOf(await operate('POST', 'organisations/', { name: 'Settings' }));
    const code = `C-${crypto.randomUUID().slice(0, 8)}`;
    const form = (over: Record<string, string> = {}) => ({
      name: 'All settings',
      default_country: 'au',
      documents_root: `${code}/letters`,
      time_zone: 'Australia/Sydney',
      send_customer_emails: 'on',
      extra_charge_reasons: 'FEE, LATE_FEE',
      extra_credit_reasons: 'GIFT',
      vendors: 'STRIPE',
      payload_retention_days: '30',
      undo_hours: '48',
      event_retention_days: '14',
      ...over,
    });
    const fresh = await visit(`/operator/new-supplier/?organisation=${organisation_id}`, { Cookie: session.Cookie });
    for (const name of Object.keys(form())) expect(fresh.text, name).toContain(`name="${name}"`);
    const made = await send(session, '/operator/new-supplier/', form({ organisation_id, code }));
    expect(made.headers.get('Location')).toBe(`/operator/suppliers/${code}/?told=supplier_created`);
    const configuration = {
      default_country: 'AU',
      documents_root: `${code}/letters`,
      time_zone: 'Australia/Sydney',
      send_customer_emails: true,
      extra_charge_reasons: ['FEE', 'LATE_FEE'],
      extra_credit_reasons: ['GIFT'],
      vendors: ['STRIPE'],
      payload_retention_days: 30,
      undo_hours: 48,
      event_retention_days: 14,
    };
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({ name: 'All settings', configuration });
    const page = await visit(`/operator/suppliers/${code}/settings/`, { Cookie: session.Cookie });
    for (const value of [`${code}/letters`, 'Australia/Sydney', 'FEE LATE_FEE', 'GIFT', '30', '14', 'AU'])
      expect(page.text).toContain(`value="${value}"`);
    const saved = await send(
      session,
      `/operator/suppliers/${code}/settings/`,
      form({ documents_root: '', time_zone: '', vendors: 'GOCARDLESS' }),
    );
    expect(saved.headers.get('Location')).toBe(`/operator/suppliers/${code}/?told=saved`);
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({
      configuration: { ...configuration, documents_root: code, time_zone: 'UTC', vendors: ['GOCARDLESS'] },
    });
    const refused = await send(
      session,
      '/operator/new-supplier/',
      form({ organisation_id, code: `${code}-2`, documents_root: '../up', time_zone: 'Mars' }),
    );
    expect([refused.status, refused.text.match(/aria-invalid="true"/g)?.length]).toEqual([400, 2]);
    expect(refused.text).toContain('value="../up"');
  });

  it('409: of two settings forms that are open, the second says that the first was saved, and what differs', async () => {
    const session = await aSession();
    const { code } = await aSupplier();
    const address = `/operator/suppliers/${code}/settings/`;
    const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? expect.fail();
    const version = versionIn((await visit(address, { Cookie: session.Cookie })).text);
    const form = (over: Record<string, string>) => ({
      name: code,
      default_country: 'GB',
      documents_root: code,
      payload_retention_days: '90',
      ...over,
    });
    expect((await send(session, address, form({ version, payload_retention_days: '30' }))).status).toBe(303);
    const second = await send(session, address, form({ version, default_country: 'AU' }));
    expect(second.status).toBe(409);
    expect(second.text).toContain('saved by somebody else');
    expect(second.text).toMatch(/payload_retention_days:\s*<s>30<\/s> 90/);
    expect(second.text).toMatch(/default_country:\s*<s>GB<\/s> AU/);
    expect(second.text).toContain('value="AU"');
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({
      configuration: { default_country: 'GB', payload_retention_days: 30 },
    });
    expect((await send(session, address, form({ version: versionIn(second.text), default_country: 'AU' }))).status).toBe(303);
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({
      configuration: { default_country: 'AU', payload_retention_days: 90 },
    });
  });

  it('mends a supplier whose settings cannot be read', async () => {
    const session = await aSession();
    const { code, supplierId } = await aSupplier();
    await env.DB.prepare('UPDATE suppliers SET configuration = ? WHERE id = ?')
      .bind('{"default_country":1,"payload_retention_days":7}', supplierId)
      .run();
    const look = async (path: string) => (await visit(`/operator/${path}`, { Cookie: session.Cookie })).text;
    for (const page of ['', `suppliers/${code}/`]) expect(await look(page)).toContain('cannot be read');
    const page = await look(`suppliers/${code}/settings/`);
    expect(page).toContain('{&quot;default_country&quot;:1,');
    // What can be read is filled in, so that saving takes nothing back.
    for (const value of ['7', 'UTC', code]) expect(page).toContain(`value="${value}"`);
    const form = { name: code, default_country: 'GB', payload_retention_days: '90', version: '1' };
    expect((await send(session, `/operator/suppliers/${code}/settings/`, form)).status).toBe(303);
    expect((await operate('GET', `suppliers/${code}/`)).body).toMatchObject({
      configuration: { default_country: 'GB', documents_root: code },
    });
    expect(await look(`suppliers/${code}/`)).not.toContain('cannot be read');
  });

  it('400: says at the field what is wrong, and keeps what was typed', async () => {
    const session = await aSession();
    const { code } = await aSupplier();
    const answer = await send(session, `/operator/suppliers/${code}/settings/`, {
      name: 'Typed name',
      default_country: 'xx',
      payload_retention_days: 'soon',
    });
    expect(answer.status).toBe(400);
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(answer.text).toContain('value="Typed name"');
  });
});
