/** More errors in one body than are listed, at every endpoint that takes lists (§2.9, §8). */
import { describe, expect, it } from 'vitest';
import { anImportedAccount, aSupplier, call } from '../support/given';

const empty = (count: number) => Array.from({ length: count }, () => ({}));

describe('400 lists a thousand errors and says about how many more there are', () => {
  it.each<[string, string, object]>([
    ['validate', '/v2/data-import/accounts/validate/', { historical_statement_transactions: empty(15_000) }],
    ['transactions', '/v1/data-import/transactions/create/', { transactions: empty(1_000) }],
    ['statements', '/v1/data-import/historical-statements/create/', { statements: empty(500) }],
    ['notes', '/v1/data-import/notes/create/', { notes: Array.from({ length: 100 }, () => ({ document_paths: empty(20) })) }],
  ])('%s', async (_, path, lists) => {
    const given = await aSupplier();
    const { externalAccountNumber } = await anImportedAccount(given);
    const body = { import_supplier: given.code, external_account_number: externalAccountNumber, ...lists };
    const answer = await call('POST', path, { token: given.token, body });
    expect(answer.status).toBe(400);
    const { errors } = Object(answer.body);
    expect(errors).toHaveLength(1_001);
    expect(errors[0].code).toBe('required');
    expect(errors.at(-1)).toEqual({ code: 'too_many_errors', attr: '', detail: expect.stringMatching(/^About \d+ more errors/) });
  });

  it.each<[string, string, object]>([
    ['transactions', '/v1/data-import/transactions/create/', { transactions: empty(1_001) }],
    ['statements', '/v1/data-import/historical-statements/create/', { statements: empty(501) }],
    ['notes', '/v1/data-import/notes/create/', { notes: empty(501) }],
  ])('but a list that is too long is one error, whatever its items are: %s', async (list, path, lists) => {
    const given = await aSupplier();
    const { externalAccountNumber } = await anImportedAccount(given);
    const body = { import_supplier: given.code, external_account_number: externalAccountNumber, ...lists };
    const { status, body: answer } = await call('POST', path, { token: given.token, body });
    expect([status, Object(answer).errors]).toMatchObject([400, [{ attr: list, code: 'max_length' }]]);
    expect(Object(answer).errors).toHaveLength(1);
  });
});
