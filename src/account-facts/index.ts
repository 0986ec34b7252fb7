export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  type ImportedAccount,
  loadAccountFacts,
  MAX_TRIES,
  type RunFacts,
  runFacts,
  runFactsOf,
  supplierFacts,
} from './facts';
export {
  additionOf,
  factsAgain,
  type Guard,
  type GuardOfMany,
  guardOf,
  guardOfMany,
  isGuardHeld,
  isUnchanged,
  type Target,
  unchangedAccounts,
  withEvents,
} from './facts-guard';
export { type FactsOfMany, loadManyFacts, type Pair, unchangedOf } from './facts-many';
export { recallSupplier, rememberSupplier } from './remembered';
