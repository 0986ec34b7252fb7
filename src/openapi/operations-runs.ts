/** §4.19–4.22: runs. */
import * as z from 'zod';
import { listedAccount, releaseBody, runBody } from '../runs/schema';
import * as answer from './answers';
import * as runAnswer from './answers-runs';
import { type Answer, type Content, invalid, invalidQuery, NOT_FOUND, type Operation, ok, one, READ, WRITE } from './operation';

const PATH = '/v2/data-import/runs/{import_supplier_code}/{run}/';
const NDJSON = 'application/x-ndjson';
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
} as const;
const RUN = { ...ROW, counts: COUNTS };
const DIFFERENCE = { field: 'balance', in: 'staged', expected: '125034.11', found: '125034.10' } as const;
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
  differences: [DIFFERENCE, { ...DIFFERENCE, in: 'imported' as const }],
  matches: false,
};
const UNKNOWN_RUN = NOT_FOUND('The supplier or the run is not known.');
export const DIFFERS: Answer = {
  description: 'With `require_match`: what is staged is not what was declared. Nothing is released.',
  schemas: [runAnswer.totalsDiffer],
  examples: one('A penny is missing', {
    detail: 'What is staged is not what was declared. Nothing is released.',
    code: 'totals_differ',
    differences: [DIFFERENCE],
  }),
};
export const ONE = ok('The run, with how many of its accounts have each status.', runAnswer.run, RUN);
export const CANCELLED = ok('How many were cancelled.', runAnswer.cancelledRun, { ...RUN, cancelled: 40, is_done: true });
export const RECONCILED = ok('The totals.', runAnswer.reconciliation, RECONCILIATION);
export const COUNT_WRONG = invalid('Not valid.', [
  { detail: 'Ensure this value is greater than or equal to 1.', code: 'min_value', attr: 'accounts' },
]);
const bodyOf = (schema: z.ZodType, summary: string, value: unknown): Content => ({ schemas: [schema], examples: one(summary, value) });

const importer = (
  given: Pick<Operation, 'method' | 'path' | 'id' | 'summary' | 'description' | 'answers'> & Partial<Operation>,
): Operation => ({
  tag: 'Runs',
  access: 'importer',
  ...given,
});

export const RELEASE_TEXT =
  'All accounts of the run may start, or with `accounts` the first so many in commit order: a canary. With `require_match` nothing is released unless what is staged equals what was declared.';
export const HOLD_TEXT = 'What has not been claimed does not start; what is being created finishes.';
export const CANCEL_TEXT =
  'The run is held, and what is PENDING is cancelled. Where `is_done` is false there was too much for one request: send it again.';
export const RECONCILIATION_TEXT =
  'What was declared of the run, what is staged of it, and what is imported, counted from the rows of the accounts as they came. What was cancelled counts as neither.';

export const RUN_OPERATIONS: readonly Operation[] = [
  importer({
    method: 'put',
    path: PATH,
    id: 'putRun',
    summary: 'Make or change a run',
    description:
      'Ours, beyond the specification: a run is one delivery of accounts, say one wave of a migration. Accounts join by `task_params.run`, or in bulk by `?run=`. What is not given stays as it is; `0` takes a pace or a limit away. Repeating it is harmless.',
    body: bodyOf(runBody, 'Held, with what it will bring', BODY),
    answers: {
      200: ONE,
      201: ok('The run was made.', runAnswer.run, RUN),
      400: invalid('Not valid.', [
        { detail: 'Ensure this value is greater than or equal to 0.', code: 'min_value', attr: 'pace_per_minute' },
      ]),
      404: NOT_FOUND('The supplier is not known.'),
      ...WRITE,
    },
  }),
  importer({
    method: 'get',
    path: PATH,
    id: 'getRun',
    summary: 'See how far a run is',
    description: 'Ours, beyond the specification: the run, and how many of its accounts have each status.',
    answers: { 200: ONE, 404: UNKNOWN_RUN, ...READ },
  }),
  importer({
    method: 'get',
    path: '/v2/data-import/runs/{import_supplier_code}/',
    id: 'listRuns',
    summary: 'List runs',
    description: 'Ours, beyond the specification: the runs of a supplier by their names.',
    query: [
      { name: 'limit', description: 'At most so many; 100 unless told.', schema: z.int().min(1).max(1_000), example: 100 },
      {
        name: 'cursor',
        description: 'Where to go on: taken from the `Link` header of the page before.',
        schema: z.string().meta({ pattern: '^[A-Za-z0-9_-]+$' }),
      },
    ],
    answers: {
      200: ok('The runs.', z.array(runAnswer.listedRun), [ROW], ['Link']),
      400: invalidQuery('limit'),
      404: NOT_FOUND('The supplier is not known.'),
      ...READ,
    },
  }),
  importer({
    method: 'post',
    path: `${PATH}release/`,
    id: 'releaseRun',
    summary: 'Release a run, or its first accounts',
    description: `Ours, beyond the specification. ${RELEASE_TEXT}`,
    body: bodyOf(releaseBody, 'A canary of 50', { accounts: 50, require_match: true }),
    answers: { 200: ONE, 400: COUNT_WRONG, 404: UNKNOWN_RUN, 409: DIFFERS, ...WRITE },
  }),
  importer({
    method: 'post',
    path: `${PATH}hold/`,
    id: 'holdRun',
    summary: 'Hold a run',
    description: `Ours, beyond the specification. ${HOLD_TEXT}`,
    answers: { 200: ONE, 404: UNKNOWN_RUN, ...READ },
  }),
  importer({
    method: 'post',
    path: `${PATH}cancel/`,
    id: 'cancelRun',
    summary: 'Cancel what of a run is PENDING',
    description: `Ours, beyond the specification. ${CANCEL_TEXT}`,
    answers: { 200: CANCELLED, 404: UNKNOWN_RUN, ...READ },
  }),
  importer({
    method: 'get',
    path: `${PATH}reconciliation/`,
    id: 'reconcileRun',
    summary: 'Compare what is imported with what was declared',
    description: `Ours, beyond the specification. ${RECONCILIATION_TEXT}`,
    answers: { 200: RECONCILED, 404: UNKNOWN_RUN, ...READ },
  }),
  importer({
    method: 'post',
    path: `${PATH}reconciliation/`,
    id: 'compareRun',
    summary: 'Compare what is imported with a list of your own',
    description:
      'Ours, beyond the specification: a line for each account of your list, up to 64 MiB; fields that you leave out are not compared. What differs is answered line by line, and a last line `{"done": true, …}` says that the answer is whole. `MISSING`: not imported in this run; `UNEXPECTED`: imported in this run and not in the list; `DIFFERENT`: with each field.',
    body: {
      mediaType: NDJSON,
      otherMediaTypes: ['application/ndjson', 'application/jsonl'],
      schemas: [listedAccount],
      examples: one('One line', { external_account_number: 'ACC-1', balance: '12.50', customers: 1 }),
    },
    answers: {
      200: {
        description: 'What differs, and the last line.',
        mediaType: NDJSON,
        schemas: [runAnswer.comparedLine, runAnswer.comparedDone],
        examples: one('One of the lines', {
          line: 1,
          external_account_number: 'ACC-1',
          status: 'DIFFERENT',
          differences: [{ field: 'balance', expected: '12.50', found: '12.49' }],
        }),
      },
      400: {
        description: 'The body was cut.',
        schemas: [answer.problem],
        examples: one('Cut', {
          detail: 'The body ended in the middle, or is not what its Content-Encoding says.',
          code: 'parse_error',
        }),
      },
      404: UNKNOWN_RUN,
      ...WRITE,
    },
  }),
  importer({
    method: 'get',
    path: `${PATH}report/`,
    id: 'reportRun',
    summary: 'Every account of a run',
    description:
      'Ours, beyond the specification: each account with its status, platform number and all its errors, in commit order. NDJSON, whose last line `{"done": true, …}` says that it is whole; with `Accept: text/csv` CSV, whose last line begins with `# the report is whole`. In CSV a text that a spreadsheet would run as a formula is led by an apostrophe.',
    query: [{ name: 'status', description: 'Only those in this status.', schema: answer.processStatus, example: 'ERRORED' }],
    answers: {
      200: {
        description: 'The accounts, and the last line.',
        mediaType: NDJSON,
        otherMediaTypes: ['text/csv; charset=utf-8'],
        schemas: [answer.listedProcess, runAnswer.reportDone, z.string()],
        examples: one('One of the lines', {
          external_account_number: 'ACC-1',
          status: 'PROCESSED',
          platform_account_number: 'A-60BF1893',
          platform_identifier: '1623136403',
          modified_at: '2026-11-20T10:16:22.240Z',
          latest_error: null,
        }),
      },
      400: invalidQuery('status'),
      404: UNKNOWN_RUN,
      ...READ,
    },
  }),
];
