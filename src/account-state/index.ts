export { recallSupplier, rememberSupplier } from './remembered';
export {
  type AccountState,
  accountState,
  accountStateOf,
  type ImportedAccount,
  loadAccountState,
  MAX_TRIES,
  type RunToJoin,
  runsToJoin,
  runToJoinOf,
  supplierState,
} from './state';
export {
  additionOf,
  type Guard,
  type GuardOfMany,
  guardOf,
  guardOfMany,
  isGuardHeld,
  isUnchanged,
  stateAgain,
  type Target,
  unchangedAccounts,
} from './state-guard';
export { loadStates, type Pair, type StateOfPair, unchangedOf } from './state-many';
