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
  type RunFacts,
  runFacts,
  runFactsOf,
  supplierFacts,
  type Target,
  unchangedAccounts,
} from './facts';
export { type FactsOfMany, loadManyFacts, type Pair, unchangedOf } from './facts-many';
export { recallSupplier, rememberSupplier } from './remembered';
