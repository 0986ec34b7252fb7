export { type Claim, claimProcesses, finishProcesses, giveUpProcesses, releaseProcesses } from './claims';
export { STATUSES, type Status, statusOf } from './machine';
export type { ProcessError } from './process';
export { reducePayloads } from './retention';
export { type Staged, stageAccounts } from './stage';
export type { ClaimedRow, Outcome, ProcessKey } from './store-claims';
export type { StagedAccount } from './store-staging';
export { sweep } from './sweep';
