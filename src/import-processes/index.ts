export { drainBacklog, sendLeft, sendNow } from './backlog';
export { type Claim, claimProcesses, finishProcesses, giveUpProcesses, releaseProcesses, renewClaim, stillHeld } from './claims';
export { EVENT, STATUS, STATUSES, type Status, statusOf } from './machine';
export { accountNumberOfIdentifier, isAccountNumber, platformIdentifierOf, processIdOf } from './number';
export type { ProcessError } from './process';
export { reducePayloads } from './retention';
export type { IsSameAccount } from './rules-staging';
export { stageAccounts } from './stage';
export { type Create, type KnownProcesses, knownProcesses, type Staged } from './stage-slice';
export type { ClaimedRow, Outcome, ProcessKey } from './store-claims';
export { processesOfCaller, type StagedAccount } from './store-staging';
export {
  cancelProcess,
  type LeftOutRow,
  leftOutOf,
  leftOutWithCode,
  mayStartAgain,
  retryableProcess,
  retryProcess,
  retryProcesses,
  supplierToRetry,
} from './store-transitions';
export { sweep } from './sweep';
