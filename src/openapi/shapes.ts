/** The shapes that have a name in the document: whatever equals one of them refers to it. */
import type * as z from 'zod';
import * as reading from '../account-reading/answers';
import * as account from '../accounts/answers';
import { accountBody } from '../accounts/schema';
import { meterPointItem } from '../accounts/schema-supply';
import { document } from '../documents/answers';
import { documentsBody } from '../documents/schema';
import * as common from '../http/answers';
import * as importing from '../import-processes/answers';
import * as note from '../notes/answers';
import { noteItem, notesBody } from '../notes/schema';
import { process } from '../operator/processes/answers';
import { supplier } from '../operator/suppliers/answers';
import { organisation } from '../organisations/answers';
import * as instruction from '../payment-instructions/answers';
import { paymentInstructionBody } from '../payment-instructions/schema';
import { statementItem, statementsBody } from '../statements/schema';
import * as token from '../tokens/answers';
import * as transaction from '../transactions/answers';
import { transactionItem, transactionsBody } from '../transactions/schema';
import { DOCUMENT_FIELDS, TAX_FIELDS, type Words } from './fields';

/** Named shapes, inner ones first. */
export const SENT: readonly (readonly [name: string, schema: z.ZodType, words?: Words])[] = [
  ['LineItem', transactionItem.shape.line_items.unwrap().unwrap().element],
  ['TaxItem', transactionItem.shape.tax_items.unwrap().unwrap().element, TAX_FIELDS],
  ['Transaction', transactionItem],
  ['Note', noteItem],
  ['Statement', statementItem],
  ['Address', accountBody.shape.billing_address.unwrap().unwrap()],
  ['MeterPoint', meterPointItem],
  ['SupplyAddress', accountBody.shape.supply_addresses.unwrap().unwrap().element],
  ['Customer', accountBody.shape.customers.unwrap().unwrap().element],
  ['Ledger', accountBody.shape.ledgers.unwrap().unwrap().element],
  ['TaskParams', accountBody.shape.task_params.unwrap().unwrap()],
  ['Account', accountBody],
  ['NewNotes', notesBody],
  ['NewTransactions', transactionsBody],
  ['NewStatements', statementsBody],
  ['NewPaymentInstruction', paymentInstructionBody],
  ['DocumentsToCheck', documentsBody, DOCUMENT_FIELDS],
];
export const ANSWERED: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['Problem', common.problem],
  ['ServerError', common.serverError],
  ['ErrorItem', common.errorItem],
  ['ValidationError', common.validationError],
  ['AccountFailedValidation', account.accountFailedValidation],
  ['AccountValidated', account.validated],
  ['ImportProcessError', account.importProcessError],
  ['AlreadyImported', account.alreadyImported],
  ['TransactionImportError', transaction.transactionImportError],
  ['PaymentInstructionError', instruction.paymentInstructionError],
  ['VendorUnavailable', instruction.vendorUnavailable],
  ['NoteResults', note.noteResults],
  ['TransactionResults', transaction.transactionResults],
  ['ImportProcess', importing.importProcess],
  ['TransferStatus', importing.transferStatus],
  ['Document', document],
  ['AccountImportSummaries', importing.summaries],
  ['GraphqlAnswer', token.graphqlAnswer],
  ['Organisation', organisation],
  ['Supplier', supplier],
  ['OperatorImportProcess', process],
  ['WholeAccount', reading.wholeAccount],
  ['SupportAccount', reading.supportAccount],
];
