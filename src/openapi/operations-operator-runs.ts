/** What an operator does to runs. */
import { releaseBody, undoBody } from '../runs/schema';
import * as runAnswer from './answers-runs';
import { type Operation, ok } from './operation';
import {
  CANCEL_TEXT,
  CANCELLED,
  COUNT_WRONG,
  DIFFERS,
  HOLD_TEXT,
  ONE,
  RECONCILED,
  RECONCILIATION_TEXT,
  RELEASE_TEXT,
} from './operations-runs';
import { act, CONFLICT, get, REQUIRED, UNKNOWN, write } from './operator-helpers';

const OPERATED = 'suppliers/{code}/runs/{run}/';

export const OPERATOR_RUN_OPERATIONS: readonly Operation[] = [
  get(
    { path: OPERATED, id: 'operatorGetRun', summary: 'See how far a run is', description: 'The run, with its accounts by status.' },
    { 200: ONE, 404: UNKNOWN },
  ),
  write(
    'post',
    { path: `${OPERATED}release/`, id: 'operatorReleaseRun', summary: 'Release a run', description: RELEASE_TEXT },
    releaseBody,
    { accounts: 50 },
    { 200: ONE, 400: COUNT_WRONG, 404: UNKNOWN, 409: DIFFERS },
  ),
  act({ path: `${OPERATED}hold/`, id: 'operatorHoldRun', summary: 'Hold a run', description: HOLD_TEXT }, { 200: ONE, 404: UNKNOWN }),
  act(
    { path: `${OPERATED}cancel/`, id: 'operatorCancelRun', summary: 'Cancel what of a run is PENDING', description: CANCEL_TEXT },
    { 200: CANCELLED, 404: UNKNOWN },
  ),
  get(
    { path: `${OPERATED}reconciliation/`, id: 'operatorReconcileRun', summary: 'Reconcile a run', description: RECONCILIATION_TEXT },
    { 200: RECONCILED, 404: UNKNOWN },
  ),
  write(
    'post',
    {
      path: `${OPERATED}undo/`,
      id: 'undoRun',
      summary: 'Take the accounts of a run back',
      description:
        'Within `undo_hours` of the supplier, accounts to which nothing was added since are taken back: their rows go, their import processes are CANCELLED and go to the end of the lists, and they may be created again, with a new platform account number. The run is held. Accounts with additions stay and are named. Where `is_done` is false there was too much for one request: send it again. Audited.',
    },
    undoBody,
    { reason: 'Balances were sent in pounds.' },
    {
      200: ok('What was undone.', runAnswer.undone, {
        undone: 49,
        not_undone_count: 1,
        not_undone: [{ external_account_number: 'ACC-7', reason: 'ADDED_TO' }],
        is_done: true,
      }),
      400: REQUIRED('reason'),
      404: UNKNOWN,
      409: CONFLICT,
    },
  ),
];
