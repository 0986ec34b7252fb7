/**
 * What the service does with a body before it asks anything of a database: it is read, checked, and its refusal written.
 */
import { documentErrorsOf, invalid, type LineContext, lineErrors, lineText, readLine, resultOf } from '../../../src/accounts/bulk/line';
import { stagedAccountOf } from '../../../src/accounts/schedule/staged';
import { checkRead } from '../../../src/accounts/validation/check';
import { documentPathErrors } from '../../../src/documents';
import { noteDocuments, noteErrors } from '../../../src/notes/rules';
import { notesBody } from '../../../src/notes/schema';
import { errorItem, type FieldError, inPayloadOrder, MAX_ERRORS } from '../../../src/shared/errors';
import { decodeJson } from '../../../src/shared/json';
import { parse } from '../../../src/shared/parse';
import { statementDocuments, statementErrors } from '../../../src/statements/rules';
import { statementsBody } from '../../../src/statements/schema';
import { failedTransaction } from '../../../src/transactions/refusal';
import { transactionListErrors } from '../../../src/transactions/rules';
import { transactionsBody } from '../../../src/transactions/schema';
import { aSmallAccount } from '../../support/payloads';
import { aSupplierWith } from '../../support/suppliers';
import { WORST_BODIES } from '../../support/worst-bodies';

const supplier = aSupplierWith();
const CONTEXT: LineContext = { supplier, missingDocuments: new Set(), now: Date.UTC(2026, 10, 20), maxErrors: MAX_ERRORS };
const ENCODER = new TextEncoder();
const transaction = { transaction_id: '1', transaction_date: '2026-01-01', amount: 1, type: 'PAYMENT' };
const pair = { import_supplier: 'SUP', external_account_number: 'EXT' };

export interface Answered {
  readonly name: string;
  /** A right body, to begin a search with. */
  readonly begin: object;
  /** Bodies that are known to be bad. */
  readonly known: readonly string[];
  /** The text that a body is answered with; where it is right, something short. */
  readonly answer: (text: string) => string;
}

function answerToAccount(text: string): string {
  const account = readLine({ number: 1, bytes: ENCODER.encode(text) });
  if (!('read' in account)) return lineText(account);
  const checkedAccount = checkRead(account.read, CONTEXT.supplier, CONTEXT.now);
  const errors = lineErrors(account, checkedAccount, CONTEXT, documentErrorsOf(checkedAccount, CONTEXT));
  if (errors.length > 0) return lineText(invalid(account, errors));
  stagedAccountOf(checkedAccount, account.text);
  return lineText(resultOf(account, 'SCHEDULED'));
}

const addition =
  (errorsOf: (raw: unknown) => readonly FieldError[]) =>
  (text: string): string => {
    const body = decodeJson(ENCODER.encode(text));
    if (body.kind !== 'json') return body.detail;
    const errors = inPayloadOrder(body.value, errorsOf(body.value));
    return JSON.stringify({ errors: errors.map(errorItem), failed: failedTransaction(body.value, errors) });
  };

export const ANSWERED: readonly Answered[] = [
  {
    name: 'account',
    begin: { ...aSmallAccount('SUP', 'EXT'), notes: [{ body: 'x' }], historical_statement_transactions: [transaction] },
    known: WORST_BODIES.map(({ text }) => text('SUP', 'EXT')),
    answer: answerToAccount,
  },
  {
    name: 'notes',
    known: [JSON.stringify({ ...pair, notes: Array(250).fill({}) })],
    begin: { ...pair, notes: [{ body: 'x' }] },
    answer: addition((raw) => {
      const { draft, errors } = parse(notesBody, raw);
      const notes = draft.notes ?? [];
      const rules = notes.flatMap((note, index) => (note ? noteErrors(['notes', index], note) : []));
      return [...errors, ...rules, ...documentPathErrors('', noteDocuments(['notes'], notes), new Set())];
    }),
  },
  {
    name: 'transactions',
    known: [JSON.stringify({ ...pair, transactions: Array(250).fill({}) })],
    begin: { ...pair, transactions: [transaction] },
    answer: addition((raw) => {
      const { draft, errors } = parse(transactionsBody, raw);
      return [...errors, ...transactionListErrors({ path: ['transactions'], items: draft.transactions ?? [] }, supplier.configuration)];
    }),
  },
  {
    name: 'statements',
    known: [JSON.stringify({ ...pair, statements: Array(250).fill({}) })],
    begin: { ...pair, statements: [{ statement_id: '1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' }] },
    answer: addition((raw) => {
      const { draft, errors } = parse(statementsBody, raw);
      const statements = draft.statements ?? [];
      const documents = documentPathErrors('', statementDocuments(['statements'], statements), new Set());
      return [...errors, ...statementErrors(['statements'], statements), ...documents];
    }),
  },
];
