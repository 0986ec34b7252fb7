/** The schemas whose types the client offers, under the names it offers them by. */

import { address, consentItem, metadataItem } from '../../src/accounts/payload/schema-common';
import { customerItem } from '../../src/accounts/payload/schema-customers';
import { payloadInstructionItem, paymentScheduleItem } from '../../src/accounts/payload/schema-payments';
import { meterPointItem, supplyAddressItem } from '../../src/accounts/payload/schema-supply';
import { accountBody } from '../../src/accounts/schema';
import { documentsBody } from '../../src/documents/schema';
import { noteItem, notesBody } from '../../src/notes/schema';
import { paymentInstructionBody } from '../../src/payment-instructions/schema';
import { statementItem, statementsBody } from '../../src/statements/schema';
import { transactionItem, transactionsBody } from '../../src/transactions/schema';

export const wireSchemas = {
  Note: noteItem,
  Transaction: transactionItem,
  HistoricalStatement: statementItem,
  NotesRequest: notesBody,
  TransactionsRequest: transactionsBody,
  HistoricalStatementsRequest: statementsBody,
  PaymentInstructionRequest: paymentInstructionBody,
  DocumentsCheckRequest: documentsBody,
  Consent: consentItem,
  Metadata: metadataItem,
  Address: address,
  Customer: customerItem,
  MeterPoint: meterPointItem,
  SupplyAddress: supplyAddressItem,
  AccountPaymentInstruction: payloadInstructionItem,
  PaymentSchedule: paymentScheduleItem,
  Account: accountBody,
};
