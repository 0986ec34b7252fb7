/** What needs no platform: rules, shapes and their words. The importer's kit and rules of other rooms enter here. */
export { type BillingCycle, cycleStart, firstOpenDay, openPeriod } from './period';
export { duplicateTransactionErrors, type TransactionList, transactionErrors } from './rules';
export { type Transaction, type TransactionDraft, transactionItem } from './schema';
export { TRANSACTION_SOURCE, type TransactionRow, transactionRowsOf } from './transaction';
