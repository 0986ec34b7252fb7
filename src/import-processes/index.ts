export { drainBacklog, sendLeft, sendNow } from './backlog';
export { type Claim, claimProcesses, finishProcesses, giveUpProcesses, releaseProcesses, renewClaim, stillHeld } from './claims';
export { EVENT, STATUS, STATUSES, type Status, statusAfter, statusOf } from './machine';
export { accountNumberOfIdentifier, isAccountNumber, platformIdentifierOf, processIdOf } from './number';
export { sendReleased } from './pace';
export type { ProcessError } from './process';
export { reducePayloads } from './retention';
export type { IsSameAccount } from './rules-staging';
export { stageAccounts } from './stage';
export { type Create, type KnownProcesses, knownProcesses, type Staged } from './stage-slice';
export { cancelProcess } from './store-cancel';
export type { ClaimedRow } from './store-claims';
export { isProcessOf, may, minuteOf, type ProcessKey, type ProcessKeys, processKeys } from './store-conditions';
export { lastId, processesOfCaller } from './store-known';
export type { Outcome } from './store-outcomes';
export { lastOfFirst } from './store-pace';
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
export { cancelOfRun } from './store-run-cancel';
export { sweep } from './sweep';
