/** Every function of the client against the service itself. */
import { describe, expect, it } from 'vitest';
import { type Account, ApiError, DataImportClient } from '../../src/kit/client';
import { aKitSupplier, type KitSupplier } from './given';

const clientOf = ({ url, apiKey }: KitSupplier) => new DataImportClient({ baseUrl: url, apiKey });
const accountOf = ({ code }: KitSupplier, external_account_number: string, more: Partial<Account> = {}): Account => ({
  import_supplier: code,
  external_account_number,
  customers: [{ given_name: 'Ada', landline: '020 7946 0018' }],
  ...more,
});
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the client and the service', () => {
  it('bring an account from validation to its payment instruction', async () => {
    const supplier = await aKitSupplier();
    const client = clientOf(supplier);
    const account = accountOf(supplier, 'ACC/1 ü');
    const pair = { import_supplier: supplier.code, external_account_number: 'ACC/1 ü' };
    const today = new Date().toISOString().slice(0, 10);

    await client.validateAccount(account);
    await client.createAccount(account);
    const process = await client.waitForImport(supplier.code, 'ACC/1 ü', { pollMilliseconds: 100 });
    expect(process).toMatchObject({ status: 'PROCESSED', latest_error: null });
    const { status, platform_account_number } = await client.getTransferStatus(supplier.code, 'ACC/1 ü');
    expect(status).toBe('COMPLETED');

    expect(await client.addNotes({ ...pair, notes: [{ body: 'One' }, { body: 'One' }] })).toMatchObject([
      { status: 'NOTE_CREATION_SUCCESS', body: 'One' },
      { status: 'NOTE_ALREADY_EXISTS', body: 'One' },
    ]);
    const transaction = { transaction_id: 'T', transaction_date: today, amount: 1.5, type: 'CHARGE', reason: 'IMPORTED_CHARGE' } as const;
    const added = await client.addTransactions({ ...pair, transactions: [transaction] });
    expect(added.results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { amount: '1.50' } }]);
    const again = await client.addTransactions({ ...pair, transactions: [transaction] });
    expect(again.results).toMatchObject([{ status: 'TRANSACTION_ALREADY_EXISTS' }]);
    const statement = { statement_id: 'S', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-03-31', gross_amount: 12 };
    expect(await client.addHistoricalStatements({ ...pair, statements: [statement] })).toMatchObject({ statements: [statement] });
    const instruction = { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' } as const;
    expect(await client.addPaymentInstruction({ ...pair, ...instruction })).toEqual({ platform_account_number, reference: 'sandbox-card' });
    expect(await refusalOf(client.createAccount(account))).toMatchObject({ status: 400, accountId: platform_account_number });
  });

  it('report all errors of a validation', async () => {
    const supplier = await aKitSupplier();
    const wrong = accountOf(supplier, 'A', { billing_email: 'no', customers: [{ landline: '1' }] });
    const error = await refusalOf(clientOf(supplier).validateAccount(wrong));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'account_failed_validation',
      errors: [
        { code: 'invalid_phone_number', attr: 'customers.0.landline' },
        { code: 'required', attr: 'customers.0.non_field_errors' },
        { code: 'invalid_email', attr: 'billing_email' },
      ],
    });
  });

  it('report undocumented fields where they are asked for, and in bulk', async () => {
    const supplier = await aKitSupplier();
    const client = clientOf(supplier);
    const account = { ...accountOf(supplier, 'A'), nickname: 'x' };
    const warnings = [{ code: 'undocumented_field', attr: 'nickname' }];
    expect(await client.validateAccount(account)).toEqual({});
    expect(await client.validateAccount(account, { warnings: true })).toMatchObject({ warnings });
    expect(await refusalOf(client.validateAccount({ ...account, billing_email: 'no' }, { warnings: true }))).toMatchObject({
      errors: [{ attr: 'billing_email' }],
      warnings,
    });
    const results = [];
    for await (const result of client.bulk([account, accountOf(supplier, 'B')], { mode: 'validate' })) results.push(result);
    expect(results).toMatchObject([{ status: 'VALID', warnings }, { status: 'VALID' }]);
    expect(results[1]?.warnings).toBeUndefined();
  });

  it('say what happened, from any cursor on, and follow what happens next', async () => {
    const supplier = await aKitSupplier();
    const client = clientOf(supplier);
    const pair = { import_supplier: supplier.code, external_account_number: 'A' };
    await client.createAccount(accountOf(supplier, 'A'));
    await client.waitForImport(supplier.code, 'A', { pollMilliseconds: 100 });
    const notes = (body: string) => client.addNotes({ ...pair, notes: [{ body }] });
    await notes('1');
    const [seen, cursors]: [string[], string[]] = [[], []];
    for await (const { type } of client.events(supplier.code, { limit: 1, onCursor: (cursor) => void cursors.push(cursor) }))
      seen.push(type);
    expect(seen).toEqual(['account_imports.finished', 'notes.added']);
    expect((await client.getEvents(supplier.code, { cursor: cursors[0] ?? '' })).events.map(({ type }) => type)).toEqual(['notes.added']);

    const enough = new AbortController();
    const { signal } = enough;
    const followed = async (): Promise<void> => {
      const options = { cursor: cursors.at(-1) ?? '', follow: true, pollMilliseconds: 20, signal };
      const next = client.events(supplier.code, options);
      await notes('2');
      for (const text of ['3', '4']) {
        expect((await next.next()).value).toMatchObject({ type: 'notes.added', data: { external_account_number: 'A', count: 1 } });
        await notes(text);
      }
      for (;;) if ((await next.next()).value?.type === 'notes.added') enough.abort(new Error('enough'));
    };
    await expect(followed()).rejects.toThrow('enough');
    expect(await refusalOf(client.getEvents(supplier.code, { cursor: 'none' }))).toMatchObject({
      status: 400,
      errors: [{ attr: 'cursor' }],
    });
  });

  it('cancel what has not started', async () => {
    const supplier = await aKitSupplier();
    const client = clientOf(supplier);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await client.createAccount(accountOf(supplier, 'A', { task_params: { schedule_window_start: later } }));
    await client.cancelImport(supplier.code, 'A');
    expect(await client.getImportProcess(supplier.code, 'A')).toMatchObject({ status: 'CANCELLED' });
    expect(await refusalOf(client.cancelImport(supplier.code, 'A'))).toMatchObject({ status: 409, code: 'invalid_transition' });
    expect(await refusalOf(client.cancelImport(supplier.code, 'B'))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('send many accounts, each with its result, and list them page by page', async () => {
    const supplier = await aKitSupplier();
    const client = clientOf(supplier);
    const numbers = Array.from({ length: 25 }, (_, index) => `N ${index}`);
    const accounts = numbers.map((number, index) => (index === 3 ? '{"import_supplier": 1}' : accountOf(supplier, number)));
    const results = [];
    for await (const result of client.bulk(accounts, { linesPerRequest: 10 })) results.push(result);
    expect(results.map(({ index }) => index)).toEqual(numbers.map((_, index) => index));
    expect(results.filter(({ status }) => status === 'SCHEDULED')).toHaveLength(24);
    expect(results[3]).toMatchObject({ status: 'INVALID', errors: [{ code: 'invalid', attr: 'import_supplier' }, { code: 'required' }] });

    for (const number of numbers) if (number !== 'N 3') await client.waitForImport(supplier.code, number, { pollMilliseconds: 50 });
    const good = numbers.filter((number) => number !== 'N 3');
    for (const list of [
      client.listAccountImports(supplier.code, { pageSize: 7 }),
      client.listImportedAccounts(supplier.code, { pageSize: 7 }),
    ]) {
      const found = [];
      for await (const { external_account_number } of list) found.push(external_account_number);
      expect(found).toEqual(good);
    }
    for await (const pending of client.listPendingImports(supplier.code)) expect(pending).toBeUndefined();
    const again = [];
    for await (const { status } of client.bulk([accountOf(supplier, 'N 0')])) again.push(status);
    expect(again).toEqual(['ALREADY_IMPORTED']);
  });

  it('refuse a key that does not open the service', async () => {
    const supplier = await aKitSupplier();
    const client = new DataImportClient({ baseUrl: supplier.url, apiKey: 'sk_live_wrong' });
    expect(await refusalOf(client.getImportProcess('S', 'A'))).toMatchObject({ code: 'PT-CT-1140', isAccessRefused: true });
  });
});
