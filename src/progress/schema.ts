/** The query of an importer's processes by status. */
import * as z from 'zod';
import { STATUSES } from '../import-processes/pure';
import { cursor, numberUpTo } from '../shared/query';

export const processesQuery = z.object({
  status: z.enum(STATUSES).optional(),
  /** The name of a run. */
  run: z.string().optional(),
  limit: numberUpTo(1_000),
  cursor,
});
