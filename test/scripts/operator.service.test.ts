/** `npm run operator`: the operator interface from the terminal. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { aKitSupplier, operator } from '../kit/given';

const SCRIPT = join(import.meta.dirname, '../../scripts/operator.ts');

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { url, operatorToken } = inject('service');
  const env = { ...process.env, OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }));
  });
}

const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
const status = async (code: string) => (await json('suppliers', 'show', code)).status;

describe('npm run operator', () => {
  it('lists suppliers as a table, and as the service answers', async () => {
    const { code } = await aKitSupplier();
    const { out } = await run('suppliers', 'list');
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^code +name +status +imported +in progress +errored +pending$/);
    expect(lines.find((line) => line.startsWith(code))).toMatch(/Ongoing +0 +0 +0 +0$/);
    expect(await json('suppliers', 'list')).toEqual(expect.arrayContaining([expect.objectContaining({ code, status: 'Ongoing' })]));
  });

  it('pauses, resumes and completes, and asks before it cancels', async () => {
    const supplier = await aKitSupplier();
    expect(await run('pause', supplier.code, '--reason', 'vendor down')).toEqual({
      code: 0,
      out: `${supplier.code} is Paused. 0 pending accounts wait.\n`,
      err: '',
    });
    expect(await status(supplier.code)).toBe('Paused');
    await run('resume', supplier.code);
    expect(await status(supplier.code)).toBe('Ongoing');
    const query = `mutation { obtainPlatformToken(input: { APIKey: "${supplier.apiKey}" }) { token } }`;
    const obtained = await fetch(`${supplier.url}/v1/graphql/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data } = await obtained.json<{ data: { obtainPlatformToken: { token: string } } }>();
    const created = await fetch(`${supplier.url}/v2/data-import/accounts/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Token ${data.obtainPlatformToken.token}` },
      body: JSON.stringify({
        import_supplier: supplier.code,
        external_account_number: 'P-1',
        task_params: { schedule_window_start: new Date(Date.now() + 86_400_000).toISOString() },
      }),
    });
    expect(created.status).toBe(201);
    expect((await run('accounts', supplier.code, '--prefix', 'P')).out).toMatch(/P-1 +PENDING/);
    expect(await run('complete', supplier.code)).toMatchObject({ code: 1, err: expect.stringContaining('1 pending accounts') });
    expect(await status(supplier.code)).toBe('Ongoing');
    expect(await run('complete', supplier.code, '--yes')).toMatchObject({ code: 0 });
    expect(await status(supplier.code)).toBe('Complete');
  });

  it('makes an organisation, a supplier and a key, and revokes the key', async () => {
    const { id } = await json('organisations', 'create', 'From the terminal');
    const code = `CLI-${process.pid}`;
    expect((await run('suppliers', 'create', code, '--organisation', id, '--name', 'CLI', '--country', 'AU')).code).toBe(0);
    const key = await json('keys', 'create', id, '--label', 'terminal');
    expect(key.api_key).toMatch(/^sk_live_/);
    expect((await run('keys', 'revoke', key.id)).out).toBe(`${key.id} is revoked.\n`);
    expect((await run('keys', 'list', id)).out).toMatch(/terminal .* revoked/);
    expect((await run('audit', '--limit', '5')).out).toContain('api_key.revoked');
  });

  it('sets every setting of a supplier, at its creation and later, and shows them', async () => {
    const { id } = await json('organisations', 'create', 'Settings from the terminal');
    const code = `SET-${process.pid}`;
    const options = (root: string, days: string) => [
      ['--documents-root', root],
      ['--time-zone', 'Australia/Sydney'],
      ['--send-customer-emails'],
      ['--extra-charge-reasons', 'FEE,LATE_FEE'],
      ['--extra-credit-reasons', 'GIFT'],
      ['--vendors', 'STRIPE, GOCARDLESS'],
      ['--payload-retention-days', days],
      ['--undo-hours', '48'],
      ['--event-retention-days', '10'],
    ];
    const configuration = {
      default_country: 'AU',
      documents_root: `${code}/in`,
      time_zone: 'Australia/Sydney',
      send_customer_emails: true,
      extra_charge_reasons: ['FEE', 'LATE_FEE'],
      extra_credit_reasons: ['GIFT'],
      vendors: ['STRIPE', 'GOCARDLESS'],
      payload_retention_days: 30,
      undo_hours: 48,
      event_retention_days: 10,
    };
    const made = ['suppliers', 'create', code, '--organisation', id, '--name', 'Settings', '--country', 'AU'];
    expect((await json(...made, ...options(`${code}/in`, '30').flat())).configuration).toEqual(configuration);
    const cleared = ['--documents-root', '', '--time-zone', '', '--no-send-customer-emails', '--extra-charge-reasons', '', '--vendors', ''];
    const changed = await json('suppliers', 'change', code, '--country', 'GB', '--name', 'Renamed', '--if-version', '1', ...cleared);
    expect(changed).toMatchObject({
      name: 'Renamed',
      version: 2,
      configuration: {
        ...configuration,
        default_country: 'GB',
        documents_root: code,
        time_zone: 'UTC',
        send_customer_emails: false,
        extra_charge_reasons: [],
        vendors: [],
      },
    });
    const again = await json('suppliers', 'change', code, ...options(`${code}/out`, '60').flat());
    expect(again.configuration).toEqual({
      ...configuration,
      default_country: 'GB',
      documents_root: `${code}/out`,
      payload_retention_days: 60,
    });
    expect((await run('suppliers', 'show', code)).out).toMatch(/time_zone +Australia\/Sydney/);
    expect(await run('suppliers', 'change', code, '--name', 'Late', '--if-version', '1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('version 3'),
    });
    expect(await run('suppliers', 'change', code, '--payload-retention-days', 'soon')).toMatchObject({
      code: 1,
      err: 'soon is no whole number.\n',
    });
    expect(await run('suppliers', 'change', code, '--time-zone', 'Mars')).toMatchObject({
      code: 1,
      err: expect.stringContaining('configuration.time_zone'),
    });
  });

  it('finds an account by its platform number and identifier, and says when there is none', async () => {
    const { code } = await aKitSupplier();
    expect((await run('find', 'A-00000000')).out).toBe('No account has this number.\n');
    expect((await run('accounts', code, '--number', '4294967295')).out).toBe('No account matches.\n');
    expect(await run('find', 'A-1')).toMatchObject({ code: 1, err: expect.stringContaining('number') });
  });

  it('reads a list to its end, page by page', async () => {
    const pages = [['k3', 'k2'], ['k1'], []];
    const asked: string[] = [];
    const service = createServer((request, response) => {
      const address = new URL(request.url ?? '', 'http://x');
      asked.push(address.search);
      const page = Number(address.searchParams.get('cursor') ?? 0);
      address.searchParams.set('cursor', String(page + 1));
      if (page < 2) response.setHeader('Link', `<${address.pathname}${address.search}>; rel="next"`);
      response.end(JSON.stringify(pages[page]?.map((label) => ({ id: label, label, created_at: '' }))));
    });
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    const port = typeof address === 'object' && address !== null ? address.port : expect.fail();
    const list = await json('keys', 'list', 'org', '--url', `http://127.0.0.1:${port}`);
    service.close();
    expect(list.map(({ label }: { label: string }) => label)).toEqual(['k3', 'k2', 'k1']);
    expect(asked).toEqual(['?limit=500', '?limit=500&cursor=1', '?limit=500&cursor=2']);
    expect(await run('dead-letters', 'dismiss', 'none')).toMatchObject({ code: 1, err: 'Not found. (not_found)\n' });
  });

  it('reports errors and retries all of a code', async () => {
    const { code } = await aKitSupplier();
    expect((await run('errors', code)).out).toBe('No account is errored.\n');
    expect(await json('retry', code, '--code', 'import_process_failed_validation')).toEqual({ retried: 0, left: 0 });
    for (const words of [['queue'], ['dead-letters', 'list'], ['organisations', 'list']]) expect((await run(...words)).code).toBe(0);
  });

  it('says how full the database is and when it was swept', async () => {
    const { out } = await run('queue');
    expect(out).toMatch(/last sweep +database\n.*(?:\d+ s ago|never) +\d+(?:\.\d)? % of 10 GB$/m);
    expect(await json('queue')).toMatchObject({ takes_new_accounts: true, database: { level: 'ok', limit_bytes: 10_000_000_000 } });
  });

  it('warns in words of a database that fills up, and of new accounts that are refused', async () => {
    const body = {
      ...(await json('queue')),
      takes_new_accounts: false,
      database: { size_bytes: 9_100_000_000, limit_bytes: 10_000_000_000, percent: 91, level: 'full' },
    };
    const server = createServer((_, answer) => void answer.end(JSON.stringify(body))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { out } = await run('queue', '--url', url);
    server.close();
    expect(out).toContain('THE DATABASE IS 91 % FULL');
    expect(out).toContain('NEW ACCOUNTS ARE REFUSED');
  });

  it('brings a restore to its end, where there is one', async () => {
    expect(await run('restored', '--to', new Date().toISOString())).toMatchObject({
      code: 1,
      err: expect.stringContaining('DATABASE_EPOCH'),
    });
    expect(await run('restored', '--to', 'now', '--last-id', '7')).toMatchObject({ code: 1, err: expect.stringContaining('restored_to') });
  });

  it('leaves with 1 and the words of the service when it is refused, or nobody answers', async () => {
    const { code } = await aKitSupplier();
    await operator('PATCH', `suppliers/${code}/`, { status: 'Complete' });
    expect(await run('pause', code)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('invalid_transition') });
    expect(await run('errors', 'no such supplier')).toMatchObject({ code: 1, err: 'Not found. (not_found)\n' });
    expect(await run('queue', '--token', 'wrong')).toMatchObject({ code: 1, err: 'The operator token was refused.\n' });
    expect(await run('queue', '--url', 'http://127.0.0.1:9')).toMatchObject({ code: 1, err: expect.stringContaining('does not answer') });
    expect(await run('retry', code)).toMatchObject({ code: 1, err: expect.stringContaining('--code') });
  });
});
