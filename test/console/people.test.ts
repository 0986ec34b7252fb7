/** §10: the console by name and role: who signs in, what they see, and what they may change. */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { anAddress, aSupplier } from '../support/given';
import { auditOf, fieldsOf, operate } from '../support/operator';
import { readValue } from '../support/tables';

async function visit(path: string, headers: Record<string, string> = {}, form?: Record<string, string>) {
  const response = await exports.default.fetch(
    new Request(`https://import.test/operator/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: {
        'CF-Connecting-IP': anAddress(),
        'Sec-Fetch-Site': 'same-origin',
        ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      redirect: 'manual',
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A browser that is signed in with this token. */
async function signedIn(token: string | undefined) {
  const answer = await visit('sign-in/', {}, { token: token ?? '', next: '/operator/' });
  const Cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail();
  const { text } = await visit('organisations/', { Cookie });
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return {
    look: (path: string) => visit(path, { Cookie }),
    send: (path: string, form: Record<string, string> = {}) => visit(path, { Cookie }, { form_token, ...form }),
  };
}

async function aPerson(role: string) {
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`;
  const { id = '', token } = fieldsOf(await operate('POST', 'operator-tokens/', { name, role }));
  return { id, name, ...(await signedIn(token)) };
}

describe('a person who signs in with a token', () => {
  it('is named on every page and in the audit trail', async () => {
    const { name, look, send } = await aPerson('administer');
    expect((await look('')).text).toContain(`token ${name}`);
    expect((await send('organisations/', { name: 'From a person' })).status).toBe(303);
    const { body } = await operate('GET', `audit/?actor=${encodeURIComponent(`token ${name}`)}`);
    expect((body as { action: string }[]).map(({ action }) => action)).toEqual(['organisation.created', 'operator.signed_in']);
  });

  it('is shut out at once where the token is revoked, also of sessions that go on', async () => {
    const { id, look } = await aPerson('operate');
    expect((await look('')).status).toBe(200);
    await operate('DELETE', `operator-tokens/${id}/`);
    expect((await look('')).status).toBe(303);
  });

  it('with the role read looks, is offered no change, and is 403 where they send one', async () => {
    const { code } = await aSupplier();
    const { look, send } = await aPerson('read');
    const page = await look(`suppliers/${code}/`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(`/operator/suppliers/${code}/settings/`);
    expect(page.text).not.toContain('/operator/operator-tokens/');
    for (const path of [`suppliers/${code}/settings/`, 'new-supplier/', 'operator-tokens/'])
      expect((await look(path)).status, path).toBe(403);
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? expect.fail();
    expect((await send(`suppliers/${code}/status/`, { form_token, to: 'Paused' })).status).toBe(403);
    expect(await readValue('status', 'SELECT status FROM suppliers WHERE code = ?', code)).toBe('Ongoing');
  });

  it('with the role operate moves migrations on, and is 403 where they decide who has access', async () => {
    const { code } = await aSupplier();
    const [operator, administrator] = [await aPerson('operate'), await aPerson('administer')];
    const { text } = await operator.look(`suppliers/${code}/settings/`);
    const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? expect.fail();
    expect((await operator.send(`suppliers/${code}/status/`, { form_token, to: 'Paused' })).status).toBe(303);
    for (const path of ['organisations/', 'operator-tokens/', 'alert-addresses/', 'keys/key_x/revoke/']) {
      const answer = await operator.send(path, { form_token, name: 'x', role: 'read' });
      expect(answer.status, path).toBe(403);
      expect(answer.text).toContain('administer');
    }
    expect((await administrator.look('operator-tokens/')).status).toBe(200);
  });
});

describe('the page of tokens', () => {
  it('shows a new token once, says what is wrong with a name that was given before, and revokes', async () => {
    const { look, send } = await signedIn(env.OPERATOR_TOKEN);
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`;
    const made = await send('operator-tokens/', { name, role: 'read' });
    const token = /op_[\w-]{43}/.exec(made.text)?.[0] ?? expect.fail();
    const again = await look('operator-tokens/');
    expect(again.text).toContain(name);
    expect(again.text).not.toContain(token);
    expect(await send('operator-tokens/', { name, role: 'read' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Choose another name'),
    });
    const id = await readValue<string>('id', 'SELECT id FROM operator_tokens WHERE name = ?', name);
    expect((await send(`operator-tokens/${id}/revoke/`)).status).toBe(303);
    expect((await auditOf(`operator token ${id}`)).map(({ action }) => action)).toContain('operator_token.revoked');
  });
});

describe('the page of an organisation', () => {
  it('makes a key that expires and only reads, and shows its last four characters', async () => {
    const { look, send } = await signedIn(env.OPERATOR_TOKEN);
    const made = await send('organisations/', { name: 'Tests', is_test: 'true' });
    const path = made.headers.get('Location')?.replace(/^\/operator\/|\?.*$/g, '') ?? expect.fail();
    const answer = await send(`${path}keys/`, { label: 'short', expires_at: '2999-01-01T00:00:00Z', is_read_only: 'true' });
    const key = /sk_test_[\w-]{43}/.exec(answer.text)?.[0] ?? expect.fail();
    const page = await look(path);
    expect(page.text).toContain(`…${key.slice(-4)}`);
    expect(page.text).not.toContain(key);
    const wrong = await send(`${path}keys/`, { label: 'late', expires_at: '2020-01-01T00:00:00Z' });
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('Enter a moment in the future') });
  });
});

describe('the audit page', () => {
  it('finds by who and what, says changes in words, and links to what was changed', async () => {
    const { code } = await aSupplier();
    await operate('PATCH', `suppliers/${code}/`, { status: 'Paused', reason: 'vendor down' });
    const { look } = await signedIn(env.OPERATOR_TOKEN);
    const { text, status } = await look(`audit/?supplier=${code}&action=supplier.changed`);
    expect(status).toBe(200);
    expect(text).toContain(`href="/operator/suppliers/${code}/"`);
    expect(text).toMatch(/Status: from Ongoing to <b>Paused<\/b>/);
    expect((await look(`audit/?supplier=${code}&actor=nobody`)).text).toContain('Nothing matches');
    expect((await look('audit/?from=tomorrow')).status).toBe(400);
  });
});

describe('the page of alerts', () => {
  it('shows what fires and since when, and to administrators alone who is notified', async () => {
    await env.DB.prepare("INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES (?, 'q', '{}', 1)")
      .bind(crypto.randomUUID())
      .run();
    const [reader, administrator] = [await aPerson('read'), await aPerson('administer')];
    const shown = await reader.look('alerts/');
    expect(shown.text).toContain('messages ran out of tries');
    expect(shown.text).toContain('Firing');
    expect(shown.text).not.toContain('Who is notified');
    const url = `${env.STRIPE_API_BASE}/double/alerts/taken~${crypto.randomUUID()}`;
    const made = await administrator.send('alert-addresses/', { url });
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(made.text)?.[0] ?? expect.fail();
    expect((await administrator.look('alerts/')).text).not.toContain(secret);
    const id = await readValue<string>('id', 'SELECT id FROM alert_addresses WHERE url = ?', url);
    const tried = await administrator.send(`alert-addresses/${id}/test/`);
    expect(tried.headers.get('Location')).toContain('alert_test_taken');
    expect((await administrator.send(`alert-addresses/${id}/remove/`)).status).toBe(303);
    expect((await administrator.look('alerts/')).text).not.toContain(url);
    expect(await administrator.send('alert-addresses/', { url: 'https://localhost/' })).toMatchObject({ status: 400 });
  });
});
