export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  type CallerGuard,
  factsAgain,
  GUARDED,
  type Guard,
  guardedBy,
  guardOf,
  type ImportedAccount,
  isGuardHeld,
  isUnchanged,
  loadAccountFacts,
  MAX_TRIES,
  supplierFacts,
  type Target,
} from './facts';
export { type FactsOfMany, loadManyFacts, type Pair, suppliersAgain } from './facts-many';
export { recallSupplier, rememberSupplier } from './remembered';
