/** Words and examples for §4.2. */
import { addsInBulk, BROKEN_GZIP, BULK_REFUSED } from '../reference/bulk';
import { NOT_IMPORTED, PAIR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { MALFORMED, ok, one, queryError } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { bulkQuery } from './schema';

const CHARGE = {
  transaction_id: 'T-1',
  transaction_date: '2026-11-02',
  amount: 12.5,
  type: 'CHARGE',
  reason: 'IMPORTED_CHARGE',
  display_note: 'Energy',
};
const SUPPLY_CHARGE = {
  transaction_id: 'T-2',
  transaction_date: '2026-11-03',
  amount: '42.50',
  type: 'SUPPLY_CHARGE',
  product_code: 'ELEC-STANDARD',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      number_of_units: '150.5',
      net_amount: 40.48,
      price_per_unit: '0.2690',
    },
  ],
  tax_items: [{ amount: '2.02', tax_type: 'VAT', value_taxed: 40.48, rate: '0.05', unit_type: 'PROPORTION' }],
};
const OUTSIDE = {
  detail: 'The date is outside the open statement period, 2026-11-01 to 2026-11-30.',
  code: 'transaction_outside_statement_period',
  attr: 'transactions.0.transaction_date',
};
const OLD = { ...CHARGE, transaction_date: '2020-01-31' };
const IN_BULK = addsInBulk('transactions');

export const TRANSACTIONS: readonly Operation[] = [
  describe(declared.createTransactions, answers, {
    id: 'createTransactions',
    tag: 'Account data',
    summary: 'Add financial transactions',
    description:
      'Adds 1 to 1,000 transactions, all or nothing. One with a `transaction_id` that the account has already is skipped; `differs` marks one that was imported with other content. Safe to repeat, unless `check_previously_added` is false: then a blind repeat doubles.',
    query: {
      check_previously_added: {
        description: 'Whether a known `transaction_id` is skipped. False adds it again, each time. Default true.',
        example: true,
      },
      force_add_to_current_statement: {
        description:
          'Whether a date outside the open statement period is moved to its nearest day; the note of the transaction and one pinned note on the account then say so. False refuses it. Default true.',
        example: true,
      },
    },
    body: one('A charge and a supply charge', { ...PAIR, transactions: [CHARGE, SUPPLY_CHARGE] }),
    answers: {
      201: ok('One result for each transaction, as it was stored.', {
        results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { ...CHARGE, amount: '12.50' } }],
      }),
      400: {
        description:
          'Nothing was stored. What concerns a transaction is reported in both shapes at once: the first failing one, and all errors.',
        examples: {
          outside: {
            summary: 'Outside the open statement period',
            value: {
              status: 'TRANSACTION_IMPORT_ERROR',
              error_detail: OUTSIDE.detail,
              transaction_data: { ...OLD, amount: '12.50' },
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [OUTSIDE],
            },
          },
          malformed: MALFORMED,
        },
      },
      404: NOT_IMPORTED,
    },
  }),
  describe(declared.bulkTransactions, answers, {
    id: 'bulkTransactions',
    ...IN_BULK,
    query: {
      check_previously_added: {
        description: 'Only true: a known `transaction_id` is always skipped, so that the lines can be sent again.',
        example: true,
      },
      force_add_to_current_statement: { description: 'As for one request, for all lines. Default true.', example: true },
    },
    answers: {
      200: IN_BULK.answers[200],
      400: {
        description: BULK_REFUSED,
        examples: {
          parameter: {
            summary: 'A parameter',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [queryError(bulkQuery, 'check_previously_added')],
            },
          },
          example: BROKEN_GZIP,
        },
      },
    },
  }),
];
