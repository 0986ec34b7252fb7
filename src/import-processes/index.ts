export { cancelProcess } from './cancel/store';
export { type Claim, claimProcesses, finishProcesses, giveUpProcesses, releaseProcesses, renewClaim, stillHeld } from './claim/claims';
export type { ClaimedRow } from './claim/store';
export type { Outcome } from './claim/store-outcomes';
export { markErased } from './erase/store';
export { EVENT, STATUS, type Status, statusOf } from './machine';
export { accountNumberOfIdentifier, isAccountNumber, platformIdentifierOf, processIdOf } from './number';
export type { ProcessError } from './process';
export * from './pure';
export { reducePayloads } from './retention/retention';
export {
  isNotComplete,
  type LeftOutRow,
  leftOutOf,
  leftOutWithCode,
  mayStartAgain,
  retryProcess,
  retryProcesses,
} from './retry/store';
export { sendReleased } from './runs/pace';
export { cancelOfRun } from './runs/store-cancel';
export { lastOfFirst } from './runs/store-pace';
export { drainBacklog, sendLeft, sendNow } from './send/backlog';
export type { IsSameAccount } from './stage/rules';
export { type Create, type KnownProcesses, knownProcesses, type Staged } from './stage/slice';
export { stageAccounts } from './stage/stage';
export { lastId, processesOfCaller } from './stage/store-known';
export type { StagedAccount } from './stage/store-replacing';
export {
  importOfEvent,
  isOpenEntry,
  isProcessOf,
  OPEN_INDEX,
  ofRun,
  type ProcessKey,
  type ProcessKeys,
  processKeys,
} from './store-conditions';
export { sweep } from './sweep/sweep';
export { idAfterUndo, isImported, isMarkedUndone, markingUndone, movingUndone } from './undo/store';
