/** Words and examples for §4.19–4.22, and for what an operator does to runs. */
import { CURSOR } from '../reference/importer';
import { describe, type Operation, type Said } from '../reference/operation';
import { CONFLICT, REQUIRED, UNKNOWN } from '../reference/operator';
import { invalid, invalidQuery, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { reportQuery, runsQuery } from './schema';

const COUNTS = { PENDING: 0, IN_PROGRESS: 0, PROCESSED: 9_998, ERRORED: 2, CANCELLED: 0, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0 };
const BODY = { is_held: true, stop_after_errors: 20, expected: { accounts: 10_000, balance: '125034.11' } };
const ROW = {
  run: 'wave-1',
  is_held: true,
  held_by: 'importer',
  released: 'none',
  stop_after_errors: 20,
  errors_since_release: 0,
  expected: BODY.expected,
  created_at: '2026-11-20T10:16:21.730Z',
  modified_at: '2026-11-20T10:16:21.730Z',
};
const RUN = { ...ROW, counts: COUNTS };
const DIFFERENCE = { field: 'balance', in: 'staged', expected: '125034.11', found: '125034.10' };
const TOTALS = {
  accounts: 10_000,
  customers: 10_000,
  notes: 0,
  transactions: 20_000,
  transactions_amount: '250000.00',
  statements: 0,
  payment_instructions: 0,
  balance: '125034.10',
};
const RECONCILIATION = {
  expected: BODY.expected,
  staged: TOTALS,
  imported: TOTALS,
  differences: [DIFFERENCE, { ...DIFFERENCE, in: 'imported' }],
  matches: false,
};
const NAMED = { run: { description: 'Name of the run, percent-encoded.', example: 'wave-1' } };

const UNKNOWN_SUPPLIER = NOT_FOUND('The supplier is not known.');
const UNKNOWN_RUN = NOT_FOUND('The supplier or the run is not known.');
const DIFFERS: Said = {
  description: 'With `require_match`: what is staged is not what was declared. Nothing is released.',
  examples: one('A penny is missing', {
    detail: 'What is staged is not what was declared. Nothing is released.',
    code: 'totals_differ',
    differences: [DIFFERENCE],
  }),
};
const ONE = ok('The run, with how many of its accounts have each status.', RUN);
const CANCELLED = ok('How many were cancelled.', { ...RUN, cancelled: 40, is_done: true });
const RECONCILED = ok('The totals.', RECONCILIATION);
const below = (least: number, attr: string) =>
  invalid('Not valid.', [{ detail: `Ensure this value is greater than or equal to ${least}.`, code: 'min_value', attr }]);
const COUNT_WRONG = below(1, 'accounts');

const RELEASE =
  'All accounts of the run may start, or with `accounts` the first so many in commit order: a canary. With `require_match` nothing is released unless what is staged equals what was declared.';
const HOLD = 'What has not been claimed does not start; what is being created finishes.';
const CANCEL =
  'The run is held, and what is PENDING is cancelled. Where `is_done` is false there was too much for one request: send it again.';
const RECONCILE =
  'What was declared of the run, what is staged of it, and what is imported, counted from the rows of the accounts as they came. What was cancelled counts as neither.';

export const RUNS: readonly Operation[] = [
  describe(declared.putRun, answers, {
    id: 'putRun',
    tag: 'Runs',
    summary: 'Make or change a run',
    description:
      'Ours, beyond the specification: a run is one delivery of accounts, say one wave of a migration. Accounts join by `task_params.run`, or in bulk by `?run=`. What is not given stays as it is; `0` takes a pace or a limit away. Repeating it is harmless.',
    path: NAMED,
    body: one('Held, with what it will bring', BODY),
    answers: {
      200: ONE,
      201: ok('The run was made.', RUN),
      400: below(0, 'pace_per_minute'),
      404: UNKNOWN_SUPPLIER,
    },
  }),
  describe(declared.getRun, answers, {
    id: 'getRun',
    tag: 'Runs',
    summary: 'See how far a run is',
    description: 'Ours, beyond the specification: the run, and how many of its accounts have each status.',
    path: NAMED,
    answers: { 200: ONE, 404: UNKNOWN_RUN },
  }),
  describe(declared.listRuns, answers, {
    id: 'listRuns',
    tag: 'Runs',
    summary: 'List runs',
    description: 'Ours, beyond the specification: the runs of a supplier by their names.',
    query: { limit: { description: 'At most so many; 100 by default.', example: 100 }, cursor: CURSOR },
    answers: { 200: ok('The runs.', [ROW], ['Link']), 400: invalidQuery(runsQuery, 'limit'), 404: UNKNOWN_SUPPLIER },
  }),
  describe(declared.releaseRun, answers, {
    id: 'releaseRun',
    tag: 'Runs',
    summary: 'Release a run, or its first accounts',
    description: `Ours, beyond the specification. ${RELEASE}`,
    path: NAMED,
    body: one('A canary of 50', { accounts: 50, require_match: true }),
    answers: { 200: ONE, 400: COUNT_WRONG, 404: UNKNOWN_RUN, 409: DIFFERS },
  }),
  describe(declared.holdRun, answers, {
    id: 'holdRun',
    tag: 'Runs',
    summary: 'Hold a run',
    description: `Ours, beyond the specification. ${HOLD}`,
    path: NAMED,
    answers: { 200: ONE, 404: UNKNOWN_RUN },
  }),
  describe(declared.cancelRun, answers, {
    id: 'cancelRun',
    tag: 'Runs',
    summary: 'Cancel what of a run is PENDING',
    description: `Ours, beyond the specification. ${CANCEL}`,
    path: NAMED,
    answers: { 200: CANCELLED, 404: UNKNOWN_RUN },
  }),
  describe(declared.reconcileRun, answers, {
    id: 'reconcileRun',
    tag: 'Runs',
    summary: 'Compare what is imported with what was declared',
    description: `Ours, beyond the specification. ${RECONCILE}`,
    path: NAMED,
    answers: { 200: RECONCILED, 404: UNKNOWN_RUN },
  }),
  describe(declared.compareRun, answers, {
    id: 'compareRun',
    tag: 'Runs',
    summary: 'Compare what is imported with a list of your own',
    description:
      'Ours, beyond the specification: a line for each account of your list, up to 64 MiB; fields that you leave out are not compared. What differs is answered line by line, and a last line `{"done": true, …}` says that the answer is whole. `MISSING`: not imported in this run; `UNEXPECTED`: imported in this run and not in the list; `DIFFERENT`: with each field.',
    path: NAMED,
    body: one('One line', { external_account_number: 'ACC-1', balance: '12.50', customers: 1 }),
    answers: {
      200: {
        description: 'What differs, and the last line.',
        examples: one('One of the lines', {
          line: 1,
          external_account_number: 'ACC-1',
          status: 'DIFFERENT',
          differences: [{ field: 'balance', expected: '12.50', found: '12.49' }],
        }),
      },
      400: {
        description: 'The body was cut.',
        examples: one('Cut', {
          detail: 'The body ended in the middle, or is not what its Content-Encoding says.',
          code: 'parse_error',
        }),
      },
      404: UNKNOWN_RUN,
    },
  }),
  describe(declared.reportRun, answers, {
    id: 'reportRun',
    tag: 'Runs',
    summary: 'Every account of a run',
    description:
      'Ours, beyond the specification: each account with its status, platform number and all its errors, in commit order. NDJSON, whose last line `{"done": true, …}` says that it is whole; with `Accept: text/csv` CSV, whose last line begins with `# the report is whole`. In CSV a text that a spreadsheet would run as a formula is led by an apostrophe.',
    path: NAMED,
    query: { status: { description: 'Only those in this status.', example: 'ERRORED' } },
    answers: {
      200: {
        description: 'The accounts, and the last line.',
        examples: one('One of the lines', {
          external_account_number: 'ACC-1',
          status: 'PROCESSED',
          platform_account_number: 'A-60BF1893',
          platform_identifier: '1623136403',
          modified_at: '2026-11-20T10:16:22.240Z',
          latest_error: null,
        }),
      },
      400: invalidQuery(reportQuery, 'status'),
      404: UNKNOWN_RUN,
    },
  }),
];

export const OPERATOR_RUNS: readonly Operation[] = [
  describe(declared.operatorGetRun, answers, {
    id: 'operatorGetRun',
    tag: 'Operator',
    summary: 'See how far a run is',
    description: 'The run, with its accounts by status.',
    path: NAMED,
    answers: { 200: ONE, 404: UNKNOWN },
  }),
  describe(declared.operatorReleaseRun, answers, {
    id: 'operatorReleaseRun',
    tag: 'Operator',
    summary: 'Release a run',
    description: RELEASE,
    path: NAMED,
    body: one('Release a run', { accounts: 50 }),
    answers: { 200: ONE, 400: COUNT_WRONG, 404: UNKNOWN, 409: DIFFERS },
  }),
  describe(declared.operatorHoldRun, answers, {
    id: 'operatorHoldRun',
    tag: 'Operator',
    summary: 'Hold a run',
    description: HOLD,
    path: NAMED,
    answers: { 200: ONE, 404: UNKNOWN },
  }),
  describe(declared.operatorCancelRun, answers, {
    id: 'operatorCancelRun',
    tag: 'Operator',
    summary: 'Cancel what of a run is PENDING',
    description: CANCEL,
    path: NAMED,
    answers: { 200: CANCELLED, 404: UNKNOWN },
  }),
  describe(declared.operatorReconcileRun, answers, {
    id: 'operatorReconcileRun',
    tag: 'Operator',
    summary: 'Reconcile a run',
    description: RECONCILE,
    path: NAMED,
    answers: { 200: RECONCILED, 404: UNKNOWN },
  }),
  describe(declared.undoRun, answers, {
    id: 'undoRun',
    tag: 'Operator',
    summary: 'Take the accounts of a run back',
    description:
      'Within `undo_hours` of the supplier, accounts to which nothing was added since are taken back: their rows go, their import processes are CANCELLED and go to the end of the lists, and they may be created again, with a new platform account number. The run is held. Accounts with additions stay and are named. Where `is_done` is false there was too much for one request: send it again. Audited.',
    path: NAMED,
    body: one('Take the accounts of a run back', { reason: 'Balances were sent in pounds.' }),
    answers: {
      200: ok('What was undone.', {
        undone: 49,
        not_undone_count: 1,
        not_undone: [{ external_account_number: 'ACC-7', reason: 'ADDED_TO' }],
        is_done: true,
      }),
      400: REQUIRED('reason'),
      404: UNKNOWN,
      409: CONFLICT,
    },
  }),
];
