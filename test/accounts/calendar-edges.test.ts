import { describe, expect, it } from 'vitest';
import { aDeps } from '../support/deps';
import { aSupplier, call } from '../support/given';
import { deliver, stage, statusOf } from '../support/importing';
import { aSmallAccount } from '../support/payloads';

const statement = (to: string) => ({ statements: [{ statement_id: '1', bill_period_from_date: '0001-01-01', bill_period_to_date: to }] });

describe('an account at the edge of the calendar', () => {
  it.each([
    ['billed to the last day there is', { last_billed_to_date: '9999-12-31' }],
    ['billed to the day before it', { last_billed_to_date: '9999-12-30' }],
    ['billed to the first day there is', { last_billed_to_date: '0001-01-01' }],
    ['with a statement to the last day', statement('9999-12-31')],
    ['with a statement to the first day', statement('0001-01-01')],
    ['of the longest cycle', { account_billing_options: { period_length: 'QUARTERLY', period_length_multiplier: 1_200 } }],
    [
      'of the longest cycle, billed to the last day',
      { last_billed_to_date: '9999-12-31', account_billing_options: { period_length: 'QUARTERLY', period_length_multiplier: 1_200 } },
    ],
    ['of the latest cycle', { account_billing_options: { period_start_day: 28, period_start_month: 12 } }],
    ['born on the first day there is', { customers: [{ given_name: 'Ada', date_of_birth: '0001-01-01' }] }],
    [
      'with notes of long ago and far ahead',
      {
        notes: [
          { body: 'a', created_at: '0001-01-01T00:00:00Z' },
          { body: 'b', created_at: '9999-12-31T23:59:59.999Z' },
        ],
      },
    ],
  ])('%s is created, read and added to', async (_, over) => {
    const given = await aSupplier();
    const { messages } = await stage(given, [{ ...aSmallAccount(given.code, 'a'), ...over }]);
    expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0'], retried: [] });
    expect(await statusOf(given, 'a')).toMatchObject({ status: 'PROCESSED' });
    const pair = { import_supplier: given.code, external_account_number: 'a' };
    for (const [i, transaction_date] of ['0001-01-01', '2026-11-20', '9999-12-31'].entries()) {
      const transactions = [{ transaction_id: `t${i}`, transaction_date, amount: 1, type: 'PAYMENT' }];
      const answer = await call('POST', '/v1/data-import/transactions/create/', { token: given.token, body: { ...pair, transactions } });
      expect([answer.status, answer.body]).toMatchObject([
        201,
        { results: [{ transaction_data: { transaction_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } }] },
      ]);
    }
    for (const [created_at, status] of [
      ['9999-12-31T23:59:59.999Z', 201],
      ['9999-12-31T23:59:59.999-00:01', 400],
      ['0001-01-01T00:00:00+00:01', 400],
    ] as const) {
      const notes = [{ body: 'x', created_at }];
      const answer = await call('POST', '/v1/data-import/notes/create/', { token: given.token, body: { ...pair, notes } });
      expect([created_at, answer.status]).toEqual([created_at, status]);
    }
  });
});
