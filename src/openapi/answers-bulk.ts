/** The lines that bulk requests are answered with. */
import * as z from 'zod';
import { errorItem, problem, serverError, transactionImportError, validationError, warnings } from './answers';

export const bulkLine = z.object({
  line: z.int().meta({ description: 'Counted from 1; blank lines are counted but not answered.' }),
  external_account_number: z.string().optional(),
  status: z
    .enum(['SCHEDULED', 'VALID', 'INVALID', 'ALREADY_IMPORTED', 'IN_PROGRESS', 'FAILED'])
    .meta({ description: 'FAILED is ours: send the line again.' }),
  errors: z.array(errorItem).optional(),
  warnings,
  account_id: z.string().optional().meta({ description: 'Where ALREADY_IMPORTED: the platform account number.' }),
});
/** A line of many additions: what the endpoint answers to its request. */
export const addedLine = (added: z.ZodType) =>
  z.object({
    line: bulkLine.shape.line,
    status: z
      .union([201, 400, 401, 404, 413, 500].map((status) => z.literal(status)))
      .meta({ description: 'As if the request had been sent alone. 500 is ours: send the line again.' }),
    body: z.union([added, transactionImportError, validationError, serverError, problem]),
  });
export const bulkDone = z.object({
  done: z.literal(true),
  lines: z.int().meta({ description: 'The number of the last line, blank or not.' }),
});
