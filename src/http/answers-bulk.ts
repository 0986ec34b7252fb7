/** The lines that bulk requests are answered with, as far as rooms share them. */
import * as z from 'zod';
import { problem, serverError, validationError } from './answers';

export const lineNumber = z.int().meta({ description: 'Counted from 1; blank lines are counted but not answered.' });

/** A line of many additions: what the endpoint answers to its request. `bodies` are those of the room. */
export const addedLine = <const Bodies extends readonly [z.ZodType, ...z.ZodType[]]>(bodies: Bodies) =>
  z.object({
    line: lineNumber,
    status: z
      .union([201, 400, 401, 404, 413, 500].map((status) => z.literal(status)))
      .meta({ description: 'As if the request had been sent alone. 500 is ours: send the line again.' }),
    body: z.union([...bodies, validationError, serverError, problem]),
  });

/** The last line of a bulk answer. */
export const bulkDone = z.object({
  done: z.literal(true),
  lines: z.int().meta({ description: 'The number of the last line, blank or not.' }),
});
