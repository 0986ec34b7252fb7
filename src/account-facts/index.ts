export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  additionOf,
  factsAgain,
  type Guard,
  type GuardOfMany,
  guardOf,
  guardOfMany,
  type ImportedAccount,
  isGuardHeld,
  isUnchanged,
  loadAccountFacts,
  MAX_TRIES,
  supplierFacts,
  type Target,
  unchangedSuppliers,
} from './facts';
export { type FactsOfMany, loadManyFacts, type Pair, suppliersAgain } from './facts-many';
export { recallSupplier, rememberSupplier } from './remembered';
