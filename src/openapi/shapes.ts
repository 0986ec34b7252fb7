/** The shapes that have a name in the document: whatever equals one of them refers to it. */
import type * as z from 'zod';
import { supportAccount, wholeAccount } from '../account-reading/answers';
import { accountFailedValidation, alreadyImported, importProcessError, validated } from '../accounts/answers';
import { meterPointItem } from '../accounts/payload/schema-supply';
import { accountBody } from '../accounts/schema';
import { document } from '../documents/answers';
import { documentsBody } from '../documents/schema';
import { anyEvent } from '../events/answers';
import { errorItem, problem, serverError, validationError } from '../http/answers';
import { importProcess, summaries, transferStatus } from '../import-processes/answers';
import { noteResults } from '../notes/answers';
import { noteItem, notesBody } from '../notes/schema';
import { process } from '../operator/processes/answers';
import { supplier } from '../operator/suppliers/answers';
import { organisation } from '../organisations/answers';
import { paymentInstructionError, vendorUnavailable } from '../payment-instructions/answers';
import { paymentInstructionBody } from '../payment-instructions/schema';
import { statementItem, statementsBody } from '../statements/schema';
import { graphqlAnswer } from '../tokens/answers';
import { transactionImportError, transactionResults } from '../transactions/answers';
import { transactionItem, transactionsBody } from '../transactions/schema';
import { webhook } from '../webhooks/answers';
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
  ['Problem', problem],
  ['ServerError', serverError],
  ['ErrorItem', errorItem],
  ['ValidationError', validationError],
  ['AccountFailedValidation', accountFailedValidation],
  ['AccountValidated', validated],
  ['ImportProcessError', importProcessError],
  ['AlreadyImported', alreadyImported],
  ['TransactionImportError', transactionImportError],
  ['PaymentInstructionError', paymentInstructionError],
  ['VendorUnavailable', vendorUnavailable],
  ['NoteResults', noteResults],
  ['TransactionResults', transactionResults],
  ['ImportProcess', importProcess],
  ['TransferStatus', transferStatus],
  ['Document', document],
  ['AccountImportSummaries', summaries],
  ['GraphqlAnswer', graphqlAnswer],
  ['Event', anyEvent],
  ['Webhook', webhook],
  ['Organisation', organisation],
  ['Supplier', supplier],
  ['OperatorImportProcess', process],
  ['WholeAccount', wholeAccount],
  ['SupportAccount', supportAccount],
];
