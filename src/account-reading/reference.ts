/** Words and examples for imported accounts whole. */

import { describe, type Operation } from '../reference/operation';
import { AT, CONFLICT, UNKNOWN } from '../reference/operator';
import { invalid, invalidQuery, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { documentQuery } from './schema';

export const ACCOUNT_EXAMPLE = {
  platform_account_number: 'A-60BF1893',
  platform_identifier: '1623136403',
  import_supplier: 'NORTH',
  external_account_number: 'ACC-1',
  account_created_at: AT,
  account: { import_supplier: 'NORTH', external_account_number: 'ACC-1', account_type: 'DOMESTIC', billing_name: 'Ada Lovelace' },
  customers: [{ given_name: 'Ada', family_name: 'Lovelace', mobile: '07400 123456', mobile_e164: '+447400123456' }],
  notes: [
    {
      source: 'POSTED',
      body: 'Prefers letters.',
      created_at: AT,
      is_pinned: true,
      documents: [{ document_path: 'letters/1.pdf', key: 'NORTH/letters/1.pdf' }],
    },
  ],
  transactions: [
    {
      source: 'POSTED',
      added_at: AT,
      imported: { transaction_id: 'T-1', transaction_date: '2026-10-01', amount: 12.5, type: 'PAYMENT' },
      posted: { transaction_date: '2026-11-01', amount: '12.50', type: 'PAYMENT', note: 'The original date 2026-10-01 is outside.' },
    },
  ],
  statements: [
    {
      added_at: AT,
      statement: { statement_id: 'S-1', bill_period_from_date: '2026-09-01', bill_period_to_date: '2026-09-30' },
      document_key: 'NORTH/statements/1.pdf',
    },
  ],
  payment_instructions: [
    { type: 'CARD', status: 'ACTIVE', added_at: AT, vendor: 'STRIPE', reference: 'pm_1', details: { scheme: 'visa', last_four: '4242' } },
  ],
  import_process: {
    status: 'PROCESSED',
    created_at: AT,
    scheduled_at: AT,
    finished_at: AT,
    attempts: 1,
    events: [{ event: 'EVENT_ACCOUNT_IMPORT_PROCESS_CREATED', occurred_at: AT, data: null }],
  },
};
const REVEALED = { ...ACCOUNT_EXAMPLE, history: [{ occurred_at: AT, actor: 'operator', action: 'import_process.retried' }] };
const MASKED = {
  ...REVEALED,
  account: { ...ACCOUNT_EXAMPLE.account, billing_name: 'A•••' },
  customers: [{ given_name: '•••', family_name: 'L•••', mobile: '•••', mobile_e164: '•••' }],
  notes: [],
  transactions: [],
  statements: [],
  payment_instructions: [],
};

export const ACCOUNT_READING: readonly Operation[] = [
  describe(declared.getAccountOfPair, answers, {
    tag: 'Operator',
    id: 'getAccountOfPair',
    summary: 'Get an account by its pair',
    description: 'The imported account whole, from all that is stored of it; personal data is masked.',
    answers: { 200: ok('The account.', MASKED), 404: UNKNOWN },
  }),
  describe(declared.getAccount, answers, {
    tag: 'Operator',
    id: 'getAccount',
    summary: 'Get an account',
    description: 'The same by its platform account number, or by its platform identifier in decimal.',
    answers: { 200: ok('The account.', MASKED), 404: UNKNOWN },
  }),
  describe(declared.revealAccount, answers, {
    tag: 'Operator',
    id: 'revealAccount',
    summary: 'Reveal an account',
    description: 'With nothing masked; audited.',
    answers: { 200: ok('The account.', REVEALED), 404: UNKNOWN },
  }),
  describe(declared.openDocument, answers, {
    tag: 'Operator',
    id: 'openDocument',
    summary: 'Open a document',
    description:
      'A document that the account names, by its key in the bucket; audited. It is answered sandboxed, under its own media type.',
    query: { key: { description: 'The key, as the revealed account shows it.', example: 'NORTH/letters/1.pdf' } },
    answers: {
      200: {
        description: 'The document.',
        headers: ['Content-Disposition'],
      },
      400: invalidQuery(documentQuery, 'key'),
      404: UNKNOWN,
    },
  }),
  describe(declared.endPaymentInstruction, answers, {
    tag: 'Operator',
    id: 'endPaymentInstruction',
    summary: 'End a payment instruction',
    description: 'The active payment instruction of the type becomes history, and another may be posted; audited with the reason.',
    path: { type: { description: 'CARD or DIRECT_DEBIT.', example: 'CARD' } },
    body: one('End a payment instruction', { reason: 'The customer closed the bank account.' }),
    answers: {
      200: ok('The account.', MASKED),
      400: invalid('Not valid.', [{ detail: 'This field is required.', code: 'required', attr: 'reason' }]),
      404: UNKNOWN,
      409: CONFLICT,
    },
  }),
];
