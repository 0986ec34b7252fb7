/** The shapes whose types the client offers, under the names it offers them by: bodies are those of the declared endpoints. */
import { bulkLine, validated, warning } from '../../src/accounts/answers';
import { createAccount } from '../../src/accounts/endpoints';
import { address, consentItem, metadataItem } from '../../src/accounts/payload/schema-common';
import { customerItem } from '../../src/accounts/payload/schema-customers';
import { payloadInstructionItem, paymentScheduleItem } from '../../src/accounts/payload/schema-payments';
import { meterPointItem, supplyAddressItem } from '../../src/accounts/payload/schema-supply';
import { document, documentsChecked } from '../../src/documents/answers';
import { checkDocuments } from '../../src/documents/endpoints';
import { errorItem } from '../../src/http/answers';
import { importProcess, latestError, processStatus, summaries, transferStatus } from '../../src/import-processes/answers';
import { noteResults } from '../../src/notes/answers';
import { createNotes } from '../../src/notes/endpoints';
import { noteItem } from '../../src/notes/schema';
import { paymentInstructionStored } from '../../src/payment-instructions/answers';
import { createPaymentInstruction } from '../../src/payment-instructions/endpoints';
import { listedProcess, supplierProgress } from '../../src/progress/answers';
import { comparedLine, declaredTotals, difference, listedRun, reconciliation, run, totals } from '../../src/runs/answers';
import { compareRun, putRun } from '../../src/runs/endpoints';
import { createStatements } from '../../src/statements/endpoints';
import { statementItem } from '../../src/statements/schema';
import { transactionData, transactionResult, transactionResults } from '../../src/transactions/answers';
import { createTransactions } from '../../src/transactions/endpoints';
import { transactionItem } from '../../src/transactions/schema';
import { newWebhook, tried, webhook } from '../../src/webhooks/answers';
import { changeWebhook, createWebhook } from '../../src/webhooks/endpoints';

export const wireSchemas = {
  Note: noteItem,
  Transaction: transactionItem,
  HistoricalStatement: statementItem,
  NotesRequest: createNotes.body.schema,
  TransactionsRequest: createTransactions.body.schema,
  HistoricalStatementsRequest: createStatements.body.schema,
  PaymentInstructionRequest: createPaymentInstruction.body.schema,
  DocumentsCheckRequest: checkDocuments.body.schema,
  WebhookRequest: createWebhook.body.schema,
  WebhookChange: changeWebhook.body.schema,
  Consent: consentItem,
  Metadata: metadataItem,
  Address: address,
  Customer: customerItem,
  MeterPoint: meterPointItem,
  SupplyAddress: supplyAddressItem,
  AccountPaymentInstruction: payloadInstructionItem,
  PaymentSchedule: paymentScheduleItem,
  Account: createAccount.body.schema,
  RunSettings: putRun.body.schema,
  ListedAccount: compareRun.body.schema,
};

export const answerSchemas = {
  ErrorItem: errorItem,
  Warning: warning,
  ValidationResult: validated,
  NoteResult: noteResults.element,
  TransactionData: transactionData,
  TransactionResult: transactionResult,
  TransactionResults: transactionResults,
  PaymentInstructionResult: paymentInstructionStored,
  ImportProcessStatus: processStatus,
  ImportProcessError: latestError,
  ImportProcess: importProcess,
  TransferStatus: transferStatus,
  AccountImportSummary: summaries.element,
  ImportSupplier: supplierProgress,
  ListedImportProcess: listedProcess,
  DocumentsChecked: documentsChecked,
  StoredDocument: document,
  Webhook: webhook,
  NewWebhook: newWebhook,
  WebhookTried: tried,
  BulkStatus: bulkLine.shape.status,
  BulkLine: bulkLine,
  RunTotals: totals,
  DeclaredTotals: declaredTotals,
  ListedRun: listedRun,
  Run: run,
  RunDifference: difference,
  Reconciliation: reconciliation,
  ComparedAccount: comparedLine,
};
