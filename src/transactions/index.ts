export * from './pure';
export { insertTransactions } from './store';
