export { type Attempt, addToAccount, MAX_TRIES, type Refusal } from './add';
export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  factsAgain,
  type Guard,
  guardOf,
  type ImportedAccount,
  isUnchanged,
  loadAccountFacts,
  supplierFacts,
  type Target,
} from './facts';
export { recallSupplier, rememberSupplier } from './remembered';
