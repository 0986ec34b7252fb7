import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';

const PATH = '/v2/data-import/accounts/';
const create = (given: GivenSupplier, body: unknown) => call('POST', PATH, { token: given.token, body });
const statusOf = async (given: GivenSupplier, number: string) => {
  const { body } = await call('GET', `${PATH}${encodeURIComponent(given.code)}/${encodeURIComponent(number)}/`, { token: given.token });
  return body;
};
const untilStatus = (given: GivenSupplier, number: string, status: string) =>
  vi.waitFor(async () => expect(await statusOf(given, number)).toMatchObject({ status }), { timeout: 15_000, interval: 100 });

async function processOf(given: GivenSupplier, number: string) {
  return readRow<{ status: number; account_number: string | null; is_dry_run: number; body: string }>(
    `SELECT p.status, p.account_number, p.is_dry_run, y.body FROM import_processes p JOIN payloads y ON y.id = p.id
     WHERE p.supplier_id = ? AND p.external_account_number = ?`,
    given.supplierId,
    number,
  );
}
const count = async (table: string, given: GivenSupplier) =>
  (
    await readRow<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} WHERE account_id IN (SELECT id FROM accounts WHERE supplier_id = ?)`,
      given.supplierId,
    )
  )?.n;

describe('201', () => {
  it('schedules an account that comes out imported, with an identifier and no error', async () => {
    const given = await aSupplier();
    const answer = await create(given, aSmallAccount(given.code, 'ext 1/ä'));
    expect(answer).toMatchObject({ status: 201, body: {} });
    await untilStatus(given, 'ext 1/ä', 'PROCESSED');
    const process = await statusOf(given, 'ext 1/ä');
    expect(process).toEqual({
      status: 'PROCESSED',
      platform_identifier: expect.stringMatching(/^\d+$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      modified_at: expect.any(String),
      latest_event: { event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED', occurred_at: expect.any(String), data: null },
      latest_error: null,
    });
    const stored = await processOf(given, 'ext 1/ä');
    expect(stored?.account_number).toMatch(/^A-[0-9A-F]{8}$/);
    expect(await count('customers', given)).toBe(1);
  });

  it('creates every row of a full payload, once', async () => {
    const given = await aSupplier({ configuration: { documents_root: 'docs' } });
    const account = aFullAccount(given.code, 'full');
    const paths = JSON.stringify(account).matchAll(/"(?:document_path|statement_path)":"([^"]+)"/g);
    for (const [, path] of paths) await env.DOCUMENTS.put(`docs/${path}`, '%PDF');
    expect(await create(given, account)).toMatchObject({ status: 201, body: {} });
    await untilStatus(given, 'full', 'PROCESSED');
    expect(await count('customers', given)).toBe(account.customers.length);
    expect(await count('notes', given)).toBe(account.notes.length);
    expect(await count('statements', given)).toBe(account.statements.length);
    expect(await count('payment_instructions', given)).toBe(account.payment_instructions.length);
    const transactions = JSON.stringify(account).match(/"transaction_id"/g)?.length;
    expect(await count('transactions', given)).toBe(transactions);
    expect((await processOf(given, 'full'))?.body).not.toMatch(/"(?:account_number|iban)":"[^"]{5,}"/);
  });
});

describe('400', () => {
  it('reports an imported account by its number', async () => {
    const given = await aSupplier();
    await create(given, aSmallAccount(given.code, 'a'));
    await untilStatus(given, 'a', 'PROCESSED');
    const stored = await processOf(given, 'a');
    expect(await create(given, aSmallAccount(given.code, 'a'))).toMatchObject({
      status: 400,
      body: {
        non_field_errors: { detail: expect.any(String), code: 'account_import_process_already_imported' },
        account_id: stored?.account_number,
      },
    });
  });

  it('refuses an account that fails validation in the import-process shape and stores nothing', async () => {
    const given = await aSupplier();
    const body = { ...aSmallAccount(given.code, 'a'), account_type: 'CASTLE' };
    expect(await create(given, body)).toMatchObject({
      status: 400,
      body: { code: 'import_process_failed_validation', detail: expect.any(String), domain: 'import_process' },
    });
    expect(await processOf(given, 'a')).toBeNull();
  });
});
