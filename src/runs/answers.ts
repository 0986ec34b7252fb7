/** What is answered about runs (§4.19–4.22). */
import * as z from 'zod';
import { errorItem, moment, problem } from '../http/answers';
import { processStatus } from '../import-processes/answers';
import { listedProcess, supplierProgress } from '../progress/answers';

const money = z.string().meta({ description: 'With two decimals.' });

export const totals = z.object({
  accounts: z.int(),
  customers: z.int(),
  notes: z.int(),
  transactions: z.int(),
  transactions_amount: money,
  statements: z.int(),
  payment_instructions: z.int(),
  balance: money,
});

export const declaredTotals = totals.partial().meta({ description: 'What was declared.' });

export const difference = z.object({
  field: totals.keyof(),
  in: z.enum(['staged', 'imported']).meta({ description: 'Where `found` was counted.' }),
  expected: z.union([z.int(), z.string()]),
  found: z.union([z.int(), z.string()]),
});

export const listedRun = z.object({
  run: z.string(),
  is_held: z.boolean(),
  held_by: z
    .enum(['importer', 'errors', 'cancelled', 'undone'])
    .optional()
    .meta({ description: 'While it is held: who asked for it, or `errors` where `stop_after_errors` was reached.' }),
  released: z.enum(['all', 'some', 'none']).meta({ description: 'What may start: all accounts, the first of them, or none.' }),
  pace_per_minute: z.int().optional(),
  stop_after_errors: z.int().optional(),
  errors_since_release: z.int().meta({ description: 'ERRORED since the latest release.' }),
  refused: z.int().meta({ description: 'Creates refused that named the run; an account that was sent twice counts twice.' }),
  expected: declaredTotals,
  created_at: moment,
  modified_at: moment,
});

export const listedRuns = z.array(listedRun);

export const run = z.object({ ...listedRun.shape, counts: supplierProgress.shape.counts });

export const cancelledRun = z.object({ ...run.shape, cancelled: z.int(), is_done: z.boolean() });

export const reconciliation = z.object({
  expected: declaredTotals,
  staged: totals,
  imported: totals,
  differences: z.array(difference),
  matches: z.boolean(),
});

export const totalsDiffer = z.object({ ...problem.shape, differences: z.array(difference) });

export const comparedLine = z.object({
  line: z.int().optional().meta({ description: 'Of the list, counted from 1; absent for UNEXPECTED.' }),
  external_account_number: z.string().optional(),
  status: z.enum(['MISSING', 'UNEXPECTED', 'DIFFERENT', 'INVALID']),
  import_status: processStatus
    .nullable()
    .optional()
    .meta({ description: 'Of MISSING: what became of it in this run; null if it is not in it.' }),
  differences: z.array(z.object({ field: totals.keyof(), expected: difference.shape.expected, found: difference.shape.found })).optional(),
  errors: z.array(errorItem).optional(),
});
export const comparedDone = z.object({
  done: z.literal(true),
  lines: z.int(),
  matching: z.int(),
  missing: z.int(),
  different: z.int(),
  unexpected: z.int(),
  invalid: z.int(),
  matches: z.boolean(),
});

export { listedProcess };
export const reportDone = z.object({ done: z.literal(true), accounts: z.int() });
export const reportCsv = z.string();

export const undone = z.object({
  undone: z.int(),
  not_undone_count: z.int(),
  not_undone: z
    .array(z.object({ external_account_number: z.string(), reason: z.enum(['ADDED_TO', 'TOO_LATE']) }))
    .meta({ description: 'The first 1,000 of them.' }),
  is_done: z.boolean(),
});
