/** Runs on the wire (§4.19–4.22). */
import * as z from 'zod';
import { STATUSES } from '../import-processes/pure';
import { boolean, identifier, integer, optional, requiredLine } from '../shared/fields';
import { totalProblem } from '../shared/money';
import { cursor, numberUpTo } from '../shared/query';
import { checked } from '../shared/reader';

export const MAX_NAME = 64;
const MAX_COUNT = 1_000_000_000;
const MAX_PACE = 100_000;

/** The name of a run, as its address says it. */
export const runName = z.object({ run: identifier(MAX_NAME) });

const count = integer(0, MAX_COUNT);
/** A sum of money: number or decimal string. */
const total = checked(z.union([z.number(), z.string()]), totalProblem, { format: 'total' });

/** What a delivery will bring: counts, and sums of money. */
export const totalsShape = {
  customers: optional(count),
  notes: optional(count),
  transactions: optional(count),
  transactions_amount: optional(total),
  statements: optional(count),
  payment_instructions: optional(count),
  balance: optional(total),
};
export const expectedTotals = z.object({ accounts: optional(count), ...totalsShape });

/** `PUT`: what is not given stays as it is. `0` takes a pace or a limit away. */
export const runBody = z.object({
  is_held: optional(boolean),
  pace_per_minute: optional(integer(0, MAX_PACE)),
  stop_after_errors: optional(integer(0, MAX_COUNT)),
  expected: optional(expectedTotals),
});

/** `POST …/release/` */
export const releaseBody = z.object({ accounts: optional(integer(1, MAX_COUNT)), require_match: optional(boolean) });

/** `POST …/undo/` */
export const undoBody = z.object({ reason: requiredLine(1_000) });

/** One line of the importer's own list. */
export const listedAccount = z.object({ external_account_number: identifier(128), ...totalsShape });

export const runsQuery = z.object({ limit: numberUpTo(1_000), cursor });

export const reportQuery = z.object({ status: z.enum(STATUSES).optional() });
