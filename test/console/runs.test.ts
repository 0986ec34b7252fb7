/** The console's pages of runs, over HTTP. */
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage, statusesOf } from '../support/importing';
import { auditOf } from '../support/operator';
import { aSmallAccount } from '../support/payloads';
import { readRows } from '../support/tables';

const HOME = 'https://import.test';
let session: { readonly Cookie: string; readonly formToken: string };

async function visit(path: string, form?: Readonly<Record<string, string>>) {
  const response = await exports.default.fetch(
    new Request(`${HOME}/operator/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { Cookie: session?.Cookie ?? '', 'Sec-Fetch-Site': 'same-origin', 'CF-Connecting-IP': '203.0.113.78' },
      redirect: 'manual',
      ...(form ? { body: new URLSearchParams({ form_token: session?.formToken ?? '', ...form }) } : {}),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

beforeAll(async () => {
  const { headers } = await visit('sign-in/', { token: env.OPERATOR_TOKEN ?? '' });
  session = { Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? expect.fail(), formToken: '' };
  const { text } = await visit('organisations/');
  session = { ...session, formToken: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? expect.fail() };
});

const at = ({ code }: GivenSupplier, rest = '') => `suppliers/${code}/runs/${rest}`;

/** A held run of three accounts, of which the importer expects four. */
async function aHeldRun(given: GivenSupplier) {
  const body = { is_held: true, expected: { accounts: 4 } };
  expect((await call('PUT', `/v2/data-import/runs/${given.code}/wave-1/`, { token: given.token, body })).status).toBe(201);
  const accounts = ['a', 'b', 'c'].map((number) => ({ ...aSmallAccount(given.code, number), task_params: { run: 'wave-1' } }));
  const { deps } = await stage(given, accounts);
  /** A message of all that is PENDING: what may not start is not claimed. */
  return async () => {
    const results = await readRows<{ id: number }>(
      'SELECT id FROM import_processes WHERE supplier_id = ? AND status = 0',
      given.supplierId,
    );
    const process_ids = results.map(({ id }) => id);
    await deliver(deps, [{ v: 1, supplier_id: given.supplierId, process_ids, sent_at: deps.now() }]);
  };
}

describe('the pages of runs', () => {
  it('the list leads to the page of a run: what is expected, staged and imported, with the difference', async () => {
    const given = await aSupplier();
    await aHeldRun(given);
    const list = await visit(at(given));
    expect(list.status).toBe(200);
    expect(list.text).toContain(`/operator/${at(given, 'wave-1/')}`);
    const page = await visit(at(given, 'wave-1/'));
    expect(page.text).toContain('0 imported of 4 expected');
    expect(page.text.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|')).toContain('|accounts|4|3|0|');
    expect(page.text).toContain('id="differs"');
    expect((await visit(at(given, 'wave-2/'))).status).toBe(404);
  });

  it('releases a canary and holds again, with the number first, audited by who did it', async () => {
    const given = await aSupplier();
    const deliverAll = await aHeldRun(given);
    expect((await visit(at(given, 'wave-1/release/'))).text).toContain('3 accounts can start at once.');
    const wrong = await visit(at(given, 'wave-1/release/'), { accounts: 'two' });
    expect([wrong.status, wrong.text.includes('Enter a whole number of accounts, or none.')]).toEqual([400, true]);
    const released = await visit(at(given, 'wave-1/release/'), { accounts: '2' });
    expect([released.status, released.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining(`/operator/${at(given, 'wave-1/')}`),
    ]);
    await deliverAll();
    expect(await statusesOf(given)).toMatchObject({ a: 'PROCESSED', b: 'PROCESSED', c: 'PENDING' });
    expect((await visit(at(given, 'wave-1/hold/'))).text).toContain('1 account will wait.');
    expect((await visit(at(given, 'wave-1/hold/'), {})).status).toBe(303);
    expect((await visit(at(given, 'wave-1/'))).text).toContain('2 imported of 4 expected');
    expect((await visit(at(given, 'wave-1/cancel/'))).text).toContain('Cancel 1');
    await visit(at(given, 'wave-1/cancel/'), {});
    expect(await statusesOf(given)).toMatchObject({ c: 'CANCELLED' });
    expect((await auditOf(`run ${given.code} wave-1`)).map(({ action }) => action)).toContain('run.changed');
  });

  it('shows what of the run errored by code and place, and what creates of this run alone were refused for', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    const deliverAll = await aHeldRun(given);
    expect((await visit(at(given, 'wave-1/'))).text).not.toMatch(/id="run-(?:errors|refusals)"/);
    const create = (of: GivenSupplier, more: object) =>
      call('POST', '/v2/data-import/accounts/', { token: of.token, body: { ...aSmallAccount(of.code, 'x'), ...more } });
    expect((await create(given, { account_type: 'CASTLE', task_params: { run: 'wave-1' } })).status).toBe(400);
    expect((await create(given, { customers: 'none' })).status).toBe(400);
    expect((await create(other, { customers: 'none' })).status).toBe(400);
    await env.DB.prepare('UPDATE suppliers SET configuration = json_set(configuration, ?, ?), version = version + 1 WHERE id = ?')
      .bind('$.default_country', 'US', given.supplierId)
      .run();
    await call('POST', `/v2/data-import/runs/${given.code}/wave-1/release/`, { token: given.token, body: {} });
    await deliverAll();
    expect(await statusesOf(given)).toMatchObject({ a: 'ERRORED', b: 'ERRORED', c: 'ERRORED' });
    const { text } = await visit(at(given, 'wave-1/'));
    const words = text.replace(/<[^>]+>/g, '|').replace(/\|[\s|]*/g, '|');
    expect(words).toContain('|Errored|3 accounts|invalid_phone_number|customers.0.mobile|3|');
    expect(words).not.toContain('|not_a_list|');
    expect(words).toContain('|Refused|1 create|invalid_choice|account_type|1|');
  });

  it('gives the report as a file', async () => {
    const given = await aSupplier();
    await aHeldRun(given);
    const { headers, text } = await visit(at(given, 'wave-1/report/'));
    expect(headers.get('Content-Disposition')).toContain('run-report.csv');
    expect(text).toContain('# the report is whole');
  });
});
