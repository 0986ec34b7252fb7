/** Runs as the reference shows them. */
const COUNTS = { PENDING: 0, IN_PROGRESS: 0, PROCESSED: 9_998, ERRORED: 2, CANCELLED: 0, DRY_RUN_SUCCEEDED: 0, DRY_RUN_ERRORED: 0 };
export const BODY = { is_held: true, stop_after_errors: 20, expected: { accounts: 10_000, balance: '125034.11' } };
export const ROW = {
  run: 'wave-1',
  is_held: true,
  held_by: 'importer',
  released: 'none',
  stop_after_errors: 20,
  errors_since_release: 0,
  refused: 0,
  expected: BODY.expected,
  created_at: '2026-11-20T10:16:21.730Z',
  modified_at: '2026-11-20T10:16:21.730Z',
};
export const RUN = { ...ROW, counts: COUNTS };
export const DIFFERENCE = { field: 'balance', in: 'staged', expected: '125034.11', found: '125034.10' };
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
export const RECONCILIATION = {
  expected: BODY.expected,
  staged: TOTALS,
  imported: TOTALS,
  differences: [DIFFERENCE, { ...DIFFERENCE, in: 'imported' }],
  matches: false,
};
export const LINE = {
  external_account_number: 'ACC-1',
  status: 'PROCESSED',
  platform_account_number: 'A-60BF1893',
  platform_identifier: '1623136403',
  modified_at: '2026-11-20T10:16:22.240Z',
  latest_error: null,
};
