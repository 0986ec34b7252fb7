export { redactBankDetails } from './bank-details';
export { linesOf, MAX_BULK_BYTES } from './bulk-lines';
export { type BodySource, sourceOf } from './bulk-source';
export { listUnlisted } from './commits';
export { createAccounts, type Unfinished } from './create';
export { accountFields } from './document';
export {
  allErrors,
  judgeAccount,
  readAccount,
} from './judge';
export { type CustomerRow, customersOf, openPeriodOf, payloadInstructionsOf } from './reading';
export { documentsOf } from './reduce';
export { type AccountTotals, TOTALS, type Total } from './rules-totals';
export type { Account } from './schema';
export { accountWarnings } from './warnings';
