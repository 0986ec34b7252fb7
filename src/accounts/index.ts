export { redactBankDetails } from './bank-details';
export { createAccounts } from './create';
export { accountDocument } from './document';
export {
  allErrors,
  judgeAccount,
  readAccount,
} from './judge';
export { type CustomerRow, customersOf, openPeriodOf, payloadInstructionsOf } from './reading';
export type { Account } from './schema';
export { accountWarnings } from './warnings';
