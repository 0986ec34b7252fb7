export { drainBacklog, sendLeft, sendNow } from './backlog';
export { type Claim, claimProcesses, finishProcesses, giveUpProcesses, releaseProcesses, renewClaim, stillHeld } from './claims';
export { EVENT, STATUS, STATUSES, type Status, statusOf } from './machine';
export { accountNumberOfIdentifier, isAccountNumber, platformIdentifierOf, processIdOf } from './number';
export type { ProcessError } from './process';
export { reducePayloads } from './retention';
export type { IsSameAccount } from './rules-staging';
export { stageAccounts } from './stage';
export { type Create, type KnownProcesses, knownProcesses, type Staged } from './stage-slice';
export { cancelProcess } from './store-cancel';
export type { ClaimedRow } from './store-claims';
export type { ProcessKey } from './store-conditions';
export { markErased } from './store-erasure';
export { processesOfCaller } from './store-known';
export type { Outcome } from './store-outcomes';
export type { StagedAccount } from './store-replacing';
export {
  isNotComplete,
  type LeftOutRow,
  leftOutOf,
  leftOutWithCode,
  mayStartAgain,
  retryProcess,
  retryProcesses,
} from './store-retry';
export { sweep } from './sweep';
