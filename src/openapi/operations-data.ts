/** §4.1 to §4.4: what is added to an imported account. */
import { notesBody } from '../notes/schema';
import { paymentInstructionBody } from '../payment-instructions/schema';
import { statementsBody } from '../statements/schema';
import { transactionsBody } from '../transactions/schema';
import * as answer from './answers';
import { booleanQuery, invalid, MALFORMED, NOT_FOUND, type Operation, ok, one, WRITE } from './operation';
import { BULK_ADDITIONS } from './operations-bulk';

const PAIR = { import_supplier: 'DEMO', external_account_number: 'ACC-1' };
const NOT_IMPORTED = NOT_FOUND('The account is not imported, or the supplier is not known. A staged account does not count.');

const NOTE = {
  body: 'Prefers letters to e-mail.',
  created_at: '2026-01-05T09:30:00Z',
  is_pinned: true,
  document_paths: [{ document_path: 'letters/welcome.pdf' }],
};

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

const STATEMENT = {
  statement_id: 'S-1',
  bill_period_from_date: '2025-10-01',
  bill_period_to_date: '2025-12-31',
  issued_date: '2026-01-04',
  number: '2025-4',
  gross_amount: 12_550,
  statement_path: 'statements/2025-q4.pdf',
};

export const DATA_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/data-import/notes/create/',
    id: 'createNotes',
    tag: 'Account data',
    section: '4.1',
    summary: 'Add notes',
    description:
      'Adds 1 to 500 notes, each once: a note with the same `body` (and the same `created_at`, where sent) that is there already, also one that the service wrote itself, is not created again. Results stand in the order of the request. Safe to repeat.',
    access: 'importer',
    body: { schemas: [notesBody], examples: one('A pinned note with a document', { ...PAIR, notes: [NOTE] }) },
    answers: {
      201: ok('One result for each note.', answer.noteResults, [
        { created_at: '2026-01-05T09:30:00.000Z', body: NOTE.body, status: 'NOTE_CREATION_SUCCESS' },
      ]),
      400: invalid('The notes are not valid; nothing was stored.', [
        { detail: 'A note needs a body or document paths.', code: 'body_or_document_paths_required', attr: 'notes.0.non_field_errors' },
      ]),
      404: NOT_IMPORTED,
      ...WRITE,
    },
  },
  {
    method: 'post',
    path: '/v1/data-import/transactions/create/',
    id: 'createTransactions',
    tag: 'Account data',
    section: '4.2',
    summary: 'Add financial transactions',
    description:
      'Adds 1 to 1,000 transactions, all or nothing. One with a `transaction_id` that the account has already is skipped; `differs` marks one that was imported with other content. Safe to repeat, unless `check_previously_added` is false: then a blind repeat doubles.',
    access: 'importer',
    query: [
      {
        name: 'check_previously_added',
        description: 'Whether a known `transaction_id` is skipped. False adds it again, each time. Default true.',
        schema: booleanQuery,
        example: true,
      },
      {
        name: 'force_add_to_current_statement',
        description:
          'Whether a date outside the open statement period is moved to its nearest day; the note of the transaction and one pinned note on the account then tell so. False refuses it. Default true.',
        schema: booleanQuery,
        example: true,
      },
    ],
    body: {
      schemas: [transactionsBody],
      examples: one('A charge and a supply charge', { ...PAIR, transactions: [CHARGE, SUPPLY_CHARGE] }),
    },
    answers: {
      201: ok('One result for each transaction, as it was stored.', answer.transactionResults, {
        results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: { ...CHARGE, amount: '12.50' } }],
      }),
      400: {
        description:
          'Nothing was stored. What concerns a transaction is told in both shapes at once: the first failing one, and all errors.',
        schemas: [answer.transactionImportError, answer.validationError, answer.problem],
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
      ...WRITE,
    },
  },
  {
    method: 'post',
    path: '/v1/data-import/historical-statements/create/',
    id: 'createStatements',
    tag: 'Account data',
    section: '4.3',
    summary: 'Add historical statements',
    description:
      'Adds references to 1 to 500 statements of the past. The same `statement_id` with the same content, undocumented fields included, is stored once; with other content it is refused. Safe to repeat.',
    access: 'importer',
    body: { schemas: [statementsBody], examples: one('A statement with its PDF', { ...PAIR, statements: [STATEMENT] }) },
    answers: {
      201: ok('The validated data.', statementsBody, { ...PAIR, statements: [STATEMENT] }),
      400: invalid('The statements are not valid; nothing was stored.', [
        { detail: 'Another statement with this id exists.', code: 'statement_already_exists', attr: 'statements.0.statement_id' },
      ]),
      404: NOT_IMPORTED,
      ...WRITE,
    },
  },
  ...BULK_ADDITIONS,
  {
    method: 'post',
    path: '/v1/data-import/payment-instruction/create/',
    id: 'createPaymentInstruction',
    tag: 'Account data',
    section: '4.4',
    summary: 'Add a payment instruction',
    description:
      'Asks the vendor whether the instruction exists and is active, then stores it. An account has one active instruction of each type; the same one again is answered alike. After 400 do not send the request again as it is; after 500 do.',
    access: 'importer',
    body: {
      schemas: [paymentInstructionBody],
      examples: one('A card', { ...PAIR, vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }),
    },
    answers: {
      201: ok('Stored, or stored before.', answer.paymentInstructionStored, {
        platform_account_number: 'A-6EFD7231',
        reference: 'sandbox-card',
      }),
      400: {
        description: 'Not valid, or the vendor does not vouch for it. Nothing was stored.',
        schemas: [answer.paymentInstructionError, answer.problem],
        examples: {
          not_found: {
            summary: 'Unknown to the vendor',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [
                { detail: 'The vendor does not know this payment instruction.', code: 'payment_instruction_not_found', attr: 'reference' },
              ],
              error_detail: 'The vendor does not know this payment instruction.',
              ...PAIR,
              reference: 'sandbox-not-found',
            },
          },
          already_active: {
            summary: 'Another one is active',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [
                {
                  detail: 'The account has another active payment instruction of this type: CARD at STRIPE.',
                  code: 'payment_instruction_already_active',
                  attr: 'non_field_errors',
                },
              ],
              error_detail: 'The account has another active payment instruction of this type: CARD at STRIPE.',
              ...PAIR,
              reference: 'sandbox-card',
              active_payment_instruction: { vendor: 'STRIPE', type: 'CARD' },
            },
          },
          malformed: MALFORMED,
        },
      },
      404: NOT_IMPORTED,
      ...WRITE,
      500: {
        description: 'A failure of ours, or the vendor did not answer. Nothing was stored: send the request again unchanged.',
        schemas: [answer.vendorUnavailable, answer.serverError],
        examples: one('The vendor did not answer', {
          ...answer.SERVER_ERROR,
          detail: 'The payment vendor did not answer. Send the request again.',
          code: 'vendor_unavailable',
          error_detail: 'The payment vendor did not answer. Send the request again.',
          ...PAIR,
          reference: 'sandbox-500',
        }),
        headers: ['Retry-After'],
      },
    },
  },
];
