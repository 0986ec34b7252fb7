import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { readRow, readRows } from '../support/tables';

const NUMBER = 'EXT 1/ä';
const v1 = (given: GivenSupplier, number = NUMBER) =>
  call('GET', `/v1/data-import/account-transfer-status/${encodeURIComponent(given.code)}/${encodeURIComponent(number)}/`, {
    token: given.token,
  });
const resource = (code: string, number = NUMBER) => `/v2/data-import/accounts/${encodeURIComponent(code)}/${encodeURIComponent(number)}/`;
const cancel = (given: GivenSupplier, number = NUMBER) => call('DELETE', resource(given.code, number), { token: given.token });

async function aProcess(given: GivenSupplier, status: number) {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, finished_at, modified_at, attempts, account_number)
       SELECT ?1, (SELECT coalesce(max(id), 0) FROM payloads) + 1, ?2, ?3, '', 2, 0, 1, 1, 1, iif(?3 > 1, 2, NULL), 1, 1, iif(?3 = 2, 'A-0000ABCD', NULL)`,
    ).bind(given.supplierId, NUMBER, status),
    env.DB.prepare(`INSERT INTO payloads (id, body) SELECT (SELECT coalesce(max(id), 0) FROM payloads) + 1, '{}'`),
  ]);
}
const statusIn = async (given: GivenSupplier) =>
  (await readRow<{ status: number }>('SELECT status FROM import_processes WHERE supplier_id = ?', given.supplierId))?.status;

describe('transfer status: 200', () => {
  it.each([
    [0, 'UNKNOWN', ''],
    [1, 'IN_PROGRESS', ''],
    [2, 'COMPLETED', 'A-0000ABCD'],
    [3, 'UNKNOWN', ''],
    [4, 'UNKNOWN', ''],
    [5, 'UNKNOWN', ''],
    [6, 'UNKNOWN', ''],
  ])('reports a process of status %i as %s', async (status, shown, accountNumber) => {
    const given = await aSupplier();
    await aProcess(given, status);
    const answer = await v1(given);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ status: shown, platform_account_number: accountNumber });
    expect(answer.headers.get('Retry-After')).toBe(status < 2 ? '5' : null);
  });
});

describe('transfer status: 401 and 404', () => {
  it('reports no process, an unknown supplier and another organisation alike', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    await aProcess(other, 2);
    const none = await v1(given);
    expect(none).toMatchObject({ status: 404, body: { detail: 'Not found.', code: 'not_found' } });
    expect((await v1({ ...given, code: other.code })).body).toEqual(none.body);
    expect((await v1({ ...given, code: 'NO-SUCH' })).body).toEqual(none.body);
  });

  it('reports a revoked key', async () => {
    const given = await aSupplier();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await v1(given)).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
  });
});

describe('cancelling an import: 204', () => {
  it('cancels what is PENDING, and says so in status and events', async () => {
    const given = await aSupplier();
    await aProcess(given, 0);
    expect(await cancel(given)).toMatchObject({ status: 204, body: undefined });
    expect(await call('GET', resource(given.code), { token: given.token })).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED', data: null }, latest_error: null },
    });
    const events = await readRows(
      'SELECT event FROM import_process_events WHERE process_id = (SELECT id FROM import_processes WHERE supplier_id = ?)',
      given.supplierId,
    );
    expect(events).toEqual([{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CANCELLED' }]);
  });

  it('cancels once of ten parallel tries', async () => {
    const given = await aSupplier();
    await aProcess(given, 0);
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(given)));
    // Tries of the same millisecond cannot be distinguished from a repeated write; none of them is a failure.
    expect(answers.every(({ status }) => status === 204 || status === 409)).toBe(true);
    expect(answers.some(({ status }) => status === 204)).toBe(true);
    expect(await statusIn(given)).toBe(4);
  });
});

describe('cancelling an import: 404 and 409', () => {
  it.each([1, 2, 3, 4, 5, 6])('leaves a process of status %i alone', async (status) => {
    const given = await aSupplier();
    await aProcess(given, status);
    expect(await cancel(given)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await statusIn(given)).toBe(status);
  });

  it('finds no process of another organisation, and leaves it alone', async () => {
    const [given, other] = [await aSupplier(), await aSupplier()];
    await aProcess(other, 0);
    expect(await cancel({ ...given, code: other.code })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await statusIn(other)).toBe(0);
  });

  it('changes nothing for a revoked key', async () => {
    const given = await aSupplier();
    await aProcess(given, 0);
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.apiKeyId).run();
    expect(await cancel(given)).toMatchObject({ status: 401 });
    expect(await statusIn(given)).toBe(0);
  });
});
