export { endPaymentInstruction } from './end-instruction';
export { type OpenDocument, openDocument } from './open-document';
export { numberedAccount, readAccount, readAccounts, readNumbered, type WholeAccount } from './read';
export { revealAccount } from './reveal';
export { documentKeys } from './store-changes';
export {
  accountView,
  asIs,
  customerData,
  eventsOf,
  instructionStatus,
  isPinned,
  masked,
  noteData,
  notesInOrder,
  objectIn,
  postedData,
  type Shown,
  transactionsInOrder,
} from './views';
