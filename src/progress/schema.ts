/** The query of an importer's processes by status. */
import * as z from 'zod';
import { STATUSES } from '../import-processes';

const MAX_LIMIT = 1_000;

export const processesQuery = z.object({
  status: z.enum(STATUSES).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIMIT)
    .optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
});
