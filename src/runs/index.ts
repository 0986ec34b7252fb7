export { cancelRun } from './cancel';
export { holdRun, releaseRun } from './change';
export { countRun, errorsIn, findRun, listRuns } from './read';
export { type Reconciliation, reconcileRun } from './reconcile';
export { reportOf } from './report';
export { RUN_TOTALS, shownTotal } from './rules-totals';
export type { RunRow } from './store';
export type { RunErrorRow } from './store-errors';
export { type Undo, undoRun } from './undo';
