export * from './pure';
export { insertTransactions } from './store';
export { hasClosedPaymentTypes, hasClosedReasons } from './vocabulary';
