export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  additionOf,
  factsAgain,
  type Guard,
  guardOf,
  type ImportedAccount,
  isGuardHeld,
  isUnchanged,
  loadAccountFacts,
  MAX_TRIES,
  supplierFacts,
  type Target,
} from './facts';
export { recallSupplier, rememberSupplier } from './remembered';
