export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  factsAgain,
  type Guard,
  guardOf,
  type ImportedAccount,
  isGuardHeld,
  isUnchanged,
  loadAccountFacts,
  MAX_TRIES,
  type RunFacts,
  runFacts,
  runFactsOf,
  supplierFacts,
  type Target,
} from './facts';
export { recallSupplier, rememberSupplier } from './remembered';
