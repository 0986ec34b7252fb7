/** `npm run operator`: people, keys, one account, and alerts from the terminal. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { aKitSupplier } from '../kit/given';

const SCRIPT = join(import.meta.dirname, '../../scripts/operator.ts');

function run(token: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, OPERATOR_URL: inject('service').url, OPERATOR_TOKEN: token, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }));
  });
}

const operator = (...args: string[]) => run(inject('service').operatorToken, ...args);
const json = async (...args: string[]) => JSON.parse((await operator(...args, '--json')).out);

describe('npm run operator', () => {
  it('makes a token by name and role, which does what its role says, and revokes it', async () => {
    const name = `Ada ${process.pid}`;
    const { id, token } = await json('tokens', 'create', name, '--role', 'read');
    expect((await operator('tokens', 'list')).out).toMatch(new RegExp(`${name} +read +${token.slice(-4)} .* in force`));
    expect((await run(token, 'queue')).code).toBe(0);
    expect(await run(token, 'organisations', 'create', 'North')).toMatchObject({ code: 1, err: expect.stringContaining('administer') });
    expect((await operator('tokens', 'revoke', id)).out).toBe(`${id} is revoked.\n`);
    expect(await run(token, 'queue')).toMatchObject({ code: 1, err: 'The operator token was refused.\n' });
    expect((await operator('audit', '--action', 'operator_token.revoked')).out).toContain(id);
    expect((await operator('audit', '--actor', 'nobody')).out).toBe('No change matches.\n');
  });

  it('makes keys for tests, keys that expire and keys that only read', async () => {
    const { id } = await json('organisations', 'create', 'Tests from the terminal', '--test');
    const key = await json('keys', 'create', id, '--label', 'short', '--expires', '2999-01-01T00:00:00Z', '--read-only');
    expect(key).toMatchObject({ api_key: expect.stringMatching(/^sk_test_/), is_read_only: true, expires_at: '2999-01-01T00:00:00.000Z' });
    expect((await operator('keys', 'list', id)).out).toMatch(new RegExp(`short +${key.api_key.slice(-4)} +read .*2999-01-01T.* in force`));
    expect((await operator('organisations', 'list')).out).toMatch(new RegExp(`${id} +Tests from the terminal +sk_test_`));
  });

  it('erases a person from an account and from what was never imported, and says what creates were refused for', async () => {
    const supplier = await aKitSupplier();
    const { code } = supplier;
    const client = new DataImportClient({ baseUrl: supplier.url, apiKey: supplier.apiKey });
    const send = (number: string, more: object = {}) =>
      client.createAccount({ import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }], ...more });
    await send('E-1');
    await send('E-2', { task_params: { schedule_window_start: '2999-01-01T00:00:00Z' } });
    await expect(send('E-3', { billing_email: 'nobody' })).rejects.toThrow();
    await client.waitForImport(code, 'E-1', { pollMilliseconds: 100 });
    const { account_number: number } = await json('account', code, 'E-1');
    expect((await operator('find', 'E-1', '--search')).out).toContain(number);
    expect((await operator('erase', number, '--reason', 'request 17')).out).toBe(`What is personal of ${number} is overwritten.\n`);
    expect((await operator('cancel', code, 'E-2')).code).toBe(0);
    expect((await operator('erase', code, 'E-2', '--reason', 'request 18')).out).toBe('What is personal of E-2 is overwritten.\n');
    expect(JSON.stringify(await json('account', number, '--reveal'))).not.toContain('Ada');
    expect((await operator('refusals', code)).out).toMatch(/invalid_email +billing_email +1 +E-3/);
    expect(await operator('erase', 'A-00000000', '--reason', 'x')).toMatchObject({ code: 1 });
  });

  it('shows one account with its trail, imported or not, and the rates of its supplier', async () => {
    const supplier = await aKitSupplier();
    const query = `mutation { obtainPlatformToken(input: { APIKey: "${supplier.apiKey}" }) { token } }`;
    const post = (path: string, body: unknown, token?: string) =>
      fetch(`${supplier.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Token ${token}` } : {}) },
        body: JSON.stringify(body),
      });
    const { data } = await (await post('/v1/graphql/', { query })).json<{ data: { obtainPlatformToken: { token: string } } }>();
    const account = { import_supplier: supplier.code, external_account_number: 'T-1' };
    expect((await post('/v2/data-import/accounts/', account, data.obtainPlatformToken.token)).status).toBe(201);
    let shown = await json('account', supplier.code, 'T-1');
    for (let tries = 0; shown.status !== 'PROCESSED' && tries < 60; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      shown = await json('account', supplier.code, 'T-1');
    }
    expect(shown).toMatchObject({ status: 'PROCESSED', account_number: expect.stringMatching(/^A-/) });
    const whole = await operator('account', shown.account_number);
    expect(whole.out).toContain(shown.account_number);
    expect(whole.out).toContain('EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED');
    expect((await json('account', shown.account_number, '--reveal')).external_account_number).toBe('T-1');
    expect((await operator('account', shown.account_number)).out).toMatch(/account\.revealed +operator/);
    expect(await operator('account', shown.account_number, '--reveal')).toMatchObject({ code: 1, err: expect.stringContaining('--json') });
    expect((await operator('rates', supplier.code)).out).toMatch(/minute +processed +errored/);
    expect(await operator('end-instruction', shown.account_number, 'CARD', '--reason', 'x')).toMatchObject({ code: 1 });
  });

  it('adds, tries and removes an address of alerts, and lists what fires', async () => {
    const received: string[] = [];
    const receiver = createServer((request, answer) => {
      received.push(String(request.headers['webhook-id']));
      answer.statusCode = 204;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' && address !== null ? address.port : expect.fail();
    const { id, secret } = await json('alerts', 'addresses', 'add', `http://127.0.0.1:${port}/alerts`);
    expect(secret).toMatch(/^whsec_/);
    expect((await operator('alerts', 'addresses', 'try', id)).out).toBe('It was taken.\n');
    receiver.close();
    expect(received).toEqual([expect.stringMatching(/^test_/)]);
    expect((await operator('alerts', 'addresses', 'list')).out).toContain(id);
    expect((await operator('alerts', 'addresses', 'remove', id)).out).toBe(`${id} is removed.\n`);
    expect(await operator('alerts', 'list')).toMatchObject({ code: 0 });
    expect(Array.isArray(await json('alerts', 'list', '--all'))).toBe(true);
  });
});
