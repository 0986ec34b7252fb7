/** What is sent. Texts, so that making them is no part of a measurement. */

import type { Pure } from './bundle.ts';

/** The text of an account. */
export type AccountText = (code: string, external: string) => string;

/** The text of `count` items for an account; `prefix` goes into their names. */
export type AdditionText = (code: string, external: string, prefix: string, count: number) => string;

export type Payloads = ReturnType<typeof payloadsFrom>;

type Make = (prefix: string) => (_: unknown, index: number) => object;

const pad = (text: string, bytes: number) => text.padEnd(bytes, '.');

export function payloadsFrom({ smallAccount, fullAccount }: Pure) {
  const today = new Date().toISOString().slice(0, 10);
  const small = (code: string, external: string) => ({
    ...smallAccount(code, external),
    billing_email: 'ada.bell@example.com',
    communication_preference: 'ONLINE',
    account_billing_options: { period_length: 'MONTHLY', period_length_multiplier: 1, period_start_day: 3, period_start_month: 1 },
    last_billed_to_date: '2026-01-31',
    billing_customer_reference: 'PO-2026/77',
    billing_address3: 'Somerset',
    sales_channel: 'BROKER',
    language_preference: 'en-GB',
    references: [{ namespace: 'crm', value: 'AB-100' }],
    metadata: [{ key: 'legacy', value: pad('moved from the old system ', 240) }],
  });
  const transaction = (prefix: string) => (_: unknown, i: number) => ({
    transaction_id: `${prefix}-${i}`,
    transaction_date: today,
    amount: `${(i % 90) + 10}.50`,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    note: `Moved with the account, line ${i}`,
    display_note: 'Electricity',
  });
  const addition =
    (list: string, make: Make): AdditionText =>
    (code, external, prefix, count) =>
      JSON.stringify({ import_supplier: code, external_account_number: external, [list]: Array.from({ length: count }, make(prefix)) });
  return {
    small: (code: string, external: string): string => JSON.stringify(small(code, external)),
    full: (code: string, external: string): string => JSON.stringify(fullAccount(code, external)),
    /** About 200 KB. */
    large: (code: string, external: string): string =>
      JSON.stringify({
        ...fullAccount(code, external),
        last_statement_balance: undefined,
        transfer_balance: undefined,
        historical_statement_transactions: Array.from({ length: 1_000 }, transaction('H')).map((t) => ({
          ...t,
          transaction_date: '2025-11-05',
        })),
      }),
    transactions: addition('transactions', transaction),
    notes: addition('notes', (prefix) => (_, i) => ({
      body: `${prefix} ${i}: ${pad('The meter is behind the oven. ', 120)}`,
      is_pinned: false,
    })),
    statements: addition('statements', (directory) => (_, i) => ({
      statement_id: `S-${i}`,
      bill_period_from_date: '2025-10-01',
      bill_period_to_date: '2025-10-31',
      issued_date: '2025-11-01',
      gross_amount: 8_420,
      ...(directory === '' ? {} : { statement_path: `${directory}/${i}.pdf` }),
    })),
  };
}

/** NDJSON of accounts whose external numbers are `numbers`. */
export const bulkBody = (account: AccountText, code: string, numbers: readonly string[]): string =>
  `${numbers.map((number) => account(code, number)).join('\n')}\n`;
