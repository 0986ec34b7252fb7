export { listUnlisted } from './commits/commits';
export { createAccounts, type Unfinished } from './create/create';
export { redactBankDetails } from './payload/bank-details';
export { accountFields } from './payload/document';
export { type CustomerRow, customersOf, openPeriodOf, payloadInstructionsOf } from './payload/reading';
export { documentsOf } from './payload/reduce';
export * from './pure';
