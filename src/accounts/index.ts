export { redactBankDetails } from './bank-details';
export { createAccounts } from './create';
export { accountDocument } from './document';
export {
  type AccountJudgement,
  allErrors,
  judgeAccount,
  judgeRead,
  type ReadAccount,
  readAccount,
  supplierErrors,
  type TaskParams,
} from './judge';
export { type CustomerRow, customersOf, openPeriodOf, type PayloadInstruction, payloadInstructionsOf } from './reading';
export type { Account, AccountDraft } from './schema';
export { type AccountValidation, validateAccount } from './validate';
