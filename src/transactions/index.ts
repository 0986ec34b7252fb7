export { type BillingCycle, cycleStart, firstOpenDay, openPeriod, type Period } from './period';
export { duplicateTransactionErrors, transactionErrors } from './rules';
export { MAX_TRANSACTIONS, type Transaction, type TransactionDraft, transactionItem } from './schema';
export { insertTransactions } from './store';
export { TRANSACTION_SOURCE, type TransactionRow, type TransactionSource, transactionRowsOf } from './transaction';
