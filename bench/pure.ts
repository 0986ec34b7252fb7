/** What the bench takes from the product in plain Node: payloads, tokens and the pure judgements it times. */
export { judgeAccount } from '../src/accounts/validation/judge';
export { parse } from '../src/shared/parse';
export { issueToken } from '../src/tokens/token';
export { transactionListErrors } from '../src/transactions/rules';
export { transactionsBody } from '../src/transactions/schema';
export { aFullAccount, aSmallAccount } from '../test/support/payloads';
export { aJudgedSupplier } from '../test/support/suppliers';
