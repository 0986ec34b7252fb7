export { type BillingCycle, cycleStart, firstOpenDay, openPeriod } from './period';
export { duplicateTransactionErrors, type TransactionList, transactionErrors } from './rules';
export { type Transaction, type TransactionDraft, transactionItem } from './schema';
export { insertTransactions } from './store';
export { TRANSACTION_SOURCE, type TransactionRow, transactionRowsOf } from './transaction';
export { hasClosedPaymentTypes, hasClosedReasons } from './vocabulary';
